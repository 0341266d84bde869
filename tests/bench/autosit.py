"""The rule by which ZFS itself lets a slow disk of a raidz rest (`autosit`, 2.4), to be held beside ours.

`vdev_child_slow_outlier` of module/zfs/vdev_raidz.c, with its constants. It reads histograms; here it is
given mean read latencies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

LEAST_CHILDREN: Final = 5  # LAT_CHILDREN_MIN
OUTLIER_LIMIT: Final = 20  # LAT_OUTLIER_LIMIT
INSENSITIVITY: Final = 50  # vdev_raidz_outlier_insensitivity
SIT_OUT_S: Final = 600.0  # vdev_read_sit_out_secs
_MOST: Final = 5.0  # that one check counts


@dataclass
class Autosit:
    """One raidz or draid vdev with the property on; checks are a second apart."""

    children: int
    parity: int
    _own: int = 0
    _counts: list[float] = field(default_factory=list)
    _until: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._counts = [0.0] * self.children
        self._until = [0.0] * self.children

    def check(self, now: float, read_ns: Sequence[float | None]) -> int | None:
        """One check with each child's mean read latency (None: not read); the child that is to rest."""
        if self.children < LEAST_CHILDREN:
            return None
        sitting = [until > now for until in self._until]
        if sum(sitting) >= self.parity:
            return None
        if any(took is None and not sits for took, sits in zip(read_ns, sitting, strict=True)):
            return None  # every child must have been read
        took = [each or 0.0 for each in read_ns]
        slowest = max(range(self.children), key=lambda child: took[child])
        fence, spread = self.fence(took)
        if took[slowest] <= fence or sitting[slowest]:
            return None
        step = min(_MOST, max(1.0, (took[slowest] - fence) / spread)) if spread else _MOST
        self._own += math.floor(step)
        if self._own >= self.children:
            self._counts = [max(0.0, count - 2) for count in self._counts]
            self._own = 0
        self._counts[slowest] += math.floor(step)
        if self._counts[slowest] <= OUTLIER_LIMIT:
            return None
        self._until[slowest] = now + SIT_OUT_S
        self._counts = [0.0] * self.children
        return slowest

    @staticmethod
    def fence(latencies: Sequence[float]) -> tuple[float, float]:
        """Beyond what a child is an outlier, and the interquartile range that it is told by."""
        ordered = sorted(latencies)
        size = len(ordered)
        low, high = _median(ordered[: size // 2]), _median(ordered[(size + 1) // 2 :])
        spread = max(high - low, low / 4)
        return high + INSENSITIVITY * spread, spread


def _median(ordered: Sequence[float]) -> float:
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
