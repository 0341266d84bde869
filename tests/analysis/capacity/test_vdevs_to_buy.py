"""How many drives are bought."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.capacity.storage_budget_factors import Budget, with_redundancy_of
from zconsole.analysis.capacity.vdevs_to_buy import purchase, repeated
from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.usable_space import layout_space
from zconsole.base.errors import UsageError


def test_a_layout_brings_its_own_redundancy() -> None:
    layout = parse_layout("raidz2:8", parse_drive("12TB"))
    usable = layout_space(layout).usable_bytes

    own = with_redundancy_of(Budget(), layout.raw_bytes, usable, layout.name)

    assert Fraction("3.575") * layout.raw_bytes / usable == own.product
    assert len(Budget().factors) == len(own.factors)


@given(
    st.integers(1, 10**15), st.sampled_from(["mirror:2", "raidz2:8", "draid2:8d:24c:2s", "raidz1:5 mirror:2"])
)
def test_what_is_bought_has_room_and_one_less_has_not(data: int, text: str) -> None:
    usual, unit = Budget(), parse_layout(text, parse_drive("12TB"))

    bought = purchase(usual, data, unit)

    wanted = usual.usable_bytes(data)
    assert bought.usable_bytes >= wanted
    assert bought.used_percent_at_first <= bought.used_percent_at_end <= 80 + 1e-6
    times = len(bought.layout.vdevs) // len(unit.vdevs)
    if times > 1:
        assert layout_space(repeated(unit, times - 1)).usable_bytes < wanted


def test_special_vdevs_are_bought_once() -> None:
    unit = parse_layout("mirror:2 special mirror:2", parse_drive("1TB"))

    assert "mirror:2 x5 special mirror:2" == repeated(unit, 5).name


def test_more_than_a_pool_can_have_is_refused() -> None:
    with pytest.raises(UsageError, match="more than 1024 times mirror:2 have"):
        purchase(Budget(), 10**18, parse_layout("mirror:2", parse_drive("1TB")))
