"""Guests that run on several hosts at once: each copy takes writes that the other has not got.

libvirt knows a guest by its uuid. Where one moves while it runs, it runs at one place only: it is paused at
the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from zconsole.model.guests.guest import SYSTEM
from zconsole.model.host.host_state import HostState
from zconsole.model.host.machine_identity import machine_id


def with_guests_elsewhere(states: Sequence[HostState]) -> Sequence[HostState]:
    """The states, of which those of one guest's hosts tell of each other; one machine of two names is one."""
    running: defaultdict[str, list[HostState]] = defaultdict(list)
    for state in states:
        for guest in state.guests.value or ():
            if guest.status.state.is_executing and guest.definition.connection == SYSTEM:
                running[guest.definition.uuid].append(state)
    twice = {uuid: among for uuid, among in running.items() if _are_several(among)}
    return [_told(state, twice) for state in states] if twice else states


def _are_several(states: Sequence[HostState]) -> bool:
    """Whether it is known that these are different machines."""
    known = [machine_id(state.machine.identity) if state.machine is not None else None for state in states]
    return None not in known and len(set(known)) == len(known) > 1


def _told(state: HostState, twice: dict[str, list[HostState]]) -> HostState:
    elsewhere = tuple(
        (uuid, other.host)
        for uuid, among in twice.items()
        if any(each.host == state.host for each in among)
        for other in among
        if other.host != state.host
    )
    return replace(state, guests_elsewhere=elsewhere) if elsewhere else state
