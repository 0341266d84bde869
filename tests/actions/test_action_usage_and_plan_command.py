"""The words of actions on the command line."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import zconsole
from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_spec import ActionSpec, Option
from zconsole.actions.action_usage_and_plan_command import (
    NAMING_A_HOST,
    plan_command,
    usage_of,
    where_words,
    with_host,
)
from zconsole.actions.intent import intent
from zconsole.cli.commands import SUBCOMMANDS
from zconsole.cli.commands.changes.plan import PlanRequest
from zconsole.cli.parse_command_line import parse
from zconsole.model.host.machine_identity import MachineIdentity


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


def test_a_name_like_an_option_is_typed_behind_dashes() -> None:
    wanted = intent("guest-shutdown", "--all", options={"within": "5m"})

    command = plan_command(wanted, ("--host", "nas1"))
    found = parse(shlex.split(command)[1:])

    assert "zconsole plan guest-shutdown --within 5m --host nas1 -- --all" == command
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


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("zconsole plan rename --host nas1 tank/b tank/a", "zconsole plan rename tank/b tank/a"),
        ("first: zconsole reclaim --host nas1; then go on", "first: zconsole reclaim; then go on"),
        ("zconsole plan mount --host nas1 tank --below mounts", "zconsole plan mount tank --below mounts"),
        ("zconsole plan export tank --host nas2", "zconsole plan export tank --host nas2"),
        (
            "zconsole plan resume-receive --host nas1 a/b, or zconsole plan abort-receive --host nas1 a/b.",
            "zconsole plan resume-receive a/b, or zconsole plan abort-receive a/b.",
        ),
        ("zconsole sudoers prints what sudo needs", "zconsole sudoers prints what sudo needs"),
        ("zfs set quota=1G tank", "zfs set quota=1G tank"),
    ],
)
def test_commands_in_a_sentence_name_the_host(expected: str, text: str) -> None:
    assert expected == with_host(text, ("--host", "nas1"))
    assert expected == with_host(expected, ("--host", "nas1"))
    assert text == with_host(text, ())


def test_this_machine_is_not_named_in_commands() -> None:
    assert () == where_words(MachineIdentity("local", "storage1", "m1"))


def test_a_machine_behind_ssh_is_named_in_commands() -> None:
    machine = MachineIdentity("nas 1", "storage1", "m1", "SHA256:abc")

    assert "zconsole plan scrub tank --host 'nas 1'" == plan_command(
        intent("scrub", "tank"), where_words(machine)
    )


def test_every_subcommand_that_plans_mention_and_that_is_for_a_host_is_named_with_it() -> None:
    folder = Path(zconsole.__file__).parent
    sources = [*(folder / "actions").rglob("*.py"), *(folder / "views" / "findings").rglob("*.py")]
    mentioned = {
        word
        for path in sources
        for word in re.findall(r"zconsole ([a-z]+)", path.read_text("utf-8"))
        if word in SUBCOMMANDS
    }
    # Without a host of its own: for all of them, for a question without one, or told by the plan itself.
    others = {"apply", "capacity", "plan", "run", "sudoers", "record", "check"}

    assert set() == mentioned - others - set(NAMING_A_HOST)
