"""Guests and containers read once, together, in one form: for reports that name who lives on a pool."""

from __future__ import annotations

from zconsole.analysis.guests.guests_and_containers import as_guests
from zconsole.base.clock import Clock
from zconsole.collect.concurrent_reads import together
from zconsole.collect.guests.guests_for_a_report import read_guests_for_report
from zconsole.collect.guests.read_all_containers import read_all_containers
from zconsole.collect.read_command_runner import Asker
from zconsole.model.guests.container import Container
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.disk_and_inventory import Inventory


async def read_residents_for_report(
    asker: Asker, clock: Clock, inventory: Inventory | None = None, *, with_names: bool = False
) -> Reading[tuple[Guest, ...]]:
    """All guests of libvirt and all containers that run, or the problems; without either, nothing.

    `with_names`: also containers that only the names of datasets tell of, of which none is known to run.
    """
    async with together() as group:
        guests = group.create_task(read_guests_for_report(asker, clock, inventory))
        containers = group.create_task(read_all_containers(asker, clock, None if with_names else ()))
    return with_containers(guests.result(), containers.result())


def with_containers(
    guests: Reading[tuple[Guest, ...]], containers: Reading[tuple[Container, ...]]
) -> Reading[tuple[Guest, ...]]:
    """Both as guests; without libvirt only the containers, where there are some."""
    found = as_guests(containers.value or ())
    problem = "; ".join(each for each in (guests.problem, containers.problem) if each)
    if guests.value is None and not found:
        return Reading(problem=problem)
    return Reading((*(guests.value or ()), *found), containers.taken_at, problem)
