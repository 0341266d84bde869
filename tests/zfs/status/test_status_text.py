"""What only the text of `zpool status` can look like, line by line as its source prints it."""

from __future__ import annotations

from typing import Final

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import Count, Pool, PoolActivity, Scan, Vdev, VdevProgress
from zconsole.zfs.status.status import status_guids
from zconsole.zfs.status.status_text import parse_status_text
from zconsole.zfs.status.vdev_tree import merge_guids

START, END = 1795218736, 1795218881  # Fri Nov 20 23:52:16 and 23:54:41 2026, UTC
HEADER: Final = "\tNAME        STATE     READ WRITE CKSUM  SLOW\n"
TREE: Final = (
    "\ttank        ONLINE       0     0     0     -\n\t  /dev/sdb1  ONLINE       0     0     0     0\n"
)
SOUND: Final = "\nerrors: No known data errors\n"


def pool_of(*, middle: str = "", tree: str = TREE, end: str = SOUND, state: str = "ONLINE") -> Pool:
    """The pool of a text with these parts."""
    text = f"  pool: tank\n state: {state}\n{middle}config:\n\n{HEADER}{tree}{end}"
    (pool,) = parse_status_text(text)
    return pool


def leaf_of(line: str) -> Vdev:
    """The vdev of one line of a tree."""
    root = "\ttank        ONLINE       0     0     0     0\n"
    (vdev,) = pool_of(tree=f"{root}{line}\n").vdevs
    return vdev


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
            25.0,
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


def test_a_device_that_is_gone_is_known_by_guid_and_by_where_it_was() -> None:
    vdev = leaf_of("\t  15364236422046513447  UNAVAIL      0     0     0     0  was /dev/sdb1")

    assert "15364236422046513447" == vdev.name
    assert 15364236422046513447 == vdev.guid
    assert ("was /dev/sdb1", "/dev/sdb1", "disk") == (vdev.note, vdev.path, vdev.type)


def test_a_path_in_a_note_may_look_like_a_remark() -> None:
    path = "/files/a  (untrimmed) b"

    vdev = leaf_of(f"\t  15364236422046513447  UNAVAIL      0     0     0     0  was {path}  (untrimmed)")

    assert path == vdev.path
    assert "file" == vdev.type


@pytest.mark.parametrize(
    ("remark", "note"),
    [
        ("  cannot open", "cannot open"),
        ("  too many errors  (non-allocating)  (uninitialized)", "too many errors (non-allocating)"),
        ("  (awaiting resilver)  (uninitialized)  (untrimmed)", "(awaiting resilver)"),
        ("  (repairing)", "(repairing)"),
        ("  in use by pool 'bulk'", "in use by pool 'bulk'"),
        ("  something new (at all)", "something new (at all)"),
        ("  (something new)", "(something new)"),
        ("", ""),
    ],
)
def test_what_zfs_remarks_is_kept(remark: str, note: str) -> None:
    assert note == leaf_of(f"\t  /dev/sdb1  ONLINE       0     0     0     0{remark}").note


def test_a_foreign_block_size_is_a_note_and_two_numbers() -> None:
    words = "block size: 512B configured, 4096B native"

    vdev = leaf_of(f"\t  /dev/sdb1  ONLINE       0     0     0     0  {words}")

    assert (words, 9, 12) == (vdev.note, vdev.configured_ashift, vdev.physical_ashift)


@pytest.mark.parametrize(
    ("remark", "progress"),
    [
        ("  (initializing)", VdevProgress("initialize", "active")),
        ("  (trimming)", VdevProgress("trim", "active")),
        ("  (trim unsupported)", VdevProgress("trim", "unsupported")),
        (
            "  (12% initialized, suspended, started at Fri Nov 20 23:52:16 2026)  (untrimmed)",
            VdevProgress("initialize", "suspended", 12.0, START),
        ),
        (
            "  (uninitialized)  (100% trimmed, completed at Fri Nov 20 23:52:16 2026)",
            VdevProgress("trim", "complete", 100.0, START),
        ),
    ],
)
def test_initialize_and_trim_are_told(remark: str, progress: VdevProgress) -> None:
    assert (progress,) == leaf_of(f"\t  /dev/sdb1  ONLINE       0     0     0     0{remark}").activities


