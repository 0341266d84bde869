"""One line of the tree of `zpool status`: its state, numbers and remarks."""

from __future__ import annotations

import pytest

from tests.zfs.status.texts import SOUND, START, leaf_of, pool_of
from zconsole.model.pools.pool import Count, VdevProgress
from zconsole.zfs.status.status_text import parse_status_text


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
