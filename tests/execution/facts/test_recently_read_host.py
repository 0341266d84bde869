"""What the console has just read counts for a plan only while it is fresh and of this very machine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.execution.facts.recently_read_host import FRESH_S, known_host
from zconsole.model.host.connected_machine_and_user import KnownMachine, User
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, PoolState, Reading
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import SUSPENDED, Pool

NOW = 1000.0
TANK, DISKS = Pool("tank", "ONLINE", guid=7), Inventory()
MACHINE = KnownMachine(MachineIdentity("nas"), User("anna", 1000), connection=3)
STATE = HostState(
    "nas",
    link=LinkStatus(LinkState.UP),
    machine=MACHINE,
    version=Reading(ZfsVersion("zfs-2.4.4"), NOW - 3600),
    pools=(PoolState("tank", "ONLINE", Reading(TANK, NOW - 5)),),
    pools_at=NOW - 2,
    inventory=Reading(DISKS, NOW - 5),
)


def test_what_is_seconds_old_is_known() -> None:
    known = known_host(STATE, NOW, 3)

    assert known is not None
    assert (MACHINE.identity, MACHINE.user) == (known.identity, known.user)
    assert (("tank",), TANK, DISKS) == (known.names, known.pool("tank"), known.inventory)


@pytest.mark.parametrize("connection", [None, 2, 4])
def test_nothing_is_known_of_another_connection(connection: int | None) -> None:
    assert known_host(STATE, NOW, connection) is None


@pytest.mark.parametrize(
    "state",
    [
        replace(STATE, machine=None),
        replace(STATE, link=LinkStatus(LinkState.DOWN)),
        replace(STATE, version=Reading()),
        replace(STATE, machine=replace(MACHINE, identity=MachineIdentity("other"))),
    ],
)
def test_nothing_is_known_before_the_machine_is(state: HostState) -> None:
    assert known_host(state, NOW, 3) is None


def test_older_parts_are_read_again_each_by_itself() -> None:
    """Disks of any age serve to ask ahead."""
    old = NOW - FRESH_S - 1

    known = known_host(
        replace(
            STATE,
            pools=(PoolState("tank", "ONLINE", Reading(TANK, old)), *STATE.pools),
            inventory=Reading(DISKS, old),
        ),
        NOW,
        3,
    )

    assert known is not None
    assert ((TANK,), None, DISKS) == (known.pools, known.inventory, known.expected)


def test_a_list_of_pools_that_is_old_makes_no_pool_known() -> None:
    known = known_host(replace(STATE, pools_at=NOW - FRESH_S - 1), NOW, 3)

    assert known is not None
    assert (None, ()) == (known.names, known.pools)


def test_a_value_behind_a_problem_is_read_again() -> None:
    hanging = PoolState("tank", "ONLINE", Reading(TANK, NOW - 5, "zpool status hangs"))

    known = known_host(replace(STATE, pools=(hanging,)), NOW, 3)

    assert known is not None
    assert known.pool("tank") is None


def test_what_was_read_before_the_last_run_is_read_again() -> None:
    known = known_host(STATE, NOW, 3, unchanged_s=4.0)

    assert known is not None
    assert (None, None) == (known.pool("tank"), known.inventory)


def test_a_suspension_that_the_kernel_tells_counts() -> None:
    known = known_host(replace(STATE, pools=(replace(STATE.pools[0], kstat_state=SUSPENDED),)), NOW, 3)

    assert known is not None
    assert replace(TANK, state=SUSPENDED) == known.pool("tank")


@pytest.mark.parametrize(("age_s", "expected"), [(119.0, TANK), (131.0, None)])
def test_where_events_are_followed_a_status_stays_known_until_it_is_read_again(
    age_s: float, expected: Pool | None
) -> None:
    """It is read at once when an event tells of anything."""
    told = PoolState("tank", "ONLINE", Reading(TANK, NOW - age_s), status_every_s=120.0)

    known = known_host(replace(STATE, pools=(told,)), NOW, 3)

    assert known is not None
    assert expected == known.pool("tank")
