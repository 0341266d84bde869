"""Padding of small blocks, as it was measured."""

from __future__ import annotations

import pytest

from tests.actions.dataset.plans import planned
from tests.analysis.build import disk, group, pool
from tests.doubles.plan_worlds import GIB, filesystem, host, volume
from zconsole.analysis.dependencies.volume_overhead import data_in_other_pool, taken_by_blocks


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


@pytest.mark.parametrize(
    ("there", "times"),
    [("mirror", 1.0), ("raidz2", 4 / 3)],  # 6 sectors for 3, where blocks of 128 KiB have 48 for 32
)
def test_data_of_compressed_blocks_grows_on_raidz(there: str, times: float) -> None:
    """16 KiB blocks at a ratio of 1.43 are 12 KiB: 3 sectors, 2 of parity and 1 of padding."""
    mirror = pool(group("mirror-0", disk("x"), disk("y")), ashift=12)
    other = pool(group(f"{there}-0", *(disk(name) for name in "abcdef")), ashift=12)
    source = volume("tank/v", referenced_bytes=100 * GIB, compress_ratio=1.43)

    moved, back = data_in_other_pool(source, mirror, other), data_in_other_pool(source, other, mirror)

    assert moved is not None
    assert back is not None
    assert pytest.approx(times, abs=0.001) == moved / (100 * GIB)
    assert pytest.approx(1.0, abs=0.001) == moved / (100 * GIB) * back / (100 * GIB)


def test_without_the_pools_no_other_size_is_told() -> None:
    assert data_in_other_pool(volume("tank/v"), None, pool(group("mirror-0", disk("x")))) is None
