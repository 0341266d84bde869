"""Containers of the practice host: their processes, and what is mounted for these."""

from __future__ import annotations

from dataclasses import field

from zconsole.base.lazy_dataclass import dataclass


@dataclass(slots=True)
class PracticeContainer:
    """Container that runs. `cgroup` is the control group of its processes, as the kernel tells it."""

    cgroup: str
    process: int
    mounts: list[tuple[str, str, str, str]] = field(default_factory=list)  # path, type, source, options
