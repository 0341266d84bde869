"""Comparison of all disks and vdevs in one sample, for reads or writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import LEAST_OPERATIONS, WRITES, Suspicion, Track
from zconsole.analysis.slow_disks.bucket_resolution import BucketSpread, can_be_equal
from zconsole.analysis.slow_disks.peer_groups import PeerGroups
from zconsole.analysis.slow_disks.peer_score import (
    FULL_WEIGHT,
    MOST,
    NOTICED,
    MedianOfOthers,
    excess,
    others,
    stands_for,
    weight,
)
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.analysis.slow_disks.slow_vdevs import compare_vdevs, of_classes
from zconsole.base.lazy_dataclass import dataclass
from zconsole.zfs.iostat.read_disk_performance_as_columns import queued

STALL_NS: Final = 1e9  # minimum mean of a stall, and
STALL_RATIO: Final = 20.0  # its minimum ratio to the peers
_FEW: Final = 2  # disks without siblings that are too few to be a class
_MEASURED_FROM: Final = 3  # samples of evidence: chance brings one or two, and measuring costs time
_MOST_PEERS_MEASURED: Final = 16

Did = tuple[int, float, float, int]  # disk, operations, mean latency, samples since the last


@dataclass(slots=True)
class Medians:
    """Medians of the others: by sibling group and class; each disk's value; the low of each vdev.

    A latency below the bound of its siblings is not noticeably slower than any of them. Most medians are
    never needed and are computed on demand.
    """

    layout: PeerGroups
    values: list[float | None]
    bounds: list[float | None]  # by sibling group
    lows: dict[int, float] = field(default_factory=dict)
    _beside: dict[int, MedianOfOthers | None] = field(default_factory=dict)
    _alike: dict[int, MedianOfOthers | None] = field(default_factory=dict)

    def reference(self, disk: int) -> float:
        """Latency of a disk's peers; 0 when unknown."""
        layout = self.layout
        group, kind = layout.siblings_of[disk], layout.class_of[disk]
        if group not in self._beside:
            self._beside[group] = self._others(layout.siblings[group])
        if kind not in self._alike:
            self._alike[kind] = None if layout.is_one_vdev[kind] else self._others(layout.classes[kind])
        beside, alike, value, reference = self._beside[group], self._alike[kind], self.values[disk], 0.0
        if beside is not None:
            reference = beside.median if value is None else beside.without(value)
        if alike is not None and (beside is None or alike.size > _FEW):
            # Slow means slower than both its siblings and its class.
            reference = max(reference, alike.median if value is None else alike.without(value))
        return reference

    def _others(self, disks: Sequence[int]) -> MedianOfOthers | None:
        return others([value for disk in disks if (value := self.values[disk]) is not None])


