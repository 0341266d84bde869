"""Speed of layouts."""

from __future__ import annotations

from tests.analysis.pool_layouts.made import made
from zconsole.analysis.pool_layouts.performance import LayoutSpeed, speed


def test_speeds() -> None:
    assert LayoutSpeed(8, 4, 8, 4) == speed(made("mirror:2 x4 special mirror:2"))
    assert LayoutSpeed(2, 2, 12, 12) == speed(made("raidz2:8 x2"))
    assert LayoutSpeed(3, 3, 3, 3) == speed(made("stripe:3"))
