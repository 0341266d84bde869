"""Who may change guests without root: steps on them run so, all others as planned."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.plan_worlds import host
from zconsole.actions.plan import Step
from zconsole.execution.facts.guest_steps_without_root import (
    as_planned,
    by_libvirt,
    is_of_libvirt,
    needs_no_root,
)
from zconsole.model.guests.guest import (
    LIBVIRT_ACCESS,
    SESSION,
    SESSION_ACCESS,
    Guest,
    GuestDefinition,
    GuestState,
    GuestStatus,
)
from zconsole.model.host.plan_facts import PrivilegeMode, Privileges

OF_GUEST = Step(("virsh", "start", "x"), "start it", permissions=(LIBVIRT_ACCESS,))
OF_ZFS = Step(("zfs", "snapshot", "tank@a"), "snapshot it", permissions=(("snapshot", "tank"),))
BY_SUDO = Privileges("anna", 1000, PrivilegeMode.SUDO, by_libvirt(replace(host(), may_change_guests=True)))


def test_only_steps_on_guests_need_libvirt() -> None:
    assert is_of_libvirt(OF_GUEST)
    assert not is_of_libvirt(OF_ZFS)


def test_access_is_a_delegation_where_libvirt_gave_it() -> None:
    assert BY_SUDO.delegations[0].reaches("qemu:///system")
    assert () == by_libvirt(replace(host(), may_change_guests=False))


def test_a_step_on_a_guest_runs_without_sudo_where_it_may() -> None:
    assert PrivilegeMode.PLAIN is as_planned(OF_GUEST, BY_SUDO).privilege_mode
    assert PrivilegeMode.SUDO is as_planned(OF_ZFS, BY_SUDO).privilege_mode
    assert PrivilegeMode.SUDO is as_planned(OF_GUEST, replace(BY_SUDO, delegations=())).privilege_mode


def test_a_guest_of_the_own_session_is_never_changed_by_sudo() -> None:
    """As root virsh would reach root's session."""
    guest = Guest(GuestDefinition("x", "web", connection=SESSION), GuestStatus("web", GuestState.RUNNING))
    facts = replace(host(), guests=(guest,), may_change_guests=False)
    step = replace(OF_GUEST, permissions=(SESSION_ACCESS,))
    by_sudo = replace(BY_SUDO, delegations=by_libvirt(facts))

    assert needs_no_root(step, facts)
    assert not needs_no_root(OF_GUEST, facts)
    assert PrivilegeMode.PLAIN is as_planned(step, by_sudo).privilege_mode
    assert PrivilegeMode.SUDO is as_planned(OF_GUEST, by_sudo).privilege_mode
