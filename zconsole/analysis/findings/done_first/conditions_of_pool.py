"""What the rest of a pool asks for first: open it, devices back, a checkpoint gone, a resilver ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import (
    copies_away,
    devices_with_damaged_blocks,
)
from zconsole.analysis.repair.data_at_stake.only_copy import only_copies_with_errors
from zconsole.analysis.repair.data_at_stake.read_only_pool import way_out_of_read_only
from zconsole.analysis.repair.device_trouble import is_dead
from zconsole.analysis.repair.other_work_first.work_of_pool import (
    filled_without_redundancy,
    removal_to_stop,
)
from zconsole.analysis.vdevs.disk_places_now_and_last_seen import name_to_find
from zconsole.analysis.vdevs.redundancy import has_all_data, is_scrub_for_later, is_worth_waiting_for
from zconsole.base.name_lists import joined_by_and
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import DEAD_STATES, SUSPENDED, Pool, Vdev

REPLACED: Final = frozenset({"pool-degraded", "vdev-no-redundancy", "device-faulted", "device-degraded"})
IN_OPEN_POOL: Final = REPLACED | {"log-faulted", "device-errors", "data-errors", "spare-in-use"}  # and advice
SCRUBBED: Final = frozenset({  # a scrub is what to do
    "device-errors", "data-errors", "shared-cause", "scrub-errors", "scrub-overdue", "scrub-never",
    "scrub-paused", "scrub-skipped", "pending-sectors", "uncorrectable-sectors", "self-test-failed",
})  # fmt: skip
NOT_READ_ONLY: Final = SCRUBBED | {
    "pool-read-only", "vdev-incomplete", "vdev-lost", "device-offline", "scan-running", "activity-running",
    "resilver-errors",
}  # fmt: skip
REMOVAL_WAY: Final = "removal_way"  # evidence: why a removal is to be stopped, and what then
READ_ONLY_WAY: Final = "read_only_way"  # evidence: what comes first of a pool that is imported read-only
EXPANSION: Final = "raidz_expand"
CHANGES_VDEVS: Final = frozenset({"attach", "replace", "remove", "detach", "split"})  # not under a checkpoint


def with_conditions_of_pool(found: Iterable[Finding], state: HostState) -> Iterator[Finding]:
    """The findings with these conditions as evidence, where they matter for what to do."""
    pools = {each.name: each for each in state.pools}
    for each in found:
        of = pools.get(str(each.evidence.get("pool")))
        known = {} if of is None or of.pool.value is None else _known(each, of.pool.value, of.kstat_state)
        yield replace(each, evidence={**each.evidence, **known}) if known else each


def _known(finding: Finding, pool: Pool, kstat_state: str | None) -> dict[str, str | bool]:
    known: dict[str, str | bool] = {}
    is_of_open_pool = finding.id in IN_OPEN_POOL or finding.advised is not None
    if is_of_open_pool and SUSPENDED in (kstat_state, pool.state):
        return {"is_pool_suspended": True}
    if is_of_open_pool and pool.state in DEAD_STATES:
        return {"is_pool_closed": True}
    if pool.is_read_only and (is_of_open_pool or finding.id in NOT_READ_ONLY):
        return {READ_ONLY_WAY: way_out_of_read_only(pool)}
    is_to_replace = finding.id in REPLACED and _has_failed(pool)
    if pool.has_checkpoint and (is_to_replace or _action_of(finding) in CHANGES_VDEVS):
        known["is_held_by_checkpoint"] = True
        known |= {"is_checkpoint_to_be_read": True} if pool.data_errors else {}
    if finding.id in REPLACED and is_worth_waiting_for(pool) and _is_where_it_runs(finding, pool):
        known["is_resilver_running"] = True
    if finding.id in SCRUBBED and is_scrub_for_later(pool):
        known["is_scrub_for_later"] = True
    if _ends_for_a_repair(finding) and (used_up := filled_without_redundancy(pool)):
        known["is_in_the_way_of"] = joined_by_and(used_up)
    if finding.evidence.get("kind") == "removal" and (why := removal_to_stop(pool)):
        known[REMOVAL_WAY] = why
    if (stopped := _stopped_expansion(finding, pool)) is not None:
        known["is_stopped_in"] = stopped
    if finding.id in {"data-errors", "device-errors", "resilver-errors", *REPLACED} and (
        out := devices_with_damaged_blocks(pool)
    ):
        known["may_be_read_with"] = joined_by_and([name_to_find(leaf) for leaf in out])
    elif finding.id == "device-errors" and (away := _away(finding, pool)):
        known["clear_after"] = joined_by_and([name_to_find(leaf) for leaf in away])
    if finding.id == "data-errors" and (
        bare := [name_to_find(leaf) for leaf in only_copies_with_errors(pool)]
    ):
        known["only_copy_is_on"] = joined_by_and(bare)
    return known


def _away(finding: Finding, pool: Pool) -> tuple[Vdev, ...]:
    """The devices of the same vdev that are offline."""
    vdev = finding.evidence.get("vdev")
    own = next((top for top in pool.vdevs if any(vdev == each.name for each in top.walk())), None)
    return copies_away(pool, own) if own is not None else ()


def _ends_for_a_repair(finding: Finding) -> bool:
    """Whether it is work that a replacement ends, or that keeps ZFS from replacing anything."""
    if finding.id == "scan-running":
        return finding.evidence.get("function") == "scrub"
    return finding.id == "activity-running" and finding.evidence.get("kind") == "removal"


def _stopped_expansion(finding: Finding, pool: Pool) -> str | None:
    """The vdev whose expansion pauses until it is whole again (zpool-attach(8)); None for others."""
    if finding.id != "activity-running" or finding.evidence.get("kind") != EXPANSION:
        return None
    names = finding.evidence.get("devices")
    tops = (top for top in pool.vdevs if isinstance(names, tuple) and top.name in names)
    return next((top.name for top in tops if not all(map(_is_whole, top.children))), None)


def _is_whole(part: Vdev) -> bool:
    return has_all_data(part) and part.type != "replacing"  # while a child is replaced it waits too


def _has_failed(pool: Pool) -> bool:
    """Whether a device is out of use for another reason than that somebody took it offline, or has errors."""
    leaves = (leaf for top in pool.vdevs for leaf in top.leaves())
    return any(is_dead(leaf) or leaf.state == "DEGRADED" for leaf in leaves)


def _action_of(finding: Finding) -> str:
    proposed = finding.advised.action if finding.advised is not None else None
    return "" if proposed is None else proposed.action


def _is_where_it_runs(finding: Finding, pool: Pool) -> bool:
    """A rebuild is of one vdev, and the other ones go on beside it; any other resilver is of the pool."""
    rebuilt = {each.vdev for each in pool.running_scans}
    vdev = finding.evidence.get("vdev")
    tops = (top for top in pool.vdevs if top.name in rebuilt)
    return None in rebuilt or vdev is None or any(vdev == each.name for top in tops for each in top.walk())
