"""Steps that change the state of a guest, for plans of guests and for plans of the storage below them.

Each is done when libvirt says that the guest has the state, and not when the command ended: libvirt only
passes on the request to shut down.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.actions.plan import Condition, ConditionKind, Step
from zconsole.base.durations_in_words import lasting
from zconsole.model.guests.guest import LIBVIRT, Guest, GuestState
from zconsole.system.libvirt import domain_power

SHUTDOWN_WITHIN_S: Final = 120.0  # many guests need a minute to end their services
STATE_WITHIN_S: Final = 15.0  # a state that QEMU changes by itself
RUNS: Final = (GuestState.RUNNING, GuestState.BLOCKED)
OFF: Final = (GuestState.SHUT_OFF,)
PAUSED: Final = (GuestState.PAUSED,)


def shutdown_step(guest: Guest, within_s: float = SHUTDOWN_WITHIN_S, *, is_transient: bool = False) -> Step:
    """Shut a running guest down, and wait so many seconds for it to be shut off. It is never destroyed.

    libvirt forgets a transient guest that is off.
    """
    until = "it is gone" if is_transient else "it is shut off"
    why = f"ask {guest.name} to shut down, and wait at most {lasting(within_s)} until {until}"
    step = _step(domain_power.shutdown(*where(guest)), why, guest, OFF, within_s)
    if not is_transient:
        return step
    gone = Condition(ConditionKind.GUEST_GONE, guest.definition.address, key=guest.name)
    return replace(step, settled_by=(gone,))


def start_step(guest: Guest) -> Step:
    """Start a guest that is shut off."""
    return _step(domain_power.start(*where(guest)), f"start {guest.name}", guest, RUNS)


def suspend_step(guest: Guest) -> Step:
    """Pause a running guest."""
    return _step(domain_power.suspend(*where(guest)), f"pause {guest.name}", guest, PAUSED)


def resume_step(guest: Guest) -> Step:
    """Let a paused guest run on."""
    return _step(domain_power.resume(*where(guest)), f"let {guest.name} run on", guest, RUNS)


def where(guest: Guest) -> tuple[str, str]:
    """Uuid and URI by which virsh reaches a guest."""
    return guest.definition.uuid, guest.definition.uri


def _step(
    argv: tuple[str, ...],
    why: str,
    guest: Guest,
    states: tuple[GuestState, ...],
    within_s: float = STATE_WITHIN_S,
) -> Step:
    wanted = "|".join(state.in_words for state in states)
    condition = Condition(ConditionKind.GUEST_STATE, guest.definition.address, key=guest.name, value=wanted)
    return Step(
        argv,
        why,
        settled_by=(condition,),
        permissions=((LIBVIRT, guest.definition.connection),),
        waits_s=within_s,
    )
