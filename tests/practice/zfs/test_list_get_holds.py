"""`zfs list`, `zfs get` and `zfs holds` beside real answers."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import captured, mirrors, ordered, run, shape
from zconsole.practice import World
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.world.dataset_writes_and_snapshots import take_snapshot
from zconsole.practice.world.datasets import Bookmark, PracticeDataset

EPOCH = 1_795_219_200.0


COLUMNS = (
    "name,type,used,avail,refer,mountpoint,usedbysnapshots,usedbydataset,usedbychildren,usedbyrefreservation,"
    "origin,clones,creation,createtxg,guid,written,logicalused,compressratio,compression,recordsize,volblocksize,"
    "dedup,copies,quota,refquota,reservation,refreservation,encryption,keystatus,mounted,canmount,userrefs,"
    "defer_destroy"
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
    world.pools["tank"].datasets["tank/home"].snapshots[0].holds = {"keep": 1795218630}

    assert (
        "tank/home@daily-1\tkeep\tFri Nov 20 23:50 2026\n"
        == run(world, "zfs holds -H tank/home@daily-1").stdout
    )
    assert "tank/home@daily-1\tkeep\t1795218630\n" == run(world, "zfs holds -Hp -r tank@daily-1").stdout


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


def test_the_table_for_people_has_headings() -> None:
    lines = run(mirrors_with_datasets(), "zfs list").stdout.splitlines()

    assert "NAME            USED  AVAIL  REFER  MOUNTPOINT" == lines[0]
    assert shape("tank/bracket     96K  14.5G    96K  /tank/bracket") == shape(lines[2])


def _rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.split("\n") if line]
