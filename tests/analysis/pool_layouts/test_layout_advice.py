"""Advice comes where there is a reason, and there is silence where all is well."""

from __future__ import annotations

import pytest

from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout_advice import advice
from zconsole.analysis.pool_layouts.layout_parser import parse_layout


def ids(text: str, *, drive: str = "12TB", ashift: int = 12, block: int = 131072) -> list[str]:
    return [each.id for each in advice(parse_layout(text, parse_drive(drive), ashift=ashift), block)]


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ([], "mirror:2 x4"),
        ([], "mirror:2 x8 spare:1"),
        (["no-spare"], "mirror:2 x8"),
        (["no-redundancy"], "stripe:3"),
        (["no-redundancy", "weak-class"], "mirror:2 special:1"),
        (["weak-class", "mirrors"], "raidz2:6 special mirror:2"),
        (["mirrors"], "raidz2:6 special mirror:3"),
        (["one-parity", "mirrors"], "raidz1:4"),
        (["mirrors"], "raidz1:4@1TB"),
        (["wide-raidz", "mirrors"], "raidz2:10"),
        (["mirrors", "mixed-redundancy", "unequal-vdevs"], "raidz2:6 mirror:2"),
        (["unequal-vdevs"], "mirror:2 mirror:2@4TB"),
        (["unequal-drives"], "mirror:2@12TB+4TB"),
        (["mixed-media"], "mirror:2@4TB:hdd+4TB:ssd"),
        (["no-spare"], "draid2:4d:11c:0s"),
        ([], "draid2:4d:11c:1s"),
    ],
)
def test_advice(expected: list[str], text: str) -> None:
    assert expected == ids(text)


def test_sectors_and_blocks() -> None:
    assert ["small-ashift"] == ids("mirror:2", ashift=9)
    assert ["mirrors", "padding"] == ids("raidz2:6", block=8192)
    assert ["padding"] == ids("draid2:8d:11c:1s", block=16384)


def test_what_is_said_says_why() -> None:
    (said,) = advice(parse_layout("draid2:8d:11c:1s", parse_drive("4TB")), 16384)

    assert "blocks of 16 KiB get 36.4% of the disks of draid2:8d:11c:1s, not 72.7%" in said.text
