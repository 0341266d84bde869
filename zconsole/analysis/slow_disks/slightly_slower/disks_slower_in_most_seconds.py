"""Disks that are slower than their peers in most seconds, by less than a slow disk is."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.analysis.slow_disks.disk_memory import DiskMemory
from zconsole.analysis.slow_disks.peer_groups import PeerGroups
from zconsole.analysis.slow_disks.peer_score import weight
from zconsole.analysis.slow_disks.sample_comparison import Round
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.analysis.slow_disks.slightly_slower.paired_seconds_evidence import (
    EXCUSED_FROM,
    MARGIN,
    OPENS_AT,
    PairedSeconds,
)
from zconsole.analysis.slow_disks.verdict_from_evidence import LAPSES_S, MOST_PEERS, peers_of
from zconsole.model.pools.slow_disk import READ, WRITE, Comparison, SlightlySlowerDisk

_NAMES = {READS: READ, WRITES: WRITE}


def pair_seconds(
    moment: SampleContext, rounds: Sequence[Round]
) -> tuple[tuple[int, SlightlySlowerDisk], ...]:
    """Pair each disk with its peers in this second, for reads and for writes; after they were compared.

    Returns the disks that were slightly slower until now, by number.
    """
    ended: list[tuple[int, SlightlySlowerDisk]] = []
    for each in rounds:
        if each.medians is not None:
            _pair(moment, each)
    number, latest = moment.number, moment.samples(LAPSES_S)
    for at, state in enumerate(moment.disks):
        paired = state.paired
        if paired is None:
            continue
        if paired.is_gone or at in moment.layout.exempt or number - paired.last > latest:
            if paired.decided is not None:
                told = _told(at, moment.layout, state, paired, paired.decided)
                ended.append((at, replace(told, is_ongoing=False)))
            state.paired = None
        elif paired.decided is None and paired.is_enough:
            paired.decided = number
    return tuple(ended)


def _pair(moment: SampleContext, each: Round) -> None:
    medians, number, kind = each.medians, moment.number, each.kind
    if medians is None:
        return
    disks, offsets, siblings_of, lows = (
        moment.disks,
        moment.offsets_ns,
        moment.layout.siblings_of,
        medians.lows,
    )
    for disk, operations, latency, _ in each.did:
        paired, low = disks[disk].paired, lows.get(siblings_of[disk])
        if paired is None and low is not None and latency <= OPENS_AT * low:
            continue
        reference = medians.reference(disk)
        if not reference or latency <= 0 or (paired is None and latency <= OPENS_AT * reference):
            continue
        if paired is None:
            paired = disks[disk].paired = PairedSeconds(number, moment.at)
        offset = offsets[disk]
        above = math.log2((latency + offset) / (reference + offset)) - MARGIN
        if above > 0 and paired.wealth > EXCUSED_FROM:
            above -= moment.load_beyond_all(disk)
        paired.last_at = moment.at
        paired.add(number, kind, operations, latency, reference)
        paired.bet(kind, above, moment.pace * weight(operations))


def leaning(disks: Sequence[DiskMemory]) -> Iterator[int]:
    """Disks with enough evidence, or nearly enough: half of a kind at once have a common cause."""
    for at, state in enumerate(disks):
        paired = state.paired
        if paired is not None and (paired.decided is not None or paired.leans):
            yield at


def slightly_slower(
    layout: PeerGroups, disks: Sequence[DiskMemory], left_out: Collection[int]
) -> Iterator[SlightlySlowerDisk]:
    """The disks that are slightly slower; `left_out` are those known to be slow, or of which half are."""
    for at, state in enumerate(disks):
        paired = state.paired
        if paired is not None and paired.decided is not None and at not in left_out:
            yield _told(at, layout, state, paired, paired.decided)


def _told(
    at: int, layout: PeerGroups, state: DiskMemory, paired: PairedSeconds, decided: int
) -> SlightlySlowerDisk:
    member = layout.members[at]
    compared = tuple(
        Comparison(
            _NAMES[kind],
            sums.own_ns / sums.operations,
            sums.reference_ns / sums.operations,
            sums.operations,
            sums.comparisons,
            math.log2(paired.wealth),
        )
        for kind, sums in paired.compared()
    )
    return SlightlySlowerDisk(
        disk=member.disk,
        vdev=member.vdev,
        ratio=paired.ratio,
        slower_seconds=paired.slower,
        seconds=paired.seconds,
        first_sample=paired.first,
        decided_sample=decided,
        first_at=paired.first_at,
        last_at=paired.last_at,
        peers=tuple(layout.members[peer].disk for peer in peers_of(at, layout)[:MOST_PEERS]),
        compared=compared,
        is_sure=paired.is_sure,
        joined_sample=state.joined,
    )
