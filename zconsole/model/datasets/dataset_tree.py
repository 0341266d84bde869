"""Datasets, snapshots, bookmarks and clones of pools, as read for a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zconsole.model.datasets.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Tree:
    """All datasets of some pools of a host."""

    pools: tuple[str, ...]
    datasets: tuple[Dataset, ...] = ()  # file systems, volumes, snapshots and bookmarks, in listed order
    since_origin: Mapping[str, int] = field(default_factory=dict)  # `written@ORIGIN` of clones, in bytes
