"""Padding of small blocks, as it was measured."""

from __future__ import annotations

import pytest

from tests.actions.dataset.plans import planned
from tests.analysis.build import disk, group, pool
from tests.doubles.plan_worlds import filesystem, host
from zconsole.analysis.dependencies.volume_overhead import taken_by_blocks


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
