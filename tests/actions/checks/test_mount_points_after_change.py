"""Where an action mounts file systems, those that inherit included."""

from __future__ import annotations

import pytest

from tests.doubles.plan_worlds import filesystem, host, volume
from zconsole.actions.checks.mount_points_after_change import (
    Placement,
    as_it_is,
    heirs_of,
    in_altroot,
    of_change,
    of_new,
    of_rename,
    place_below,
    source_of,
    targets,
)

ROOT = filesystem("tank", mountpoint="/srv")
HOME = filesystem("tank/home", mountpoint="/srv/home")
ANN = filesystem("tank/home/ann", mountpoint="/srv/home/ann")
OWN = filesystem("tank/home/own", mountpoint="/own")
PROPERTIES = (
    ("tank", "mountpoint", "/srv", "local"),
    ("tank/home", "mountpoint", "/srv/home", "inherited from tank"),
    ("tank/home/ann", "mountpoint", "/srv/home/ann", "inherited from tank"),
    ("tank/home/own", "mountpoint", "/own", "local"),
    ("tank/home/v", "mountpoint", "-", "-"),
)
FACTS = host((ROOT, HOME, ANN, OWN, volume("tank/home/v")), properties=PROPERTIES)


@pytest.mark.parametrize(
    ("expected", "canmount", "is_mounted"),
    [
        (True, "on", False),
        (True, "on", True),
        (False, "noauto", False),
        (True, "noauto", True),
        (False, "off", True),
    ],
)
def test_canmount_decides_whether_it_is_mounted_by_itself(
    canmount: str, *, expected: bool, is_mounted: bool
) -> None:
    assert expected is Placement("tank/a", "/a", canmount, is_mounted).is_by_itself


def test_an_altroot_stands_before_a_path_and_not_before_a_word() -> None:
    facts = host(altroots=(("tank", "/mnt/"),))

    assert "/mnt/srv" == in_altroot("/srv", "tank", facts)
    assert "none" == in_altroot("none", "tank", facts)
    assert "/srv" == in_altroot("/srv", "other", facts)


@pytest.mark.parametrize(
    ("expected", "above"), [("/srv/a", "/srv"), ("/a", "/"), ("none", "none"), (None, None)]
)
def test_what_is_below_is_mounted_below(expected: str | None, above: str | None) -> None:
    assert expected == place_below(above, "/a")


def test_a_new_file_system_is_mounted_below_its_parent_or_where_it_is_told() -> None:
    def paths(*properties: str, name: str = "tank/home/new", parents: bool = False) -> list[tuple[str, str]]:
        return [(each.dataset, each.path) for each in of_new(name, HOME, properties, FACTS, parents=parents)]

    assert [("tank/home/new", "/srv/home/new")] == paths()
    assert [("tank/home/new", "/x")] == paths("mountpoint=/x")
    assert [] == paths("mountpoint=none")
    assert [("tank/home/new", "/x")] == paths("mountpoint=/x", "canmount=off")
    assert [("tank/home/a", "/srv/home/a"), ("tank/home/a/b", "/srv/home/a/b")] == paths(
        name="tank/home/a/b", parents=True
    )
    assert () == of_new("tank/x", None, (), FACTS)


def test_a_mountpoint_that_moves_takes_along_those_that_inherit_it() -> None:
    heirs = heirs_of("tank/home", FACTS)

    moved = of_change(HOME, "/new", heirs, FACTS)

    assert ("tank/home/ann",) == heirs
    assert [("tank/home", "/new"), ("tank/home/ann", "/new/ann")] == [
        (each.dataset, each.path) for each in moved
    ]
    assert () == of_change(HOME, "/srv//home/", heirs, FACTS)
    assert () == of_change(HOME, None, heirs, FACTS)


def test_what_is_never_mounted_has_a_place_that_others_inherit_once_that_changes() -> None:
    never = filesystem("tank/home", mountpoint="/srv/home", is_mounted=False, canmount="off")

    assert ["/new"] == [each.path for each in of_change(never, "/new", (), FACTS) if each.is_never]
    assert () == of_change(never, "/srv//home", (), FACTS)
    assert () == of_change(volume("tank/home/v"), "/new", (), FACTS)


def test_with_own_also_those_are_named_that_stay() -> None:
    assert ("tank/home/ann", "tank/home/own") == heirs_of("tank/home", FACTS, with_own=True)


def test_a_rename_moves_what_inherits_and_leaves_what_has_a_mountpoint_of_its_own() -> None:
    moved = of_rename(HOME, "tank/users", FACTS)

    assert ["/srv/users", "/srv/users/ann"] == [each.path for each in moved]
    assert () == of_rename(OWN, "tank/own", FACTS)
    assert () == of_rename(volume("tank/home/v"), "tank/v", FACTS)


def test_what_is_mounted_or_never_is_has_no_place_to_be_mounted_on() -> None:
    away = filesystem("tank/away", is_mounted=False)

    assert ["/tank/away"] == [each.path for each in as_it_is(away, FACTS)]
    assert () == as_it_is(HOME, FACTS)
    assert () == as_it_is(filesystem("tank/off", is_mounted=False, canmount="off"), FACTS)
    assert () == as_it_is(filesystem("tank/old", is_mounted=False, mountpoint="legacy"), FACTS)


def test_the_source_of_a_mountpoint_that_was_not_asked_for_is_unknown() -> None:
    assert "local" == source_of("tank", FACTS)
    assert "unknown" == source_of("tank/nothing", FACTS)


def test_each_path_is_looked_at_once() -> None:
    placements = [Placement("tank/a", "/x"), Placement("tank/b", "/x"), Placement("tank/c", "/y")]

    assert ("/x", "/y") == targets(placements).targets
