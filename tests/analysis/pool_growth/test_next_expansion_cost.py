"""The next step of growing."""

from __future__ import annotations

import pytest

from tests.analysis.pool_layouts.made import DRIVE, made
from zconsole.analysis.pool_growth.next_expansion_cost import next_steps
from zconsole.analysis.pool_layouts.usable_space import layout_space


def test_growing_by_a_vdev_or_by_a_disk() -> None:
    attach, add = next_steps(made("raidz2:6"))

    assert (1, 6) == (attach.drives, add.drives)
    twice = layout_space(made("raidz2:6 x2")).usable_bytes - layout_space(made("raidz2:6")).usable_bytes
    assert twice == add.gained_bytes
    # A disk more at the old ratio of two thirds, though of seven wide more would be data.
    assert attach.gained_bytes == pytest.approx(DRIVE.size_bytes * 341 / 512, rel=0.01)
    assert ["add another mirror:2"] == [step.how for step in next_steps(made("mirror:2 x3"))]
    assert ["add another raidz1:255"] == [step.how for step in next_steps(made("raidz1:255"))]
