"""Who may change guests without root: steps on them run so, all others as planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.doubles.plan_worlds import host
from zconsole.actions.plan import Step
from zconsole.collect.privilege import Escalation, Privilege
from zconsole.execution.facts.guest_steps_without_root import (
    as_planned,
    by_libvirt,
    commands_to_ask_for,
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


SNAPSHOT = ("zfs", "snapshot", "tank@a")
THAW = ("virsh", "domfsthaw", "x")
FROZEN = Step(("sh", "-s", "--"), "freeze, snapshot, thaw", escalates=(THAW, SNAPSHOT))
QUIET, ASKS = Escalation(PrivilegeMode.SUDO), Escalation(PrivilegeMode.SUDO_PASSWORD)
NONE = Escalation(PrivilegeMode.PLAIN)


class Ways(Privilege):
    """sudo with these rules, by program."""

    def __init__(self, **ways: Escalation) -> None:
        self.ways = ways

    async def way(self, argv: Sequence[str]) -> Escalation:
        return self.ways[argv[0]]


@pytest.mark.parametrize(
    ("expected", "ways", "may_change_guests"),
    [
        (FROZEN.escalates, {"sh": NONE, "virsh": QUIET, "zfs": QUIET}, False),
        ((SNAPSHOT,), {"sh": NONE, "virsh": NONE, "zfs": QUIET}, True),
        ((FROZEN.argv,), {"sh": NONE, "virsh": NONE, "zfs": QUIET}, False),
        ((FROZEN.argv,), {"sh": NONE, "virsh": QUIET, "zfs": ASKS}, False),
        ((FROZEN.argv,), {"sh": QUIET, "virsh": QUIET, "zfs": QUIET}, False),
        ((FROZEN.argv,), {"sh": ASKS, "virsh": ASKS, "zfs": ASKS}, False),
    ],
    ids=["by its rules", "by the group", "no rule for virsh", "a password", "sudo for all", "sudo that asks"],
)
async def test_a_script_is_judged_by_what_it_gives_to_sudo(
    expected: tuple[tuple[str, ...], ...], ways: dict[str, Escalation], *, may_change_guests: bool
) -> None:
    facts = replace(host(), may_change_guests=may_change_guests)

    assert expected == tuple(await commands_to_ask_for(Ways(**ways), FROZEN, facts))
    assert (OF_ZFS.argv,) == tuple(await commands_to_ask_for(Ways(**ways), OF_ZFS, facts))
