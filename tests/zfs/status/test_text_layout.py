"""Sections and trees in the text of `zpool status`; names may hold anything."""

from __future__ import annotations

import pytest

from tests.zfs.status.texts import HEADER, SOUND, TREE, leaf_of, pool_of
from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import Count
from zconsole.zfs.status.status_text import parse_status_text


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


def test_a_file_name_cannot_pass_for_what_zfs_says_of_the_pool() -> None:
    end = (
        "\nerrors: Permanent errors have been detected in the following files:\n\n"
        "        /tank/x\n state: ONLINE\n  scan: none requested\n  pool: tank\n"
    )

    pool = pool_of(end=end, state="DEGRADED")

    assert "DEGRADED" == pool.state
    assert ("/tank/x\n state: ONLINE\n  scan: none requested\n  pool: tank",) == pool.error_files


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


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("cannot open 'tank': no such pool\n", "expected `pool:`"),
        (" state: ONLINE\n", "expected `pool:`"),
        ("  pool: tank\n", "no state or no config"),
        ("  pool: tank\n state: ONLINE\nconfig:\n\n", "no tree"),
        (f"  pool: tank\n state: ONLINE\nconfig:\n\n{HEADER}", "no tree"),
        (f"  pool: tank\n state: ONLINE\nconfig:\n\n{HEADER}{TREE}", "no errors line"),
        (f"  pool: tank\n state: ONLINE\nconfig:\n\n{HEADER}{TREE}{SOUND[:-1]}", "truncated"),
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
