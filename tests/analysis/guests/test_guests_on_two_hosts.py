"""Guests of several hosts with one uuid: told only of different machines on which both run."""

from __future__ import annotations

import pytest

from tests.analysis.findings.edges import on_two_hosts
from tests.doubles.guests_on_storage import guest_on, on_volume
from zconsole.analysis.guests.guests_on_two_hosts import with_guests_elsewhere
from zconsole.model.guests.guest import GuestState
from zconsole.model.host.connected_machine_and_user import KnownMachine, User
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.host.machine_identity import MachineIdentity

A = "6f1c0c6e1b5e4b0f8f3f7a4f00000001"
B = "6f1c0c6e1b5e4b0f8f3f7a4f00000002"


def at(host: str, machine: str | None, guest: str = "web01") -> HostState:
    """A host with one running guest; `machine` is its machine-id, None where it is not known yet."""
    known = (
        None if machine is None else KnownMachine(MachineIdentity(host, machine_id=machine), User("root", 0))
    )
    return HostState(host, machine=known, guests=Reading((guest_on(guest, on_volume("tank/v")),), 0.0))


def test_each_of_the_hosts_is_told_of_the_others() -> None:
    told = with_guests_elsewhere((at("nas1", A), at("vault1", B), at("idle1", "c" * 32, "db02")))

    uuid = "uuid of web01"
    assert [((uuid, "vault1"),), ((uuid, "nas1"),), ()] == [each.guests_elsewhere for each in told]


@pytest.mark.parametrize(
    "states",
    [
        (at("nas1", A), at("nas1.lan", A)),
        (at("nas1", A), at("vault1", None)),
        (at("nas1", A), at("vault1", B, "db02")),
        (at("nas1", A),),
    ],
    ids=["one machine of two names", "not known yet", "another guest", "one host"],
)
def test_nothing_is_told_otherwise(states: tuple[HostState, ...]) -> None:
    assert states is with_guests_elsewhere(states)


def test_one_that_is_paused_at_the_other_place_is_moving() -> None:
    assert () == on_two_hosts(GuestState.PAUSED).guests_elsewhere
