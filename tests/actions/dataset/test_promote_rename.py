"""Promote and rename: nothing is lost, and what changes its name is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import ROOT, bookmark, filesystem, host, images, linked, snapshot
from zconsole.actions.plan import ConditionKind, Dependent, Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import Becoming, Delegation, OutsideUse, Privileges

FACTS = host(images())


def test_a_promotion_tells_which_snapshots_move_and_how_it_is_undone() -> None:
    made = planned(FACTS, "promote", "tank/vm1")

    assert ["zfs promote tank/vm1"] == commands(made)
    assert Risk.CAUTION is made.risk
    assert "zfs promote tank/images" == made.undo
    moved = {(each.kind, each.name, each.detail) for each in made.dependents}
    assert {("snapshot", "tank/images@gold", "becomes tank/vm1@gold"),
            ("clone", "tank/vm2", "will stand on tank/vm1")} == moved  # fmt: skip
    (settled,) = made.steps[0].settled_by
    assert (ConditionKind.ORIGIN_IS, "tank/images", "tank/vm1@gold") == (
        settled.kind,
        settled.object,
        settled.value,
    )


def test_what_is_no_clone_is_not_promoted() -> None:
    assert ["no-clone"] == rules(planned(FACTS, "promote", "tank/home"))


def test_names_of_snapshots_that_clash_refuse() -> None:
    datasets = linked((
        filesystem("tank"), filesystem("tank/a"), snapshot("tank/a@1", 1),
        filesystem("tank/b", origin="tank/a@1"), snapshot("tank/b@1", 2),
    ))  # fmt: skip

    made = planned(host(datasets), "promote", "tank/b")

    assert ["conflict"] == rules(made)
    assert "tank/b@1" in made.refusals[0].instead


def test_bookmarks_that_move_are_told_and_names_of_them_that_clash_refuse() -> None:
    """OpenZFS 2.1 to 2.4 looks for them in the wrong place, and its kernel module then panics."""
    datasets = linked((
        filesystem("tank"), filesystem("tank/a"), snapshot("tank/a@1", 1), bookmark("tank/a#1", 1),
        filesystem("tank/b", origin="tank/a@1"),
    ))  # fmt: skip
    clash = (*datasets, bookmark("tank/b#1", 2))

    moved = planned(host(datasets), "promote", "tank/b")
    made = planned(host(clash), "promote", "tank/b")

    assert Dependent("bookmark", "tank/a#1", "becomes tank/b#1") in moved.dependents
    assert [] == rules(moved)
    assert ["bookmark-conflict"] == rules(made)
    assert "panic" in made.refusals[0].reason
    assert moved.basis.differences(made.basis)


def test_a_new_snapshot_of_the_origin_makes_the_plan_stale() -> None:
    datasets = (*images(), snapshot("tank/images@first", 29))

    assert (
        planned(FACTS, "promote", "tank/vm1").fingerprint
        != planned(host(datasets), "promote", "tank/vm1").fingerprint
    )


def test_a_dataset_is_renamed_with_all_below_it() -> None:
    made = planned(FACTS, "rename", "tank/home", "tank/people")

    assert ["zfs rename tank/home tank/people"] == commands(made)
    assert "zfs rename tank/people tank/home" == made.undo
    assert "tank/home" == made.confirm
    assert {"/tank/home", "/tank/home/ann"} == {each.name for each in made.dependents if each.kind == "mount"}


@pytest.mark.parametrize(
    ("expected", "words", "options"),
    [
        ("zfs rename tank/home@daily-1 tank/home@old", ["tank/home@daily-1", "tank/home@old"], {}),
        ("zfs rename tank/home@daily-1 tank/home@old", ["tank/home@daily-1", "@old"], {}),
        ("zfs rename tank/home@daily-1 tank/home@old", ["tank/home@daily-1", "old"], {}),
        ("zfs rename -r tank/home@daily-2 tank/home@old", ["tank/home@daily-2", "old"], {"recursive": True}),
        ("zfs rename -p tank/home tank/x/y/home", ["tank/home", "tank/x/y/home"], {"parents": True}),
    ],
)
def test_snapshots_and_places(expected: str, words: list[str], options: dict[str, bool]) -> None:
    assert [expected] == commands(planned(FACTS, "rename", *words, **options))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("exists", ["tank/home", "tank/images"]),
        ("exists", ["tank/home@daily-1", "daily-2"]),
        ("inside", ["tank/home", "tank/home/ann/home"]),
        ("no-parent", ["tank/home", "tank/x/home"]),
        ("no-parent", ["tank/home", "tank/vm1/home"]),
        ("name", ["tank/home", "tank/" + "a" * 248]),
    ],
)
def test_what_zfs_would_refuse_is_refused_before(rule: str, words: list[str]) -> None:
    assert [rule] == rules(planned(FACTS, "rename", *words))


@pytest.mark.parametrize(
    "words",
    [["tank/home"], ["tank/home", "vault/home"], ["tank", "tank/x"],
     ["tank/home@daily-1", "tank/images@daily-1"], ["tank/home#daily-1", "x"], ["tank/home@daily-1", "a/b"]],
)  # fmt: skip
def test_words_that_make_no_sense(words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "rename", *words)


def test_what_runs_keeps_its_name() -> None:
    facts = replace(FACTS, uses=(OutsideUse("tank/home/ann", "process", "1234 bash"),))

    assert ["in-use"] == rules(planned(facts, "rename", "tank/home", "tank/people"))


def test_a_user_renames_only_what_is_not_mounted() -> None:
    ann = Privileges(
        "ann", 1000, Becoming.PLAIN, (Delegation("tank", frozenset({"rename", "mount", "create"})),)
    )

    assert ["unmount-permission"] == rules(
        planned(replace(FACTS, privileges=ann), "rename", "tank/home", "tank/people")
    )
    assert [] == rules(planned(replace(FACTS, privileges=ROOT), "rename", "tank/home", "tank/people"))
