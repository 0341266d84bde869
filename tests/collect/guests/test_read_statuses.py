"""States of guests are renewed by one command, and disks have the error that paused their guest."""

from __future__ import annotations

import pytest

from tests.collect.guests.test_read_guests import DB, HERE, VIRSH, guests_of, host
from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.collect.guests.guest_source_protocol_and_virsh import VirshSource
from zconsole.collect.guests.read_statuses import with_errors, with_statuses
from zconsole.collect.read_command_runner import Asker
from zconsole.model.guests.guest import Guest, GuestState

OFF, PAUSED = (HERE / "domstats_off.txt").read_bytes(), (HERE / "domstats_paused.txt").read_bytes()
ERROR = (HERE / "domblkerror_paused.txt").read_bytes()


def paused() -> ScriptedHost:
    """The same guests, db02 paused for want of space."""
    made = host()
    made.answers |= {f"{VIRSH} domstats": PAUSED, f"{VIRSH} domblkerror {DB}": ERROR}
    return made


async def again(made: ScriptedHost, guests: tuple[Guest, ...]) -> tuple[Guest, ...]:
    source = VirshSource(Asker(made))
    return await with_errors((source,), with_statuses(guests, await source.statuses()))


async def test_a_guest_paused_by_an_io_error_has_the_error_at_its_disk() -> None:
    db, web = await guests_of(paused())

    assert (True, False) == (db.status.is_paused_by_io_error, web.status.is_paused_by_io_error)
    assert ["no space"] == [disk.error for disk in db.disks]


async def test_states_and_counters_are_renewed_by_a_command_for_all_and_one_for_the_paused_guest() -> None:
    before, made = await guests_of(host()), paused()

    db, web = await again(made, before)

    assert [f"{VIRSH} domstats --raw --state --block --backing", f"{VIRSH} domblkerror {DB}"] == made.commands
    assert (GuestState.PAUSED, "no space", 51) == (
        db.status.state,
        db.disks[0].error,
        db.disks[0].counters.writes if db.disks[0].counters else None,
    )
    assert before[1].places == web.places


async def test_a_resumed_guest_has_no_error_any_more() -> None:
    db, _ = await again(host(), await guests_of(paused()))

    assert (GuestState.SHUT_OFF, "") == (db.status.state, db.disks[0].error)


@pytest.mark.parametrize("answer", [failed("virsh", 1, b"error: domain is not running"), b"rubbish"])
async def test_a_guest_resumed_in_between_has_no_error_and_others_are_read(answer: object) -> None:
    made = paused()
    made.answers[f"{VIRSH} domblkerror {DB}"] = answer

    db, web = await guests_of(made)

    assert ("", "web01") == (db.disks[0].error, web.name)
