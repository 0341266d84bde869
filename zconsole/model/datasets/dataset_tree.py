"""Datasets, snapshots, bookmarks and clones of pools, as read for a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import parent_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset


@dataclass(frozen=True, slots=True)
class Tree:
    """All datasets of some pools of a host."""

    pools: tuple[str, ...]
    datasets: tuple[Dataset, ...] = ()  # file systems, volumes, snapshots and bookmarks, in listed order
    since_origin: Mapping[str, int] = field(default_factory=dict)  # `written@ORIGIN` of clones, in bytes
    # guests by the snapshot that was taken while they were frozen; None: not known
    frozen: Mapping[str, tuple[str, ...]] | None = None


def frozen_guests(tree: Tree, snapshot: Dataset, datasets: Mapping[str, Dataset]) -> tuple[str, ...] | None:
    """The guests that were frozen while a snapshot was taken; None where that is not known.

    A recursive snapshot is marked where it was named: those below it are of the same txg.
    """
    if tree.frozen is None:
        return None
    base, _, short = snapshot.name.partition("@")
    while base:
        name = f"{base}@{short}"
        above = datasets.get(name)
        is_same = (
            above is not None and snapshot.createtxg is not None and above.createtxg == snapshot.createtxg
        )
        if name in tree.frozen and (name == snapshot.name or is_same):
            return tree.frozen[name]
        base = parent_of(base)
    return ()


def systems(tree: Tree, root: str | None = None) -> tuple[str, ...]:
    """The file systems and volumes, or those in and below `root`, in the order in which ZFS lists them."""
    return tuple(
        each.name
        for each in tree.datasets
        if each.type in FILESYSTEMS_AND_VOLUMES
        and (root is None or each.name == root or each.name.startswith(f"{root}/"))
    )
