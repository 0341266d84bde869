"""What volumes take: room for a snapshot, as ZFS asks for it, and padding, as it was measured."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.actions.dataset.plans import planned
from tests.analysis.build import disk, group, pool
from tests.doubles.plan_worlds import GIB, filesystem, host, volume
from tests.practice.zfs.stage import MIB, Stage
from zconsole.analysis.dependencies.volume_overhead import is_sparse, snapshot_need, taken_by_blocks
from zconsole.practice.world import dataset_writes_and_snapshots
from zconsole.zfs.listing.datasets import list_datasets, parse_datasets


@given(
    written=st.integers(1, 700),
    reserve=st.sampled_from(("none", "auto", "200M")),
    quota=st.integers(900, 2000),
)
def test_a_snapshot_is_possible_exactly_when_the_practice_host_takes_it(
    written: int, reserve: str, quota: int
) -> None:
    stage = Stage("zfs create -V 800M tank/v", f"zfs set refreservation={reserve} tank/v")
    dataset_writes_and_snapshots.write(stage.pool, stage.dataset("tank/v"), written * MIB)
    stage.run(f"zfs set quota={quota}M tank")
    listed = stage.does(" ".join(list_datasets("tank").argv))
    (found,) = (each for each in parse_datasets(listed) if each.name == "tank/v")

    need = snapshot_need(found)

    assert need.is_possible == (stage.run("zfs snapshot tank/v@1").status == 0)
    assert is_sparse(found) == (reserve == "none")


def test_what_is_not_known_is_not_refused() -> None:
    need = snapshot_need(volume("tank/v", available_bytes=None, refreservation_bytes=GIB))

    assert (None, True) == (need.room_bytes, need.is_possible)
    assert is_sparse(filesystem("tank/a")) is None
    full = filesystem("tank/a", refreservation_bytes=3 * GIB, written_bytes=2 * GIB,
                      refquota_bytes=2 * GIB, available_bytes=0)  # fmt: skip
    assert snapshot_need(full).is_possible, "its own quota says nothing of the pool"


@pytest.mark.parametrize(
    ("vdev", "block", "times"),
    [
        ("raidz1", 4096, 1.6),  # 5 disks: two sectors for one of data, where 128 KiB take five for four
        ("raidz1", 8192, 1.6),
        ("raidz1", 16384, 1.2),
        ("raidz1", 131072, 1.0),
        ("raidz2", 4096, 1.778),  # and three for one, with 27 for 16
        ("mirror", 4096, 1.0),
    ],
)
def test_small_blocks_are_padded(vdev: str, block: int, times: float) -> None:
    tank = pool(group(f"{vdev}-0", *(disk(name) for name in "abcde")), ashift=12)

    taken = taken_by_blocks(tank, 1 << 40, block)

    assert taken is not None
    assert pytest.approx(times, abs=0.01) == taken / (1 << 40)


def test_a_pool_whose_sectors_are_not_known_tells_nothing() -> None:
    tank = pool(group("raidz1-0", disk("a"), disk("b"), disk("c")), ashift=None)

    assert taken_by_blocks(tank, 1 << 40, 4096) is None


def test_a_plan_of_a_volume_tells_what_small_blocks_take() -> None:
    vdev = group("raidz2-0", *(disk(name) for name in "abcdef"))
    facts = host((filesystem("tank"),), pools=(pool(vdev, ashift=12),))

    small = planned(facts, "create", "tank/v", "volblocksize=8K", volume="10G")
    large = planned(facts, "create", "tank/v", "volblocksize=128K", volume="10G")

    assert any("in blocks of 8.00 KiB it takes 20.0 GiB" in each for each in small.warnings), small.warnings
    assert not any("in blocks of" in each for each in large.warnings)
