"""The deduplication table, as `zpool status -D` of each release prints it."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.dedup_table import DedupTable
from zconsole.zfs.settings.dedup_table import parse_dedup_table, with_quota

OLD = ZfsVersion("zfs-2.1.11-1", "zfs-kmod-2.1.11-1")
NEW = ZfsVersion("zfs-2.4.4-1", "zfs-kmod-2.4.4-1")


@pytest.mark.parametrize(
    ("series", "version", "table"),
    [  # 2.1 prints the size of an entry, later releases that of the table
        ("2.1", OLD, DedupTable(320, 320 * 494, 320 * 435)),
        ("2.3", NEW, DedupTable(320, 220 << 10, 96 << 10)),
        ("2.4", NEW, DedupTable(320, 219 << 10, 96 << 10)),
    ],
)
def test_the_size_of_a_table_is_of_all_its_entries(
    series: str, version: ZfsVersion, table: DedupTable
) -> None:
    text = (CAPTURES / series / "single-vdevs" / "zpool_status_D.txt").read_text()

    assert table == parse_dedup_table(text, version)


@pytest.mark.parametrize("text", ["  pool: tank\n state: ONLINE\n", " dedup: no DDT entries\n"])
def test_a_pool_without_entries_has_no_table(text: str) -> None:
    assert parse_dedup_table(text, NEW) is None


@pytest.mark.parametrize("words", ["DDT entries 1, size much on disk, 2K in core", "off", "DDT entries 1"])
def test_other_words_are_an_error(words: str) -> None:
    with pytest.raises(ParseError):
        parse_dedup_table(f" dedup: {words}\n", NEW)


@pytest.mark.parametrize(("value", "quota"), [("none", None), ("auto", None), ("0", None), ("4096", 4096)])
def test_a_quota_is_bytes_or_none_that_is_known(value: str, quota: int | None) -> None:
    table = DedupTable(1, 2, 3)

    assert quota == with_quota(table, f"tank\tdedup_table_quota\t{value}\tlocal\n", "tank").quota_bytes


def test_a_quota_that_is_no_number_is_an_error() -> None:
    with pytest.raises(ParseError):
        with_quota(DedupTable(1, 2, 3), "tank\tdedup_table_quota\tmuch\tlocal\n", "tank")
