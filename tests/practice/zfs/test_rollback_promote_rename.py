"""`zfs rollback`, `clone`, `promote` and `rename`."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import Stage

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


def test_a_rollback_takes_what_is_newer_and_brings_back_what_was() -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1")
    stage.write("tank/a", 8)
    stage.does("zfs snapshot tank/a@s2")
    stage.does("zfs bookmark tank/a@s2 #b2")

    status, words = stage.refuses("zfs rollback tank/a@s1")
    stage.does("zfs rollback -r tank/a@s1")

    assert 1 == status
    assert words.endswith("the following snapshots and bookmarks:\ntank/a@s2\ntank/a#b2\n")
    assert {"tank/a@s1"} == stage.names("snapshot")
    assert 98304 == stage.size("tank/a", "used") == stage.size("tank/a", "referenced")


def test_a_rollback_names_at_most_32() -> None:
    stage = Stage(*MADE, *(f"zfs snapshot tank/a@s{number}" for number in range(40)))

    words = stage.refuses("zfs rollback tank/a@s0")[1].splitlines()

    assert 2 + 32 + 1 == len(words)
    assert "Output limited to 32 snapshots/bookmarks" == words[-1]


def test_a_rollback_past_clones_needs_more() -> None:
    stage = image()

    words = stage.refuses("zfs rollback -r tank/a@s1")[1]
    stage.does("zfs rollback -R tank/a@s1")

    assert (
        "cannot rollback to 'tank/a@s1': clones of previous snapshots exist\n"
        "use '-R' to force deletion of the following clones and dependents:\n"
        "tank/c@mine\ntank/c\n" == words
    )
    assert {"tank/a", "tank/b", "tank", "tank/a@s1"} == stage.names()


def test_a_held_snapshot_stops_a_rollback() -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1", "zfs snapshot tank/a@s2", "zfs hold keep tank/a@s2")

    assert (1, "cannot destroy 'tank/a@s2': dataset is busy\n") == stage.refuses("zfs rollback -r tank/a@s1")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("zfs clone tank/a@s1 tank/b", "cannot create 'tank/b': dataset already exists\n"),
        ("zfs clone tank/a@s1 tank/no/c", "cannot create 'tank/no/c': parent does not exist\n"),
        ("zfs clone tank/a@s1 other/c", "cannot create 'other/c': no such pool 'other'\n"),
        ("zfs clone tank/a tank/d", "cannot open 'tank/a': missing '@' delimiter in snapshot name\n"),
        ("zfs promote tank/a", "cannot promote 'tank/a': not a cloned filesystem\n"),
        ("zfs promote tank/a@s1", "cannot open 'tank/a@s1': snapshot delimiter '@' is not expected here\n"),
        ("zfs rename tank/a tank/b", "cannot rename 'tank/a': dataset already exists\n"),
        ("zfs rename tank/a tank/no/a", "cannot rename to 'tank/no/a': parent does not exist\n"),
        ("zfs rename tank/a other/a", "cannot rename to 'other/a': no such pool 'other'\n"),
        ("zfs rename tank x", "cannot rename to 'x': missing dataset name\n"),
        (
            "zfs rename tank/a tank/a/b/c",
            "cannot rename to 'tank/a/b/c': parent does not exist\n",
        ),
        (
            "zfs rename tank/a tank/a/b",
            "cannot rename to 'tank/a/b': New dataset name cannot be a descendant of current dataset name\n",
        ),
        (
            "zfs rename tank/a@s1 tank/b@s1",
            "cannot rename to 'tank/b@s1': snapshots must be part of same dataset\n",
        ),
        ("zfs rename tank/a@s1 s2", "cannot rename 'tank/a@s1': dataset already exists\n"),
    ],
)
def test_refusals_have_the_words_of_zfs(command: str, words: str) -> None:
    assert (1, words) == image().refuses(command)


def test_snapshots_of_one_name_stand_in_the_way_of_a_promotion() -> None:
    stage = image()
    stage.does("zfs snapshot tank/c@s1")

    assert (
        1,
        "cannot promote 'tank/c': conflicting snapshot 's1' from parent 'tank/a@s2'\n",
    ) == stage.refuses("zfs promote tank/c")


def test_a_promoted_clone_takes_the_bookmarks_up_to_its_origin_over() -> None:
    """Also one whose snapshot is gone; seen on OpenZFS 2.4."""
    stage = image()
    for line in ("bookmark tank/a@s1 tank/a#s1", "bookmark tank/a@s2 tank/a#two",
                 "bookmark tank/a@s3 tank/a#s3", "destroy tank/a@s1"):  # fmt: skip
        stage.does(f"zfs {line}")

    stage.does("zfs promote tank/c")

    assert {"tank/a#s3", "tank/c#s1", "tank/c#two"} == stage.names("bookmark")
    stage.does("zfs promote tank/a")
    assert {"tank/a#s1", "tank/a#s3", "tank/a#two"} == stage.names("bookmark")


def test_bookmarks_of_one_name_stand_in_the_way_of_a_promotion() -> None:
    stage = image()
    stage.does("zfs bookmark tank/a@s1 tank/a#x")
    stage.does("zfs bookmark tank/c@mine tank/c#x")

    assert (
        1,
        "cannot promote 'tank/c': conflicting snapshot 'x' from parent 'tank/a@s2'\n",
    ) == stage.refuses("zfs promote tank/c")


def test_a_busy_filesystem_is_not_renamed() -> None:
    stage = Stage(*MADE, "zfs create tank/a/sub")
    stage.dataset("tank/a/sub").is_busy = True

    assert (1, "cannot unmount '/tank/a/sub': pool or dataset is busy\n") == stage.refuses(
        "zfs rename tank/a tank/z"
    )
    assert "yes" == stage.get("tank/a", "mounted")


def test_snapshots_are_renamed_together() -> None:
    stage = Stage(*MADE, "zfs snapshot -r tank@s1")

    stage.does("zfs rename -r tank@s1 tank@first")

    assert {"tank@first", "tank/a@first", "tank/b@first"} == stage.names("snapshot")
    stage.does("zfs snapshot tank/b@second")
    assert (
        1,
        "cannot rename 'tank/b@first': a child dataset already has a snapshot with the new name\n",
    ) == (stage.refuses("zfs rename -r tank@first second"))
