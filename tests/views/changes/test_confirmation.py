"""The lines below a plan: what is to be typed next, and the age of what it was made from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.pool.shelf import planned, tank
from zconsole.actions.intent import Intent
from zconsole.actions.plan import RefusalReason
from zconsole.actions.typed_confirmation_state_machine import Guard, GuardStage
from zconsole.views.changes.confirmation import question, ways
from zconsole.views.layout.styled_text import plain

PLAN = planned(tank(), "scrub")
REFUSED = replace(PLAN, refusals=(RefusalReason("rule", "no"),))


def asked(guard: Guard, now: float = 0.0) -> list[str]:
    return [plain(line) for line in question(PLAN, guard, now)]


def test_a_name_is_asked_for_first_and_then_yes() -> None:
    typing = Guard("tank", stage=GuardStage.TYPING, typed="ta", said="not that")
    assert ["To go on, type  tank", "> ta_", "not that"] == asked(typing)

    empty = replace(typing, typed="", said="")
    assert ["To go on, type  tank", "> _   1 of 2, then yes", ""] == asked(empty)

    ready = replace(typing, stage=GuardStage.READY, typed="tank", answer="ye", said="")
    assert ["✓ tank   To do it, type  yes", "> ye_   2 of 2", ""] == asked(ready)


def test_without_a_name_yes_is_enough() -> None:
    assert ["To do it, type  yes", "> _", ""] == asked(Guard(None, stage=GuardStage.READY))


def test_a_countdown_tells_the_seconds_left() -> None:
    counting = Guard("tank", has_countdown=True, stage=GuardStage.COUNTING, deadline=10.0)

    assert "Begins in 10 s.  Any key stops it." == asked(counting)[0]
    assert "Begins in 1 s.  Any key stops it." == asked(counting, now=9.9)[0]


def test_no_key_opens_a_refused_plan() -> None:
    guard = Guard("tank", stage=GuardStage.TYPING)

    with_way = replace(REFUSED, refusals=(RefusalReason("rule", "no", instead="wait"),))
    assert "What ends each refusal stands with it, or under NEXT." == plain(
        question(with_way, guard, 0.0, is_cut=True)[1]
    )
    assert "This cannot be done. No confirmation opens it." == plain(question(REFUSED, guard, 0.0)[0])
    assert "[ Enter  Go back ]   F5 read the host again" == plain(ways(REFUSED, guard, 100.0))


@pytest.mark.parametrize(("number", "keys"), [(1, "F6"), (3, "F6 to F8")])
def test_a_refused_plan_with_ways_out_is_refused_in_this_way_only(number: int, keys: str) -> None:
    guard = Guard("tank", stage=GuardStage.TYPING)
    others = tuple((f"promote {each}", Intent("promote", f"tank/{each}")) for each in range(number))
    plan = replace(REFUSED, alternatives=others)

    assert "It is refused in this way; no confirmation opens it." == plain(question(plan, guard, 0.0)[0])
    assert f"[ Enter  Go back ]   {keys} plan it another way   F5 read the host again" == plain(
        ways(plan, guard, 100.0)
    )


@pytest.mark.parametrize(
    ("ways_out", "expected"),
    [
        ((), ["", ""]),
        (("shut db01 down first; as a step",), ["F6 shut db01 down first;", "   as a step"]),
        (("shut db01 down first",), ["F6 shut db01 down first", ""]),
        (("promote a", "promote b"), ["F6 promote a", "F7 promote b"]),
        (("promote a", "promote b", "take c"), ["F6 promote a", "F7 to F8 are 2 others: NEXT"]),
    ],
)
def test_the_way_out_of_a_refusal_is_beside_the_keys_also_where_its_lines_are_below(
    ways_out: tuple[str, ...], expected: list[str]
) -> None:
    alternatives = tuple((words, Intent("scrub", "tank")) for words in ways_out)
    refused = replace(PLAN, refusals=(RefusalReason("rule", "no"),), alternatives=alternatives)

    assert expected == [plain(each) for each in question(refused, Guard(None), 0.0, is_cut=True)[1:]]
    assert ["", ""] == [plain(each) for each in question(refused, Guard(None), 0.0)[1:]], "they are in sight"


@pytest.mark.parametrize(
    ("expected", "age_s"), [("", 9.0), (", read 40s ago", 42.0), (", read 2m ago", 179.0)]
)
def test_the_age_of_the_facts_is_told_in_steps(expected: str, age_s: float) -> None:
    shown = plain(ways(PLAN, Guard(None, stage=GuardStage.READY), age_s))
    assert shown.endswith(f"read the host again{expected}")
