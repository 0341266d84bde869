"""What became of a plan, and the journal, in words and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.schema import JOURNAL, RUN, mismatch
from zconsole.base.harmless_text import visible
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import Fed, Moved, Run, RunState, StepRun
from zconsole.reports.json.document import as_line
from zconsole.reports.text.journal import entry_document, entry_lines
from zconsole.reports.text.run import progress_line, run_document, run_lines, step_line

DONE = Run(
    "0a1b", "storage1", "scrub tank", "tank", RunState.DONE,
    steps=(StepRun(("zpool", "scrub", "tank"), "done", 0, "", 1.0, 2.0),),
    words="done", undo="zpool scrub -s tank", started=0.5,
)  # fmt: skip
ENTRY = Entry(
    "0a1b", 1_795_232_471.0, "boot:1:2", "root", "anna@laptop from 192.0.2.7", "storage1", "scrub",
    json.dumps({"action": "scrub", "target": "tank", "arguments": [], "options": {}}),
    "scrub tank", "tank", "routine", "f" * 64, RunState.DONE, "done", 1_795_232_472.0,
    undo="zpool scrub -s tank",
    steps=(StepEntry(("zpool", "scrub", "tank"), "scrub tank", state="done", status=0),),
)  # fmt: skip


def test_what_is_done_is_told_with_the_way_back() -> None:
    assert ["storage1: scrub tank: done", "The way back: zpool scrub -s tank"] == list(run_lines(DONE))


def test_a_stale_run_names_what_changed_and_that_nothing_was_run() -> None:
    stale = replace(
        DONE, state=RunState.STALE, words="the host is not as the plan had it",
        differences=("state of tank was ONLINE, is DEGRADED",), steps=(StepRun(("zpool", "scrub", "tank")),),
    )  # fmt: skip

    assert [
        "storage1: scrub tank: stale, nothing was run: the host is not as the plan had it",
        "  state of tank was ONLINE, is DEGRADED",
    ] == list(run_lines(stale))


def test_what_zfs_said_stands_beneath_our_words() -> None:
    failed = replace(
        DONE, state=RunState.FAILED, words="it was refused", undo=None,
        steps=(replace(DONE.steps[0], state="failed", status=1, said="cannot scrub tank:\n\nbusy"),),
    )  # fmt: skip

    assert ["storage1: scrub tank: failed: it was refused", "  cannot scrub tank:", "  busy"] == list(
        run_lines(failed)
    )


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"state": RunState.CHECKING}, "storage1: reading the host again"),
        ({"state": RunState.RUNNING}, "storage1: running"),
        (
            {"state": RunState.SETTLING, "words": "the connection was lost; asking again"},
            "storage1: finding out what happened: the connection was lost; asking again",
        ),
        ({"state": RunState.DONE}, ""),
        ({"state": RunState.UNKNOWN}, ""),
    ],
)
def test_what_goes_on_is_one_line_until_the_end(values: dict[str, Any], line: str) -> None:
    assert line == progress_line(replace(DONE, **values), 10.0)


def test_a_step_that_runs_is_told_with_its_number_and_for_how_long() -> None:
    step = replace(DONE.steps[0], state="running", started=10.0, ended=None)
    first = replace(DONE, state=RunState.RUNNING, steps=(step,))
    second = replace(first, steps=(DONE.steps[0], replace(step, argv=("zfs", "destroy", "a b"))))

    assert "storage1: running for 5s: zpool scrub tank" == progress_line(first, 15.0)
    assert "storage1: step 2 of 2: running for 2m10s: zfs destroy 'a b'" == progress_line(second, 140.0)


FED = replace(
    DONE, state=RunState.RUNNING,
    steps=(
        StepRun(
            ("zfs", "receive", "vault/a b"), "running", started=1.0,
            fed_by=Fed("nas1", ("zfs", "send", "tank/a b@c"), is_elsewhere=True),
            moved=Moved(3 << 30, 24 << 30, 100.0 * 1024 * 1024, (200.0, 320.0)),
        ),
    ),
)  # fmt: skip


def test_a_stream_is_told_by_how_far_it_is() -> None:
    assert "storage1: 3.00 GiB of about 24.0 GiB (12%), 100 MiB/s, 3m-5m left" == progress_line(FED, 60.0)
    assert "Runs: zfs send 'tank/a b@c' (on nas1) | zfs receive 'vault/a b'" == step_line(FED.steps[0])


def test_what_is_not_known_of_a_stream_is_a_dash() -> None:
    step = replace(FED.steps[0], moved=Moved(5, None, None, None, quiet_s=20.0))

    assert "storage1: 5 B, - MiB/s, - left, nothing for 20s" == progress_line(
        replace(FED, steps=(step,)), 60.0
    )


def test_the_documents_are_as_they_are_documented() -> None:
    assert "" == mismatch(json.loads(as_line(run_document(FED))), RUN)
    assert "" == mismatch(json.loads(as_line(run_document(DONE))), RUN)
    assert "" == mismatch(json.loads(as_line(entry_document(ENTRY))), JOURNAL)


def test_the_journal_in_words() -> None:
    lines = list(entry_lines(replace(ENTRY, destroys=("tank/a", "tank/b"))))

    assert [
        "2026-11-21 03:41:11 UTC storage1: scrub tank: done",
        "  by root, from anna@laptop from 192.0.2.7",
        "  zpool scrub tank: done",
        "  destroys 2: tank/a, tank/b",
        "  way back: zpool scrub -s tank",
    ] == lines


@given(word=st.text())
def test_nothing_in_them_is_obeyed_by_a_terminal(word: str) -> None:
    step = replace(DONE.steps[0], argv=(word,), said=word, settled=word)
    run = replace(DONE, host=word, title=word, words=word, differences=(word,), undo=word, steps=(step,))
    kept = StepEntry((word,), state="failed", status=1, said=word, settled=word)
    entry = replace(
        ENTRY, host=word, title=word, words=word, who=word, origin=word, destroys=(word,), steps=(kept,)
    )

    under_way = replace(run, state=RunState.RUNNING, steps=(replace(step, state="running"),))
    settling = replace(run, state=RunState.SETTLING)
    told = (step_line(step), progress_line(under_way, 1.0), progress_line(settling, 1.0))
    for line in (*run_lines(run), *told, *entry_lines(entry)):
        assert visible(line) == line
