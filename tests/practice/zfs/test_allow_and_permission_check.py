"""`zfs allow` and `zfs unallow`, and what a user without privileges may do."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import Stage

MADE = (
    "zfs create tank/a",
    "zfs create tank/a/b",
    "zfs snapshot tank/a@s1",
    "zfs clone tank/a@s1 tank/c",
    "zfs bookmark tank/a@s1 #b1",
    "zfs hold keep tank/a@s1",
    "zfs create -V 16M tank/v",
    "zfs snapshot tank/v@s1",
)


def by_operator(*commands: str) -> Stage:
    stage = Stage(*MADE, *commands)
    stage.world.user_id = 1000
    return stage


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (
            "zfs snapshot tank/a@s2",
            "cannot create snapshots : permission denied\nno snapshots were created\n",
        ),
        ("zfs destroy tank/v@s1", "cannot destroy snapshots: permission denied\n"),
        ("zfs destroy tank/a#b1", "cannot destroy bookmark: permission denied\n"),
        ("zfs destroy -r tank/v", "cannot destroy snapshots: permission denied\n"),
        ("zfs destroy tank/c", "cannot unmount '/tank/c': permission denied\n"),
        ("zfs create tank/x", "cannot create 'tank/x': permission denied\n"),
        ("zfs clone tank/a@s1 tank/d", "cannot create 'tank/d': permission denied\n"),
        ("zfs promote tank/c", "cannot promote 'tank/c': permission denied\n"),
        ("zfs rollback tank/v@s1", "cannot rollback 'tank/v': permission denied\n"),
        ("zfs rename tank/v tank/w", "cannot rename 'tank/v': permission denied\n"),
        ("zfs rename tank/v@s1 s2", "cannot rename 'tank/v@s1': permission denied\n"),
        ("zfs hold x tank/a@s1", "cannot hold: permission denied\n"),
        ("zfs release keep tank/a@s1", "cannot release: permission denied\n"),
        ("zfs bookmark tank/v@s1 tank/v#b1", "cannot create bookmark 'tank/v#b1': permission denied\n"),
        ("zfs set atime=off tank/a", "cannot set property for 'tank/a': permission denied\n"),
        ("zfs inherit atime tank/a", "cannot inherit atime for 'tank/a': permission denied\n"),
        ("zfs unmount tank/a", "cannot unmount '/tank/a/b': permission denied\n"),
        ("zfs allow operator snapshot tank/a", "cannot set permissions on 'tank/a': permission denied\n"),
        (
            "zfs program tank - x",
            "Channel program execution failed:\nPermission denied. Channel programs must be run as root.\n",
        ),
    ],
)
def test_nothing_is_allowed_without_permission(command: str, words: str) -> None:
    stage = by_operator()
    before = stage.does("zfs list -Hp -t all -o name,used,createtxg,userrefs")

    status, said = stage.refuses(command)

    assert (words, 0) != (said, status)
    assert said.startswith(words)
    assert before == stage.does("zfs list -Hp -t all -o name,used,createtxg,userrefs")


def test_a_permission_holds_below_too() -> None:
    stage = by_operator("zfs allow operator snapshot,hold tank/a")

    stage.does("zfs snapshot -r tank/a@s2")
    stage.does("zfs hold mine tank/a/b@s2")

    assert 1 == stage.refuses("zfs snapshot tank/c@s2")[0]


def test_a_local_permission_ends_at_the_dataset() -> None:
    stage = by_operator("zfs allow -l operator snapshot tank/a", "zfs allow -d -e bookmark tank")

    stage.does("zfs snapshot tank/a@s2")
    stage.does("zfs bookmark tank/a@s2 tank/a#b2")

    assert 1 == stage.refuses("zfs snapshot tank/a/b@s2")[0]


LOCAL, BELOW = "zfs allow -l operator", "zfs allow -d operator"


@pytest.mark.parametrize(
    ("given", "command"),
    [
        (f"{BELOW} destroy,mount tank/v", "zfs destroy tank/v@s1"),
        (f"{BELOW} userprop tank/v", "zfs set x:y=z tank/v@s1"),
        (f"{LOCAL} hold tank/v", "zfs hold x tank/v@s1"),
        (f"{LOCAL} rollback tank/v", "zfs rollback tank/v@s1"),
        (f"{LOCAL} rename,mount tank/v; {LOCAL} create,mount tank/a/b", "zfs rename tank/v tank/a/b/v"),
        (f"{BELOW} rename,mount tank/v; {LOCAL} create,mount tank/v", "zfs rename tank/v@s1 tank/v@s2"),
        (f"{BELOW} clone tank/v; {LOCAL} create,mount tank", "zfs clone tank/v@s1 tank/w"),
        (
            f"{LOCAL} create,mount tank; {BELOW} compression tank",
            "zfs create -sV 16M -o compression=on tank/w",
        ),
        (f"{LOCAL} create,mount tank", "zfs create -s -V 16M -o volblocksize=32K tank/w"),
        (f"{LOCAL} promote,mount tank/c; {BELOW} promote tank/a", "zfs promote tank/c"),
    ],
)
def test_to_zfs_a_snapshot_and_what_is_created_are_below(given: str, command: str) -> None:
    """Tried on OpenZFS 2.4: with each of these it is done, and without any one of them refused."""
    words = [line.split(" ") for line in given.split("; ")]
    grants = [[*line[:-2], word, line[-1]] for line in words for word in line[-2].split(",")]
    whole = by_operator(*(" ".join(line) for line in grants))
    lacking = [
        by_operator(*(" ".join(line) for line in grants if line is not left_out)) for left_out in grants
    ]

    whole.does(command)
    for stage in lacking:
        assert "permission denied" in stage.refuses(command)[1]


def test_delegation_can_be_off_for_a_pool() -> None:
    stage = by_operator("zfs allow operator snapshot tank/a")
    stage.pool.properties["delegation"] = "off"

    assert 1 == stage.refuses("zfs snapshot tank/a@s2")[0]


def test_who_creates_must_leave_mounting_to_root() -> None:
    stage = by_operator("zfs allow operator create,mount tank/a")

    assert (1, "filesystem successfully created, but it may only be mounted by root\n") == stage.refuses(
        "zfs create tank/a/mine"
    )
    assert "no" == stage.get("tank/a/mine", "mounted")


def test_permissions_are_listed_by_place_and_scope() -> None:
    stage = Stage(
        *MADE,
        "zfs allow ann,bo snapshot,hold tank/a",
        "zfs allow ann destroy tank/a",
        "zfs allow -l -g staff quota tank/a",
        "zfs allow -e userprop tank",
    )

    listed = stage.does("zfs allow tank/a/b")

    assert (
        "---- Permissions on tank/a -------------------------------------------\n"
        "Local permissions:\n\tgroup staff quota\n"
        "Local+Descendent permissions:\n\tuser ann destroy,hold,snapshot\n\tuser bo hold,snapshot\n"
        "---- Permissions on tank ---------------------------------------------\n"
        "Local+Descendent permissions:\n\teveryone userprop\n" == listed
    )
    stage.does("zfs unallow ann hold tank/a")
    stage.does("zfs unallow bo tank/a")
    assert "\tuser ann destroy,snapshot\n" in stage.does("zfs allow tank/a")
    assert "bo" not in stage.does("zfs allow tank/a")


def test_unknown_permissions_are_refused() -> None:
    assert (1, "cannot set permissions on 'tank/a': invalid permission\n") == Stage(*MADE).refuses(
        "zfs allow ann fly tank/a"
    )
