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
    ALONE,
    EXCUSED_FROM,
    MARGIN,
    OPENS_AT,
    PairedSeconds,
)
from zconsole.analysis.slow_disks.verdict_from_evidence import LAPSES_S, MOST_PEERS, peers_of
from zconsole.model.pools.slow_disk import READ, SlightlySlowerDisk


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
        is_known = state.paired is not None and state.paired.decided is not None
        for paired in (state.paired, state.paired_reads):
            if paired is None:
                continue
            if paired.is_gone or at in moment.layout.exempt or number - paired.last > latest:
                if paired.decided is not None and (paired is state.paired or not is_known):
                    told = _told(at, moment.layout, moment.disks, paired, paired.decided)
                    ended.append((at, replace(told, is_ongoing=False)))
                if paired is state.paired:
                    state.paired = None
                else:
                    state.paired_reads = None
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
        state, low = disks[disk], lows.get(siblings_of[disk])
        paired, reads = state.paired, state.paired_reads if kind == READS else None
        is_new = paired is None and reads is None
        if is_new and low is not None and latency <= OPENS_AT * low:
            continue
        reference = medians.reference(disk)
        if not reference or latency <= 0 or (is_new and latency <= OPENS_AT * reference):
            continue
        if latency > OPENS_AT * reference:
            if paired is None:
                paired = state.paired = PairedSeconds(number, moment.at)
            if kind == READS and reads is None and state.tracks[WRITES].samples:
                reads = state.paired_reads = PairedSeconds(number, moment.at, times=ALONE)
        offset, share = offsets[disk], moment.pace * weight(operations)
        above = math.log2((latency + offset) / (reference + offset)) - MARGIN
        excused = 0.0
        if above > 0 and any(one is not None and one.wealth > EXCUSED_FROM for one in (paired, reads)):
            excused = moment.load_beyond_all(disk)
        for one in (paired, reads):
            if one is not None:
                one.last_at = moment.at
                one.add(number, kind, operations, latency, reference)
                one.bet(kind, above - (excused if one.wealth > EXCUSED_FROM else 0.0), share)


def leaning(disks: Sequence[DiskMemory]) -> Iterator[int]:
    """Disks with enough evidence, or nearly enough: half of a kind at once have a common cause."""
    for at, state in enumerate(disks):
        if any(one is not None and (one.decided is not None or one.leans) for one in _of(state)):
            yield at


def slightly_slower(
    layout: PeerGroups, disks: Sequence[DiskMemory], left_out: Collection[int]
) -> Iterator[SlightlySlowerDisk]:
    """The disks that are slightly slower; `left_out` are those known to be slow, or of which half are."""
    for at, state in enumerate(disks):
        if at in left_out:
            continue
        told = next((one for one in _of(state) if one is not None and one.decided is not None), None)
        if told is not None and told.decided is not None:
            yield _told(at, layout, disks, told, told.decided)


def hidden_by_buckets(
    layout: PeerGroups, disks: Sequence[DiskMemory], left_out: Collection[int]
) -> Iterator[SlightlySlowerDisk]:
    """The disks that are slower by nobody knows how much, since both are in one bucket each."""
    for at, state in enumerate(disks):
        paired = state.paired
        if paired is not None and at not in left_out and paired.decided is None and paired.is_hidden:
            yield _told(at, layout, disks, paired, paired.last)


def perhaps_slower(
    layout: PeerGroups, disks: Sequence[DiskMemory], left_out: Collection[int]
) -> Iterator[SlightlySlowerDisk]:
    """The disks that were slower in all of a few seconds with I/O, which are too few to be sure."""
    for at, state in enumerate(disks):
        paired = state.paired
        if paired is not None and at not in left_out and paired.decided is None and paired.is_perhaps:
            yield _told(at, layout, disks, paired, paired.last)


def _of(state: DiskMemory) -> tuple[PairedSeconds | None, PairedSeconds | None]:
    return state.paired, state.paired_reads


def _told(
    at: int, layout: PeerGroups, disks: Sequence[DiskMemory], paired: PairedSeconds, decided: int
) -> SlightlySlowerDisk:
    member, state, compared = layout.members[at], disks[at], paired.comparisons()
    return SlightlySlowerDisk(
        disk=member.disk,
        vdev=member.vdev,
        ratio=paired.ratio_where_slower,
        slower_seconds=paired.slower,
        seconds=paired.seconds,
        first_sample=paired.first,
        decided_sample=decided,
        first_at=paired.first_at,
        last_at=paired.last_at,
        peers=tuple(layout.members[peer].disk for peer in peers_of(at, layout, disks)[:MOST_PEERS]),
        compared=compared,
        is_sure=paired.is_sure,
        joined_sample=state.joined,
        alone=READ
        if state.paired_reads is not None and [each.operation for each in compared] == [READ]
        else "",
        is_within_a_step=paired.is_within_a_step,
    )
