"""`zfs snapshot`, `hold`, `release`, `bookmark` and `send -n`."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import Stage
from zconsole.practice.world import dataset_writes_and_snapshots

MADE = ("zfs create tank/a", "zfs create tank/a/b", "zfs create -V 64M tank/v")


def test_several_snapshots_are_taken_in_one_transaction_group() -> None:
    stage = Stage(*MADE)

    stage.does("zfs snapshot -o com.example:why=test tank/a@s1 tank/v@other")

    assert {"tank/a@s1", "tank/v@other"} == stage.names("snapshot")
    assert stage.get("tank/a@s1", "createtxg") == stage.get("tank/v@other", "createtxg")
    assert "test" == stage.get("tank/v@other", "com.example:why")
    assert "zfs snapshot -o com.example:why=test tank/a@s1 tank/v@other" == list(stage.history())[-1]


def test_recursion_takes_all_that_is_below() -> None:
    stage = Stage(*MADE)

    stage.does("zfs snapshot -r tank@s1")

    assert {"tank@s1", "tank/a@s1", "tank/a/b@s1", "tank/v@s1"} == stage.names("snapshot")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("zfs snapshot -r tank@s1", "cannot create snapshot 'tank/a@s1': dataset already exists\n"),
        ("zfs snapshot tank/v@new tank/a@s1", "cannot create snapshot 'tank/a@s1': dataset already exists\n"),
        (
            "zfs snapshot tank/v@x tank/v@y",
            "cannot create snapshots : multiple snapshots of same fs not allowed\n",
        ),
        ("zfs snapshot tank/v@x%y", "cannot create snapshot 'tank/v@x%y': invalid character % in name\n"),
        (
            "zfs snapshot -o quota=1G tank/v@x",
            "cannot create snapshots : this property can not be modified for snapshots\n",
        ),
    ],
)
def test_all_are_taken_or_none(command: str, words: str) -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1")

    assert (1, f"{words}no snapshots were created\n") == stage.refuses(command)
    assert {"tank/a@s1"} == stage.names("snapshot")


def test_a_dataset_that_is_not_there_is_a_matter_of_usage() -> None:
    status, words = Stage(*MADE).refuses("zfs snapshot tank/nosuch@s1")

    assert 2 == status
    assert words.startswith("cannot open 'tank/nosuch': dataset does not exist\nusage:\n\tsnapshot [-r]")


def test_a_reserved_volume_needs_room_for_its_snapshot() -> None:
    """What was written must be kept, and as much must stay reserved."""
    stage = Stage("zfs create -V 8G tank/v")
    dataset_writes_and_snapshots.write(stage.pool, stage.dataset("tank/v"), 6 << 30)
    stage.does("zfs set quota=13G tank")

    reply = stage.refuses("zfs snapshot tank/v@s1")
    stage.does("zfs set quota=none tank")
    before = stage.size("tank", "available")
    stage.does("zfs snapshot tank/v@s1")

    assert (1, "cannot create snapshot 'tank/v@s1': out of space\nno snapshots were created\n") == reply
    assert before - (6 << 30) - 57344 == stage.size("tank", "available")
    assert stage.size("tank/v", "refreservation") == stage.size("tank/v", "usedbyrefreservation")


def test_holds_keep_and_are_counted() -> None:
    stage = Stage(*MADE, "zfs snapshot -r tank/a@s1")

    stage.does("zfs hold -r keep tank/a@s1")

    assert "1" == stage.get("tank/a/b@s1", "userrefs")
    assert "keep" in stage.does("zfs holds -Hp tank/a/b@s1")
    stage.does("zfs release -r keep tank/a@s1")
    assert "0" == stage.get("tank/a@s1", "userrefs")


@pytest.mark.parametrize(
    ("command", "status", "words"),
    [
        (
            "zfs hold keep tank/a@s1",
            1,
            "cannot hold snapshot 'tank/a@s1': tag already exists on this dataset\n",
        ),
        ("zfs hold keep tank/a@nosuch", 1, "cannot hold snapshot 'tank/a@nosuch': dataset does not exist\n"),
        ("zfs hold keep tank/nosuch@s1", 1, "cannot open 'tank/nosuch': dataset does not exist\n"),
        ("zfs hold keep tank/a", 1, "'tank/a' is not a snapshot\n"),
        (
            "zfs release other tank/a@s1",
            1,
            "cannot release hold from snapshot 'tank/a@s1': no such tag on this dataset\n",
        ),
        (
            "zfs release keep tank/a@nosuch",
            1,
            "cannot release hold from snapshot 'tank/a@nosuch': dataset does not exist\n",
        ),
        ("zfs bookmark tank/a@s1 tank/a#b1", 1, "cannot create bookmark 'tank/a#b1': bookmark exists\n"),
        (
            "zfs bookmark tank/a@s1 tank/v#b2",
            1,
            "cannot create bookmark 'tank/v#b2': source is not an ancestor of the new bookmark's dataset\n",
        ),
        (
            "zfs bookmark tank/a@s1 tank/no#b2",
            1,
            "cannot create bookmark 'tank/no#b2': dataset does not exist\n",
        ),
    ],
)
def test_refusals_of_holds_and_bookmarks(command: str, status: int, words: str) -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1", "zfs hold keep tank/a@s1", "zfs bookmark tank/a@s1 #b1")

    assert (status, words) == stage.refuses(command)


def test_tags_of_zfs_itself_are_refused() -> None:
    status, words = Stage(*MADE, "zfs snapshot tank/a@s1").refuses("zfs hold .mine tank/a@s1")

    assert 2 == status
    assert words.startswith("tag may not start with '.'\nusage:\n")


def test_a_bookmark_outlives_its_snapshot() -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1", "zfs bookmark @s1 tank/a#b1")
    guid = stage.get("tank/a@s1", "guid")

    stage.does("zfs destroy tank/a@s1")

    assert guid == stage.get("tank/a#b1", "guid")
    assert "tank/a#b1" in stage.names()
