"""The size of a piece of free space is read from ZFS's own tables."""

from __future__ import annotations

import pytest

from zconsole.analysis.findings.care.metaslab_rules import piece_bytes
from zconsole.model.host.zfs_version import ZfsVersion

KIB = 1024


@pytest.mark.parametrize(
    ("expected", "percent", "release"),
    [
        (512, 100, "2.4.0"),
        (KIB, 99, "2.4.0"),
        (64 * KIB, 71, "2.3.1"),
        (64 * KIB, 76, "2.4.0"),
        (32 * KIB, 77, "2.4.0"),
        (32 * KIB, 70, "2.3.0"),
        (64 * KIB, 60, "2.1.11"),
        (16 * KIB * KIB, 0, "2.1.11"),
        (512 * KIB * KIB, 0, "2.4.0"),
    ],
)
def test_the_pieces_are_those_of_the_table_of_the_release(expected: int, percent: int, release: str) -> None:
    assert expected == piece_bytes(percent, ZfsVersion(f"zfs-{release}", f"zfs-kmod-{release}"))


def test_an_unknown_release_is_taken_for_a_new_one() -> None:
    assert 64 * KIB == piece_bytes(71, None)
