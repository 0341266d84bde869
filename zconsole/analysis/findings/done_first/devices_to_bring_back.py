"""Failed devices without which a vdev cannot be read, or perhaps not all of it: they come back first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from zconsole.analysis.vdevs.disk_places_now_and_last_seen import name_to_find
from zconsole.analysis.vdevs.redundancy import ALIVE_STATES, pool_redundancy
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import joined_by_and
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Pool

ABOUT: Final = frozenset(
    {"pool-degraded", "vdev-no-redundancy", "device-faulted", "device-degraded", "device-offline"}
)


@dataclass(frozen=True, slots=True)
class _BringBack:
    vdev: str
    names: str
    parts: frozenset[str]  # names of the vdev and all in it


def with_devices_to_bring_back(found: Iterable[Finding], state: HostState) -> Iterator[Finding]:
    """The findings; those on such a vdev, on one of its devices or on its pool name who comes back first."""
    pools = {each.name: each.pool.value for each in state.pools}
    wanted: dict[str, tuple[_BringBack, ...]] = {}
    for each in found:
        name = str(each.evidence.get("pool"))
        pool = pools.get(name)
        if each.id not in ABOUT or pool is None:
            yield each
            continue
        if name not in wanted:
            wanted[name] = tuple(_of_pool(pool))
        vdev = each.evidence.get("vdev")
        back = next((one for one in wanted[name] if vdev is None or vdev in one.parts), None)
        named = {} if back is None else {"bring_back": back.names, "bring_back_to": back.vdev}
        yield replace(each, evidence={**each.evidence, **named}) if named else each


def _of_pool(pool: Pool) -> Iterator[_BringBack]:
    wanted = {each.vdev for each in pool_redundancy(pool) if each.needs_failed_back or each.is_lost}
    for top in pool.vdevs:
        if top.name in wanted:
            names = joined_by_and(
                [name_to_find(leaf) for leaf in top.leaves() if leaf.state not in ALIVE_STATES]
            )
            yield _BringBack(top.name, names, frozenset(each.name for each in top.walk()))