def test_exact_and_abbreviated_counts_are_told_apart() -> None:
    vdev = leaf_of("\t  /dev/sdb1  ONLINE       7 1.10K 123456789     9")

    assert Count(7) == vdev.read_errors
    assert Count(1126, is_rounded=True) == vdev.write_errors
    assert Count(123456789) == vdev.checksum_errors
    assert Count(9) == vdev.slow_ios


def test_a_group_has_no_slow_ios_though_exact_text_prints_a_number() -> None:
    tree = (
        "\ttank        ONLINE       0     0     0     0\n"
        "\t  mirror-0  ONLINE       0     0     0     0\n"
        "\t    /dev/sdb1  ONLINE       0     0     0     3\n"
    )

    (mirror,) = pool_of(tree=tree).vdevs

    assert None is mirror.slow_ios
    assert Count(3) == mirror.children[0].slow_ios


def test_a_column_of_a_newer_zfs_is_passed_over() -> None:
    header = "\tNAME         STATE     READ WRITE CKSUM  SLOW POWER\n"
    tree = "\ttank         ONLINE       0     0     0     -     -\n"
    leaf = "\t  /dev/sdb1  ONLINE       1     2     3     4     on  (untrimmed)\n"

    (pool,) = parse_status_text(f"  pool: tank\n state: ONLINE\nconfig:\n\n{header}{tree}{leaf}{SOUND}")

    assert Count(4) == pool.vdevs[0].slow_ios
    assert "" == pool.vdevs[0].note


def test_a_state_or_a_class_of_a_newer_zfs_is_kept() -> None:
    tree = (
        "\ttank        ONLINE       0     0     0     0\n"
        "\t  /dev/sdb1  ONLINE       0     0     0     0\n"
        "\tnursery\t\n"
        "\t  /dev/sdc1  HIBERNATING     0     0     0     0\n"
    )

    assert ["data", "nursery"] == [vdev.vdev_class for vdev in pool_of(tree=tree).vdevs]
    assert "HIBERNATING" == pool_of(tree=tree).vdevs[1].state


def test_names_with_blanks_do_not_shift_the_columns() -> None:
    text = (
        "  pool: my  pool ONLINE\n state: DEGRADED\nconfig:\n\n"
        "\tNAME                    STATE     READ WRITE CKSUM\n"
        "\tmy  pool ONLINE         DEGRADED     1     0     0\n"
        "\t  mirror-0              DEGRADED     2     0     0\n"
        "\t    /files/OFFLINE  x y  FAULTED     3     0     0\n"
        "\t    /files/b            ONLINE       4     0     0\n"
        "\nerrors: No known data errors\n"
    )

    (pool,) = parse_status_text(text)

    assert ("my  pool ONLINE", Count(1)) == (pool.name, pool.read_errors)
    assert ["mirror-0", "/files/b"] == [vdev.name for vdev in pool.walk()][::2]
    assert [Count(2), Count(3), Count(4)] == [vdev.read_errors for vdev in pool.walk()]


@pytest.mark.parametrize(
    ("end", "count"),
    [
        ("\nerrors: No known data errors\n", 0),
        ("\nerrors: 3 data errors, use '-v' for a list\n", 3),
        ("\nerrors: List of errors unavailable: permission denied\n", None),
        ("\n", None),
    ],
)
def test_the_number_of_data_errors_is_told_or_unknown(end: str, count: int | None) -> None:
    assert (count, ()) == (pool_of(end=end).error_count, pool_of(end=end).error_files)


def test_damaged_files_are_listed_even_with_odd_names() -> None:
    end = (
        "\nerrors: Permanent errors have been detected in the following files:\n\n"
        "        /tank/a  b\n"
        "        /tank/config: x\n"
        "        /tank/two\nlines\n"
        "        tank/ds@snap:<0x7>\n"
    )

    pool = pool_of(end=end)

    assert ("/tank/a  b", "/tank/config: x", "/tank/two\nlines", "tank/ds@snap:<0x7>") == pool.error_files
    assert None is pool.error_count


def test_a_file_name_cannot_pass_for_what_zfs_says_of_the_pool() -> None:
    end = (
        "\nerrors: Permanent errors have been detected in the following files:\n\n"
        "        /tank/x\n state: ONLINE\n  scan: none requested\n  pool: tank\n"
    )

    pool = pool_of(end=end, state="DEGRADED")

    assert "DEGRADED" == pool.state
    assert ("/tank/x\n state: ONLINE\n  scan: none requested\n  pool: tank",) == pool.error_files


