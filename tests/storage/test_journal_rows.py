"""Entries of the journal as rows, and back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import RunState
from zconsole.storage.journal_rows import (
    RUN,
    SAID_CHARACTERS,
    STEP,
    bounded,
    entry_of_rows,
    run_row,
    step_row,
    text,
)

STEP_ENTRY = StepEntry(
    ("zfs", "destroy", "tank/a"), "destroy it", state="done", sent=1.0, ended=2.0, status=0
)
ENTRY = Entry(
    "r1", 1.0, "boot:1:1", "ann", "ann@desk", "nas1", "destroy", '{"action": "destroy"}', "destroy tank/a",
    "tank/a", "destructive", "f00", RunState.DONE, "done", 3.0, destroys=("tank/a",), steps=(STEP_ENTRY,),
)  # fmt: skip


def test_an_entry_is_what_its_rows_say() -> None:
    assert ENTRY == entry_of_rows(run_row(ENTRY), [step_row("r1", 0, STEP_ENTRY)])


@pytest.mark.parametrize(
    ("problem", "column", "value"),
    [
        ("its state is 'over', which is none", "state", "over"),
        ("its intent is not a JSON object", "intent", "[]"),
        ("its intent is not JSON", "intent", "{"),
        ("it does not say when it began", "started", None),
        ("its started is not a time", "started", 1e20),
        ("its who is not text", "who", 7),
        ("its destroys is not a list of words", "destroys", "[1]"),
    ],
)
def test_a_row_that_is_no_entry_says_why(problem: str, column: str, value: object) -> None:
    row = list(run_row(ENTRY))
    row[RUN.index(column)] = value

    found = entry_of_rows(row, [])

    assert problem == found.problem
    assert "r1" == found.id
    assert RunState.UNKNOWN is found.state


@pytest.mark.parametrize(
    ("problem", "column", "value"),
    [
        ("the state of a step is 'x', which is none", "state", "x"),
        ("the exit status of a step is no such number", "status", True),
        ("the exit status of a step is no such number", "status", 2**40),
        ("a step has no command", "argv", "[]"),
    ],
)
def test_a_step_that_is_none_says_why(problem: str, column: str, value: object) -> None:
    row = list(step_row("r1", 0, STEP_ENTRY))
    row[STEP.index(column)] = value

    assert problem == entry_of_rows(run_row(ENTRY), [row]).problem


def test_words_are_bounded_and_can_be_kept() -> None:
    long = "x" * (SAID_CHARACTERS + 5)

    assert SAID_CHARACTERS + len("\n...") == len(bounded(long))
    assert "a\\udcff" == text("a\udcff")
    assert text(None) is None
    assert "x" == bounded("x")


def test_what_a_step_said_is_bounded_in_its_row() -> None:
    row = step_row("r1", 0, replace(STEP_ENTRY, said="x" * (2 * SAID_CHARACTERS)))

    assert str(row[STEP.index("said")]).endswith("\n...")
