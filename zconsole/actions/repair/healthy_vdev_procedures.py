"""Procedures on a sound vdev that a user asks for: larger disks one by one, a mirror for a single disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zconsole.actions.known_facts import known_facts
from zconsole.actions.repair.steps_to_mirror_single_disk import mirror
from zconsole.actions.repair.steps_to_replace_vdev_disks_by_larger import grow
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.analysis.vdevs.redundancy import WITHOUT_DEVICES, is_vital
from zconsole.base.errors import UsageError
from zconsole.model.host.host_state import HostState
from zconsole.model.host.plan_facts import HostPolicy
from zconsole.model.journal import Entry
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import Procedure, ProcedureKind, Repair

_MAKERS = {ProcedureKind.GROW: grow, ProcedureKind.MIRROR: mirror}


def asked_repair(state: HostState, entries: Iterable[Entry], now: float, asked: Procedure) -> Repair:
    """The steps of a procedure as the host stands. Raises UsageError for a vdev that has none."""
    of = state.pool(asked.pool)
    if of is None or of.pool.value is None:
        raise UsageError(f"there is no readable pool {asked.pool} on {state.host}")
    pool = of.pool.value
    top = _top_named(pool, asked.vdev)
    if top is None:
        names = ", ".join(each.name for each in _grown(pool))
        raise UsageError(f"{pool.name} has no vdev {asked.vdev}", hint=f"It has {names}.")
    if why_not := no_procedure(asked.kind, top):
        raise UsageError(why_not)
    facts = PoolFacts(state, of, pool, host_disks(state), now)
    known = known_facts(state, now, HostPolicy())
    return _MAKERS[asked.kind](facts, top, known, tuple(entries))


def procedures_of(pool: Pool, vdev: Vdev) -> Iterator[Procedure]:
    """The procedures that a vdev or one of its devices can be asked for."""
    top = next((each for each in pool.vdevs if vdev in each.walk()), None)
    if top is None:
        return
    for kind in ProcedureKind:
        if not no_procedure(kind, top) and not (kind is ProcedureKind.MIRROR and top.children):
            yield Procedure(kind, pool.name, str(top.guid or top.name))


def no_procedure(kind: ProcedureKind, top: Vdev) -> str:
    """Why a top-level vdev has no such procedure; empty where it has."""
    if top.vdev_class in {"cache", "spare"} or top.type in WITHOUT_DEVICES:
        return f"{top.name} has no data to copy: remove it, and add a new one"
    if kind is ProcedureKind.MIRROR and not top.is_leaf and top.type != "mirror":
        return f"{top.name} is not a single disk: the redundancy of a {top.type} cannot be changed later"
    return ""


def _top_named(pool: Pool, word: str) -> Vdev | None:
    """The top-level vdev of that name or guid, or of a device of that name, path or guid."""
    for top in pool.vdevs:
        if any(word in {str(each.guid), each.name, each.path} for each in top.walk()):
            return top
    return None


def _grown(pool: Pool) -> Iterator[Vdev]:
    return (each for each in pool.vdevs if is_vital(each))
