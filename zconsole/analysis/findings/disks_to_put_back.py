"""Devices that come back first, before what else is to be done about a pool: pulled ones, and failed ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import trouble_of
from zconsole.analysis.repair.spare_and_replacing_vdevs import places
from zconsole.analysis.repair.wrong_disk_pulled import to_put_back
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.analysis.vdevs.redundancy import ALIVE_STATES, is_vital, pool_redundancy
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import joined_by_and
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.pool import GONE_STATES, Pool, Vdev

SELF_SAID: Final = frozenset({"vdev-incomplete", "vdev-lost"})  # they say so themselves
REPLACED: Final = frozenset({"pool-degraded", "vdev-no-redundancy", "device-faulted", "device-degraded"})
SCRUBBED: Final = frozenset({"device-errors", "data-errors", "scrub-overdue"})  # a scrub is what to do
ABOUT: Final = frozenset({
    "pool-degraded", "vdev-lost", "vdev-incomplete", "vdev-no-redundancy", "device-faulted",
    "device-degraded", "device-offline", "log-faulted",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _PutBack:
    act: str  # `put ZC13A1JN back into bay 4`; where it is not sure the names alone
    guids: frozenset[str]
    is_sure: bool = True  # else no event tells which went first


def with_disks_to_put_back(found: Iterable[Finding], state: HostState, now: float) -> Iterator[Finding]:
    """The findings; those about a pool with such a disk have `put_back`, as its guided repair says it."""
    failed = {each.name: _failed_to_bring_back(each) for each in state.pools}
    pools = {each.name: each.pool.value for each in state.pools}
    wanted = {each.name: put_back for each in state.pools if (put_back := _put_back(state, each, now))}
    for each in _with_conditions(found, pools):
        put_back = wanted.get(str(each.evidence.get("pool")))
        if each.id not in ABOUT:
            yield each
            continue
        if put_back is None:
            yield _with_failed(each, failed.get(str(each.evidence.get("pool")), ()))
            continue
        is_pulled = each.evidence.get("vdev_guid") in put_back.guids
        yield replace(
            each,
            evidence={
                **each.evidence,
                "put_back": put_back.act,
                "is_pulled": is_pulled,
                "is_put_back_sure": put_back.is_sure,
            },
        )


@dataclass(frozen=True, slots=True)
class _BringBack:
    """Failed devices of a vdev that cannot be read without them, or not all of it."""

    vdev: str
    names: str
    parts: frozenset[str]  # names of the vdev and all in it


def _failed_to_bring_back(of: PoolState) -> tuple[_BringBack, ...]:
    pool = of.pool.value
    if pool is None:
        return ()
    wanted = {each.vdev for each in pool_redundancy(pool) if each.needs_failed_back or each.is_lost}
    return tuple(
        _BringBack(
            top.name,
            joined_by_and([leaf.name for leaf in top.leaves() if leaf.state not in ALIVE_STATES]),
            frozenset(each.name for each in top.walk()),
        )
        for top in pool.vdevs
        if top.name in wanted
    )


def _with_failed(finding: Finding, wanted: tuple[_BringBack, ...]) -> Finding:
    """A finding on the vdev, on one of its devices, or on the pool as a whole, with who comes back first."""
    vdev = finding.evidence.get("vdev")
    for each in wanted:
        if finding.id not in SELF_SAID and (vdev is None or vdev in each.parts):
            named = {"bring_back": each.names, "bring_back_to": each.vdev}
            return replace(finding, evidence={**finding.evidence, **named})
    return finding


def _with_conditions(found: Iterable[Finding], pools: Mapping[str, Pool | None]) -> Iterator[Finding]:
    """The findings with what the rest of their pool makes impossible, or better done first."""
    for each in found:
        pool = pools.get(str(each.evidence.get("pool")))
        known: dict[str, str | bool] = {}
        if pool is not None and each.id in REPLACED and pool.has_checkpoint:
            known["is_held_by_checkpoint"] = True
        if pool is not None and each.id in SCRUBBED and _is_scrub_for_later(pool):
            known["is_scrub_for_later"] = True
        if pool is not None and each.id == "data-errors":
            dead = [leaf for top in pool.vdevs if is_vital(top) for leaf in top.leaves() if _is_out(leaf)]
            if dead:
                known["may_be_read_with"] = joined_by_and([leaf.name for leaf in dead])
        yield replace(each, evidence={**each.evidence, **known}) if known else each


def _is_scrub_for_later(pool: Pool) -> bool:
    """Whether ZFS refuses a scrub now, or a vdev has no redundancy left to lose while it runs."""
    scan = pool.scan
    is_resilvering = scan is not None and scan.is_running and scan.function == "resilver"
    return is_resilvering or any(each.is_used_up for each in pool_redundancy(pool))


def _is_out(leaf: Vdev) -> bool:
    return leaf.state not in ALIVE_STATES and not leaf.type.startswith("replacing")


def _put_back(state: HostState, of: PoolState, now: float) -> _PutBack | None:
    pool = of.pool.value
    if pool is None or not _has_gone(pool):
        return None
    facts = PoolFacts(state, of, pool, host_disks(state), now)
    troubled = (place for place in places(pool) if trouble_of(place, facts.devices) is not None)
    first = next(filter(None, (to_put_back(facts, place) for place in troubled)), None)
    if first is None:
        return None if any(each.pool == pool.name for each in state.events) else _perhaps(facts, pool)
    return _PutBack(first.act(facts), frozenset(str(leaf.guid) for leaf in first.leaves))


def _perhaps(facts: PoolFacts, pool: Pool) -> _PutBack | None:
    """Devices that are gone without an error beside another one in trouble, where no events were read."""
    leaves = [leaf for top in pool.vdevs if is_vital(top) for leaf in top.leaves()]
    gone = [leaf for leaf in leaves if leaf.state == "REMOVED" and not leaf.has_errors]
    if not gone or not any(leaf.state in {"FAULTED", "DEGRADED"} or leaf.has_errors for leaf in leaves):
        return None
    names = joined_by_and([facts.identity(leaf).label for leaf in gone])
    return _PutBack(names, frozenset(str(leaf.guid) for leaf in gone), is_sure=False)


def _has_gone(pool: Pool) -> bool:
    return any(leaf.state in GONE_STATES for leaf in pool.walk() if leaf.is_leaf)
