"""Steps on guests by a user to whom libvirt gives access: they run without root."""

from __future__ import annotations

from dataclasses import replace

from zconsole.actions.plan import Step
from zconsole.model.guests.guest import LIBVIRT_ACCESS
from zconsole.model.host.plan_facts import Delegation, PlanFacts, PrivilegeMode, Privileges


def is_of_libvirt(step: Step) -> bool:
    """Whether a step needs nothing but access to libvirt."""
    return step.permissions == (LIBVIRT_ACCESS,)


def by_libvirt(facts: PlanFacts) -> tuple[Delegation, ...]:
    """The access of this user, as a delegation."""
    permission, connection = LIBVIRT_ACCESS
    return (Delegation(connection, frozenset({permission})),) if facts.may_change_guests else ()


def as_planned(step: Step, privileges: Privileges) -> Privileges:
    """Privileges with which a step runs: those of its plan, or none where libvirt lets the user act."""
    is_delegated = any(LIBVIRT_ACCESS[0] in each.permissions for each in privileges.delegations)
    if is_of_libvirt(step) and is_delegated and privileges.privilege_mode is not PrivilegeMode.ROOT:
        return replace(privileges, privilege_mode=PrivilegeMode.PLAIN)
    return privileges
