"""What an import mounts, and what keeps an export from unmounting."""

from __future__ import annotations

import pytest

from tests.doubles.practice_runs import Bench
from zconsole.practice.program_reply import Refusal
from zconsole.practice.zpool.mount_with_pool import can_mount, has_open_volume, mount_all, unmount_all


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.type("zfs create tank/a", "zfs create -o canmount=noauto tank/b", "zfs create -V 64M tank/v")
    made.type("zfs create -o mountpoint=none tank/c", "zfs create -o mountpoint=legacy tank/d")
    return made


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        (True, "tank"),
        (True, "tank/a"),
        (False, "tank/b"),
        (False, "tank/c"),
        (False, "tank/d"),
        (False, "tank/v"),
    ],
)
def test_an_import_mounts_what_has_a_mountpoint_and_may_be_mounted(
    bench: Bench, name: str, *, expected: bool
) -> None:
    pool = bench.world.pools["tank"]
    assert expected is can_mount(pool, pool.datasets[name])


def test_one_mount_in_use_keeps_all_mounted(bench: Bench) -> None:
    pool = bench.world.pools["tank"]
    mount_all(pool)
    pool.datasets["tank"].is_busy = True

    with pytest.raises(Refusal, match="cannot unmount '/tank': pool or dataset is busy"):
        unmount_all(bench.world, pool)
    assert pool.datasets["tank/a"].is_mounted

    pool.datasets["tank"].is_busy = False
    unmount_all(bench.world, pool)
    assert [] == [name for name, dataset in pool.datasets.items() if dataset.is_mounted]


def test_only_an_open_volume_keeps_the_pool_busy(bench: Bench) -> None:
    pool = bench.world.pools["tank"]
    pool.datasets["tank/a"].is_busy = True
    assert not has_open_volume(pool)

    pool.datasets["tank/v"].is_busy = True
    assert has_open_volume(pool)