def test_a_pool_that_cannot_be_opened_has_no_word_about_errors() -> None:
    tree = (
        "\ttank        UNAVAIL      0     0     0  insufficient replicas\n"
        "\t  /dev/sdb1  UNAVAIL      0     0     0  cannot open\n"
    )
    header = HEADER.replace("  SLOW", "")

    (pool,) = parse_status_text(f"  pool: tank\n state: UNAVAIL\nconfig:\n\n{header}{tree}")

    assert ("UNAVAIL", None) == (pool.state, pool.error_count)
    assert "cannot open" == pool.vdevs[0].note


def test_a_configuration_that_cannot_be_determined_leaves_a_pool_without_vdevs() -> None:
    text = "  pool: tank\n state: UNAVAIL\nconfig: The configuration cannot be determined.\n"

    assert (Pool("tank", "UNAVAIL"),) == parse_status_text(text)


def test_what_zfs_advises_stands_on_one_line() -> None:
    middle = (
        "status: One or more devices are faulted.  Sufficient\n\treplicas exist.\n\tcom.new:feature (x)\n\n"
        "action: Replace it\n\tor clear it.\n"
        "   see: https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-2Q\n"
    )

    pool = pool_of(middle=middle)

    assert "One or more devices are faulted. Sufficient replicas exist. com.new:feature (x)" == pool.status
    assert "Replace it or clear it." == pool.action
    assert "https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-2Q" == pool.see


def test_a_suspended_pool_is_said_to_be_suspended() -> None:
    assert pool_of(state="SUSPENDED").is_suspended


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("cannot open 'tank': no such pool\n", "expected `pool:`"),
        (" state: ONLINE\n", "expected `pool:`"),
        ("  pool: tank\n", "no state or no config"),
        ("  pool: tank\n state: ONLINE\nconfig:\n\n", "no tree"),
        (f"  pool: tank\n state: ONLINE\nconfig:\n\n{HEADER}", "no tree"),
        (f"  pool: tank\n state: ONLINE\nconfig:\n\n{HEADER}{TREE}", "nothing about errors"),
        (f"  pool: tank\n state: ONLINE\nconfig:\n\n{HEADER}{TREE}{SOUND[:-1]}", "cut short"),
        (f"  pool: bulk\n state: ONLINE\nconfig:\n\n{HEADER}{TREE}{SOUND}", "expected the line of bulk"),
    ],
)
def test_what_is_not_whole_is_an_error(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_status_text(text)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("\t  /dev/sdb1  ONLINE       0     0     0", "nothing under SLOW"),
        ("\t  /dev/sdb1  ONLINE       0     x     0     0", "'x' is not a number"),
        ("\t   /dev/sdb1  ONLINE       0     0     0     0", "unexpected indentation"),
        ("\t    /dev/sdb1  ONLINE       0     0     0     0", "indented too far"),
        ("\t  /dev/sdb1", "no state"),
        ("\tbulk        ONLINE       0     0     0     0", "a second root"),
        ("  /dev/sdb1  ONLINE       0     0     0     0", "expected a line of the vdev tree"),
        ("\t  /dev/sdb1  ONLINE  0 0 0 0  (9% trimmed, started at Fri Nov 31 23:52:16 2026)", "not a date"),
    ],
)
def test_a_line_that_is_not_understood_is_named(line: str, reason: str) -> None:
    with pytest.raises(ParseError, match=rf"zpool status, line 7: .*{reason}"):
        leaf_of(line)


def test_guids_are_not_given_to_another_tree() -> None:
    told = pool_of()
    other = pool_of(
        tree=TREE.replace("/dev/sdb1", "17") + "\tlogs\t\n\t  18  ONLINE       0     0     0     0\n"
    )

    assert told == merge_guids(told, other)


def test_guids_come_by_position() -> None:
    merged = merge_guids(pool_of(), pool_of(tree=TREE.replace("/dev/sdb1", "17")))

    assert ("sdb", 17) == (merged.vdevs[0].name, merged.vdevs[0].guid)


def test_guids_are_asked_for_with_the_same_tree() -> None:
    assert ("zpool", "status", "-gP", "tank") == status_guids("tank").argv
