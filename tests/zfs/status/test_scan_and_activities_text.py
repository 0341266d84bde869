"""Scans, removals, expansions and checkpoints in the text of `zpool status`."""

from __future__ import annotations

import pytest

from tests.zfs.status.texts import END, START, pool_of
from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import PoolActivity, Scan

SCANS = [
    ("  scan: none requested\n", None),
    (
        "  scan: scrub repaired 0B in 00:02:25 with 0 errors on Fri Nov 20 23:54:41 2026\n",
        Scan("scrub", "finished", START, END, 100.0, repaired_bytes=0, errors=0),
    ),
    (
        "  scan: resilvered 1.50G in 1 days 00:00:01 with 3 errors on Fri Nov 20 23:54:41 2026\n",
        Scan("resilver", "finished", END - 86401, END, 100.0, repaired_bytes=3 * 2**29, errors=3),
    ),
    (
        "  scan: scrub canceled on Fri Nov 20 23:54:41 2026\n",
        Scan("scrub", "canceled", end=END),
    ),
    (
        (
            "  scan: scrub paused since Fri Nov 20 23:54:41 2026\n"
            "\tscrub started on Fri Nov 20 23:52:16 2026\n"
            "\t10M scanned, 5M issued, 20M total\n"
            "\t0B repaired, 25.00% done\n"
        ),
        Scan("scrub", "paused", START, None, 25.0, 20 << 20, 10 << 20, 5 << 20, 20 << 20, 0),
    ),
    (
        (
            "  scan: scrub paused since Fri Nov 20 23:54:41 2026\n"
            "\tscrub started on Fri Nov 20 23:52:16 2026\n"
            "\t10M / 20M scanned, 5M / 16M issued\n"
            "\t0B repaired, 31.25% done\n"
        ),
        Scan("scrub", "paused", START, None, 31.25, 20 << 20, 10 << 20, 5 << 20, 16 << 20, 0),
    ),
    (
        (
            "  scan: resilver in progress since Fri Nov 20 23:52:16 2026\n"
            "\t10M / 20M scanned at 1M/s, 5M / 16M issued at 512K/s\n"
            "\t4M resilvered, 31.25% done, 00:00:16 to go\n"
        ),
        Scan("resilver", "scanning", START, None, 31.25, 20 << 20, 10 << 20, 5 << 20, 16 << 20, 4 << 20),
    ),
    (
        (
            "  scan: scrub in progress since Fri Nov 20 23:52:16 2026\n"
            "\t0B scanned at 0B/s, 0B issued at 0B/s, 0B total\n"
            "\t0B repaired, -nan% done, no estimated completion time\n"
        ),
        Scan("scrub", "scanning", START, None, None, 0, 0, 0, 0, 0),
    ),
    (
        (
            "  scan: resilver (mirror-0) in progress since Fri Nov 20 23:52:16 2026\n"
            "\t15M scanned at 1M/s, 5M issued 512K/s, 20M total\n"
            "\t4M resilvered, 75.00% done, no estimated completion time\n"
        ),
        Scan(
            "resilver",
            "scanning",
            START,
            None,
            75.0,
            20 << 20,
            15 << 20,
            5 << 20,
            20 << 20,
            4 << 20,
            None,
            "mirror-0",
        ),
    ),
    (
        "  scan: resilvered (draid2:4d:10c:1s-0) 4M in 00:00:05 with 0 errors on Fri Nov 20 23:54:41 2026\n",
        Scan(
            "resilver",
            "finished",
            None,
            END,
            100.0,
            repaired_bytes=4 << 20,
            errors=0,
            vdev="draid2:4d:10c:1s-0",
        ),
    ),
    (
        (
            "  scan: error scrub in progress since Fri Nov 20 23:52:16 2026\n"
            "\t20.00% done, issued I/O for 7 error blocks\n"
        ),
        Scan("error scrub", "scanning", START, None, 20.0),
    ),
    (
        "  scan: scrub frobnicated since Monday\n",
        Scan("scrub", "frobnicated since Monday"),
    ),
]


@pytest.mark.parametrize(("words", "scan"), SCANS)
def test_a_scan_is_told_in_every_form(words: str, scan: Scan | None) -> None:
    assert scan == pool_of(middle=words).scan


def test_a_scan_under_way_outranks_one_that_is_over() -> None:
    scrubbed = "  scan: scrub repaired 0B in 00:02:25 with 0 errors on Fri Nov 20 23:54:41 2026\n"
    rebuilding = "  scan: resilver (mirror-0) in progress since Fri Nov 20 23:52:16 2026\n"

    assert Scan("resilver", "scanning", START, vdev="mirror-0") == pool_of(middle=scrubbed + rebuilding).scan


def test_of_two_scans_that_are_over_the_later_one_is_told() -> None:
    scrubbed = "  scan: scrub repaired 0B in 00:02:25 with 0 errors on Fri Nov 20 23:52:16 2026\n"
    rebuilt = "  scan: resilvered (mirror-0) 4M in 00:00:05 with 0 errors on Fri Nov 20 23:54:41 2026\n"

    scan = pool_of(middle=scrubbed + rebuilt).scan

    assert scan is not None
    assert ("resilver", END) == (scan.function, scan.end)


def test_a_warning_about_a_checkpoint_belongs_to_the_scan() -> None:
    scrubbed = "  scan: scrub repaired 0B in 00:02:25 with 0 errors on Fri Nov 20 23:54:41 2026\n"
    warning = "    scan warning: skipped blocks that are only referenced by the checkpoint.\n"

    assert pool_of(middle=scrubbed).scan == pool_of(middle=scrubbed + warning).scan


@pytest.mark.parametrize(
    ("words", "activity"),
    [
        (
            "remove: Removal of mirror-1 canceled on Fri Nov 20 23:54:41 2026\n",
            PoolActivity("removal", "mirror-1", "canceled", end=END),
        ),
        (
            (
                "remove: Evacuation of mirror-1 in progress since Fri Nov 20 23:52:16 2026\n"
                "\t10M copied out of 20M at 1M/s, 50.00% done, (copy is slow, no estimated time)\n"
            ),
            PoolActivity("removal", "mirror-1", "active", 50.0, START),
        ),
        (
            (
                "expand: expansion of raidz2-0 in progress since Fri Nov 20 23:52:16 2026\n"
                "\t10M / 20M copied at 1M/s, 50.00% done, paused for resilver or clear\n"
            ),
            PoolActivity("raidz_expand", "raidz2-0", "suspended", 50.0, START),
        ),
        ("checkpoint: discarding, 12M remaining.\n", PoolActivity("checkpoint_discard", None, "active")),
        ("remove: Something new\n", PoolActivity("removal", None, "Something new")),
        ("expand: Something new\n", PoolActivity("raidz_expand", None, "Something new")),
    ],
)
def test_an_activity_is_told_in_every_form(words: str, activity: PoolActivity) -> None:
    assert (activity,) == pool_of(middle=words).activities


def test_a_date_that_is_none_is_an_error_that_names_the_line() -> None:
    words = "  scan: scrub canceled on Fri Nov 31 23:54:41 2026\n"

    with pytest.raises(ParseError, match=r"zpool status, line 3: .*is not a date"):
        pool_of(middle=words)
