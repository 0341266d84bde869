"""`zpool list`, `zpool get`, `zfs list`, `zfs get` and `zfs holds` beside real answers."""

from __future__ import annotations

import json

import pytest

from tests.conftest import CAPTURES
from tests.practice.laboratory import captured, mirrors, ordered, run, shape
from zconsole.practice import World, create_world
from zconsole.practice.demo.demo_datasets import HOSTILE
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.world.dataset_contents import take_snapshot
from zconsole.practice.world.datasets import Bookmark, PracticeDataset

EPOCH = 1_795_219_200.0
COLUMNS = (
    "name,type,used,avail,refer,mountpoint,usedbysnapshots,usedbydataset,usedbychildren,usedbyrefreservation,"
    "origin,clones,creation,createtxg,guid,written,logicalused,compressratio,compression,recordsize,volblocksize,"
    "dedup,copies,quota,refquota,reservation,refreservation,encryption,keystatus,mounted,canmount,userrefs,"
    "defer_destroy"
)
PUBLISHED = (  # layout, bytes of a disk, bytes usable
    ("mirror 0 1", 4_000_787_030_016, 3_861_712_470_016),
    ("raidz1 0 1 2", 4_000_787_030_016, 7_849_119_842_304),
    ("raidz1 0 1 2 3 4", 8_001_563_222_016, 31_811_480_584_192),
    ("raidz2 0 1 2 3 4 5", 12_000_138_625_024, 47_804_797_943_808),
    ("raidz2 0 1 2 3 4 5 6 7", 16_000_900_661_248, 90_855_469_744_128),
    ("raidz2 0 1 2 3 4 5 6 7 8 9", 18_000_207_937_536, 136_966_976_831_488),
    ("raidz3 0 1 2 3 4 5 6 7 8 9 10", 20_000_588_955_648, 159_710_237_949_952),
)


def mirrors_with_datasets() -> World:
    """Datasets of the kinds that the captured pool held."""
    world = mirrors()
    pool = world.pools["tank"]
    for name, kind in (
        ("tank/home", "filesystem"),
        ("tank/vm-sparse", "volume"),
        ("tank/bracket", "filesystem"),
    ):
        pool.datasets[name] = PracticeDataset(
            name,
            "volume" if kind == "volume" else "filesystem",
            world.guid(),
            createtxg=7,
            creation=1795218580,
        )
    pool.datasets["tank/vm-sparse"].volsize = 2 << 30
    pool.datasets["tank/bracket"].properties["com.example:note"] = "[red]not markup[/red]"
    for name in ("tank", "tank/home", "tank/vm-sparse"):
        take_snapshot(world, pool, pool.datasets[name], "daily-1")
    kept = pool.datasets["tank/home"].snapshots[0]
    pool.datasets["tank/home"].bookmarks.append(
        Bookmark("daily-1", kept.guid, kept.createtxg, kept.creation, kept.referenced)
    )
    return world


def test_the_pool_list_is_the_same_to_the_byte() -> None:
    """The headings of classes are padded with blanks even for scripts: so they are here."""
    assert captured("zpool_list_Hpv.tsv") == run(mirrors(), "zpool list -Hpv").stdout


def test_the_pool_list_as_json_has_the_same_members_and_values() -> None:
    expected = ordered(captured("zpool_list.json"))

    got = ordered(run(mirrors(), "zpool list -j --json-int -v").stdout)

    assert [path for path, _ in expected] == [path for path, _ in got]
    for (path, value), (_, ours) in zip(expected, got, strict=True):
        if "guid" not in path and "cache" not in path:
            assert value == ours, path


def test_chosen_columns_come_in_their_order_and_under_short_names() -> None:
    expected = captured("zpool_list_Hp_cols.tsv").strip().split("\t")

    columns = "name,size,alloc,free,checkpoint,expandsz,frag,cap,dedup,health,altroot,guid,ashift"
    got = run(mirrors(), f"zpool list -Hp -o {columns}").stdout.strip().split("\t")

    assert expected[:-2] == got[:-2]
    assert expected[-1] == got[-1]


def test_people_get_headers_and_rounded_numbers() -> None:
    header, row = run(mirrors(), "zpool list").stdout.strip().split("\n")

    assert "NAME   SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT" == header
    assert "tank  22.5G   364M  22.1G        -         -     0%     1%  1.00x    ONLINE  -" == row


