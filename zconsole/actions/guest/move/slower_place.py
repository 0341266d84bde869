"""Warnings of a move to a place where a guest's I/O is slower, or its blocks take more space.

What is compared are the data vdevs of the two pools: whether their disks rotate, whether a read of one block
waits for one disk or for all disks of a raidz, and what a block of the guest's size takes there. A move keeps
recordsize and volblocksize. Disks that the console finds slow at present, and a resilver, are told as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.new_dataset_checks import warn_of_weak_pool
from zconsole.analysis.findings.datasets.volume_rules import (
    COSTLY_PERCENT,
    VolumeBlockCost,
    block_cost,
    parity_vdevs,
)
from zconsole.analysis.vdevs.redundancy import WITHOUT_DEVICES
from zconsole.base.fixed_width_formatting import of_each_giga, zfs_size
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev

DATA: Final = "data"
LOG: Final = "log"
NAMED: Final = 3


def warn_of_slower_place(
    draft: Draft, source: Dataset | None, target: str, facts: PlanFacts, there: PlanFacts
) -> None:
    """Warn of all that makes the pool of `target` slower; `there` are the facts of its host."""
    warn_of_weak_pool(draft, target, there)
    new = there.pool(pool_of(target))
    if new is None or source is None or (facts is there and source.pool == new.name):
        return
    old = facts.pool(source.pool)
    if old is not None:
        draft.warnings += _of_media(old, new, facts, there)
        draft.warnings += _of_parity(old, new)
        draft.warnings += _of_blocks(source, old, new)
    draft.warnings += _of_slow_disks(new, there)
    if new.is_resilvering:
        draft.warnings.append(
            f"{new.name} is resilvering: what is sent, and what the guest does there, waits for that as well"
        )


def _of_media(old: Pool, new: Pool, facts: PlanFacts, there: PlanFacts) -> Iterator[str]:
    """Rotating disks instead of others, and no log device where the old pool has one."""
    rotates_now, rotates_then = set(_rotating(old, facts)), set(_rotating(new, there))
    if True in rotates_then and rotates_now == {False}:
        some = "" if rotates_then == {True} else "some of "
        yield (
            f"{some}the disks of {new.name} rotate, and those of {old.name} do not: a read that the ARC has "
            "not, and a flush without a log device, take milliseconds there instead of a tenth of one"
        )
    elif old.of_class(LOG) and not new.of_class(LOG) and True in rotates_then:
        yield (
            f"{new.name} has no log device, and {old.name} has: each flush of the guest waits for the data "
            "disks there"
        )


def _of_parity(old: Pool, new: Pool) -> Iterator[str]:
    """A raidz or draid instead of mirrors: a vdev of it reads as many blocks a second as one disk."""
    now, then = _with_parity(old), _with_parity(new)
    if then and not now:
        yield (
            f"{shortened([each.name for each in then], NAMED)} of {new.name}: a read of one block there "
            "waits for several disks, so that a vdev does about as many small reads a second as one disk "
            f"does; in {old.name} each disk reads by itself"
        )


def _of_blocks(source: Dataset, old: Pool, new: Pool) -> Iterator[str]:
    """Blocks that take much parity and padding there, and did not so here."""
    block = source.volblocksize_bytes or source.recordsize_bytes
    if not block:
        return
    here, worst = _worst(old, block), _worst(new, block)
    if worst is None or worst.more_percent < COSTLY_PERCENT:
        return
    if here is not None and here.more_percent >= worst.more_percent:
        return
    what = "volblocksize" if source.type == "volume" else "recordsize"
    yield (
        f"{what}={zfs_size(block)} of {source.name} is poor on {worst.vdev} of {new.name}: "
        f"{of_each_giga(worst.per_byte)} of its disks, {worst.more_percent:.0f}% more than in large "
        f"blocks, and a move keeps it; with {zfs_size(worst.fair_bytes)} the copy would have to be "
        "made inside the guest, or by dd"
    )


def _of_slow_disks(pool: Pool, facts: PlanFacts) -> Iterator[str]:
    slow = [each for name, each in facts.slow_disks if name == pool.name]
    if slow:
        is_are = "is" if len(slow) == 1 else "are"
        yield (
            f"{shortened(slow, NAMED)} of {pool.name} {is_are} slower than the other disks there at present: "
            "the guest waits for it; the page of `w` on the pool has the evidence"
        )


def _worst(pool: Pool, block: int) -> VolumeBlockCost | None:
    costs = [block_cost(shape, ashift, block, name) for name, shape, ashift in parity_vdevs(pool)]
    return max(costs, key=lambda each: each.more_percent, default=None)


def _with_parity(pool: Pool) -> list[Vdev]:
    return [each for each in _data(pool) if each.type.startswith(("raidz", "draid"))]


def _data(pool: Pool) -> list[Vdev]:
    return [each for each in pool.of_class(DATA) if each.type not in WITHOUT_DEVICES]


def _rotating(pool: Pool, facts: PlanFacts) -> Iterable[bool | None]:
    """Whether the disks of its data vdevs rotate; None of one that is not known."""
    inventory = facts.inventory
    for leaf in (leaf for top in _data(pool) for leaf in top.leaves()):
        name = inventory.kernel_name(leaf.path or "") if inventory is not None else None
        disk = inventory.disk_of(name) if inventory is not None and name is not None else None
        yield None if disk is None else disk.is_rotational
