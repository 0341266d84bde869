"""The space of pools and vdevs, and how it finds its place in a tree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.zfs.recorded import CAPTURES, cuts, each, identity
from tests.zfs.status.test_status_captures import CONFIGURATIONS, json_of, text_of
from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.listing.pool_list import (
    ListedPool,
    ListedVdev,
    list_columns,
    list_pool,
    merge_list,
    parse_pool_columns,
    parse_pool_list,
)

VDEVS, COLUMNS = "zpool_list_Hpv.tsv", "zpool_list_Hp_cols.tsv"
HEADINGS = {"special": "special", "dedup": "dedup", "logs": "log", "cache": "cache", "spare": "spare"}
CHANGED = {"2.3/disk-faulted", "2.4/removing", "2.4/raidz-expanded"}  # while list and status were recorded
STEADY = [
    folder
    for folder in CONFIGURATIONS
    if text_of(folder) and (folder / VDEVS).exists() and identity(folder) not in CHANGED
]


def listed_of(folder: Path) -> ListedPool:
    (listed,) = parse_pool_list((folder / VDEVS).read_text())
    return listed


@each(VDEVS)
def test_every_vdev_is_listed_in_its_class(path: Path) -> None:
    text = path.read_text()

    listed = parse_pool_list(text)

    assert text.count("\n\t") == sum(len(pool.vdevs) for pool in listed)
    headings = {line.split()[0] for line in text.split("\n") if line and "\t" not in line}
    data = {"data"} if listed else set()
    assert data | {HEADINGS[heading] for heading in headings} == {
        vdev.vdev_class for pool in listed for vdev in pool.vdevs
    }


@each(COLUMNS)
def test_guid_and_ashift_are_told(path: Path) -> None:
    for pool in parse_pool_columns(path.read_text()):
        assert pool.guid is not None
        assert pool.ashift in (9, 12)
        assert pool.allocated_bytes is not None
        assert pool.free_bytes is not None
        assert pool.size_bytes == pool.allocated_bytes + pool.free_bytes


@pytest.mark.parametrize("folder", STEADY, ids=identity)
def test_space_finds_its_place_in_the_tree(folder: Path) -> None:
    """Of a text status, whose tree has no space at all, the list gives what JSON gives by itself."""
    listed = parse_pool_list((folder / VDEVS).read_text())
    for told, exact, lines in zip(text_of(folder), json_of(folder), listed, strict=True):
        merged = merge_list(told, lines)

        for ours, theirs in zip(exact.walk(), merged.walk(), strict=True):
            assert ours.name == theirs.name
            assert ours.size_bytes == theirs.size_bytes
            assert ours.vdev_class == "spare" or ours.physical_bytes == theirs.physical_bytes
            assert (ours.allocated_bytes is None) == (theirs.allocated_bytes is None)
        assert exact.size_bytes == merged.size_bytes
        assert exact.free_bytes == pytest.approx(merged.free_bytes, rel=0.01)
        assert lines.fragmentation_percent == merged.fragmentation_percent
        assert lines.capacity_percent == merged.capacity_percent


@pytest.mark.parametrize("version", ["2.1", "2.3", "2.4"])
def test_a_pool_learns_what_only_the_list_knows(version: str) -> None:
    folder = CAPTURES / version / "checkpoint"
    (told,) = text_of(folder)
    (columns,) = parse_pool_columns((folder / COLUMNS).read_text())

    merged = merge_list(merge_list(told, listed_of(folder)), columns)

    assert 24159191040 == merged.size_bytes
    assert 12 == merged.ashift
    assert 1.0 == merged.dedup_ratio
    assert 1 == merged.capacity_percent
    assert columns.guid == merged.guid
    assert columns.checkpoint_bytes == merged.checkpoint_bytes
    assert None is merged.altroot
    mirror, log = merged.vdevs[0], merged.vdevs[3]
    assert (2, 0) == (mirror.capacity_percent, mirror.fragmentation_percent)
    assert (8053063680, None) == (mirror.size_bytes, mirror.physical_bytes)
    assert (8053063680, 0, 8579448832) == (log.size_bytes, log.allocated_bytes, log.physical_bytes)
    assert (None, 8579448832) == (mirror.children[0].size_bytes, mirror.children[0].physical_bytes)


def test_the_listed_name_puts_right_what_was_guessed_of_a_path() -> None:
    """Partition 1 that a user made by hand looks like a whole disk, and is none."""
    path = "/dev/disk/by-id/ata-Disk-part1"
    told = Pool("tank", "ONLINE", vdevs=(Vdev("ata-Disk", "disk", "data", "ONLINE", path=path),))
    line = ListedVdev("ata-Disk-part1", "data", "ONLINE", 100, 10, 80)

    merged = merge_list(told, ListedPool("tank", "ONLINE", vdevs=(line,)))

    assert "ata-Disk-part1" == merged.vdevs[0].name
    assert 90 == merged.vdevs[0].size_bytes


def test_a_class_that_differs_is_left_alone_and_the_others_are_not() -> None:
    disk = Vdev("sda", "disk", "data", "ONLINE")
    told = Pool("tank", "ONLINE", vdevs=(disk, replace(disk, name="sdb", vdev_class="log")))
    lines = (ListedVdev("sdc", "data", "ONLINE", 9, 1, 8), ListedVdev("sdb", "log", "ONLINE", 9, 1, 8))

    merged = merge_list(told, ListedPool("tank", "ONLINE", size_bytes=18, vdevs=lines))

    assert disk == merged.vdevs[0]
    assert 9 == merged.vdevs[1].size_bytes
    assert 18 == merged.size_bytes


def test_another_pool_of_the_list_is_not_mistaken_for_it() -> None:
    told = Pool("tank", "ONLINE")

    assert told == merge_list(told, ListedPool("bulk", "ONLINE", size_bytes=1))


def test_several_pools_keep_their_own_vdevs() -> None:
    line = "10\t2\t8\t-\t-\t0\t20\t1.00\tONLINE\t-"
    vdev = "10\t2\t8\t-\t-\t0\t20\t-\tONLINE"
    text = f"a\t{line}\n\tsda\t{vdev}\nlogs   -   -\n\tsdb\t{vdev}\nb c\t{line}\n\tsdc\t{vdev}\n"

    first, second = parse_pool_list(text)

    assert ["a", "b c"] == [first.name, second.name]
    assert [("sda", "data"), ("sdb", "log")] == [(vdev.name, vdev.vdev_class) for vdev in first.vdevs]
    assert [("sdc", "data")] == [(vdev.name, vdev.vdev_class) for vdev in second.vdevs]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("\tsda\t1\t1\t1\t-\t-\t0\t0\t-\tONLINE\n", "before its pool"),
        ("tank\t1\t1\n", "expected 11 fields, not 3"),
        ("tank\t1\t1\t1\t-\t-\t0\t0\t1.00\tONLINE\t-\tnew\n", "expected 11 fields, not 12"),
        ("tank\tmuch\t1\t1\t-\t-\t0\t0\t1.00\tONLINE\t-\n", "'much' is not a number"),
        ("tank\t1\t1\t1\t-\t-\t0\t0\t1.00\tONLINE\t-\n\tsda\t1\n", "expected 10 fields, not 2"),
        ("tank\t1\t1\t1\t-\t-\t0\t0\t1.00\tONLINE\t-", "truncated"),
    ],
)
def test_a_line_that_is_not_understood_is_named(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_pool_list(text)


@each("zpool_list_Hp*.tsv")
def test_a_list_cut_short_is_an_error_or_its_first_lines(path: Path, request: pytest.FixtureRequest) -> None:
    whole = path.read_bytes()
    parse = parse_pool_columns if path.name == COLUMNS else parse_pool_list
    pools = parse(whole.decode())

    for at in cuts(whole, is_long=request.config.getoption("--long"), samples=30):
        try:
            part = parse(whole[:at].decode(errors="replace"))
        except ParseError:
            continue
        assert all(is_start(one, two) for one, two in zip(part, pools, strict=False)), f"cut at byte {at}"


def is_start(part: ListedPool, whole: ListedPool) -> bool:
    """Whether it is the same pool, at most without its last vdevs."""
    return replace(whole, vdevs=whole.vdevs[: len(part.vdevs)]) == part


def test_each_question_names_one_pool() -> None:
    columns = "name,size,alloc,free,checkpoint,expandsz,frag,cap,dedup,health,altroot,guid,ashift"

    assert ("zpool", "list", "-Hpv", "my pool") == list_pool("my pool").argv
    assert (
        "zpool",
        "list",
        "-Hp",
        "-o",
        f"{columns},autotrim,autoexpand,failmode,readonly",
        "tank",
    ) == list_columns("tank").argv


def test_properties_are_read_where_they_were_asked_for() -> None:
    values = "tank\t9\t1\t8\t-\t-\t0\t1\t1.00\tONLINE\t-\t7\t12"

    (of_old,) = parse_pool_columns(values + "\n")
    (of_new,) = parse_pool_columns(f"{values}\ton\toff\tcontinue\n")
    (of_newest,) = parse_pool_columns(f"{values}\ton\toff\tcontinue\ton\n")
    merged = merge_list(Pool("tank", "ONLINE"), of_new)

    assert (None, None, "on") == (of_old.readonly, of_new.readonly, of_newest.readonly)
    assert (None, None, None) == (of_old.autotrim, of_old.autoexpand, of_old.failmode)
    assert ("on", "off", "continue") == (merged.autotrim, merged.autoexpand, merged.failmode)
    assert ("on", "off", "continue") == (
        (kept := merge_list(merged, of_old)).autotrim,
        kept.autoexpand,
        kept.failmode,
    )
    with pytest.raises(ParseError, match="not a value of failmode"):
        parse_pool_columns(f"{values}\ton\toff\twait now\n")
