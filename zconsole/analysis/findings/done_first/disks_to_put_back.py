"""Sound disks that were pulled by mistake: what to do of their pool's findings is to put them back first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import trouble_of
from zconsole.analysis.repair.not_opened.notes_of_devices import REMOVED
from zconsole.analysis.repair.spare_and_replacing_vdevs import places
from zconsole.analysis.repair.wrong_disk_pulled import to_put_back
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.analysis.vdevs.redundancy import is_vital
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import joined_by_and
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.pool import GONE_STATES, Pool, Vdev

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
    wanted = {each.name: put_back for each in state.pools if (put_back := _put_back(state, each, now))}
    for each in found:
        put_back = wanted.get(str(each.evidence.get("pool")))
        if put_back is None or each.id not in ABOUT:
            yield each
            continue
        is_pulled = each.evidence.get("vdev_guid") in put_back.guids
        yield replace(
            each,
            evidence={
                **each.evidence,
                "put_back": put_back.act,
                "is_pulled": is_pulled,
                "is_put_back_sure": put_back.is_sure,
                "is_put_back_one": len(put_back.guids) == 1,
            },
        )


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
    gone = [
        each.member  # what is being replaced was taken out for that
        for each in places(pool)
        if is_vital(each.top) and each.newcomer is None and _went_sound(each.member)
    ]
    if not gone or not any(leaf.state in {"FAULTED", "DEGRADED"} or leaf.has_errors for leaf in leaves):
        return None
    names = joined_by_and([facts.identity(leaf).label for leaf in gone])
    return _PutBack(names, frozenset(str(leaf.guid) for leaf in gone), is_sure=False)


def _went_sound(leaf: Vdev) -> bool:
    return leaf.state == REMOVED and not leaf.has_errors


def _has_gone(pool: Pool) -> bool:
    return any(leaf.state in GONE_STATES for leaf in pool.walk() if leaf.is_leaf)
