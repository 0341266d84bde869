"""What leaving the console does to changes in progress."""

from __future__ import annotations

from dataclasses import replace

from zconsole.model.run import Run, RunState, StepFeed, StepRun
from zconsole.views.changes.changes_left_unfinished import unfinished
from zconsole.views.layout.styled_text import plain

NOW = 100.0
SENT = StepRun(("zpool", "scrub", "tank"), "running", started=90.0)
STREAM = StepRun(
    ("zfs", "receive", "vault/a"),
    "running",
    started=90.0,
    fed_by=StepFeed("nas1", ("zfs", "send", "tank/a@b")),
)
BEHIND = StepRun(("virsh", "start", "web01"))
SCRUB = Run("1", "storage1", "scrub tank", "tank", RunState.RUNNING, (SENT,))


def told(*runs: Run, waiting: tuple[tuple[str, str], ...] = ()) -> list[str]:
    return [plain(each).rstrip() for each in unfinished(runs, waiting, NOW)]


def test_a_command_that_was_sent_goes_on() -> None:
    assert [
        "1 change is in progress. If you leave zconsole now:",
        "",
        "storage1: scrub tank",
        "NOW       running for 10s: zpool scrub tank",
        "THEN      what was sent goes on; the next zconsole on this host finds out how it ended",
    ] == told(SCRUB)


def test_a_stream_ends_and_the_steps_behind_it_are_not_run() -> None:
    words = told(replace(SCRUB, steps=(STREAM, BEHIND)))
    assert "THEN      its stream ends with zconsole; the received part is kept" in words
    assert "THEN      1 step behind it is not run" in words


def test_between_two_steps_the_rest_is_counted() -> None:
    done = replace(SENT, state="done", ended=95.0)
    assert "THEN      2 steps behind it are not run" in told(replace(SCRUB, steps=(done, BEHIND, BEHIND)))


def test_a_guest_that_stays_off_is_told() -> None:
    assert "THEN      web01 is off" == told(replace(SCRUB, left_off="web01 is off"))[-1]


def test_what_has_sent_nothing_is_not_run() -> None:
    run = replace(SCRUB, state=RunState.CHECKING, steps=(replace(SENT, state="waiting"), BEHIND))
    assert "THEN      nothing was sent yet: nothing is run" == told(run)[-1]


def test_what_waits_for_another_change_is_told_and_many_are_counted() -> None:
    words = told(SCRUB, SCRUB, waiting=(("nas1", "scrub a"), ("nas1", "scrub b")))
    assert "4 changes are in progress. If you leave zconsole now:" == words[0]
    assert ["nas1: scrub a", "THEN      it has not begun, and is not run", "", "and 1 more"] == words[-4:]
