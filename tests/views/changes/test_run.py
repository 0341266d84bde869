"""A run as a document, and the single lines that the command line shows while it runs and behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.escape_control_characters import visible
from zconsole.model.run import Run, RunState, StepFeed, StepRun, TransferProgress
from zconsole.views.changes.run import (
    NEXT_FINDS_OUT,
    STATE_LOOK,
    begun,
    document,
    left_running,
    progress,
    recovered,
    space_lines,
)
from zconsole.views.layout.styled_text import plain

DONE = Run(
    "0a1b", "storage1", "scrub tank", "tank", RunState.DONE,
    steps=(StepRun(("zpool", "scrub", "tank"), "done", 0, "", 1.0, 3.0),),
    words="done", undo="zpool scrub -s tank", started=0.5,
)  # fmt: skip
FED = replace(
    DONE, state=RunState.RUNNING, words="",
    steps=(
        StepRun(
            ("zfs", "receive", "vault/a b"), "running", started=1.0,
            fed_by=StepFeed("nas1", ("zfs", "send", "tank/a b@c"), is_elsewhere=True),
            moved=TransferProgress(3 << 30, 24 << 30, 100.0 * 1024 * 1024, (200.0, 320.0)),
        ),
    ),
)  # fmt: skip

GOES_ON = "you left before its end was seen; what was sent goes on:"


def lines(run: Run, now: float | None = None) -> list[str]:
    """The text of the document."""
    return [plain(each).rstrip() for each in document(run, now)]


def test_a_run_that_is_done_tells_what_undoes_it() -> None:
    assert [
        "storage1: scrub tank: DONE",
        "DONE      zpool scrub tank  (2s)",
        "UNDO      zpool scrub -s tank",
    ] == lines(DONE)


@pytest.mark.parametrize("state", RunState)
def test_each_state_is_a_word(state: RunState) -> None:
    assert f"storage1: scrub tank: {STATE_LOOK[state][1]}" == lines(replace(DONE, state=state))[0]


def test_a_stale_run_names_what_changed_and_that_nothing_was_run() -> None:
    stale = replace(
        DONE, state=RunState.STALE, words="the host has changed since the plan",
        differences=("state of tank was ONLINE, is DEGRADED", "mirror-1 is gone"),
        steps=(StepRun(("zpool", "scrub", "tank")),),
    )  # fmt: skip

    assert [
        "storage1: scrub tank: STALE, nothing was run",
        "the host has changed since the plan",
        "CHANGED   state of tank was ONLINE, is DEGRADED",
        "          mirror-1 is gone",
        "WAITING   zpool scrub tank",
    ] == lines(stale)


def test_what_zfs_said_stands_beneath_its_command() -> None:
    failed = replace(
        DONE, state=RunState.FAILED, words="it was refused",
        steps=(replace(DONE.steps[0], state="failed", status=1, said="cannot scrub tank:\n\nbusy"),),
    )  # fmt: skip

    assert [
        "storage1: scrub tank: FAILED",
        "it was refused",
        "FAILED    zpool scrub tank  (exit 1, 2s)",
        "          cannot scrub tank:",
        "          busy",
    ] == lines(failed)


def test_a_step_whose_end_was_not_seen_has_no_duration() -> None:
    late = replace(
        DONE, steps=(replace(DONE.steps[0], status=None, ended=900.0, settled="the history has it"),)
    )

    assert "DONE      zpool scrub tank" == lines(late)[1]


def test_the_evidence_of_a_step_is_not_repeated_for_the_run() -> None:
    steps = (replace(DONE.steps[0], status=None, settled="the history has it"),)

    assert 1 == "\n".join(lines(replace(DONE, words="the history has it", steps=steps))).count("history")


def test_what_failed_after_a_first_step_can_be_undone() -> None:
    failed = replace(DONE, state=RunState.FAILED, steps=(*DONE.steps, StepRun(("zpool", "x"), "failed")))

    assert "UNDO      zpool scrub -s tank" == lines(failed)[-1]


def test_a_stream_tells_how_far_it_is_and_what_went_through() -> None:
    command = "zfs send 'tank/a b@c' (on nas1) | zfs receive 'vault/a b'"
    over = replace(
        FED, state=RunState.DONE, steps=(replace(FED.steps[0], state="done", status=0, ended=61.0),)
    )

    assert f"RUNNING   {command}  (59s)" == lines(FED, 60.0)[1]
    assert "          3.00 GiB of about 24.0 GiB (12%), 100 MiB/s, 3m-5m left" == lines(FED, 60.0)[2]
    assert [f"DONE      {command}  (1m)", "          3.00 GiB transferred"] == lines(over)[1:3]
    assert f"RUNS      {command}" == plain(begun(FED.steps[0]))


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        ("storage1: reading the host again", {"state": RunState.CHECKING}),
        ("storage1: running", {"state": RunState.RUNNING}),
        (
            "storage1: determining the outcome: the connection was lost; asking again",
            {"state": RunState.SETTLING, "words": "the connection was lost; asking again"},
        ),
        ("", {"state": RunState.DONE}),
        ("", {"state": RunState.UNKNOWN}),
    ],
)
def test_progress_is_one_line_until_the_end(expected: str, values: dict[str, Any]) -> None:
    assert expected == plain(progress(replace(DONE, **values), 10.0))


def test_a_step_that_runs_is_told_with_its_number_and_for_how_long() -> None:
    step = replace(DONE.steps[0], state="running", started=10.0, ended=None)
    first = replace(DONE, state=RunState.RUNNING, steps=(step,))
    second = replace(first, steps=(DONE.steps[0], replace(step, argv=("zfs", "destroy", "a b"))))

    assert "storage1: running for 5s: zpool scrub tank" == plain(progress(first, 15.0))
    assert "storage1: step 2 of 2: running for 2m10s: zfs destroy 'a b'" == plain(progress(second, 140.0))


def test_a_step_that_waits_tells_for_what() -> None:
    waits = "for 5s of at most 2m: guest web01 is still running"
    step = replace(DONE.steps[0], state="running", started=10.0, ended=None, said=f"{waits}\n")
    run = replace(DONE, state=RunState.RUNNING, steps=(step,))

    assert f"storage1: running for 5s: {waits}" == plain(progress(run, 15.0))


def test_what_is_not_known_of_a_stream_is_a_dash() -> None:
    step = replace(FED.steps[0], moved=TransferProgress(5, None, None, None, quiet_s=20.0))

    assert "storage1: 5 B, - MiB/s, - left, nothing for 20s" == plain(
        progress(replace(FED, steps=(step,)), 60.0)
    )


def test_a_run_that_an_earlier_console_left_is_told_as_such() -> None:
    told = [plain(each) for each in recovered(DONE)]

    assert "Left by a run of 1970-01-01 00:00 UTC whose end was not seen:" == told[0]
    assert lines(DONE) == told[1:]


@pytest.mark.parametrize(
    ("expected", "run"),
    [
        ("DONE", DONE),
        ("STALE, nothing was run: it is another", replace(DONE, state=RunState.STALE, words="it is another")),
        ("no further step is run", replace(DONE, state=RunState.RUNNING)),
        (
            "you left before anything was sent: nothing was run",
            replace(DONE, state=RunState.CHECKING, steps=(StepRun(("a",)),)),
        ),
        (
            f"its stream ended with zconsole; the received part is kept. {NEXT_FINDS_OUT}",
            FED,
        ),
        (
            f"UNKNOWN: {GOES_ON} zpool scrub tank. {NEXT_FINDS_OUT}",
            replace(DONE, state=RunState.UNKNOWN, steps=(replace(DONE.steps[0], state="unknown"),)),
        ),
    ],
)
def test_a_console_that_is_left_says_what_becomes_of_a_run(expected: str, run: Run) -> None:
    assert f"storage1: scrub tank: {expected}" == plain(left_running(run))


@given(word=st.text())
def test_nothing_in_it_is_obeyed_by_a_terminal(word: str) -> None:
    step = replace(DONE.steps[0], argv=(word,), said=word, settled=word)
    run = replace(DONE, host=word, title=word, words=word, differences=(word,), undo=word, steps=(step,))
    under_way = replace(run, state=RunState.RUNNING, steps=(replace(step, state="running"),))
    settling = replace(run, state=RunState.SETTLING)

    single = (begun(step), progress(under_way, 1.0), progress(settling, 1.0), left_running(under_way))
    for text in map(plain, (*document(run), *recovered(run), *single)):
        assert visible(text) == text


def test_space_that_came_free_is_told_in_one_style() -> None:
    (told,) = space_lines({"tank": 1 << 30, "vault": 5, "new": 7}, {"tank": 3 << 30, "vault": 4, "other": 9})

    assert "SPACE     tank has 3.00 GiB free, 2.00 GiB more than before" == plain(told).rstrip()
    assert "ok" == told[-1].style
