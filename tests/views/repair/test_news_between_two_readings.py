"""News of repairs: what a user who looks elsewhere is called for, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import states
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.pools.pool import Scan
from zconsole.model.repair import Repair, RepairRun, RepairStepKind, RepairStepState, RepairTrouble
from zconsole.views.repair.news_between_two_readings import news, while_away

STOP = "STOP: the wrong disk was pulled, or lost its contact. Put back ZL2F0B21 into bay 12"
ENDED = Scan("resilver", "finished", int(states.NOW - 8980), int(states.NOW - 60), 100.0, errors=0)
RUN = RepairRun(states.NOW - 9000, "anna", "replace", (("zpool", "replace"),), "done", states.NOW - 8990)


def copying() -> Repair:
    """A failed disk that is being replaced; the resilver runs."""
    return replace(repairs(states.degraded(), (), states.NOW)[0], alarm="")


def at(repair: Repair, now: RepairStepKind) -> Repair:
    """The repair with another present step: those before it are done."""
    kinds = list(RepairStepKind)
    steps = tuple(
        replace(
            step,
            state=RepairStepState.NOW
            if step.kind is now
            else RepairStepState.DONE
            if kinds.index(step.kind) < kinds.index(now)
            else RepairStepState.NEXT,
        )
        for step in repair.steps
    )
    return replace(repair, steps=steps, alarm="")


def test_the_end_of_the_resilver_calls_and_names_the_next_step() -> None:
    told = news(copying(), at(copying(), RepairStepKind.AFTER_CARE), ENDED)

    assert told is not None
    assert ("storage1", "bulk", "ok") == (told.host, told.pool, told.style)
    assert "bulk: the resilver ended; next: after-care" == told.words


def test_a_resilver_of_which_only_the_end_was_seen_calls_as_well() -> None:
    """It began and ended while the link was lost."""
    told = news(at(copying(), RepairStepKind.REPLACE), at(copying(), RepairStepKind.AFTER_CARE), ENDED)

    assert told is not None
    assert "bulk: the resilver ended; next: after-care" == told.words


def test_a_repair_that_needs_nothing_more_says_so() -> None:
    told, cut = news(copying(), None, ENDED), news(copying(), None, None)

    assert told is not None
    assert cut is not None
    assert "bulk: the resilver ended: ZL2F0A91 needs no further step" == told.words
    assert "bulk: the replacement ended: ZL2F0A91 needs no further step" == cut.words


def test_a_replacement_that_was_stopped_is_no_end_of_a_resilver() -> None:
    stopped = at(copying(), RepairStepKind.REPLACE)

    assert news(copying(), stopped, ENDED) is None


def test_what_was_held_calls_when_it_can_go_on() -> None:
    ready = at(copying(), RepairStepKind.REPLACE)
    held = replace(ready, steps=tuple(
        replace(step, state=RepairStepState.HELD) if step.state is RepairStepState.NOW else step
        for step in ready.steps
    ))  # fmt: skip
    told = news(held, ready, None)

    assert told is not None
    assert "bulk: replace can continue now" == told.words


def test_the_wrong_disk_calls_at_once_and_its_return_too() -> None:
    stopped = replace(copying(), alarm=STOP)
    told, back = news(copying(), stopped, None), news(stopped, copying(), None)

    assert told is not None
    assert back is not None
    assert (f"bulk: {STOP}", "bad") == (told.words, told.style)
    assert "bulk: the alarm is over; next: resilver" == back.words


def test_a_new_disk_that_fails_calls() -> None:
    failed = at(replace(copying(), trouble=RepairTrouble.NEW_DISK_FAILED), RepairStepKind.REPLACE)
    told = news(copying(), failed, None)

    assert told is not None
    assert "bad" == told.style
    assert "bulk: the new disk failed; next: replace" == told.words


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (RepairStepKind.TAKE_OUT, RepairStepKind.NEW_DISK, "bulk: take out: done; next: new disk"),
        (RepairStepKind.NEW_DISK, RepairStepKind.REPLACE, "bulk: new disk: done; next: replace"),
    ],
)
def test_a_disk_that_was_waited_for_calls(before: RepairStepKind, after: RepairStepKind, words: str) -> None:
    told = news(at(copying(), before), at(copying(), after), None)

    assert told is not None
    assert words == told.words


@pytest.mark.parametrize("kind", [RepairStepKind.TRIAGE, RepairStepKind.IDENTIFY])
def test_what_the_user_did_at_the_console_does_not_call(kind: RepairStepKind) -> None:
    assert news(at(copying(), kind), at(copying(), RepairStepKind.TAKE_OUT), None) is None


def test_nothing_calls_while_nothing_changes_or_before_anything_was_begun() -> None:
    waiting = at(copying(), RepairStepKind.REPLACE)

    assert news(copying(), copying(), None) is None
    assert news(waiting, None, None) is None


def test_at_the_next_start_it_is_told_what_ended_meanwhile() -> None:
    begun = replace(at(copying(), RepairStepKind.AFTER_CARE), runs=(RUN,))
    told = while_away(begun, ENDED)

    assert told is not None
    assert told.words.startswith("bulk: while you were away the resilver ended ")
    assert told.words.endswith("after 2h28m, no errors; next: after-care")
    assert "warn" == (while_away(begun, replace(ENDED, errors=3)) or told).style


@pytest.mark.parametrize(
    "scan",
    [
        None,
        Scan("scrub", "finished", int(states.NOW - 100), int(states.NOW - 60)),
        Scan("resilver", "scanning", int(states.NOW - 8980)),
        Scan("resilver", "finished", int(states.NOW - 20000), int(states.NOW - 10000)),
    ],
)
def test_without_a_resilver_that_ended_since_nothing_is_told(scan: Scan | None) -> None:
    assert while_away(replace(copying(), runs=(RUN,)), scan) is None
    assert while_away(copying(), scan) is None
