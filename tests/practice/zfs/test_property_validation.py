"""Sizes are read with their units, or refused."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.practice.zfs.property_validation import BadValue, number_of


@given(number=st.integers(0, 1 << 40), unit=st.sampled_from("BKMGT"), suffix=st.sampled_from(("", "B", "iB")))
def test_sizes_are_read_with_their_units(number: int, unit: str, suffix: str) -> None:
    text = f"{number}{unit}{suffix if unit != 'B' else ''}"
    expected = number << (10 * "BKMGT".index(unit))

    if expected < 1 << 64:
        assert expected == number_of(text)


@given(text=st.text(max_size=12))
def test_a_size_is_read_or_refused(text: str) -> None:
    try:
        number = number_of(text)
    except BadValue:
        return

    assert 0 <= number < 1 << 64
