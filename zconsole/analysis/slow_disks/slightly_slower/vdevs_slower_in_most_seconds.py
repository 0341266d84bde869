"""Whole vdevs that are slower than vdevs like them in most seconds, by less than a slow vdev is."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import Final

from zconsole.analysis.slow_disks.load.load_in_a_queue import queueing
from zconsole.analysis.slow_disks.peer_score import FEW_OPERATIONS, others, weight
from zconsole.analysis.slow_disks.sample_comparison import Round
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.analysis.slow_disks.slightly_slower.paired_seconds_evidence import (
    EXCUSED_FROM,
    MARGIN,
    OPENS_AT,
    PairedSeconds,
)
from zconsole.model.pools.slow_disk import SlightlySlowerDisk

_PAIR: Final = 2


class PairedVdevs:
    """The vdevs of one pool, paired second by second with those of their shape, width and kind of disk."""

    def __init__(self) -> None:
        self._paired: dict[Hashable, PairedSeconds] = {}
        self._peers: dict[Hashable, tuple[str, ...]] = {}

    def take_in(self, moment: SampleContext, rounds: Sequence[Round]) -> None:
        """Pair the vdevs of one sample."""
        for each in rounds:
            if each.medians is not None:
                self._pair(moment, each, each.medians.lows, _operations(each))
        for key, paired in list(self._paired.items()):
            if paired.is_gone:
                del self._paired[key]
            elif paired.decided is None and paired.is_enough:
                paired.decided = moment.number

    def known(self, left_out: Collection[str]) -> Iterator[SlightlySlowerDisk]:
        """The vdevs that are slightly slower as a whole, unless half of those alike are."""
        for key, paired in self._paired.items():
            peers = self._peers[key]
            lean = sum(1 for other, one in self._paired.items() if one.leans and self._name(other) in peers)
            if paired.decided is None or self._name(key) in left_out:
                continue
            if lean and _PAIR * (lean + 1) >= len(peers) + 1:
                continue
            yield _told(self._name(key), paired, paired.decided, peers)

    @staticmethod
    def _name(key: Hashable) -> str:
        return str(key[1]) if isinstance(key, tuple) else str(key)

    def _pair(
        self, moment: SampleContext, each: Round, lows: dict[int, float], operations: dict[int, float]
    ) -> None:
        layout = moment.layout
        for vdevs in _alike(moment, lows):
            medians = others([lows[at] for at in vdevs])
            if medians is None:
                continue
            for at in vdevs:
                key, reference = layout.sibling_keys[at], medians.without(lows[at])
                paired = self._paired.get(key)
                if paired is None:
                    if lows[at] <= OPENS_AT * reference:
                        continue
                    paired = self._paired[key] = PairedSeconds(moment.number, moment.at)
                names = (layout.members[layout.siblings[other][0]].vdev for other in vdevs if other != at)
                self._peers[key] = tuple(names)
                most = max(operations[other] for other in vdevs if other != at)
                more = math.log2((operations[at] + FEW_OPERATIONS) / (most + FEW_OPERATIONS))
                offset = moment.offsets_ns[layout.siblings[at][0]]
                above = math.log2((lows[at] + offset) / (reference + offset)) - MARGIN
                if above > 0 and paired.wealth > EXCUSED_FROM:
                    loads = {other: moment.load_of_all(layout.siblings[other]) for other in vdevs}
                    more = max(more, queueing(loads.pop(at), [*loads.values()]))
                share = moment.pace * weight(operations[at] / len(layout.siblings[at]))
                paired.last_at = moment.at
                paired.add(moment.number, each.kind, operations[at], lows[at], reference)
                paired.bet(each.kind, above - max(0.0, more if above > 0 else 0.0), share)


def _alike(moment: SampleContext, vdevs: Collection[int]) -> Collection[list[int]]:
    layout = moment.layout
    found: dict[Hashable, list[int]] = {}
    for at in vdevs:
        group = layout.siblings[at]
        key = (layout.class_of[group[0]], layout.members[group[0]].shape, len(group))
        found.setdefault(key, []).append(at)
    return found.values()


def _operations(each: Round) -> dict[int, float]:
    siblings_of = each.moment.layout.siblings_of
    did: dict[int, float] = {}
    for disk, operations, _, _ in each.did:
        did[siblings_of[disk]] = did.get(siblings_of[disk], 0.0) + operations
    return did


def _told(name: str, paired: PairedSeconds, decided: int, peers: tuple[str, ...]) -> SlightlySlowerDisk:
    return SlightlySlowerDisk(
        disk=name,
        vdev=name,
        ratio=paired.ratio_where_slower,
        slower_seconds=paired.slower,
        seconds=paired.seconds,
        first_sample=paired.first,
        decided_sample=decided,
        first_at=paired.first_at,
        last_at=paired.last_at,
        peers=peers,
        compared=paired.comparisons(),
        is_sure=paired.is_sure,
        is_within_a_step=paired.is_within_a_step,
        is_vdev=True,
    )
