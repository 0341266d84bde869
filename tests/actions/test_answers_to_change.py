"""Answers that a refusal leads to: the one question whose answer is in the way, with all others kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import planned
from tests.doubles.plan_worlds import host, images
from tests.doubles.shelves import TB, blank, leaf, link, mirror, rules, world
from tests.doubles.shelves import planned as shelf_plan
from zconsole.actions.action_catalogue import SPECS, spec
from zconsole.actions.answers_to_change import AnswerToChange, answers_to_change
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan, RefusalReason, WayOut

MOUNTPOINT = "mountpoint"

FACTS = host(images())


def of(plan: Plan) -> list[tuple[str, str]]:
    """Place and words of each answer."""
    return [(each.place, each.words) for each in answers_to_change(spec(plan.intent.action), plan)]


def only(plan: Plan) -> AnswerToChange:
    """The single answer of a plan."""
    (answer,) = answers_to_change(spec(plan.intent.action), plan)
    return answer


def test_a_name_that_is_taken_is_asked_again_alone() -> None:
    made = planned(FACTS, "snapshot", "tank/home@daily-1", recursive=True)

    assert [("", "another name than tank/home@daily-1")] == of(made)
    again = only(made).changed(spec("snapshot"), made.intent, "tank/home@new")
    assert Intent("snapshot", "tank/home@new", (), (("recursive", True),)) == again


def test_the_new_name_of_a_rename_is_an_argument() -> None:
    made = planned(FACTS, "rename", "tank/vm1", "tank/home")

    assert [("NAME", "another name than tank/home")] == of(made)
    again = only(made).changed(spec("rename"), made.intent, "tank/other")
    assert Intent("rename", "tank/vm1", ("tank/other",)) == again


def test_a_volume_that_is_too_large_and_whose_name_is_taken_has_two_answers() -> None:
    made = planned(FACTS, "create", "tank/home", volume="900P")

    assert {("", "another name than tank/home"), ("--volume", "another size than 900P")} == set(of(made))
    size = next(each for each in answers_to_change(spec("create"), made) if each.place)
    again = size.changed(spec("create"), made.intent, "1G")
    assert Intent("create", "tank/home", (), (("volume", "1G"),)) == again


def test_what_no_answer_ends_has_none() -> None:
    assert [] == of(planned(FACTS, "destroy", "tank"))


def test_an_option_that_was_not_given_can_be_given_and_left_out_again() -> None:
    importing = Intent("import", "tank", (), (("readonly", True),))
    answer = AnswerToChange(WayOut.NAME, "--name", "", "name: give it another name")

    given = answer.changed(spec("import"), importing, "tank2")

    assert "another name" == answer.words
    assert (("name", "tank2"), ("readonly", True)) == given.options
    assert importing == answer.changed(spec("import"), given, "")


@pytest.mark.parametrize("action", [each.id for each in SPECS])
def test_the_place_of_every_answer_exists(action: str) -> None:
    """A key never leads to a question that the action does not have."""
    about = spec(action)
    arguments = tuple(f"{MOUNTPOINT}=/x" for _ in about.arguments)
    options = tuple((each.name, "1G") for each in about.options)
    refusals = tuple(RefusalReason("rule", "why", way_out=way) for way in WayOut)
    made = replace(planned(FACTS, "snapshot", "tank@a"), intent=Intent(action, "tank", arguments, options),
                   refusals=refusals)  # fmt: skip

    places = {each.place for each in answers_to_change(about, made)}

    known = {"", *(each.name for each in about.arguments), *(f"--{each.name}" for each in about.options)}
    assert set() == places - known


def test_disks_of_unequal_sizes_are_chosen_again_with_the_former_ones_known() -> None:
    facts = world(mirror(0, 0, 1), disks=(blank(2, size_bytes=8 * TB),))
    made = shelf_plan(facts, "add", "tank", "mirror", link(2), link(3))

    assert "sizes" in rules(made)
    assert ["choose other disks; these stay marked"] == [words for _, words in of(made)]
    answer = only(made)
    assert (link(2), link(3)) == answer.disks
    assert ("mirror", "a", "b") == answer.with_disks(made.intent, ("a", "b")).arguments


def test_a_disk_that_is_refused_in_the_place_of_another_is_chosen_again() -> None:
    facts = world(mirror(0, 0, 1), disks=(blank(2, size_bytes=2 * TB),))
    made = shelf_plan(facts, "replace", "tank", leaf(1).name, link(2))

    assert "too-small" in rules(made)
    answer = only(made)
    assert "choose another disk" == answer.words
    assert (leaf(1).name, "c") == answer.with_disks(made.intent, ("c",)).arguments


def test_disks_of_two_vdevs_at_once_are_not_one_answer() -> None:
    facts = world(mirror(0, 0, 1), disks=(blank(2, size_bytes=8 * TB),), spare_disks=6)
    disks = list(map(link, (2, 3, 4, 5)))
    made = shelf_plan(facts, "add", "tank", "mirror", *disks[:2], "mirror", *disks[2:])

    assert "sizes" in rules(made)
    assert [] == of(made)