@dataclass(slots=True)
class Round:
    """Reads or writes of one sample. `vdevs` has a track per sibling group."""

    moment: SampleContext
    kind: int  # READS or WRITES
    vdevs: Sequence[Track]
    late: list[tuple[int, float, float]] = field(default_factory=list)  # disk, latency, reference
    did: list[Did] = field(default_factory=list)
    medians: Medians | None = None  # after `compare`, if there was any I/O
    _by_vdev: dict[int, list[Did]] | None = None
    _sums: dict[int, tuple[float, float]] = field(default_factory=dict)  # operations and nanoseconds

    def compare(self) -> None:
        """Compare each disk with the others, and record the evidence."""
        self._learn()
        if not self.did:
            return
        self.medians = medians = self._medians()
        moment, kind, layout = self.moment, self.kind, self.moment.layout
        pace, bounds, siblings_of, written = (
            moment.pace,
            medians.bounds,
            layout.siblings_of,
            moment.work.write_bytes,
        )
        for did in self.did:
            disk, operations, latency, gap = did
            track, bound = moment.disks[disk].tracks[kind], bounds[siblings_of[disk]]
            share = pace if operations >= FULL_WEIGHT else pace * weight(operations)
            if track.score or bound is None or latency > bound:
                reference = medians.reference(disk)
                if not reference:
                    continue
                offset = moment.offsets_ns[disk]
                if track.score or latency + offset > NOTICED * (reference + offset):
                    track.judged += share
                    self._suspect(track, did, reference, share * stands_for(operations, gap))
                    continue
            track.judged += share
            if kind == WRITES:
                track.healthy_bytes += written[disk]
                track.healthy_samples += 1
        compare_vdevs(moment, self.vdevs, medians.lows)

    def compared(self) -> Iterator[tuple[int, float, float, float]]:
        """Every disk with peers: its operations, its latency and theirs; after `compare`."""
        if self.medians is None:
            return
        for disk, operations, latency, _ in self.did:
            if reference := self.medians.reference(disk):
                yield disk, operations, latency, reference

    def compared_vdevs(self) -> Iterator[tuple[int, float, float, float]]:
        """Every vdev of a class with others: operations, latency of its faster half, and of the others'."""
        if self.medians is None:
            return
        layout, lows = self.moment.layout, self.medians.lows
        did: dict[int, float] = {}
        for disk, operations, _, _ in self.did:
            group = layout.siblings_of[disk]
            did[group] = did.get(group, 0.0) + operations
        for vdevs in of_classes(self.moment, lows):
            medians = others([lows[at] for at in vdevs])
            if medians is not None:
                yield from ((at, did[at], lows[at], medians.without(lows[at])) for at in vdevs)

    def note(self, suspicion: Suspicion, did: Did, reference: float, share: float) -> None:
        """Record the numbers against a disk, and the concurrent work of the others."""
        disk, operations, latency, _ = did
        work, spent = self.moment.work, operations * latency
        suspicion.weight += share
        suspicion.timed += 1
        suspicion.spread.add(operations, latency)
        for peer in self.moment.peers(disk)[:_MOST_PEERS_MEASURED]:
            took = (work.write_ns if self.kind == WRITES else work.read_ns)[peer]
            rate = (work.writes if self.kind == WRITES else work.reads)[peer]
            if took is not None:
                key = self.moment.layout.members[peer].key
                spread = suspicion.peers_spread.get(key)
                if spread is None:
                    spread = suspicion.peers_spread[key] = BucketSpread()
                spread.add(rate * self.moment.interval_s or 1.0, took)
        suspicion.operations += operations
        suspicion.own_ns += spent
        suspicion.reference_ns += operations * reference
        if self.kind == WRITES:
            suspicion.sync_weight += share * work.is_sync(disk)
            suspicion.bytes += work.write_bytes[disk]
        if suspicion.samples >= _MEASURED_FROM:
            self._note_vdevs(suspicion, did)
            self._measure(suspicion, disk)

    def note_unanswered(self, suspicion: Suspicion, disk: int, share: float) -> None:
        """Record a sample in which a disk completed none of its I/O: there is no latency of it."""
        suspicion.unanswered += 1
        suspicion.weight += share
        self._measure(suspicion, disk)

    def _learn(self) -> None:
        """Add each disk's work, unless excluded."""
        moment, kind, seconds, work = self.moment, self.kind, self.moment.interval_s, self.moment.work
        left_out, number, did = moment.left_out, moment.number, self.did
        if kind == WRITES:
            columns = zip(moment.disks, work.write_ns, work.writes, work.write_bytes, strict=True)
        else:
            columns = zip(moment.disks, work.read_ns, work.reads, work.read_bytes, strict=True)
        for disk, (state, latency, rate, size) in enumerate(columns):
            if latency is None or disk in left_out:
                continue
            # one that takes slightly longer than the interval is printed as 0
            operations = rate * seconds or 1.0
            track = state.tracks[kind]
            # After a stall the following operations are not a burst.
            did.append((disk, operations, latency, 1 if state.silent else number - track.last_sample))
            track.learn(number, operations, latency, size * seconds)

    def _medians(self) -> Medians:
        moment, kind, layout = self.moment, self.kind, self.moment.layout
        values: list[float | None] = [None] * len(layout.members)
        for disk, operations, latency, _ in self.did:
            if operations >= LEAST_OPERATIONS:
                values[disk] = latency
        if None in values:
            for disk, value in enumerate(values):
                if value is None and disk not in moment.left_out:
                    values[disk] = moment.disks[disk].tracks[kind].recent_ns(moment.number)
        found = Medians(layout, values, [None] * len(layout.siblings))
        for at in {layout.siblings_of[did[0]] for did in self.did}:
            group = layout.siblings[at]
            if len(group) > 1:
                known = [value for disk in group if (value := values[disk]) is not None]
                if len(known) > 1:
                    known.sort()
                    found.lows[at] = known[(len(known) - 1) // 2]
                    offset = moment.offsets_ns[group[0]]
                    found.bounds[at] = NOTICED * (known[0] + offset) - offset
        return found

    def _suspect(self, track: Track, did: Did, reference: float, share: float) -> None:
        """Count evidence for or against a disk."""
        disk, _, latency, _ = did
        moment = self.moment
        above = excess(latency, reference, moment.offsets_ns[disk])
        is_hidden = above > 0 and can_be_equal(latency, reference)  # no evidence, and not against it
        if above > 0:
            above = 0.0 if is_hidden else above - moment.load(disk)
        suspicion = track.add(moment.number, moment.at, share * max(-MOST, min(MOST, above)))
        if suspicion is not None:
            self.note(suspicion, did, reference, share)
        elif is_hidden and track.suspicion is not None:
            track.suspicion.weight += share  # as slow as before, for all that is known
        if latency >= STALL_NS and latency >= STALL_RATIO * reference:
            self.late.append((disk, latency, reference))

    def _note_vdevs(self, suspicion: Suspicion, did: Did) -> None:
        """Record the work of the other disks of its vdev, and of equivalent vdevs."""
        disk, operations, _, _ = did
        layout = self.moment.layout
        if self._by_vdev is None:
            self._by_vdev = {}
            for each in self.did:
                vdev = layout.vdev_of[each[0]]
                had, spent = self._sums.get(vdev, (0.0, 0.0))
                self._sums[vdev] = (had + each[1], spent + each[1] * each[2])
                self._by_vdev.setdefault(vdev, []).append(each)
        suspicion.noted_operations += operations
        own_vdev, role = layout.vdev_of[disk], layout.members[disk].role
        for other, number, took, _ in self._by_vdev.get(own_vdev, ()):
            if other != disk:
                had, spent = suspicion.others.get(layout.members[other].key, (0.0, 0.0))
                suspicion.others[layout.members[other].key] = (had + number, spent + number * took)
        for vdev, (number, spent) in self._sums.items():
            if vdev != own_vdev and layout.members[layout.vdevs[vdev][0]].role == role:
                suspicion.pool_operations += number
                suspicion.pool_ns += spent

    def _measure(self, suspicion: Suspicion, disk: int) -> None:
        """Record utilisation and queue length of the disk and its peers."""
        moment = self.moment
        peers = moment.peers(disk)[:_MOST_PEERS_MEASURED]
        rows, busy, places = moment.sample.rows, moment.sample.busy, moment.layout.places
        if not peers:
            return
        did = self._rates(peers, disk)
        suspicion.did_samples += 1
        suspicion.did += did[0]
        suspicion.peers_did += did[1]
        suspicion.measured += moment.work.has_queues
        suspicion.queued += queued(rows[places[disk]])
        suspicion.peers_queued += sum(queued(rows[places[peer]]) for peer in peers) / len(peers)
        known = [value for peer in peers if (value := _at(busy, places[peer])) is not None]
        own = _at(busy, places[disk])
        if own is not None and known:
            suspicion.busy += own
            suspicion.peers_busy += sum(known) / len(known)
            suspicion.busy_samples += 1

    def _rates(self, peers: Sequence[int], disk: int) -> tuple[float, float]:
        """Operations per second of a disk, and of its peers in the mean."""
        work = self.moment.work
        beside = sum(work.reads[peer] + work.writes[peer] for peer in peers) / len(peers)
        return work.reads[disk] + work.writes[disk], beside


def _at(busy: Sequence[float | None], place: int) -> float | None:
    return busy[place] if place < len(busy) else None
