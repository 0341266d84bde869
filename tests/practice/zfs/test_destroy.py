"""`zfs destroy` of datasets, snapshots and bookmarks."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import MIB, Stage, golden_image
from zconsole.practice.world import dataset_writes_and_snapshots

MADE = ("zfs create tank/a", "zfs create tank/a/b")


def with_snapshots(*names: str) -> Stage:
    """A filesystem that keeps 8 MiB more of its own in each snapshot."""
    stage = Stage(*MADE)
    for name in names:
        stage.write("tank/a", 8)
        stage.does(f"zfs snapshot -r tank/a@{name}")
    return stage


@pytest.mark.parametrize(
    ("spec", "gone"),
    [
        ("s2", {"s2"}),
        ("s1,s4", {"s1", "s4"}),
        ("s2%s4", {"s2", "s3", "s4"}),
        ("%s2", {"s1", "s2"}),
        ("s4%", {"s4", "s5"}),
        ("%", {"s1", "s2", "s3", "s4", "s5"}),
        ("s1,nosuch,s3%s4", {"s1", "s3", "s4"}),
        ("nosuch%s3,s5", {"s5"}),
        ("s4%s2,s1", {"s1"}),
    ],
)
def test_lists_and_ranges_choose_snapshots(spec: str, gone: set[str]) -> None:
    stage = with_snapshots("s1", "s2", "s3", "s4", "s5")

    stage.does(f"zfs destroy tank/a@{spec}")

    assert {f"tank/a@s{number}" for number in range(1, 6)} - {f"tank/a@{name}" for name in gone} == {
        name for name in stage.names("snapshot") if name.startswith("tank/a@")
    }


def test_recursion_takes_the_snapshots_of_that_name_below() -> None:
    stage = with_snapshots("s1", "s2")

    stage.does("zfs destroy -r tank/a@s1")

    assert {"tank/a@s2", "tank/a/b@s2"} == stage.names("snapshot")
    assert "zfs destroy -r tank/a@s1" == list(stage.history())[-1]


def test_what_a_range_is_said_to_free_comes_free() -> None:
    stage = with_snapshots("s1", "s2", "s3", "s4")
    dataset_writes_and_snapshots.delete(stage.pool, stage.dataset("tank/a"), 0.75)
    before = stage.size("tank", "used")

    told = stage.does("zfs destroy -nvp tank/a@s2%s4").splitlines()
    stage.does("zfs destroy tank/a@s2%s4")

    assert ["destroy\ttank/a@s2", "destroy\ttank/a@s3", "destroy\ttank/a@s4"] == told[:-1]
    freed = int(told[-1].removeprefix("reclaim\t"))
    assert 3 * 6 * MIB == freed == before - stage.size("tank", "used")


def test_a_held_snapshot_keeps_the_whole_list() -> None:
    stage = with_snapshots("s1", "s2", "s3")
    stage.does("zfs hold keep tank/a@s2")

    refusal = stage.refuses("zfs destroy tank/a@s1,s2,s3")

    assert (
        1,
        "cannot destroy snapshot tank/a@s2: it's being held. Run 'zfs holds -r tank/a@s2' to see holders.\n",
    ) == refusal
    assert {"tank/a@s1", "tank/a@s2", "tank/a@s3"} <= stage.names()


def test_a_deferred_destroy_waits_for_the_last_hold_and_the_last_clone() -> None:
    stage = with_snapshots("s1")
    stage.does("zfs hold keep tank/a@s1")
    stage.does("zfs clone tank/a@s1 tank/c")

    stage.does("zfs destroy -d tank/a@s1")
    assert "on" == stage.get("tank/a@s1", "defer_destroy")
    stage.does("zfs release keep tank/a@s1")
    assert "tank/a@s1" in stage.names()
    stage.does("zfs destroy tank/c")

    assert "tank/a@s1" not in stage.names()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("zfs destroy tank/nosuch", "cannot open 'tank/nosuch': dataset does not exist\n"),
        ("zfs destroy tank/nosuch@s1", "cannot open 'tank/nosuch': dataset does not exist\n"),
        ("zfs destroy tank/a@nosuch", "could not find any snapshots to destroy; check snapshot names.\n"),
        ("zfs destroy tank/a#nosuch", "bookmark 'tank/a#nosuch' does not exist.\n"),
        ("zfs destroy tank/a/", "cannot open 'tank/a/': trailing slash in name\n"),
        ("zfs destroy -d tank/a", "cannot open 'tank/a': missing '@' delimiter in snapshot name\n"),
        (
            "zfs destroy tank",
            (
                "cannot destroy 'tank': operation does not apply to pools\n"
                "use 'zfs destroy -r tank' to destroy all datasets in the pool\n"
                "use 'zpool destroy tank' to destroy the pool itself\n"
            ),
        ),
        (
            "zfs destroy tank/a",
            (
                "cannot destroy 'tank/a': filesystem has children\n"
                "use '-r' to destroy the following datasets:\ntank/a/b@s1\ntank/a/b\ntank/a@s1\n"
            ),
        ),
    ],
)
def test_refusals_have_the_words_of_zfs(command: str, words: str) -> None:
    assert (1, words) == with_snapshots("s1").refuses(command)


def test_a_bookmark_is_neither_tried_nor_deferred() -> None:
    stage = with_snapshots("s1")
    stage.does("zfs bookmark tank/a@s1 tank/a#s1")

    assert (255, "dryrun is not supported with bookmark\n") == stage.refuses("zfs destroy -n tank/a#s1")
    stage.does("zfs destroy tank/a#s1")

    assert "tank/a#s1" not in stage.names()


def test_a_busy_filesystem_stays_and_so_does_what_is_above() -> None:
    """A recursive destroy goes on past what it cannot destroy, and fails in the end."""
    stage = with_snapshots("s1")
    stage.dataset("tank/a/b").is_busy = True

    status, words = stage.refuses("zfs destroy -r tank/a")

    assert 1 == status
    assert (
        "cannot unmount '/tank/a/b': pool or dataset is busy\n"
        "cannot destroy 'tank/a': dataset already exists\n" == words
    )
    assert {"tank", "tank/a", "tank/a/b"} == stage.names()


def test_an_open_volume_is_busy() -> None:
    stage = Stage("zfs create -V 64M tank/v")
    stage.dataset("tank/v").is_busy = True

    assert (1, "cannot destroy 'tank/v': dataset is busy\n") == stage.refuses("zfs destroy tank/v")


def test_destroying_a_dataset_frees_what_it_took_in_all_above_and_in_the_pool() -> None:
    stage = with_snapshots("s1", "s2")
    allocated = stage.pool.allocated
    used, room = stage.size("tank", "used"), stage.size("tank", "available")
    mine = stage.size("tank/a", "used")

    stage.does("zfs destroy -r tank/a")

    assert {"tank"} == stage.names()
    assert (used - mine, room + mine) == (stage.size("tank", "used"), stage.size("tank", "available"))
    assert abs(allocated - mine - stage.pool.allocated) < MIB
    assert "zfs destroy -r tank/a" in list(stage.history())


def test_more_than_a_batch_of_snapshots_goes_with_its_dataset() -> None:
    stage = with_snapshots(*(f"s{number}" for number in range(23)))

    stage.does("zfs destroy -r tank/a")

    assert {"tank"} == stage.names()


def test_clones_of_clones_go_with_the_image() -> None:
    stage = golden_image()

    told = stage.does("zfs destroy -vR tank/images").splitlines()

    assert "will destroy tank/vm1-test" == next(line for line in told if "vm1" in line)
    assert "will destroy tank/images" == told[-1]
    assert {"tank", "tank/home", "tank/home/ann", "tank/vm-disk0"} == {
        name for name in stage.names() if "@" not in name
    }
