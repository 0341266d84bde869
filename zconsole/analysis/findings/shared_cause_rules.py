"""Finding on several disks that have errors from one cause on the way to them: cable, controller or shelf."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.repair.common_cause.controller_or_shelf_failure import way_of
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import is_dead
from zconsole.analysis.repair.disk_or_cable import SHARED_CAUSES
from zconsole.analysis.repair.failure_cause import cause_of
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.base.fixed_width_formatting import MINUTE, moment
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import Certainty, RepairCause, bay_order, several_named

ID: Final = "shared-cause"
_TIME: Final = f"{MINUTE} UTC"


def findings_of_shared_causes(state: HostState, now: float) -> Iterator[Finding]:
    """One finding for the disks of a pool that have trouble from one cause on the way to them."""
    for of in state.pools:
        ailing = _ailing(of.pool.value) if of.pool.value is not None else []
        if of.pool.value is None or len(ailing) < 2:
            continue
        facts = PoolFacts(state, of, of.pool.value, host_disks(state), now)
        groups: dict[tuple[RepairCause, str], list[Vdev]] = defaultdict(list)
        for leaf in ailing:
            found = cause_of(facts, leaf)
            is_held = found.cause is RepairCause.CABLE or found.certainty is not Certainty.UNCLEAR
            disk = facts.of_leaf(leaf).disk
            if found.cause in SHARED_CAUSES and is_held and disk is not None:
                groups[found.cause, way_of(facts, disk)].append(leaf)
        for (cause, _), leaves in groups.items():
            if len(leaves) > 1:
                yield _finding(facts, cause, leaves)


def _ailing(pool: Pool) -> list[Vdev]:
    return [leaf for top in pool.vdevs for leaf in top.leaves() if leaf.has_errors or is_dead(leaf)]


def _trouble(leaves: Sequence[Vdev]) -> str:
    return "have errors" if all(leaf.has_errors for leaf in leaves) else "are out of use, or have errors"


def _finding(facts: PoolFacts, cause: RepairCause, leaves: Sequence[Vdev]) -> Finding:
    devices = sorted((facts.identity(leaf) for leaf in leaves), key=bay_order)
    times = [at for leaf in leaves if (at := facts.since(leaf)) is not None]
    since = f"; since {moment(min(times), _TIME)}" if times else ""
    part = "cable, backplane and controller" if cause is RepairCause.CABLE else cause.value
    return Finding(
        ID,
        Severity.WARNING,
        facts.pool.name,
        f"{several_named(devices)} {_trouble(leaves)}: check {part} first{since}",
        {
            "pool": facts.pool.name,
            "cause": cause.value,
            "disks": tuple(each.label for each in devices),
            "bays": tuple(each.bay for each in devices),
            "since": min(times, default=None),
        },
        needs_repair=True,
    )
