"""Disks that are slow for some seconds, again and again: too short for a verdict each time, and no chance.

A second is far when the disk takes twice as long as its peers, or more, beyond what its load and buckets
explain. Far seconds with less than three others between them are one episode. If no disk were different, each
episode would be of any of them with the same probability, so that few of all would be of one (binomial).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.slow_disks.bucket_resolution import can_be_equal
from zconsole.analysis.slow_disks.latency_ratio_upper_bound import Compared
from zconsole.analysis.slow_disks.peer_score import FULL_WEIGHT
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.slow_disk import EpisodicDisk

FAR: Final = 1.0  # doublings
APART: Final = 3  # samples between two episodes
LEAST_EPISODES: Final = 3
RISK: Final = 0.01  # of a watch in which no disk is different, for all its disks together
_PAIR: Final = 2
PERHAPS_RISK: Final = 0.05  # with which it is said to be not sure


@dataclass(slots=True)
class _Seconds:
    compared: int = 0
    last_compared: int = -1
    far: int = 0
    last_far: int = -APART - 1
    starts: list[int] = field(default_factory=list)  # samples
    operations: float = 0.0  # of far seconds, and below their nanoseconds
    own_ns: float = 0.0
    peers_ns: float = 0.0


class SlowEpisodes:
    """Far seconds of the disks of one pool, by keys that outlive changes of the layout."""

    def __init__(self) -> None:
        self._seconds: dict[Hashable, _Seconds] = {}

    def take_in(self, moment: SampleContext, keys: Sequence[Hashable], compared: Iterable[Compared]) -> None:
        """Take in the reads or the writes of one sample."""
        number = moment.number
        for disk, operations, latency, reference in compared:
            found = self._seconds.get(keys[disk])
            if found is None:
                found = self._seconds[keys[disk]] = _Seconds()
            found.compared += number != found.last_compared
            found.last_compared = number
            offset = moment.offsets_ns[disk]
            above = math.log2((latency + offset) / (reference + offset))
            if operations < FULL_WEIGHT or above < FAR or can_be_equal(latency, reference):
                continue
            if above - moment.load(disk) < FAR:
                continue
            if number != found.last_far:
                found.far += 1
                if number - found.last_far > APART:
                    found.starts.append(number)
                found.last_far = number
            found.operations += operations
            found.own_ns += operations * latency
            found.peers_ns += operations * reference

    def known(self, groups: Iterable[Collection[tuple[str, str]]]) -> Iterator[EpisodicDisk]:
        """Those that have more episodes than chance brings; `groups` are the keys of disks that are alike."""
        for group in groups:
            seen = {key: self._seconds[key] for key in group if key in self._seconds}
            total = sum(len(each.starts) for each in seen.values())
            for key, each in seen.items():
                number = len(each.starts)
                if number < LEAST_EPISODES or 2 * each.far > each.compared:
                    continue
                risk = len(seen) * _at_least(number, total, 1 / len(seen))
                if risk <= PERHAPS_RISK:
                    yield _told(key, each, is_sure=risk <= RISK)


def _told(key: tuple[str, str], each: _Seconds, *, is_sure: bool) -> EpisodicDisk:
    vdev, disk = key
    return EpisodicDisk(
        disk,
        vdev,
        len(each.starts),
        each.far,
        each.compared,
        each.own_ns / each.operations,
        each.peers_ns / each.operations,
        (each.starts[-1] - each.starts[0]) / (len(each.starts) - 1),
        each.starts[0],
        is_sure,
    )


def is_beyond_chance(number: int, total: int, disks: int) -> bool:
    """Whether so many of all episodes are of one of the disks in 1 of 100 watches at most by chance."""
    if number < LEAST_EPISODES or disks < _PAIR:
        return False
    return disks * _at_least(number, total, 1 / disks) <= RISK


def _at_least(number: int, of: int, probability: float) -> float:
    """Probability of so many or more."""
    return math.fsum(
        math.comb(of, each) * probability**each * (1 - probability) ** (of - each)
        for each in range(number, of + 1)
    )
