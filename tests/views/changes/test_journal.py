"""A run in the journal as a document: its end, who did it, what was sent; all of it if wanted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.entries import ENTRY
from zconsole.base.escape_control_characters import visible
from zconsole.model.journal import Entry
from zconsole.model.run import RunState
from zconsole.storage.journal_rows import unread_entry
from zconsole.views.changes.journal import document, notes
from zconsole.views.layout.styled_text import plain


def lines(entry: Entry, *, is_full: bool = False) -> list[str]:
    """The text of the document."""
    return [plain(each).rstrip() for each in document(entry, is_full=is_full)]


def test_a_run_is_told_in_a_few_lines() -> None:
    assert [
        "2026-11-21 03:41:11 UTC storage1: scrub tank: DONE",
        "BY        root, from anna@laptop from 192.0.2.7",
        "DONE      zpool scrub tank",
        "DESTROYS  2 objects",
        "          tank/a",
        "          tank/b",
        "UNDO      zpool scrub -s tank",
    ] == lines(replace(ENTRY, destroys=("tank/a", "tank/b")))


def test_of_many_names_the_first_stand_there_and_in_full_all() -> None:
    many = replace(ENTRY, destroys=tuple(f"tank/{number}" for number in range(40)))

    assert "          and 34 more: --full has all" in lines(many)
    assert "          tank/39" not in lines(many)
    assert "          tank/39" in lines(many, is_full=True)


def test_in_full_it_tells_which_host_and_plan_it_was_and_what_was_sent() -> None:
    step = replace(ENTRY.steps[0], sent_argv=("sudo", "-n", "zpool", "scrub", "tank"), sent=ENTRY.started)
    shown = lines(
        replace(ENTRY, steps=(step,), hostname="st1.example.net", machine_id="ab" * 16), is_full=True
    )

    assert f"RUN       {ENTRY.id}" in shown
    assert "RISK      routine" in shown
    assert "HOST      storage1 (st1.example.net)" in shown
    assert f"MACHINE   {'ab' * 16}" in shown
    assert "HOST KEY  not known" in shown
    assert f"PLAN      {'f' * 64}" in shown
    assert "SENT AS   sudo -n zpool scrub tank" in shown
    assert set(lines(ENTRY)) <= set(lines(ENTRY, is_full=True))


def test_what_the_words_tell_stands_beneath_the_end() -> None:
    lost = replace(ENTRY, state=RunState.UNKNOWN, words="the link was lost", undo=None)

    assert ["2026-11-21 03:41:11 UTC storage1: scrub tank: UNKNOWN", "the link was lost"] == lines(lost)[:2]
    assert not any(text.startswith("UNDO") for text in lines(lost))


def test_a_row_that_cannot_be_read_tells_its_id_and_why() -> None:
    broken = replace(ENTRY, host="", words="its state is 'wibble'", problem="state")

    assert ["2026-11-21 03:41:11 UTC host unknown: row 0a1b: its state is 'wibble'"] == lines(broken)


def test_the_pane_has_the_end_of_each_step() -> None:
    assert ["done", "DONE      zpool scrub tank"] == [plain(each) for each in notes(ENTRY)]


@given(word=st.text())
def test_nothing_in_it_is_obeyed_by_a_terminal(word: str) -> None:
    step = replace(ENTRY.steps[0], argv=(word,), sent_argv=(word, word), said=word, settled=word)
    entry = replace(
        ENTRY, host=word, title=word, words=word, who=word, origin=word, destroys=(word,), undo=word,
        hostname=word, machine_id=word, host_key=word, fingerprint=word, steps=(step,),
    )  # fmt: skip

    for text in map(plain, (*document(entry, is_full=True), *notes(entry))):
        assert visible(text) == text


def test_of_a_row_that_cannot_be_read_only_the_number_is_told_where_it_has_no_time() -> None:
    damaged = unread_entry("17", "no such state")
    said = "row 17: this row of the journal cannot be read: no such state"

    assert [f"time unknown host unknown: {said}"] == lines(damaged)
    assert [f"2026-11-21 03:41:11 UTC storage1: {said}"] == lines(
        replace(damaged, started=ENTRY.started, host="storage1")
    )


@pytest.mark.parametrize(
    ("state", "told"), [(RunState.RUNNING, "ENDED     not yet"), (RunState.UNKNOWN, "ENDED     not known")]
)
def test_a_run_that_goes_on_has_not_ended_yet(state: RunState, told: str) -> None:
    assert told in lines(replace(ENTRY, state=state, ended=None), is_full=True)
