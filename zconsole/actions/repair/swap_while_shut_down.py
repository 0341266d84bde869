"""Take-out step of a host without hot-swap: guests, shutdown, the swap by serial number, the boot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.actions.repair.repair_case import RepairCase
from zconsole.analysis.vdevs.redundancy import is_vital, unnamed_resilver, vdev_redundancy
from zconsole.base.name_lists import shortened
from zconsole.model.repair import RepairStep, RepairStepKind, RepairStepState

SHUTDOWN: Final = "shutdown -h now"
MOST_NAMED: Final = 4


def swap_while_shut_down(case: RepairCase, *, may_go: bool) -> RepairStep:
    """To be done now: by hand, at the host. `may_go`: the vdev serves without the disk."""
    down = f"shut the host down, at its own command line: {SHUTDOWN}"
    found = (*_before(case), down, *_swap(case, may_go=may_go))
    return RepairStep(RepairStepKind.TAKE_OUT, RepairStepState.NOW, found)


def _before(case: RepairCase) -> Iterator[str]:
    """What stops with the host, and what may not come back."""
    facts = case.facts
    pools = [each.name for each in facts.state.pools if each.name != facts.pool.name]
    with_it = f"; with it go {', '.join(pools)}" if pools else ""
    datasets = facts.of.datasets.value
    if datasets is None:
        yield f"shut down first the guests and services that use {facts.pool.name}{with_it}"
    else:
        mounted = sum(1 for each in datasets if each.is_mounted)
        volumes = [each.name for each in datasets if each.type == "volume"]
        disks = f", guests on {shortened(volumes, MOST_NAMED)}" if volumes else ""
        yield f"shut down first what uses {facts.pool.name}: {mounted} mounted file systems{disks}{with_it}"
    redundancy = vdev_redundancy(case.place.top, unnamed_resilver(facts.pool))
    if is_vital(case.place.top) and redundancy is not None and redundancy.left <= 0:
        yield "an old disk may not start again: have a backup of what matters before"


def _swap(case: RepairCase, *, may_go: bool) -> Iterator[str]:
    label, where = case.device.label, case.device.where or "its bay is not known"
    if case.serves and not may_go:
        yield f"put the new disk in beside {label}, which stays: {case.place.top.name} needs it for the copy"
    elif case.serves:
        yield f"put the new disk in beside {label}; only without a free bay take {label} ({where}) out for it"
    else:
        yield (
            f"swap {label} ({where}) for the new disk, in the same bay; compare the serial number, and touch "
            "no other"
        )
    yield "switch it on: this goes on by itself, as far as the pool and the disks tell"
