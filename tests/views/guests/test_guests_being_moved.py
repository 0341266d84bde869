"""What is shown of a guest while it is moved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.guests_on_storage import guest_on, on_volume
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.run import Run, RunState, StepRun, TransferProgress
from zconsole.views.changes.run import waiting_for
from zconsole.views.guests import guests_page
from zconsole.views.guests.guest_detail import GuestHost, guest_document
from zconsole.views.guests.guest_list import guest_table, summary
from zconsole.views.guests.guests_being_moved import move_line, moved_by_another, moves_of
from zconsole.views.guests.guests_page import notes
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain

GUESTS = (guest_on("web01", on_volume("tank/web01")), guest_on("web02", on_volume("tank/web02")))
MOVE = Run(
    "1", "nas1", "move the storage of guest web01 from tank/web01 to fast/web01", "web01", RunState.RUNNING,
    (StepRun(("zfs", "snapshot", "x"), "done"),
     StepRun(("zfs", "receive", "x"), "running", moved=TransferProgress(1 << 30))),
    action="guest-move",
)  # fmt: skip
SAID = "⇢ move the storage of guest web01 from tank/web01 to fast/web01: step 2 of 2: 1.00 GiB"


def test_a_move_is_of_its_guest_until_it_ends() -> None:
    by_uuid = replace(MOVE, target=GUESTS[1].definition.uuid)

    assert {"uuid of web01": MOVE} == moves_of(GUESTS, [MOVE])
    assert {"uuid of web02": by_uuid} == moves_of(GUESTS, [by_uuid])
    assert {} == moves_of(GUESTS, [replace(MOVE, state=RunState.DONE)])
    assert {} == moves_of(GUESTS, [replace(MOVE, action="guest-start")])


def test_the_step_and_how_far_it_is_are_told() -> None:
    assert plain(move_line(MOVE)).startswith(SAID)


def test_its_state_says_so_in_the_list_and_the_first_line_counts_it() -> None:
    moving, other = guest_table(GUESTS, moves_of(GUESTS, [MOVE])).rows

    assert ("running, being moved", "being moved") == (moving.cells[1].text, moving.cells[1].shorter)
    assert "running" == other.cells[1].text
    assert plain(summary("nas1", GUESTS, moving=1)).startswith("nas1 · 1 being moved · 2 guests")


def test_its_page_and_the_lines_below_the_list_begin_with_it() -> None:
    host = GuestHost(HostState("nas1", runs=(MOVE,)), (), 0.0)
    page = [plain(each) for each in guest_document(GUESTS[0], GUESTS, on=host)]
    below = [plain(each) for each in notes(GUESTS, "uuid of web01", (), host.state)]

    assert "Being moved" == page[0]
    assert page[1].startswith(SAID)
    assert below[1].startswith(SAID)
    assert not [each for each in guest_document(GUESTS[1], GUESTS, on=host) if "⇢" in plain(each)]


def test_a_plan_that_waits_names_the_run_before_it() -> None:
    said = " ".join(plain(each) for each in waiting_for(MOVE, 0.0))

    assert "Not started yet; nothing is sent." in said
    assert MOVE.title in said
    assert "1.00 GiB" in said
    assert ["Starting ..."] == [plain(each) for each in waiting_for(None, 0.0)]


HOLDER = f"anna@desk (from 10.0.0.9), process 4711: {MOVE.title}"


def test_a_guest_that_another_console_moves_is_shown_as_such() -> None:
    """It is known by what the holder of the host's lock has written there."""
    state = HostState("nas1", lock_holder=HOLDER, guests=Reading(GUESTS, 0.0))
    view = View((HostView(state),), 0.0, 0.0)
    host = GuestHost(state, (), 0.0)

    table = guests_page.page(view, "nas1", GUESTS)
    document = [plain(each) for each in guest_document(GUESTS[0], GUESTS, on=host)]
    below = [plain(each) for each in notes(GUESTS, "uuid of web01", (), state)]

    said = f"⇢ another zconsole (anna@desk (from 10.0.0.9), process 4711): {MOVE.title}"
    assert ["running, being moved", "running"] == [row.cells[1].text for row in table.table.rows]
    assert "1 being moved" in plain(table.answer)
    assert ["Being moved", said] == document[:2]
    assert said == below[1]
    assert not [each for each in guest_document(GUESTS[1], GUESTS, on=host) if "⇢" in plain(each)]


@pytest.mark.parametrize("holder", [None, "", "anna@desk, process 4711: scrub tank", f"{MOVE.title}"])
def test_what_tells_of_no_move_marks_no_guest(holder: str | None) -> None:
    assert frozenset() == moved_by_another(GUESTS, holder)
