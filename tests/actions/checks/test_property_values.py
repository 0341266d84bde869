"""Values of properties: sizes, and names of the user's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.actions.checks.property_values import size_bytes


@given(number=st.integers(0, 1 << 40), unit=st.sampled_from(["", "B", "K", "KB", "KiB", "m", "G", "T"]))
def test_sizes_count_in_powers_of_1024(number: int, unit: str) -> None:
    scale = {"": 0, "b": 0, "k": 1, "m": 2, "g": 3, "t": 4}[unit[:1].lower()]

    assert number * 1024**scale == size_bytes(f"{number}{unit}")


@pytest.mark.parametrize("text", ["", "G", "10 G", "-1", "1e9", "1.5", "ten", "1.5.5G", "10GG", "\u0661G"])
def test_what_is_no_size(text: str) -> None:
    assert size_bytes(text) is None
