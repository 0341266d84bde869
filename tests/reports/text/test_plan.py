"""A plan in words: in the order in which it is read, and nothing in it that a terminal obeys."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.actions.pool.shelf import mirror, planned, tank
from tests.doubles.plan_worlds import host, images
from tests.ui.plans import receive
from zconsole.actions.catalogue import SPECS
from zconsole.actions.intent import Intent, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Dependent, Plan, RefusalReason, Rehearsal, Risk, Step
from zconsole.base.harmless_text import visible
from zconsole.cli.command_line import parse
from zconsole.cli.requests import PlanRequest
from zconsole.model.host.plan_facts import MachineIdentity, OutsideUse
from zconsole.reports.text.plan import command_line, plan_lines


def text(of: Plan, saved: str = "", *, is_full: bool = False) -> str:
    """All lines."""
    return "\n".join(plan_lines(of, saved, is_full=is_full))


def test_a_routine_plan() -> None:
    assert text(planned(tank(), "scrub")).splitlines() == [
        "storage1: scrub tank [routine]",
        "Lost: nothing.",
        "Undo: zpool scrub -s tank",
        "Runs: zpool scrub tank",
        "  scrub tank",
        "To run it, save it with -o FILE, and: zconsole apply FILE",
    ]


def test_a_step_that_is_fed_is_a_pipe_with_the_host_that_sends() -> None:
    shown = text(receive()).splitlines()

    assert (
        "Runs: zfs send -L -e -c -i tank/home@b tank/home@c (on nas1) | zfs receive -s -u vault/home" in shown
    )
    assert any(line.startswith("ZFS's own dry run on nas1: zfs send -nvP") for line in shown)


def test_a_change_of_the_tree_shows_what_changes_and_counts_the_rest() -> None:
    pool = tank(mirror("ONLINE", "ONLINE"), mirror("ONLINE", "ONLINE", name="mirror-1"))

    shown = text(planned(pool, "offline", "tank", "mirror-0-a")).splitlines()

    begin = next(at for at, line in enumerate(shown) if line.startswith("Survives: "))
    assert shown[begin : begin + 10] == [
        "Survives: mirror-0 1 more failure now, no failure while it runs, no failure after.",
        "Before:",
        "  - mirror-0  ONLINE",
        "  -   mirror-0-a  ONLINE",
        "      mirror-0-b  ONLINE",
        "After:",
        "  + mirror-0  DEGRADED",
        "  +   mirror-0-a  OFFLINE",
        "      mirror-0-b  ONLINE",
        "  1 other vdev stays as it is",
    ]


def test_losses_are_counted_and_the_living_first() -> None:
    made = plan(intent("destroy", "tank"), host(images()))
    shown = text(made, is_full=True).splitlines()

    assert "Lost: 13 objects, 7 of them in use or with data of their own:" in shown
    first = shown.index("  tank (live)")
    last = max(at for at, line in enumerate(shown) if line.endswith(" (live)"))
    assert last < shown.index("  tank/home@daily-1")
    assert first < last


def test_a_long_list_is_cut_so_that_warnings_and_the_way_back_stand_near_the_top() -> None:
    made = replace(plan(intent("destroy", "tank"), host(images())), warnings=("look twice",))
    shown = text(made).splitlines()

    lost = shown.index("Lost: 13 objects, 7 of them in use or with data of their own:")
    assert "  and 7 more, 1 of them live (--full has all)" == shown[lost + 7]
    assert ["Warning: look twice.", made_undo(shown)] == shown[lost + 9 : lost + 11]
    assert lost + 10 < next(at for at, line in enumerate(shown) if line.startswith("Runs: "))


def made_undo(shown: list[str]) -> str:
    """The line that tells the way back."""
    return next(line for line in shown if line.startswith("Undo"))


def test_a_refused_plan_loses_nothing_and_undoes_nothing() -> None:
    made = plan(intent("destroy", "tank"), host(images()))
    refused = replace(made, risk=Risk.REFUSED, refusals=(RefusalReason("held", "it is held"),))

    assert not [
        line
        for line in text(refused, is_full=True).splitlines()
        if line.startswith(("Lost", "Undo", "Frees"))
    ]


def test_a_channel_program_is_told_and_its_text_is_there_in_full_only() -> None:
    argv = ("zfs", "program", "tank", "-", *(f"tank/home@daily-{number}" for number in range(100)))
    step = Step(argv, "check all, and destroy, in one txg", stdin="local args = ...\nreturn 1\n")
    made = replace(planned(tank(), "scrub"), steps=(step,))

    shown, full = text(made), text(made, is_full=True)
    assert "  stdin: a channel program of 2 lines (--full has all)" in shown
    assert "local args" not in shown
    assert "more words (--full has all)" in shown
    assert "daily-99" not in shown
    assert "  stdin: local args = ..." in full
    assert "daily-99" in full


def test_a_refused_plan_says_why_first_and_offers_no_way_to_run_it() -> None:
    shown = text(
        plan(intent("destroy", "tank"), host(images(), uses=(OutsideUse("tank/vm1", "guest", "web1"),)))
    )

    assert shown.splitlines()[1].startswith("Refused (in-use): ")
    assert "Would run: zpool destroy tank" in shown
    assert "zconsole apply" not in shown
    assert "Undo" not in shown


def test_a_single_loss_is_counted_as_one() -> None:
    made = replace(planned(tank(), "scrub"), destroys=("tank/scratch",), live=("tank/scratch",))

    assert "Lost: 1 object, in use or with data of its own:\n  tank/scratch (live)\n" in text(made)


def test_refusals_that_are_opened_alike_say_so_once() -> None:
    made = replace(
        planned(tank(), "scrub"),
        refusals=tuple(
            RefusalReason("rule", why, instead)
            for why, instead in (("a", "wait"), ("b", "wait"), ("c", "go"), ("d", "wait"))
        ),
    )

    assert text(made).splitlines()[1:8] == [
        *(
            "Refused (rule): a.",
            "Refused (rule): b.",
            "  Instead: wait.",
            "Refused (rule): c.",
            "  Instead: go.",
        ),
        *("Refused (rule): d.", "  Instead: wait."),
    ]


def test_the_confirmation_is_quoted_for_a_shell() -> None:
    made = replace(planned(tank(), "scrub"), risk=Risk.CAUTION, target="tank/my data")

    assert text(made, "plan 1.json").endswith("zconsole apply 'plan 1.json' --confirm 'tank/my data'")


def test_what_a_host_calls_itself_is_told_where_it_differs() -> None:
    made = replace(planned(tank(), "scrub"), identity=MachineIdentity("nas", "storage1.example.net"))

    assert text(made).startswith("nas (storage1.example.net): scrub tank [routine]")


def test_programs_and_dry_runs_are_shown() -> None:
    made = replace(
        planned(tank(), "scrub"),
        steps=(Step(("zfs", "program", "tank", "-"), "destroy them", stdin="return 1\n"),),
        rehearsals=(Rehearsal(("zfs", "destroy", "-nvp", "tank@a"), "destroy\ttank@a\n\nreclaim\t0", 0),),
    )

    shown = text(made, is_full=True)

    assert "  stdin: return 1" in shown
    assert "ZFS's own dry run: zfs destroy -nvp tank@a" in shown
    assert "  reclaim 0" in shown  # in columns, as a terminal has it


@given(name=st.text())
def test_nothing_in_it_is_obeyed_by_a_terminal(name: str) -> None:
    made = Plan(
        Intent("scrub", name), name, name, MachineIdentity(name, name), Risk.DESTRUCTIVE, 0.0,
        steps=(Step((name,), name, name),), destroys=(name,), live=(name,), undo=name,
        dependents=(Dependent("guest", name, name),), alternatives=((name, Intent("scrub", name, (name,))),),
        notes=(name,), warnings=(name,), rehearsals=(Rehearsal((name,), name, 0),),
    )  # fmt: skip

    for each in (made, replace(made, refusals=(RefusalReason(name, name, name),))):
        assert all(visible(line) == line for line in plan_lines(each, name))


@pytest.mark.parametrize("known", SPECS, ids=lambda known: known.id)
def test_what_is_suggested_can_be_typed(known: object) -> None:
    action = known.id  # type: ignore[attr-defined]
    arguments = [each.name.partition("=")[0] for each in known.arguments]  # type: ignore[attr-defined]
    options = {
        option.name: True if option.kind == "flag" else (7 if option.kind == "number" else "a b")
        for option in known.options  # type: ignore[attr-defined]
    }
    wanted = intent(action, "tank/a b@c", *arguments, options=options)

    found = parse(shlex.split(command_line(wanted))[1:])

    assert isinstance(found, PlanRequest)
    assert wanted == found.intent
