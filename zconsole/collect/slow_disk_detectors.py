"""Detectors of slow disks, one per pool, fed with samples.

With many hosts, samples are judged in batches while no disk is slow, which is much cheaper by CPU cache
effects. The results are the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Final

from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout, layout_of
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.histograms import HistogramSample
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.slow_disk import Judgement

QUIET_SAMPLES: Final = 5  # samples per judgement while no disk is slow
LONGEST_WAIT_S: Final = 5.0  # maximum delay of a sample's judgement
GAP_INTERVALS: Final = 3.0  # distance of two samples from which samples count as missing


@dataclass(slots=True)
class _Watched:
    """Detector of one pool with its state."""

    detector: Detector
    guid: int | None = None
    key: Hashable = None  # layout of the detector
    last_at: float | None = None
    known: Judgement | None = None
    since: int = 0  # samples since `known`
    is_quiet: bool = False  # no disk is slow
    waiting: list[IoSample] = field(default_factory=list)
    heard: HistogramSample | None = None  # latest histogram


class Verdicts:
    """Detectors of slow disks by pool."""

    def __init__(self, interval_s: float, *, is_patient: bool = False) -> None:
        """With `is_patient`, for one host among many, samples are judged in batches."""
        self._interval_s = interval_s
        self._together = min(QUIET_SAMPLES, int(LONGEST_WAIT_S / interval_s)) if is_patient else 1
        self._watched: dict[str, _Watched] = {}

    def describe(self, pools: Sequence[Pool], inventory: Inventory) -> None:
        """Set the topology. Another pool with the same name gets a new detector."""
        for pool in pools:
            watched = self._watched.get(pool.name)
            if watched is None or (watched.guid is not None and watched.guid != pool.guid):
                watched = self._watched[pool.name] = self._new()
            watched.guid = pool.guid
            key = (_layout_key(pool), inventory)
            if key != watched.key:
                watched.key = key
                self._judge_waiting(watched)
                watched.detector.rearrange(partial(layout_of, pool, inventory))

    def hear(self, pools: Sequence[PoolState]) -> None:
        """Process the latest latencies of displayed pools."""
        for pool in pools:
            watched = self._watched.get(pool.name)
            if watched is not None and pool.latencies.value:
                self._hear(watched, pool.latencies.value)

    def _hear(self, watched: _Watched, histograms: Sequence[HistogramSample]) -> None:
        if histograms[-1] is watched.heard:
            return
        places = [at for at, each in enumerate(histograms) if each is watched.heard]
        self._judge_waiting(watched)
        for each in histograms[places[0] + 1 if places else 0 :]:
            watched.detector.hear(each)
        watched.heard = histograms[-1]

    def feed(self, samples: Sequence[IoSample]) -> Mapping[str, Judgement]:
        """Process samples; returns the present judgement of their pools."""
        return {sample.pool: self._feed(sample) for sample in samples}

    def _feed(self, sample: IoSample) -> Judgement:
        watched = self._watched.get(sample.pool)
        if watched is None:
            watched = self._watched[sample.pool] = self._new()
        watched.waiting.append(sample)
        if watched.known is None or not watched.is_quiet or len(watched.waiting) >= self._together:
            self._judge_waiting(watched)
        return watched.known or watched.detector.judgement()

    def _judge_waiting(self, watched: _Watched) -> None:
        waiting, watched.waiting = watched.waiting, []
        for sample in waiting:
            self._judge(watched, sample)

    def _judge(self, watched: _Watched, sample: IoSample) -> None:
        number, before = None, watched.last_at
        if before is not None and sample.at - before > GAP_INTERVALS * max(1.0, self._interval_s):
            lacking = round((sample.at - before) / self._interval_s)
            number = watched.detector.judgement().samples + lacking - 1
        watched.last_at = sample.at
        ongoing, known = watched.detector.feed(sample, number), watched.known
        watched.since += 1
        if known is None or ongoing or watched.since >= QUIET_SAMPLES or _names_any(known):
            watched.known = known = watched.detector.judgement()
            watched.since = 0
        watched.is_quiet = not ongoing and not _names_any(known)

    def _new(self) -> _Watched:
        return _Watched(Detector(inferred_layout, self._interval_s))


def _names_any(judgement: Judgement) -> bool:
    return any(verdict.is_ongoing for verdict in judgement.verdicts)


def _layout_key(pool: Pool) -> Hashable:
    """Parts of a status that decide which disks are compared."""
    return tuple(
        (
            vdev.name,
            vdev.type,
            vdev.vdev_class,
            vdev.state,
            vdev.path,
            vdev.is_resilvering,
            tuple((each.kind, each.state) for each in vdev.activities),
            len(vdev.children),
        )
        for vdev in pool.walk()
    )
