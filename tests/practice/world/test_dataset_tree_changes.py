"""Changes of the dataset tree, and the space that they move."""

from __future__ import annotations

from tests.practice.zfs.stage import MIB, Stage

MADE = ("zfs create tank/a", "zfs create tank/b")


def image() -> Stage:
    """An image with three snapshots and a clone of the second that has a snapshot of its own."""
    stage = Stage(*MADE)
    for name in ("s1", "s2", "s3"):
        stage.write("tank/a", 8)
        stage.does(f"zfs snapshot tank/a@{name}")
    stage.does("zfs clone tank/a@s2 tank/c")
    stage.write("tank/c", 4)
    stage.does("zfs snapshot tank/c@mine")
    return stage


def test_a_promoted_clone_takes_the_snapshots_and_their_space_over() -> None:
    stage = image()
    total = stage.size("tank", "used")

    stage.does("zfs promote tank/c")

    assert {"tank/a@s3", "tank/c@s1", "tank/c@s2", "tank/c@mine"} == stage.names("snapshot")
    assert ("tank/c@s2", "-") == (stage.get("tank/a", "origin"), stage.get("tank/c", "origin"))
    assert 8 * MIB == stage.size("tank/a", "used")
    assert 98304 + 20 * MIB == stage.size("tank/c", "used")
    assert total == stage.size("tank", "used")
    stage.does("zfs destroy -r tank/a")
    assert total - 8 * MIB == stage.size("tank", "used")


def test_a_quota_can_stand_in_the_way_of_a_promotion() -> None:
    stage = image()
    stage.does("zfs set quota=12M tank/c")

    assert (1, "cannot promote 'tank/c': out of space\n") == stage.refuses("zfs promote tank/c")


def test_a_rename_moves_all_that_is_below_and_clones_keep_their_origin() -> None:
    stage = image()
    stage.does("zfs create tank/a/sub")

    stage.does("zfs rename -p tank/a tank/x/a")

    assert {"tank/x/a", "tank/x/a/sub", "tank/x/a@s1"} <= stage.names()
    assert "tank/x/a@s2" == stage.get("tank/c", "origin")
    assert "/tank/x/a/sub" == stage.get("tank/x/a/sub", "mountpoint")
