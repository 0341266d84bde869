"""Layouts side by side: what fits the bays, what the model of risk says, what growing costs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.pool_layouts.made import DRIVE, USUAL, made
from zconsole.analysis.pool_layouts.layout import DATA
from zconsole.analysis.pool_layouts.layout_comparison import Costs, compare, usual_layouts
from zconsole.base.errors import UsageError


@given(st.integers(2, 300), st.integers(0, 4))
def test_all_bays_are_used_and_no_more(bays: int, spares: int) -> None:
    if bays - spares < 2:
        return
    for layout in usual_layouts(DRIVE, bays, spares=spares):
        assert bays == layout.drives
        assert len(layout.of_class("spare")) >= spares


def test_each_kind_is_there_once_for_a_shelf() -> None:
    names = [layout.name for layout in usual_layouts(DRIVE, 24)]

    assert [
        "mirror:2 x12",
        "mirror:3 x8",
        "raidz1:4 x6",
        "raidz2:8 x3",
        "raidz3:12 x2",
        "draid2:8d:24c:1s",
    ] == names


@pytest.mark.parametrize(("bays", "spares"), [(0, 0), (1, 0), (4, 3), (4, -1), (1001, 0)])
def test_impossible_bays_are_refused(bays: int, spares: int) -> None:
    with pytest.raises(UsageError, match="disks are needed for data"):
        usual_layouts(DRIVE, bays, spares=spares)


def test_costs_are_of_all_drives_and_unknown_without_prices() -> None:
    (priced,) = compare([made("mirror:2 x2 spare:1")], 131072, USUAL, Costs(200, 5))
    (free,) = compare([made("mirror:2")], 131072, USUAL, Costs())

    assert (1000, 25) == (priced.price, priced.watts)
    assert priced.price_per_tib == pytest.approx(1000 / (priced.usable_bytes / 2**40))
    assert priced.watts_per_tib == pytest.approx(25 / (priced.usable_bytes / 2**40))
    assert (None, None, None) == (free.price, free.price_per_tib, free.watts_per_tib)
    assert free.efficiency < 0.5
    assert 2 == len(priced.layout.of_class(DATA))
