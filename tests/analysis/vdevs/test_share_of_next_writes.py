"""Shares follow the allocator of each release, and what was written is measured at the vdevs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import disk, group, in_class, mirror, pool
from zconsole.analysis.vdevs.share_of_next_writes import LEAST_BYTES_PER_S, next_shares, written_shares
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.pool import Pool, Vdev

GIB = 1 << 30
NEW, OLD = (ZfsVersion(f"zfs-{each}", f"zfs-kmod-{each}") for each in ("2.4.0", "2.3.9"))


def wide(name: str, disks: int, free: int) -> Vdev:
    return group(name, *(disk(f"{name}{at}") for at in range(disks)), free_bytes=free * GIB)


def free_mirror(name: str, free: int, **values: object) -> Vdev:
    return replace(mirror("ONLINE", "ONLINE", name=name), free_bytes=free * GIB, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize("version", [NEW, OLD, None])
def test_mirrors_are_written_by_their_free_space(version: ZfsVersion | None) -> None:
    of = pool(free_mirror("mirror-0", 1), free_mirror("mirror-1", 3))

    assert {"mirror-0": 25.0, "mirror-1": 75.0} == next_shares(of, version)


def test_before_2_4_a_wide_vdev_is_given_more_in_each_round() -> None:
    of = pool(wide("raidz2-0", 6, 10), wide("raidz2-1", 10, 10))

    assert {"raidz2-0": 50.0, "raidz2-1": 50.0} == next_shares(of, NEW)
    shares = next_shares(of, OLD)
    assert (33, 67) == (round(shares["raidz2-0"]), round(shares["raidz2-1"]))


def test_the_disks_of_a_draid_are_those_of_its_name() -> None:
    draid = replace(wide("raidz2-0", 12, 10), name="draid2:4d:11c:1s-0", type="draid2")
    of = pool(draid, wide("raidz2-1", 11, 10))

    assert [50.0, 50.0] == list(next_shares(of, OLD).values())


def test_a_vdev_that_is_removed_takes_nothing_and_other_classes_have_no_share() -> None:
    of = pool(
        free_mirror("mirror-0", 5, is_removing=True),
        free_mirror("mirror-1", 5),
        in_class(free_mirror("mirror-2", 5), "special"),
    )

    assert {"mirror-0": 0.0, "mirror-1": 100.0} == next_shares(of, NEW)


def test_without_the_free_space_of_each_nothing_is_said() -> None:
    assert {} == next_shares(pool(free_mirror("mirror-0", 1), mirror("ONLINE", name="mirror-1")), NEW)
    assert {} == next_shares(pool(free_mirror("mirror-0", 0)), NEW)


def sample(**written: float) -> IoSample:
    rows = [IoRow(name.replace("_", "-"), None, None, 0, 0, 0, each) for name, each in written.items()]
    return IoSample("tank", 0.0, tuple(rows))


TWO: Pool = pool(mirror("ONLINE", "ONLINE"), mirror("ONLINE", "ONLINE", name="mirror-1"))


def test_what_was_written_is_summed_over_the_newest_samples() -> None:
    much = 8.0 * LEAST_BYTES_PER_S
    old = [sample(tank=0, mirror_0=much, mirror_1=0)] * 20
    new = [sample(tank=0, mirror_0=much, mirror_1=3 * much)] * 10

    assert {"mirror-0": 25.0, "mirror-1": 75.0} == written_shares(TWO, (*old, *new))


@pytest.mark.parametrize(
    "samples",
    [
        (),
        (sample(tank=0, mirror_0=LEAST_BYTES_PER_S / 4, mirror_1=LEAST_BYTES_PER_S / 4),),
        (sample(tank=0, mirror_0=9.0 * LEAST_BYTES_PER_S),),  # a vdev was added since
    ],
)
def test_too_little_is_no_share(samples: tuple[IoSample, ...]) -> None:
    assert {} == written_shares(TWO, samples)
