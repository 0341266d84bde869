"""Cost of the plan of a replacement on a host far away: commands, and how many wait for others."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from tests.bench.plan_sessions import INTENTS, MANY, MOST_PROGRAMS, sent_for
from tests.bench.plan_sessions import MOST_ROUNDS as ROUNDS_OF_PLAN
from tests.bench.repair_plan import CASES, MOST_COMMANDS, MOST_ROUNDS, PLAN_S, plan_of_a_replacement

ALONE_COMMANDS: Final = 14  # on the command line, which knows nothing beforehand
ALONE_ROUNDS: Final = 6
LINK_S: Final = 0.02  # longer than what is gathered for one session
LIMITS: Final = Path(__file__).parents[2] / "docs" / "limits.md"


@pytest.mark.slow
@pytest.mark.parametrize(("what", "how"), CASES, ids=[what for what, _ in CASES])
async def test_a_plan_reads_little_beyond_what_the_console_knows(what: str, how: dict[str, Any]) -> None:
    cost = await plan_of_a_replacement(answer_s=LINK_S, **how)

    assert not cost.plan.is_refused, what
    assert MOST_COMMANDS >= len(cost.commands)
    assert cost.rounds <= MOST_ROUNDS
    assert 0.1 * cost.rounds <= PLAN_S


@pytest.mark.slow
async def test_what_the_plan_rests_on_most_is_read_for_it() -> None:
    """The label of the new disk, and who uses it or names it."""
    cost = await plan_of_a_replacement(answer_s=LINK_S)

    asked = {("zdb", "-l"), ("find", "/proc"), ("virsh", "-r")}
    assert asked == {argv[:2] for argv in cost.commands}


@pytest.mark.slow
async def test_a_plan_of_known_facts_rests_on_the_same_as_one_of_a_whole_reading() -> None:
    known = await plan_of_a_replacement(answer_s=LINK_S)

    read = await plan_of_a_replacement(answer_s=LINK_S, knows=False)

    assert read.plan.basis == known.plan.basis
    assert read.plan.steps == known.plan.steps
    assert read.plan.risk == known.plan.risk
    assert ALONE_COMMANDS >= len(read.commands)
    assert ALONE_ROUNDS >= read.rounds


@pytest.mark.slow
@pytest.mark.parametrize("what", INTENTS)
async def test_a_plan_takes_one_breath(what: str) -> None:
    """On the screen; the first plan of a connection asks whether channel programs may run."""
    first = await sent_for(INTENTS[what], knows=True, answer_s=0.02)
    again = await sent_for(INTENTS[what], knows=True, answer_s=0.02, is_again=True)

    assert MOST_PROGRAMS + 1 >= first.programs
    assert MOST_PROGRAMS >= again.programs
    assert ROUNDS_OF_PLAN >= max(first.rounds, again.rounds)
    assert 2 >= first.sessions


@pytest.mark.slow
@pytest.mark.parametrize("guests", [1, MANY])
@pytest.mark.parametrize("what", INTENTS)
async def test_a_plan_under_guests_takes_one_breath_too(what: str, guests: int) -> None:
    sent = await sent_for(INTENTS[what], knows=True, answer_s=0.02, is_again=True, guests=guests)

    assert MOST_PROGRAMS >= sent.programs
    assert ROUNDS_OF_PLAN >= sent.rounds


def test_the_manual_says_as_many() -> None:
    assert f"reads the host by {ALONE_COMMANDS} commands in six rounds" in LIMITS.read_text("utf-8")
