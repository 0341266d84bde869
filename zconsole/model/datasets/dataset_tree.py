"""Datasets, snapshots, bookmarks and clones of pools, as read for a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset


@dataclass(frozen=True, slots=True)
class Tree:
    """All datasets of some pools of a host."""

    pools: tuple[str, ...]
    datasets: tuple[Dataset, ...] = ()  # file systems, volumes, snapshots and bookmarks, in listed order
    since_origin: Mapping[str, int] = field(default_factory=dict)  # `written@ORIGIN` of clones, in bytes


def systems(tree: Tree, root: str | None = None) -> tuple[str, ...]:
    """The file systems and volumes, or those in and below `root`, in the order in which ZFS lists them."""
    return tuple(
        each.name
        for each in tree.datasets
        if each.type in FILESYSTEMS_AND_VOLUMES
        and (root is None or each.name == root or each.name.startswith(f"{root}/"))
    )
