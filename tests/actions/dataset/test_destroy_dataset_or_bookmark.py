"""Destruction of file systems, volumes and bookmarks, with all that hangs on them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import (
    GIB,
    bookmark,
    filesystem,
    host,
    images,
    linked,
    snapshot,
    volume,
)
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Risk
from zconsole.model.host.plan_facts import Delegation, Hold, HostPolicy, OutsideUse, PrivilegeMode, Privileges

FACTS = host(images())


def test_held_snapshots_below_keep_the_dataset() -> None:
    """ZFS would destroy half of it before it finds the hold."""
    facts = replace(FACTS, holds=(Hold("tank/home/ann@daily-2", "backup"),))

    assert ["held"] == rules(planned(facts, "destroy", "tank/home", recursive=True))


def test_a_dataset_with_anything_in_it_is_destroyed_only_recursively() -> None:
    assert ["children"] == rules(planned(FACTS, "destroy", "tank/home"))
    made = planned(FACTS, "destroy", "tank/home", recursive=True)

    assert ["zfs destroy -r tank/home"] == commands(made)
    assert ("tank/home", "tank/home#daily-1", "tank/home/ann", "tank/home/ann@daily-2", "tank/home@daily-1",
            "tank/home@daily-2") == made.destroys  # fmt: skip
    assert "storage1:tank/home" == made.confirm
    assert ("tank/home", "tank/home/ann") == made.live


def test_bookmarks_of_its_own_go_with_a_dataset_unasked() -> None:
    facts = host((filesystem("tank"), filesystem("tank/a"), bookmark("tank/a#b")))

    made = planned(facts, "destroy", "tank/a")

    assert ["zfs destroy tank/a"] == commands(made)
    assert ("tank/a", "tank/a#b") == made.destroys


def test_clones_elsewhere_are_named_and_promoting_one_is_offered() -> None:
    made = planned(FACTS, "destroy", "tank/images", recursive=True)

    assert ["clones"] == rules(made)
    assert "tank/vm1" in made.refusals[0].reason
    assert "promote" in {intent.action for _, intent in made.alternatives}


def test_with_clones_everything_is_listed_counted_and_catastrophic() -> None:
    made = planned(FACTS, "destroy", "tank/images", with_clones=True)

    assert ["zfs destroy -R tank/images"] == commands(made)
    assert "storage1:tank/images 6" == made.confirm
    assert {"tank/vm1", "tank/vm1-test", "tank/vm2"} <= set(made.live)
    assert 9 * GIB + 3 * GIB == made.frees_bytes
    assert any("leaves the clones out" in note for note in made.notes)


@pytest.mark.parametrize(
    ("named", "title", "options"),
    [
        ([], "destroy file system tank/images", {}),
        ([], "destroy file system tank/images and all in it", {"recursive": True}),
        (["guest web01", "clone tank/vm1"],
         "destroy file system tank/images, all in it and all clones of its snapshots", {"with_clones": True}),
    ],
)  # fmt: skip
def test_guests_on_clones_are_named_only_where_the_clones_are_destroyed(
    named: list[str], title: str, options: dict[str, bool]
) -> None:
    facts = replace(FACTS, uses=(OutsideUse("tank/vm1", "guest", "web01", "/dev/zvol/tank/vm1"),))

    made = planned(facts, "destroy", "tank/images", **options)

    assert title == made.title
    found = [f"{each.kind} {each.name}" for each in made.dependents]
    assert named == [each for each in found if each in {"guest web01", "clone tank/vm1"}]
    assert bool(named) is ("in-use" in rules(made))


def test_no_rename_is_offered_while_a_guest_runs_below() -> None:
    facts = replace(FACTS, uses=(OutsideUse("tank/home/ann", "guest", "web01", "/tank/home/ann/web01.raw"),))

    assert "rename" in {each.action for _, each in planned(FACTS, "destroy", "tank/home").alternatives}
    assert "rename" not in {each.action for _, each in planned(facts, "destroy", "tank/home").alternatives}


def test_renaming_aside_is_offered_instead() -> None:
    made = planned(FACTS, "destroy", "tank/home", recursive=True)

    assert Intent("rename", "tank/home", ("tank/home-to-destroy",)) in [each for _, each in made.alternatives]


@pytest.mark.parametrize(
    ("kind", "object_name"),
    [
        ("guest", "tank/vm1"),
        ("process", "tank/vm2"),
        ("holder", "/dev/zvol/tank/vm1-test"),
        ("mount", "tank/vm1"),
    ],
)
def test_what_runs_anywhere_in_the_closure_refuses(kind: str, object_name: str) -> None:
    """A mount of a volume is a file system of the host on it."""
    facts = replace(FACTS, uses=(OutsideUse(object_name, kind, "web1"),))

    made = planned(facts, "destroy", "tank/images@gold", with_clones=True)

    assert ["in-use"] == rules(made)
    assert "web1" in made.refusals[0].reason
    assert (kind, "web1") in {(each.kind, each.name) for each in made.dependents}


def test_a_mounted_file_system_is_a_dependent_and_no_obstacle() -> None:
    made = planned(FACTS, "destroy", "tank/home/ann", recursive=True)

    assert Risk.DESTRUCTIVE is made.risk
    assert ("mount", "/tank/home/ann") in {(each.kind, each.name) for each in made.dependents}


def test_only_root_can_destroy_what_is_mounted() -> None:
    ann = Privileges("ann", 1000, PrivilegeMode.PLAIN, (Delegation("tank", frozenset({"destroy", "mount"})),))

    assert ["unmount-permission"] == rules(
        planned(replace(FACTS, privileges=ann), "destroy", "tank/home/ann", recursive=True)
    )


def test_a_receive_under_way_refuses() -> None:
    datasets = [
        replace(each, clones=("tank/new/%recv",)) if each.name == "tank/home@daily-1" else each
        for each in images()
    ]

    assert ["receiving"] == rules(planned(host(datasets), "destroy", "tank/home@daily-1", with_clones=True))


def test_a_clone_above_its_origin_is_refused_as_zfs_cannot() -> None:
    datasets = linked((
        filesystem("tank"), filesystem("tank/c", origin="tank/c/x@s"), filesystem("tank/c/x"),
        snapshot("tank/c/x@s"),
    ))  # fmt: skip

    made = planned(host(datasets), "destroy", "tank/c", with_clones=True)

    assert ["cycle"] == rules(made)
    assert "promote tank/c first" == made.refusals[0].instead


def test_a_bookmark_is_destroyed_by_its_own_name() -> None:
    made = planned(FACTS, "destroy", "tank/home#daily-1")

    assert ["zfs destroy tank/home#daily-1"] == commands(made)
    assert ("tank/home#daily-1",) == made.destroys


def test_a_protected_dataset_anywhere_in_the_closure_refuses() -> None:
    facts = replace(FACTS, policy=HostPolicy(protected=("tank/vm2",)))

    assert ["protected"] == rules(planned(facts, "destroy", "tank/images", with_clones=True))


@pytest.mark.parametrize(
    "change",
    [
        lambda each: replace(each, guid=7) if each.name == "tank/home@daily-1" else each,
        lambda each: replace(each, createtxg=99) if each.name == "tank/home" else each,
        lambda each: replace(each, name="tank/home@other") if each.name == "tank/home@daily-1" else each,
    ],
)  # fmt: skip
def test_the_plan_goes_stale_with_any_object_that_it_takes(change: object) -> None:
    then = planned(FACTS, "destroy", "tank/home", recursive=True)
    now = planned(host(map(change, images())), "destroy", "tank/home", recursive=True)  # type: ignore[call-overload]

    assert then.fingerprint != now.fingerprint
    assert then.basis.differences(now.basis)


def test_a_new_snapshot_makes_it_stale_and_is_named() -> None:
    then = planned(FACTS, "destroy", "tank/home", recursive=True)
    now = planned(host((*images(), snapshot("tank/home@new", 50))), "destroy", "tank/home", recursive=True)

    assert any("tank/home@new is new" in each for each in then.basis.differences(now.basis))


def test_volumes_that_are_only_reserved_say_so() -> None:
    facts = host((filesystem("tank"), volume("tank/v", used_by_refreservation_bytes=GIB)))

    assert any(
        "its refreservation of 1.00 GiB, which is not written" in note
        for note in planned(facts, "destroy", "tank/v").notes
    )


def test_a_rename_aside_that_a_guests_definition_follows_says_so() -> None:
    use = OutsideUse("/dev/zvol/tank/vm2", "stopped guest", "web02", path="/dev/zvol/tank/vm2")

    made = planned(host(images(), uses=(use,)), "destroy", "tank/vm2", recursive=True)

    words = next(words for words, wanted in made.alternatives if wanted.action == "rename")
    assert "in the definition of web02 its name is changed too" in words
