"""Usable space by the size of blocks."""

from __future__ import annotations

from tests.analysis.pool_layouts.made import made
from zconsole.analysis.pool_layouts.usable_space_by_block_size import block_costs, usable_at


def test_small_blocks_leave_less_of_a_raidz_and_the_same_of_a_mirror() -> None:
    raidz, mirror = made("raidz2:8"), made("mirror:2")

    assert usable_at(raidz, 4096) < usable_at(raidz, 131072)
    assert usable_at(mirror, 4096) == usable_at(mirror, 131072)


def test_costs_are_told_for_rising_sizes() -> None:
    costs = block_costs(made("raidz2:8"))

    assert len(costs) > 1
    assert [each.block_bytes for each in costs] == sorted(each.block_bytes for each in costs)
