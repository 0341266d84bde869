"""Take-out step of a host without hot-swap: guests, shutdown, the swap by serial number, the boot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.actions.repair.repair_case import RepairCase
from zconsole.analysis.vdevs.redundancy import is_vital, redundancy_in_pool
from zconsole.base.name_lists import shortened
from zconsole.model.guests.guest import Guest
from zconsole.model.repair import RepairOffer, RepairStep, RepairStepKind, RepairStepState

GUEST_SHUTDOWN: Final = "guest-shutdown"  # the action
SHUTDOWN: Final = "shutdown -h now"
MOST_NAMED: Final = 4


def swap_while_shut_down(case: RepairCase, *, may_go: bool) -> RepairStep:
    """To be done now: by hand, at the host. `may_go`: the vdev serves without the disk."""
    down = f"shut the host down, on its own command line: {SHUTDOWN}"
    found = (*_before(case), down, *_swap(case, may_go=may_go))
    offers = tuple(_guests_down(case))
    act = (
        f"shut the host down, and put the new disk in; {case.device.in_bay} stays"
        if case.serves
        else f"shut the host down, and swap {case.device.in_bay} for the new disk"
    )
    return RepairStep(
        RepairStepKind.TAKE_OUT, RepairStepState.NOW, found, offers=offers, act="" if offers else act
    )


def _guests_down(case: RepairCase) -> Iterator[RepairOffer]:
    """The guests that run on the host, whatever pool they are on: it stops them all."""
    for each in _running(case):
        yield RepairOffer(f"shut down the guest {each.name}", GUEST_SHUTDOWN, each.name)


def _running(case: RepairCase) -> tuple[Guest, ...]:
    return tuple(each for each in case.facts.state.guests.value or () if each.status.state.is_running)


def _before(case: RepairCase) -> Iterator[str]:
    """What stops with the host, and what may not come back."""
    facts = case.facts
    pools = [each.name for each in facts.state.pools if each.name != facts.pool.name]
    with_it = f"; the shutdown also stops {', '.join(pools)}" if pools else ""
    datasets = facts.of.datasets.value
    if guests := _running(case):
        yield f"first shut down the guests that run on the host: {', '.join(each.name for each in guests)}"
    elif facts.state.guests.problem:
        yield f"the guests of the host are not known: {facts.state.guests.problem}"
    if datasets is None:
        yield f"first stop the guests and services that use {facts.pool.name}{with_it}"
    else:
        mounted = sum(1 for each in datasets if each.is_mounted)
        volumes = [each.name for each in datasets if each.type == "volume"]
        disks = f", guests on {shortened(volumes, MOST_NAMED)}" if volumes else ""
        yield f"first stop what uses {facts.pool.name}: {mounted} mounted file systems{disks}{with_it}"
    redundancy = redundancy_in_pool(facts.pool, case.place.top)
    if is_vital(case.place.top) and redundancy is not None and redundancy.left <= 0:
        yield "an old disk may not start again: make a backup of important data first"


def _swap(case: RepairCase, *, may_go: bool) -> Iterator[str]:
    label, where = case.device.label, case.device.where or "bay unknown"
    if case.serves and not may_go:
        yield f"add the new disk and leave {label} in: {case.place.top.name} needs it for the resilver"
    elif case.serves:
        yield f"add the new disk and leave {label} in; if no bay is free, take {label} ({where}) out"
    else:
        yield (
            f"compare the serial number, then swap {label} ({where}) for the new disk in the same bay; touch "
            "no other disk"
        )
    yield "start the host: the repair continues from the state of the pool and of the disks"
