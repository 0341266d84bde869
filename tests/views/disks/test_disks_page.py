"""Disks screen in words: the age of what it shows, and what is being read."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.smart_health import HealthRecord, Unreadable
from zconsole.views.disks.disks_page import disk_at, notes, page, shown_disks
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import plain


def view(state: HostState, later_s: float = 0.0) -> View:
    return View((HostView(state),), states.NOW + later_s, states.TICKS + later_s)


def shown(seen: View) -> Page:
    return page(seen, "storage1", shown_disks(seen, "storage1"))


def test_the_age_of_the_disks_and_of_their_smart_data_is_said() -> None:
    seen = shown(view(states.with_disks(), later_s=60))

    assert "disks read 1m ago" == plain(seen.fresh)
    assert "SMART data 12m old" == plain(seen.numbers)


def test_it_is_said_while_smart_data_is_read() -> None:
    seen = shown(view(replace(states.with_disks(), smart_awaited=7)))

    assert "↻ reading the SMART data of 7 disks · SMART data 11m old" == plain(seen.numbers)


def test_a_missing_program_is_said_once() -> None:
    state = states.with_disks()
    records = tuple(
        HealthRecord(each.disk, Unreadable.NO_PROGRAM, states.NOW) for each in state.smart.value or ()
    )
    seen = shown(view(replace(state, smart=Reading(records, states.TICKS))))

    assert "SMART data is not known: smartctl is not installed" == plain(seen.numbers)


def test_disks_that_could_not_be_listed_say_why() -> None:
    state = replace(states.healthy(), inventory=Reading(problem="lsblk on storage1 failed"))
    seen = shown(view(state))

    assert ["lsblk on storage1 failed"] == [plain(row.line or ()) for row in seen.table.rows]
    assert "reading" == plain(seen.fresh)


def test_the_io_of_a_pool_whose_samples_are_late_is_unknown_and_not_old() -> None:
    late = shown_disks(view(states.with_disks(), later_s=60), "storage1")
    now = shown_disks(view(states.with_disks()), "storage1")

    assert {None} == {each.busy for each in late}
    assert 0.97 == max(each.busy or 0 for each in now)


def test_the_selected_disk_is_told_with_what_it_serves() -> None:
    seen = view(states.with_disks())
    disks = shown_disks(seen, "storage1")
    key = shown(seen).table.rows[0].key

    first, second, *_ = (plain(each) for each in notes(disks, key))

    assert "ZL2F0A91 · bulk raidz2-0" == first
    assert "FAULTED in bulk: too many errors" == second
    assert disk_at(disks, "no such disk") is None