def test_pool_properties_have_the_same_names_sources_and_fixed_values() -> None:
    expected = [line.split("\t") for line in captured("zpool_get_all.tsv").strip().split("\n")]

    got = [line.split("\t") for line in run(mirrors(), "zpool get -Hp all tank").stdout.strip().split("\n")]

    assert [(row[1], row[3]) for row in expected] == [(row[1], row[3]) for row in got]
    for theirs, ours in zip(expected, got, strict=True):
        if theirs[1] not in {"guid", "load_guid", "allocated", "free"} and "feature@" not in theirs[1]:
            assert theirs == ours


def test_a_guid_beyond_63_bits_is_clamped_in_json_properties_as_libzfs_does() -> None:
    world = mirrors()
    pool = world.pools["tank"]
    pool.root.guid |= 1 << 63

    document = json.loads(run(world, "zpool get -j --json-int guid").stdout)["pools"]["tank"]

    assert (1 << 63) - 1 == document["properties"]["guid"]["value"]
    assert pool.guid == document["pool_guid"]


@pytest.mark.parametrize(("layout", "disk_bytes", "usable"), PUBLISHED)
def test_usable_space_is_exact(layout: str, disk_bytes: int, usable: int) -> None:
    """USED plus AVAIL of the root dataset, to the byte."""
    world = create_world(layout, disks=11, disk_size=disk_bytes)

    used, available = run(world, "zfs list -Hp -o used,avail tank").stdout.split()

    assert usable == int(used) + int(available)


@pytest.mark.parametrize("name", ["tank", "tank@daily-1", "tank/home#daily-1", "tank/vm-sparse"])
def test_the_same_columns_are_empty_for_each_kind(name: str) -> None:
    theirs = {row[0]: row for row in _rows(captured("zfs_list_all.tsv"))}
    theirs["tank/home#daily-1"] = theirs["tank/home/ann#daily-1"]

    ours = {
        row[0]: row for row in _rows(run(mirrors_with_datasets(), f"zfs list -Hp -t all -o {COLUMNS}").stdout)
    }

    assert [cell == "-" for cell in theirs[name]] == [cell == "-" for cell in ours[name]]
    assert theirs[name][1] == ours[name][1]


@pytest.mark.parametrize(
    "name", ["tank", "tank@daily-1", "tank/home", "tank/vm-sparse", "tank/vm-sparse@daily-1", "tank/bracket"]
)
def test_datasets_have_the_same_properties_in_the_same_order(name: str) -> None:
    theirs = [row[1:] for row in _rows(captured("zfs_get_all.tsv")) if row[0] == name]
    changing = {"creation", "used", "available", "referenced", "createtxg", "guid", "written", "objsetid"}
    changing |= {"usedbysnapshots", "usedbydataset", "usedbychildren", "logicalused", "logicalreferenced"}
    changing |= {"snapshots_changed", "volsize", "usedbyrefreservation"}
    if name == "tank/home":
        theirs = [row for row in theirs if row[0] != "snapshots_changed"]

    ours = [row[1:] for row in _rows(run(mirrors_with_datasets(), f"zfs get -Hp all {name}").stdout)]

    ours = [row for row in ours if row[0] != "snapshots_changed" or name != "tank/home"]
    assert [row[0] for row in theirs] == [row[0] for row in ours]
    assert [row for row in theirs if row[0] not in changing] == [
        row for row in ours if row[0] not in changing
    ]


def test_dataset_json_has_the_same_members() -> None:
    expected = [path for path, _ in ordered(captured("zfs_list.json")) if "/tank@daily-1/" in path]

    got = [path for path, _ in ordered(run(mirrors_with_datasets(), "zfs list -j --json-int -t all").stdout)]

    assert expected == [path for path in got if "/tank@daily-1/" in path]


def test_snapshots_stand_behind_their_dataset_by_age_and_bookmarks_behind_them() -> None:
    world = mirrors_with_datasets()
    world.pools["tank"].txg += 1
    take_snapshot(world, world.pools["tank"], world.pools["tank"].datasets["tank/home"], "aaa-newer")

    names = run(world, "zfs list -H -o name -t all -r tank/home").stdout.split()

    assert ["tank/home", "tank/home@daily-1", "tank/home@aaa-newer", "tank/home#daily-1"] == names


