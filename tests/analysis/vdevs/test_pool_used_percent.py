"""Fullness is that of usable space where it is known, and says so where it is not."""

from __future__ import annotations

from tests.analysis.build import pool
from zconsole.analysis.vdevs.pool_used_percent import Fill, fill


def test_usable_space_counts_before_raw_space() -> None:
    found = fill(pool(usable_used_bytes=80, usable_available_bytes=20, size_bytes=200, allocated_bytes=90))

    assert Fill(80, 100) == found
    assert 80.0 == found.percent


def test_raw_space_is_named_as_such() -> None:
    without = pool(usable_used_bytes=None, usable_available_bytes=None, size_bytes=200, allocated_bytes=90)

    assert Fill(90, 200, is_raw=True) == fill(without)


def test_unknown_is_not_empty() -> None:
    assert fill(pool(usable_used_bytes=None)) is None
    assert fill(pool(usable_used_bytes=0, usable_available_bytes=0)) is None
