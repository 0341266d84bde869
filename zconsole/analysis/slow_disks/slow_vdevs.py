"""Whole vdevs that are slower than others: caused by something their disks share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from zconsole.analysis.slow_disks.accumulated_evidence import Track
from zconsole.analysis.slow_disks.bucket_resolution import can_be_equal
from zconsole.analysis.slow_disks.load.load_in_a_queue import queueing
from zconsole.analysis.slow_disks.peer_score import (
    FEW_BYTES,
    FEW_OPERATIONS,
    MOST,
    NOTICED,
    MedianOfOthers,
    discount,
    excess,
    others,
)
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext


def compare_vdevs(moment: SampleContext, tracks: Sequence[Track], lows: Mapping[int, float]) -> None:
    """Compare the vdevs of a class; `lows` is the latency of the faster half of their disks.

    Vdevs are numbered as `PeerGroups.siblings`, and `tracks` has one for each.
    """
    layout = moment.layout
    for vdevs in of_classes(moment, lows):
        medians = others([lows[at] for at in vdevs])
        if medians is None:
            continue
        load = _Load(moment, vdevs)
        for at in vdevs:
            track, reference = tracks[at], medians.without(lows[at])
            offset = moment.offsets_ns[layout.siblings[at][0]]
            if not track.score and lows[at] + offset <= NOTICED * (reference + offset):
                continue
            above = excess(lows[at], reference, offset)
            if above > 0:
                above = 0.0 if can_be_equal(lows[at], reference) else above - load.of(at)
            suspicion = track.add(moment.number, moment.at, moment.pace * max(-MOST, min(MOST, above)))
            if suspicion is not None:
                suspicion.operations += 1
                suspicion.own_ns += lows[at]
                suspicion.reference_ns += reference


def of_classes(moment: SampleContext, vdevs: Mapping[int, float]) -> Collection[list[int]]:
    """Those of the vdevs that are like each other."""
    classes: dict[int, list[int]] = {}
    class_of, siblings = moment.layout.class_of, moment.layout.siblings
    for at in vdevs:
        classes.setdefault(class_of[siblings[at][0]], []).append(at)
    return classes.values()


class _Load:
    """Recent load of the vdevs of a class, disk by disk, on demand."""

    def __init__(self, moment: SampleContext, vdevs: Sequence[int]) -> None:
        self._moment, self._vdevs = moment, vdevs
        self._carried: dict[int, tuple[float, float]] = {}
        self._medians: tuple[MedianOfOthers | None, MedianOfOthers | None] = (None, None)

    def of(self, vdev: int) -> float:
        """Doublings of latency explained by load beyond the other vdevs'."""
        if not self._carried:
            self._carried = {at: self._of_a_disk(at) for at in self._vdevs}
            operations, size = ([each[which] for each in self._carried.values()] for which in (0, 1))
            self._medians = (others(operations), others(size))
        own = zip(self._carried[vdev], self._medians, (FEW_OPERATIONS, FEW_BYTES), strict=True)
        far = max(0.0 if of is None else discount(one, of.without(one), few) for one, of, few in own)
        load_of, siblings = self._moment.load_of_all, self._moment.layout.siblings
        beside = [load_of(siblings[at]) for at in self._vdevs if at != vdev]
        return max(far, queueing(load_of(siblings[vdev]), beside))

    def _of_a_disk(self, vdev: int) -> tuple[float, float]:
        disks = self._moment.layout.siblings[vdev]
        did = [self._moment.disks[disk].carried(self._moment.number) for disk in disks]
        return sum(each[0] for each in did) / len(disks), sum(each[1] for each in did) / len(disks)
