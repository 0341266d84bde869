"""Impact of a destroy: live datasets, clones, space."""

from __future__ import annotations

from shlex import quote

from zconsole.actions.action_spec import Draft
from zconsole.actions.plan import Dependent, Risk
from zconsole.analysis.dependencies.affected_objects import Closure, Graph, freed_bytes
from zconsole.base.fixed_width_formatting import size
from zconsole.model.dataset_names import pool_of
from zconsole.model.host.plan_facts import PlanFacts


def add_losses(draft: Draft, graph: Graph, closure: Closure, facts: PlanFacts) -> None:
    """Describe `draft.destroys`; refuse what ZFS cannot destroy."""
    used_by = {each.detail.partition(",")[0].removeprefix("on ") for each in draft.dependents}
    draft.live.extend(name for name in draft.destroys if graph.is_live(name) or name in used_by)
    lost = set(draft.destroys)
    for name in closure.clones:
        if name not in lost:
            continue
        origin = graph.datasets[name].origin
        draft.dependents.append(Dependent("clone", name, f"of {origin}"))
        if graph.is_live(name):
            draft.raise_risk(Risk.CATASTROPHIC)
    if closure.unlisted:
        draft.refuse(
            "receiving", f"{closure.unlisted[0]} is a hidden clone of it: a receive is in progress there",
            "wait for the receive, or abort it with zfs receive -A",
        )  # fmt: skip
    if closure.cycle:
        draft.refuse(
            "cycle", f"{closure.cycle} is a clone of a snapshot below itself, which ZFS cannot destroy",
            f"promote {closure.cycle} first",
        )  # fmt: skip
    if not draft.refusals:
        draft.frees_bytes = freed_bytes(graph, draft.destroys)
    if closure.elsewhere and lost.intersection(closure.elsewhere):
        draft.notes.append("ZFS's own dry run leaves the clones out; this list has them")
    _tell_checkpoint(draft, closure, facts)


def add_reserved_space(draft: Draft, graph: Graph, name: str) -> None:
    """Note the part of freed space that was only reserved."""
    reserved = graph.datasets[name].used_by_refreservation_bytes
    if reserved:
        draft.notes.append(
            f"its refreservation of {size(reserved)}, which is not written, comes free besides"
        )


def _tell_checkpoint(draft: Draft, closure: Closure, facts: PlanFacts) -> None:
    """A checkpoint keeps all data of its time: a way back for the whole pool, and no space is freed."""
    name = (*closure.objects, "")[0]
    pool = facts.pool(pool_of(name))
    if pool is not None and pool.checkpoint_created is not None:
        draft.notes.append(f"no space is freed before the checkpoint of {pool.name} is discarded")
        draft.undo = (
            f"zpool import --rewind-to-checkpoint {quote(pool.name)} takes the whole pool back to its "
            "checkpoint, and loses everything since"
        )
