"""Dependents of a dataset or snapshot, in the order in which ZFS destroys them."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.practice.world.dataset_tree_changes import beneath
from zconsole.practice.world.datasets import PracticeDataset, Snapshot, clones_of
from zconsole.practice.world.pools_and_vdevs import PracticePool


def dependents(pool: PracticePool, thing: PracticeDataset | Snapshot) -> Iterator[PracticeDataset | Snapshot]:
    """Children, clones of snapshots, and snapshots that must be destroyed before `thing`, deepest first.

    What is destroyed meanwhile is not met; what is a clone and a child beneath is met twice, as in ZFS.
    """
    yield from _below(pool, thing, ())


def _walk(
    pool: PracticePool, thing: PracticeDataset | Snapshot, above: tuple[PracticeDataset, ...]
) -> Iterator[PracticeDataset | Snapshot]:
    if thing in above:
        return
    yield from _below(pool, thing, above)
    yield thing


def _below(
    pool: PracticePool, thing: PracticeDataset | Snapshot, above: tuple[PracticeDataset, ...]
) -> Iterator[PracticeDataset | Snapshot]:
    if isinstance(thing, Snapshot):
        for clone in clones_of(pool.datasets).get(thing, []):
            if pool.datasets.get(clone.name) is clone:
                yield from _walk(pool, clone, above)
        return
    above = (*above, thing)
    for child in beneath(pool, thing.name):
        if pool.datasets.get(child.name) is child:
            yield from _walk(pool, child, above)
    for snapshot in list(thing.snapshots):
        if snapshot in thing.snapshots:
            yield from _walk(pool, snapshot, above)
