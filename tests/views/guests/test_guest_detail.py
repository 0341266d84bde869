"""One guest in full: what is wrong, what it is, its disks and their I/O."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states
from zconsole.model.guests.guest import Guest, GuestState
from zconsole.views.guests.guest_detail import guest_document, heading
from zconsole.views.layout.styled_text import plain


def named(name: str) -> Guest:
    return next(each for each in states.with_guests().guests.value or () if each.name == name)


def told(guest: Guest) -> list[str]:
    return [plain(each) for each in guest_document(guest)]


def test_the_heading_has_the_state() -> None:
    first, second = heading("nas1", named("db02"))

    assert "nas1 · db02 · paused by an I/O error" == plain(first)
    assert "orders, replica of db01" == plain(second)


def test_totals_of_io_have_their_mean_time() -> None:
    (totals,) = (each for each in told(named("db01")) if each.startswith("vda  ") and " reads" in each)

    assert "reads of 7.00 GiB, 8.0 ms each" in totals
    assert "writes of 52.0 GiB, 4.0 ms each" in totals


def test_nothing_is_known_of_the_agent_of_a_guest_that_is_off() -> None:
    one = named("db01")
    channel = replace(one.definition, has_agent_channel=True)
    off = replace(one, definition=channel, status=replace(one.status, state=GuestState.SHUT_OFF))

    assert "guest agent     known only while it runs" in told(off)


def test_a_guest_without_problems_disks_or_agent_says_so() -> None:
    one = named("installer")
    lines = told(replace(one, definition=replace(one.definition, has_agent_channel=False, memory_bytes=None)))

    assert "no known problem" in lines
    assert "no disk" in lines
    assert "guest agent     none: its definition has no channel org.qemu.guest_agent.0" in lines
    assert "has             · of memory, 2 processors" in lines
    assert not any("since the guest started" in each for each in lines)
