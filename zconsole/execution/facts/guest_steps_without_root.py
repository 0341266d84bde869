"""Steps on guests by a user to whom libvirt gives access: they run without root."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from zconsole.actions.plan import Step
from zconsole.model.guests.guest import LIBVIRT, LIBVIRT_ACCESS, SESSION, SESSION_ACCESS
from zconsole.model.host.plan_facts import Delegation, PlanFacts, PrivilegeMode, Privileges


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


def as_planned(step: Step, privileges: Privileges) -> Privileges:
    """Privileges with which a step runs: those of its plan, or none where libvirt lets the user act."""
    is_delegated = is_of_libvirt(step) and _is_among(step, privileges.delegations)
    if is_delegated and privileges.privilege_mode is not PrivilegeMode.ROOT:
        return replace(privileges, privilege_mode=PrivilegeMode.PLAIN)
    return privileges


def _is_among(step: Step, delegations: Iterable[Delegation]) -> bool:
    ((_, connection),) = step.permissions
    return any(LIBVIRT in each.permissions and each.dataset == connection for each in delegations)