@pytest.mark.parametrize(
    ("command", "count"),
    [
        ("zfs list -H -o name", 4),
        ("zfs list -H -o name tank", 1),
        ("zfs list -H -o name -r tank", 4),
        ("zfs list -H -o name -d 0 tank", 1),
        ("zfs list -H -o name -d 1 tank", 4),
        ("zfs list -H -o name -t snapshot", 3),
        ("zfs list -H -o name -t snapshot tank/home", 1),
        ("zfs list -H -o name -t snap -d 1 tank", 1),
        ("zfs list -H -o name -t vol", 1),
        ("zfs list -H -o name -t all -r tank", 8),
        ("zfs list -H -o name tank/home@daily-1", 1),
        ("zfs list -H -o name -t snapshot,bookmark -r -- tank/home", 2),
    ],
)
def test_types_and_depth_choose_what_is_listed(command: str, count: int) -> None:
    assert count == len(run(mirrors_with_datasets(), command).stdout.splitlines())


def test_sorting_by_size_puts_the_largest_where_it_is_asked_for() -> None:
    world = demo_world(EPOCH)

    up = [int(size) for size in run(world, "zfs list -Hp -o used -s used").stdout.split()]
    down = [int(size) for size in run(world, "zfs list -Hp -o used -S used").stdout.split()]

    assert sorted(up) == up
    assert sorted(down, reverse=True) == down


def test_holds_are_listed_with_their_time() -> None:
    world = mirrors_with_datasets()
    world.pools["tank"].datasets["tank/home"].snapshots[0].holds["keep"] = 1795218630

    assert (
        "tank/home@daily-1\tkeep\tFri Nov 20 23:50 2026\n"
        == run(world, "zfs holds -H tank/home@daily-1").stdout
    )
    assert "tank/home@daily-1\tkeep\t1795218630\n" == run(world, "zfs holds -Hp -r tank@daily-1").stdout


def test_hostile_text_reaches_the_other_side_unchanged() -> None:
    """The practice host must not clean what a real host would not."""
    world = demo_world(EPOCH)

    value = run(world, "zfs get -Hp -o value com.example:note tank/scratch").stdout

    assert HOSTILE + "\n" == value
    assert "\x1b" in value


def test_json_is_ascii_and_drops_what_libnvpair_drops() -> None:
    world = mirrors_with_datasets()
    world.pools["tank"].datasets["tank/home"].properties["com.example:text"] = "caf\u00e9 \U0001f4a9 \x1b"

    text = run(world, "zfs get -j com.example:text tank/home").stdout

    assert "caf\\u00e9  \\u001b" in text


def test_what_is_not_there_is_refused_in_zfs_words() -> None:
    refusals = captured("refusals.txt")
    for command in ("zpool status nosuch", "zfs list nosuch/x"):
        reply = run(mirrors(), command)

        assert f"$ {command}\n{reply.stderr}rc={reply.status}\n" in refusals


def test_the_accounts_of_the_demonstration_add_up() -> None:
    """Children, snapshots and the dataset itself are what is used; the pool has room for all of it."""
    for pool in demo_world(EPOCH).pools.values():
        world = demo_world(EPOCH)
        parts = "usedbydataset,usedbysnapshots,usedbychildren,usedbyrefreservation"
        rows = _rows(run(world, f"zfs list -Hp -o name,used,{parts},avail -r {pool.name}").stdout)
        for name, used, *rest in rows:
            assert int(used) == sum(map(int, rest[:4])), name
            assert 0 <= int(rest[4])
        usable = world.pools[pool.name].usable
        assert usable == int(rows[0][1]) + int(rows[0][6])


def test_the_demonstration_holds_thousands_of_snapshots_and_clones_of_clones() -> None:
    world = demo_world(EPOCH)

    snapshots = run(world, "zfs list -H -t snapshot -o name").stdout.splitlines()
    origins = dict(_rows(run(world, "zfs list -H -o name,origin -t all").stdout))

    assert 3000 < len(snapshots) < 6000
    clones = [name for name, origin in origins.items() if origin != "-"]
    assert any(origins[name].partition("@")[0] in clones for name in clones)


def test_a_capture_of_another_raidz_lists_alike() -> None:
    world = create_world("raidz2 0 1 2 3 4 5", pool="bulk")
    world.pools["bulk"].root.children[0].allocated = 238755840

    assert (
        captured("zpool_list_Hpv.tsv", CAPTURES / "2.4" / "raidz2-healthy")
        == run(world, "zpool list -Hpv").stdout
    )


def test_the_table_for_people_has_headings() -> None:
    lines = run(mirrors_with_datasets(), "zfs list").stdout.splitlines()

    assert "NAME            USED  AVAIL  REFER  MOUNTPOINT" == lines[0]
    assert shape("tank/bracket     96K  14.5G    96K  /tank/bracket") == shape(lines[2])


def _rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.split("\n") if line]
