"""The words of actions on the command line."""

from __future__ import annotations

import shlex

import pytest

from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_spec import ActionSpec, Option
from zconsole.actions.action_usage_and_plan_command import plan_command, usage_of
from zconsole.actions.intent import intent
from zconsole.cli.commands.changes.plan import PlanRequest
from zconsole.cli.parse_command_line import parse


def typed(option: Option) -> str | int | bool:
    if option.kind == "choice":
        return option.choices[-1]
    return {"flag": True, "number": 7}.get(option.kind, "a b")


@pytest.mark.parametrize("known", SPECS, ids=lambda known: known.id)
def test_what_is_suggested_can_be_typed(known: ActionSpec) -> None:
    arguments = [each.name.partition("=")[0] for each in known.arguments]
    options = {option.name: typed(option) for option in known.options}
    wanted = intent(known.id, "tank/a b@c", *arguments, options=options)

    found = parse(shlex.split(plan_command(wanted))[1:])

    assert isinstance(found, PlanRequest)
    assert wanted == found.intent


def test_a_missing_word_is_named() -> None:
    assert "zconsole plan rename tank/a NAME" == plan_command(intent("rename", "tank/a"))


def test_usage_names_the_target_and_optional_words() -> None:
    usage = {known.id: usage_of(known) for known in SPECS}

    assert "replace POOL [OLD] NEW" == usage["replace"]


@pytest.mark.parametrize("is_full", [False, True])
def test_full_is_read_from_the_words(is_full: bool) -> None:
    found = parse(["plan", "scrub", "tank", *(["--full"] if is_full else [])])

    assert isinstance(found, PlanRequest)
    assert is_full is found.is_full
