"""The usable space of pools beside published numbers."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import run
from zconsole.practice import create_world

PUBLISHED = (  # layout, bytes of a disk, bytes usable
    ("mirror 0 1", 4_000_787_030_016, 3_861_712_470_016),
    ("raidz1 0 1 2", 4_000_787_030_016, 7_849_119_842_304),
    ("raidz1 0 1 2 3 4", 8_001_563_222_016, 31_811_480_584_192),
    ("raidz2 0 1 2 3 4 5", 12_000_138_625_024, 47_804_797_943_808),
    ("raidz2 0 1 2 3 4 5 6 7", 16_000_900_661_248, 90_855_469_744_128),
    ("raidz2 0 1 2 3 4 5 6 7 8 9", 18_000_207_937_536, 136_966_976_831_488),
    ("raidz3 0 1 2 3 4 5 6 7 8 9 10", 20_000_588_955_648, 159_710_237_949_952),
)


@pytest.mark.parametrize(("layout", "disk_bytes", "usable"), PUBLISHED)
def test_usable_space_is_exact(layout: str, disk_bytes: int, usable: int) -> None:
    """USED plus AVAIL of the root dataset, to the byte."""
    world = create_world(layout, disks=11, disk_size=disk_bytes)

    used, available = run(world, "zfs list -Hp -o used,avail tank").stdout.split()

    assert usable == int(used) + int(available)
