"""The rows of a repair: glyph and word of each step, the present one unfolded, a stop before all."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import pytest

from tests.ui import states
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import LinkState, LinkStatus
from zconsole.model.repair import Repair, RepairOffer, RepairStep, RepairStepKind, RepairStepState
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import plain
from zconsole.views.repair.one_repair_page import (
    ShownRepair,
    first_row,
    key_titles,
    no_repair,
    notes,
    offer_at,
    page,
    step_at,
    unusable_actions,
    waits,
)

HOST = HostView(states.degraded())
VIEW = View((HOST,), states.NOW, states.TICKS)
STOP = "STOP: the wrong disk was pulled. Put back ZL2F0B21 into bay 12; the failed one is ZL2F0A91."


def failed(at: int = 0) -> Repair:
    return replace(repairs(states.degraded(), (), states.NOW)[at], alarm="")


def texts(shown: Page) -> list[str]:
    return [plain(row.line or ()) for row in shown.table.rows]


@pytest.mark.parametrize("cells", [40, 78, 158])
def test_no_row_is_wider_than_the_screen_and_each_step_has_a_mark_and_a_word(cells: int) -> None:
    states_in_turn = cycle(RepairStepState)
    steps = tuple(
        replace(step, state=state) for step, state in zip(failed().steps, states_in_turn, strict=False)
    )
    rows = texts(page(ShownRepair(HOST, replace(failed(), steps=steps)), VIEW, cells, 10))

    assert all(len(row) <= cells for row in rows)
    for head in ("✓ 1 triage      done", "→ 2 identify    now", "  3 take out    next",
                 "- 4 new disk    not needed", "✗ 5 replace     unavailable"):  # fmt: skip
        assert any(row.startswith(head) for row in rows)


def test_where_there_is_room_every_step_is_told_in_full_else_only_those_that_decide() -> None:
    about = ShownRepair(HOST, failed())
    tight, wide = texts(page(about, VIEW, 78, 12)), texts(page(about, VIEW, 78, 40))
    unfolded = texts(page(replace(about, unfolded=frozenset({"triage"})), VIEW, 78, 12))

    assert 12 >= len(tight)
    assert len(tight) < len(unfolded) < len(wide)
    assert any("its SMART data is not known" in row for row in wide)


def test_a_stop_stands_before_all_steps_in_full() -> None:
    rows = page(ShownRepair(HOST, replace(failed(), alarm=STOP)), VIEW, 60, 40).table.rows
    told = " ".join(plain(row.line or ()) for row in rows[:3])

    assert told.startswith(f"✗ {STOP[:40]}")
    assert "bad" == (rows[0].line or ())[0].style
    assert not rows[0].is_selectable


def test_a_resilver_is_waited_for_and_its_stop_is_no_advice() -> None:
    repair = failed()
    first = first_row(repair)
    step = step_at(repair, first)

    assert step is not None
    assert RepairStepKind.RESILVER is step.kind
    assert offer_at(repair, first) is None
    assert all("▸" not in row for row in texts(page(ShownRepair(HOST, repair), VIEW, 78, 40)))


def test_the_cursor_begins_on_the_advised_offer_which_the_row_of_the_step_plans_too() -> None:
    ready = failed(1)
    offer = offer_at(ready, first_row(ready))

    assert offer is not None
    assert "online" == offer.action
    assert offer == offer_at(ready, "step triage")
    assert "shows the plan (online); nothing runs before" in plain(
        notes(ShownRepair(HOST, ready), first_row(ready))[-1]
    )


def test_a_step_whose_offers_are_folded_says_how_to_see_them() -> None:
    ready = failed(1)
    step = next(each for each in ready.steps if each.offers and each is not ready.current)
    about, key = ShownRepair(HOST, ready), f"step {step.kind.value}"

    folded = plain(notes(about, key)[-1])
    unfolded = plain(notes(replace(about, unfolded=frozenset({step.kind.value})), key)[-1])

    assert (True, True) == (folded.startswith("Enter shows"), unfolded.startswith("Enter hides"))


def test_as_much_is_told_as_there_is_room_and_no_row_is_left_empty_while_text_is_cut() -> None:
    for room in range(12, 40):
        rows = texts(page(ShownRepair(HOST, failed()), VIEW, 78, room))
        is_cut = any(row.endswith("…") for row in rows)

        assert not is_cut or room == len(rows)


def test_offers_are_not_hidden_below_a_text_that_is_longer_than_the_screen() -> None:
    ready = failed(1)
    told = tuple(f"evidence {at}" for at in range(30))
    steps = tuple(replace(each, found=told) if each is ready.current else each for each in ready.steps)
    rows = texts(page(ShownRepair(HOST, replace(ready, steps=steps)), VIEW, 78, 16))

    assert next(at for at, row in enumerate(rows) if "▸" in row) < 4
    assert any(row.endswith("evidence 29") for row in rows)


def test_the_second_line_says_what_to_do_now() -> None:
    assert "Now: bring ZL2F0B17 online" == plain(page(ShownRepair(HOST, failed(1)), VIEW, 40, 16).numbers)


def test_keys_that_would_do_nothing_are_named() -> None:
    about = ShownRepair(HOST, failed())
    nothing = unusable_actions(about, first_row(failed()))

    assert {"plan_offer", "other_disk", "read_test", "hot_swap", "next_repair"} <= nothing
    assert "next_repair" not in unusable_actions(replace(about, of=2), None)
    assert "plan_offer" not in unusable_actions(ShownRepair(HOST, failed(1)), first_row(failed(1)))
    assert {"plan_offer", "locate", "act"} <= unusable_actions(None, None)


def test_the_keys_say_what_they_do_on_the_row() -> None:
    about = ShownRepair(HOST, failed())

    assert {"locate": "LED on", "plan_offer": "unfold"} == key_titles(about, "step triage")
    assert "fold" == key_titles(replace(about, unfolded=frozenset({"triage"})), "step triage")["plan_offer"]
    assert {} == key_titles(None, None)


def test_a_pool_without_a_repair_says_what_is_known_of_it() -> None:
    down = HostView(replace(HOST.state, link=LinkStatus(LinkState.DOWN, "no route to host")))

    assert "no device of tank needs a repair" == plain(no_repair(HOST, "x", "tank", VIEW, None).numbers)
    assert "no such host" == plain(no_repair(None, "x", "tank", VIEW, None).numbers)
    unread = HostView(replace(HOST.state, pools=(), pools_at=None))
    assert "the pool has not been read" == plain(no_repair(unread, "x", "tank", VIEW, None).numbers)
    gone = HostView(replace(HOST.state, pools=(), pools_at=1.0))
    assert "tank is not imported on this host now" in plain(no_repair(gone, "x", "tank", VIEW, None).numbers)
    assert "no route to host" in plain(no_repair(down, "x", "tank", VIEW, None).answer)


def test_a_repair_that_has_ended_is_told_in_full_with_its_steps_and_the_scrub_that_runs() -> None:
    found = Finding("scan-running", Severity.INFO, "bulk", "scrub 3%, about 50m left", {"pool": "bulk"})
    host = HostView(HOST.state, (found,))

    rows = [plain(each.line or ()) for each in no_repair(host, "x", "bulk", VIEW, failed(), 78).table.rows]

    assert "✓ ZL2F0A91 of raidz2-0: nothing is left to do" == rows[0]
    assert "now: scrub 3%, about 50m left" == rows[1]
    assert "W: report; it is complete when this has ended" == rows[2]
    assert [each.kind.value for each in failed().steps] == [
        kind.value for kind in RepairStepKind if any(f" {kind.value}" in row[:16] for row in rows)
    ]
    assert max(map(len, rows)) <= 78
    assert not any("…" in row for row in rows)


def waiting_for_a_disk() -> RepairStep:
    offer = RepairOffer("choose a disk", "replace", "tank", ("7",), wants_disk=True)
    act = "insert a new disk of at least 4.00 TB into a free bay"
    return RepairStep(RepairStepKind.NEW_DISK, RepairStepState.NOW, ("none fits",), offers=(offer,), act=act)


def test_every_offer_has_a_mark_and_only_the_advised_one_the_full_one() -> None:
    steps = tuple(
        replace(each, state=RepairStepState.NOT_NEEDED, offers=())
        if each.kind is not RepairStepKind.NEW_DISK
        else waiting_for_a_disk()
        for each in failed(1).steps
    )
    about = ShownRepair(HOST, replace(failed(1), steps=steps))
    ready = texts(page(ShownRepair(HOST, failed(1)), VIEW, 78, 40))

    assert any(row.strip() == "▹ choose a disk" for row in texts(page(about, VIEW, 78, 40)))
    assert any(row.strip().startswith("▸ ") for row in ready)


def test_a_step_without_a_disk_says_what_it_waits_for_and_how_to_see_all_disks() -> None:
    held = RepairStep(RepairStepKind.TAKE_OUT, RepairStepState.HELD, act="leave it in")
    words = "waits for a disk that fits (d lists all disks): insert a new disk of at least 4.00 TB"

    assert waits(waiting_for_a_disk()).startswith(words)
    assert "held: leave it in" == waits(held)
