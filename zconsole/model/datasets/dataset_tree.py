"""What a pool's tree of datasets, snapshots, bookmarks and clones was read as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zconsole.model.datasets.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Tree:
    """Everything in some pools of a host."""

    pools: tuple[str, ...]
    datasets: tuple[Dataset, ...] = ()  # file systems, volumes, snapshots and bookmarks, as they were listed
    since_origin: Mapping[str, int] = field(default_factory=dict)  # `written@ORIGIN` of clones, in bytes
