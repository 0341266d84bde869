"""Latency offset of each disk: differences far below it do not matter, and do not count.

A disk that rotates has an offset of a millisecond. That would hide a solid-state disk that takes 500 us where
its peers take 100, so the offset of others follows the typical latency of their kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.analysis.slow_disks.disk_memory import DiskMemory
from zconsole.analysis.slow_disks.peer_groups import HDD, PeerGroups

TYPICAL_SHARE: Final = 0.75  # of the typical latency: twice as long is no slow disk, five times as long is
LEAST_NS: Final = 10_000.0  # the work of the operating system takes as long
_EVERY: Final = 5  # samples
_LEARNT: Final = 0.2  # share of the latest samples in what is typical


class LatencyOffsets:
    """Offsets of one pool's disks, renewed now and then."""

    def __init__(self) -> None:
        self._layout: PeerGroups | None = None
        self._typical: list[float | None] = []  # ns, of each kind of disks
        self._offsets: Sequence[float] = ()
        self._renewed = 0

    def of(self, layout: PeerGroups, disks: Sequence[DiskMemory], number: int) -> Sequence[float]:
        """The offsets in nanoseconds, one per disk, at this sample."""
        if layout is not self._layout:
            self._layout, self._typical = layout, [None] * len(layout.kin)
            self._renew(layout, disks, number)
        elif number - self._renewed >= _EVERY or None in self._typical:
            self._renew(layout, disks, number)
        return self._offsets

    def _renew(self, layout: PeerGroups, disks: Sequence[DiskMemory], number: int) -> None:
        offsets = list(layout.offsets_ns)
        for kin, members in enumerate(layout.kin):
            if layout.members[members[0]].kind == HDD:
                self._typical[kin] = offsets[members[0]]  # it does not follow
                continue
            now, before = _typical_ns([disks[at] for at in members], number), self._typical[kin]
            if now is not None:
                now = now if before is None else before + _LEARNT * (now - before)
                self._typical[kin] = now
            if (typical := self._typical[kin]) is not None:
                for at in members:
                    offsets[at] = min(offsets[at], max(LEAST_NS, TYPICAL_SHARE * typical))
        self._offsets, self._renewed = offsets, number


def _typical_ns(disks: Sequence[DiskMemory], number: int) -> float | None:
    """Median of the recent latencies; of reads or of writes, whichever take longer."""
    medians: list[float] = []
    for kind in (0, 1):
        known = [recent for disk in disks if (recent := disk.tracks[kind].recent_ns(number)) is not None]
        if known:
            known.sort()
            medians.append(known[(len(known) - 1) // 2])
    return max(medians, default=None)
