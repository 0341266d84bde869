"""Guests screen in words: the age of what it shows, and why guests are not known."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states
from zconsole.analysis.guests.where_to_free_space import dataset_to_look_at, where_to_free
from zconsole.model.guests.container import (
    Container,
    ContainerDataset,
    ContainerEngine,
    ContainerState,
    Evidence,
)
from zconsole.model.host.host_state import HostState, Reading
from zconsole.views.guests.guests_page import (
    guest_at,
    notes,
    page,
    shown_guests,
)
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line, plain


def view(state: HostState, later_s: float = 0.0) -> View:
    return View((HostView(state),), states.NOW + later_s, states.TICKS + later_s)


def shown(seen: View) -> Page:
    return page(seen, "storage1", shown_guests(seen, "storage1"))


def styles(of: Line) -> set[str]:
    return {span.style for span in of}


def test_a_guest_paused_by_an_io_error_is_on_top_and_red() -> None:
    seen = shown(view(states.with_guests()))

    state = seen.table.rows[0].cells[1]
    assert ("✗ paused by an I/O error", "bad") == (state.text, state.style)
    assert "storage1 · 7 guests · 1 paused by an I/O error" in plain(seen.answer)


def test_the_age_is_said_and_is_late_when_readings_were_missed() -> None:
    seen = shown(view(states.with_guests(), later_s=60))
    late = shown(view(states.with_guests(), later_s=600))

    assert ("guests read 1m ago", {"dim"}) == (plain(seen.fresh), styles(seen.fresh))
    assert {"warn"} == styles(late.fresh)


def test_a_libvirt_that_does_not_answer_leaves_the_guests_with_the_problem() -> None:
    state = states.with_guests()
    seen = shown(
        view(replace(state, guests=replace(state.guests, problem=f"libvirt of nas1 refuses: {'why ' * 20}")))
    )

    assert plain(seen.answer).startswith("storage1 · libvirt does not answer ▲ · 7 guests")
    said = [plain(row.line) for row in seen.table.rows if row.line is not None]
    assert "why" in said[1], "what is wider than the list goes on below"
    assert any(each.startswith("See systemctl status libvirtd") for each in said)
    assert 7 == len(seen.table.rows) - len(said)
    assert "why" not in plain(seen.numbers), "said once"
    assert {"warn"} == styles(seen.fresh)


def test_a_problem_of_libvirt_takes_the_width_there_is_and_keeps_the_name_of_its_command() -> None:
    said = "virsh domstats on storage1 failed: failed to connect to the hypervisor, connection refused"
    state = replace(states.with_guests(), guests=Reading(None, None, said))
    seen = view(state)

    def told(cells: int) -> list[str]:
        rows = page(seen, "storage1", (), cells).table.rows
        return [plain(row.line) for row in rows if row.line is not None]

    assert f"{said}." == told(120)[0]
    assert all(len(each) <= 78 for each in told(78))
    assert told(78)[0].startswith("virsh domstats on storage1 failed")


def test_why_there_are_no_guests_is_said() -> None:
    def row(guests: Reading[tuple[()]]) -> str:
        (only,) = shown(view(replace(states.healthy(), guests=guests))).table.rows
        return plain(only.line or ())

    assert "There is no virsh on this host." == row(Reading(problem="there is no virsh on this host"))
    assert "Libvirt has no guests here." == row(Reading((), 0.0))
    assert "The guests have not been read yet." == row(Reading())


def test_a_host_without_libvirt_says_so_in_its_first_line_and_a_problem_of_a_session_does_not() -> None:
    def first(problem: str) -> str:
        return plain(shown(view(replace(states.healthy(), guests=Reading(problem=problem)))).answer)

    assert "storage1 · no libvirt here" == first("there is no virsh on this host")
    assert "storage1 · libvirt does not answer ▲ · its guests are not known" == first("virsh failed")
    assert "storage1 · its guests are not known" == first("libvirt of nas1 (qemu:///session) ended")


def test_the_notes_say_what_is_wrong_with_the_selected_guest_and_where_its_disks_are() -> None:
    guests = shown_guests(view(states.with_guests()), "storage1")
    key = guests[0].definition.uuid

    told = [plain(each) for each in notes(guests, key)]

    assert "db02 · orders, replica of db01" == told[0]
    assert "✗ paused by an I/O error: no space for vdb" == told[1]
    assert any(each.startswith("  bulk/vm  /bulk/vm/db02-data.qcow2") for each in told)
    assert ([], None) == (list(notes(guests, "none")), guest_at(guests, None))


def test_the_dataset_of_the_disk_with_an_error_comes_before_the_others() -> None:
    paused = next(each for each in states.with_guests().guests.value or () if "db02" == each.name)
    sound = replace(paused, disks=tuple(replace(each, error="") for each in paused.disks))
    outside = replace(sound, disks=())

    assert "bulk/vm" == dataset_to_look_at(paused)
    assert "tank/vm/db02" == dataset_to_look_at(sound)
    assert "" == dataset_to_look_at(outside)


def test_space_is_freed_in_the_pool_that_is_full_and_else_in_the_dataset() -> None:
    """A quota gives EDQUOT, which libvirt does not word as `no space`."""
    paused = next(each for each in states.with_guests().guests.value or () if each.name == "db02")
    at_a_quota = replace(
        paused,
        disks=tuple(
            replace(disk, error="unspecified error") if disk.error else disk for disk in paused.disks
        ),
    )

    assert ["bulk", "bulk/vm", ""] == [
        where_to_free(each) for each in (paused, at_a_quota, replace(paused, disks=()))
    ]


def test_containers_stand_among_the_guests_with_what_tells_of_them() -> None:
    root = ContainerDataset("tank/c/web1", Evidence.PROCESS, "the root of its process 7")
    web = Container(ContainerEngine.INCUS, "web1", state=ContainerState.RUNNING, datasets=(root,))
    seen = view(replace(states.with_guests(), containers=Reading((web,), 0.0)))
    guests = shown_guests(seen, "storage1")
    key = next(each.definition.uuid for each in guests if each.name == "web1")

    assert "7 guests · 1 container" in plain(shown(seen).answer)
    assert "guests of qemu:///system, Incus" in plain(shown(seen).numbers)
    assert ["web1", "its root  tank/c/web1  the root of its process 7"] == [
        plain(each) for each in notes(guests, key)
    ]


def test_a_host_of_containers_alone_has_them_though_libvirt_does_not_answer() -> None:
    web = Container(ContainerEngine.LXC, "web1", state=ContainerState.RUNNING)
    state = replace(
        states.healthy(),
        guests=Reading(problem="there is no virsh on this host"),
        containers=Reading((web,), 0.0),
    )

    assert "storage1 · no libvirt here · 1 container · 1 running" == plain(shown(view(state)).answer)
