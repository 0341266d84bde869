"""Destroy a pool: lists its contents, and how it can be restored."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.byte_count_tolerance import FigureMeasure
from zconsole.actions.checks.pool_in_use_checks import refuse_while_in_use
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_pool
from zconsole.actions.intent import Intent
from zconsole.actions.object_lookup import the_pool
from zconsole.actions.plan import Condition, ConditionKind, Dependent, Risk, Step
from zconsole.actions.plan_basis_of_datasets import count_data
from zconsole.actions.step_subject import of_pool, whole
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.change.pool_argv import destroy_pool

DESTROY_TIMEOUT_S: Final = 600.0  # it unmounts all file systems and writes all labels


@on_writable_pool
def plan_destroy_pool(intent: Intent, facts: PlanFacts) -> Draft:
    """Catastrophic; refused while in use, and when its contents could not be listed."""
    pool = the_pool(intent.target, facts)
    draft = Draft(f"destroy pool {pool.name}", pool.name, Risk.CATASTROPHIC, is_reversible=True)
    gone = Condition(ConditionKind.POOL_GONE, str(pool.guid or pool.name))
    inside = [dataset for dataset in facts.datasets if dataset.pool == pool.name]
    root = next((each for each in inside if each.name == pool.name), None)
    count_data(draft, inside, facts)
    draft.steps.append(
        Step(
            destroy_pool(pool.name),
            "unmount everything, and mark all devices of the pool as free",
            timeout_s=DESTROY_TIMEOUT_S,
            settled_by=(gone,),
            subjects=(*of_pool(pool), *(() if root is None else whole(inside, root, draft.figures))),
        )
    )
    draft.undo = (
        f"zpool import -D {quote(str(pool.guid or pool.name))} brings it back, "
        "as long as nothing else has been written to its devices"
    )
    _list_losses(pool, facts, draft)
    draft.frees_bytes = pool.usable_used_bytes
    draft.counted(f"used in {pool.name}", FigureMeasure.SPACE, pool.usable_used_bytes)
    draft.before = pool
    refuse_while_in_use(pool, facts, draft)
    for leaf in (leaf for top in pool.vdevs for leaf in top.leaves()):
        draft.saw(f"guid of {leaf.name}", leaf.guid)
    if pool.has_checkpoint:
        draft.notes.append("its checkpoint goes with it")
    return draft


def _list_losses(pool: Pool, facts: PlanFacts, draft: Draft) -> None:
    inside = [dataset for dataset in facts.datasets if dataset.pool == pool.name]
    if pool.name not in facts.listed or not any(each.name == pool.name for each in inside):
        draft.refuse(
            "not-listed", f"what is in {pool.name} could not be listed, so that it is not known what is lost"
        )
    draft.destroys += [pool.name, *(each.name for each in inside)]
    draft.live += [each.name for each in inside if each.type in FILESYSTEMS_AND_VOLUMES]
    draft.saw(f"what is in {pool.name}", _digest(inside))
    held = [hold for hold in facts.holds or () if pool_of(hold.snapshot) == pool.name]
    draft.saw(
        f"holds in {pool.name}", ", ".join(sorted(f"{hold.snapshot} {hold.tag}" for hold in held)) or "none"
    )
    for hold in held:
        draft.dependents.append(Dependent("hold", hold.tag, hold.snapshot))
    if held:
        draft.warnings.append(f"holds do not keep a pool from being destroyed: {len(held)} are lost with it")


def _digest(inside: Sequence[Dataset]) -> str:
    """Number of objects and a digest."""
    known = "".join(sorted(f"{each.name} {each.guid} {each.createtxg}\n" for each in inside))
    return f"{len(inside)} objects, {hashlib.sha256(known.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
