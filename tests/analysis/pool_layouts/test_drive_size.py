"""Bytes of drives as they are sold."""

from __future__ import annotations

import pytest

from tests.analysis.pool_layouts.spaces import space


@pytest.mark.parametrize(
    ("layout", "drive", "usable"),
    [
        ("mirror:2", "4TB", 3861712470016),
        ("raidz1:3", "4TB", 7849119842304),
        ("raidz1:5", "8TB", 31811480584192),
        ("raidz2:6", "12TB", 47804797943808),
        ("raidz2:8", "16TB", 90855469744128),
        ("raidz2:10", "18TB", 136966976831488),
        ("raidz3:11", "20TB", 159710237949952),
    ],
)
def test_whole_drives_as_they_are_sold(layout: str, drive: str, usable: int) -> None:
    """Computed by an independent program from drives of real sizes less 10 MiB."""
    assert usable == space(layout, drive)[1]
