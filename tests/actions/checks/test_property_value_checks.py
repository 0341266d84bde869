"""Values of properties: sizes, and names of the user's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.actions.checks.property_value_checks import as_zfs_reads, size_bytes


@given(number=st.integers(0, 1 << 40), unit=st.sampled_from(["", "K", "KiB", "m", "G", "T"]))
def test_what_zfs_reads_as_it_is_meant_goes_to_it_as_it_was_typed(number: int, unit: str) -> None:
    scale = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}[unit[:1].lower()]
    typed = f"{number}{unit}"

    assert number * 1024**scale == size_bytes(typed)
    assert typed == as_zfs_reads("quota", typed)


@pytest.mark.parametrize(
    ("expected", "name", "value"),
    [
        ("500000000000", "quota", "500GB"),
        ("536870912000", "quota", "500 GiB"),
        ("2000000000", "userquota@ann", "2GB"),
        ("none", "quota", "none"),
        ("500GB", "org.example:size", "500GB"),
        ("8000", "volblocksize", "8kB"),
    ],
)
def test_a_size_that_zfs_reads_otherwise_goes_to_it_in_bytes(expected: str, name: str, value: str) -> None:
    assert expected == as_zfs_reads(name, value)


@pytest.mark.parametrize("text", ["", "G", "-1", "1e9", "1.5", "ten", "1.5.5G", "10GG", "\u0661G"])
def test_what_is_no_size(text: str) -> None:
    assert size_bytes(text) is None
