"""Steps on guests by a user who is not root: to whom libvirt gives access, or whose script asks sudo."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.plan import Step
from zconsole.collect.privilege import Privilege
from zconsole.model.guests.guest import LIBVIRT, LIBVIRT_ACCESS, SESSION, SESSION_ACCESS
from zconsole.model.host.plan_facts import Delegation, PlanFacts, PrivilegeMode, Privileges

_VIRSH: Final = "virsh"
Argv = tuple[str, ...]


def is_of_libvirt(step: Step) -> bool:
    """Whether a step needs nothing but access to libvirt."""
    return step.permissions in {(LIBVIRT_ACCESS,), (SESSION_ACCESS,)}


def by_libvirt(facts: PlanFacts) -> tuple[Delegation, ...]:
    """The access of this user, as delegations: to the system's guests, and to those of the own session."""
    reached = [each for each, is_reached in (
        (LIBVIRT_ACCESS, facts.may_change_guests),
        (SESSION_ACCESS, any(guest.definition.connection == SESSION for guest in facts.guests or ())),
    ) if is_reached]  # fmt: skip
    return tuple(Delegation(connection, frozenset({permission})) for permission, connection in reached)


def needs_no_root(step: Step, facts: PlanFacts) -> bool:
    """Whether libvirt lets this user take the step."""
    return is_of_libvirt(step) and _is_among(step, by_libvirt(facts))


async def commands_to_ask_for(privilege: Privilege, step: Step, facts: PlanFacts) -> Sequence[Argv]:
    """Commands by whose ways to root a step is judged: its own, or those that its script gives to sudo.

    The script cannot ask for a password: where one of them wants it, the step is judged by its own command.
    """
    own = (step.argv,)
    if not step.escalates or (await privilege.way(step.argv)).privilege_mode is not PrivilegeMode.PLAIN:
        return own
    needed = [argv for argv in step.escalates if argv[0] != _VIRSH or not facts.may_change_guests]
    ways = [await privilege.way(argv) for argv in needed]
    is_quiet = all(each.is_sure and each.privilege_mode is PrivilegeMode.SUDO for each in ways)
    return needed if is_quiet else own


def as_planned(step: Step, privileges: Privileges) -> Privileges:
    """Privileges with which a step runs: those of its plan, or none where libvirt lets the user act."""
    is_delegated = is_of_libvirt(step) and _is_among(step, privileges.delegations)
    if is_delegated and privileges.privilege_mode is not PrivilegeMode.ROOT:
        return replace(privileges, privilege_mode=PrivilegeMode.PLAIN)
    return privileges


def _is_among(step: Step, delegations: Iterable[Delegation]) -> bool:
    ((_, connection),) = step.permissions
    return any(LIBVIRT in each.permissions and each.dataset == connection for each in delegations)
