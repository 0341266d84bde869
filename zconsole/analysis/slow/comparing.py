"""One sample's reads, or writes: every disk that had any is held against its peers, and so are vdevs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from zconsole.analysis.slow.alike import compare_vdevs
from zconsole.analysis.slow.compare import (
    FULL_WEIGHT,
    MOST,
    NOTICED,
    Others,
    excess,
    others,
    stands_for,
    weight,
)
from zconsole.analysis.slow.moment import WRITES, Moment
from zconsole.analysis.slow.peers import Layout
from zconsole.analysis.slow.tracks import LEAST_OPERATIONS, Suspicion, Track
from zconsole.zfs.iostat_numbers import queued

STALL_NS: Final = 1e9  # a mean that is this long and
STALL_RATIO: Final = 20.0  # so many times that of the peers is a stall
_FEW: Final = 2  # disks without siblings are too few to be a class
_MEASURED_FROM: Final = 3  # samples of evidence: chance alone brings one or two, and measuring costs time
_MOST_PEERS_MEASURED: Final = 16

Did = tuple[int, float, float, int]  # a disk, its operations, their mean latency, samples since the last


@dataclass(slots=True)
class Medians:
    """What the others take: by group of siblings, by class; each disk's own value; the low of each vdev.

    What takes no longer than the bound of its siblings is not noticeably slower than any of them.
    """

    of_siblings: list[Others | list[float] | None]  # a list, sorted, until the medians are asked for
    of_classes: list[Others | None]
    bounds: list[float | None]
    values: list[float | None]
    lows: dict[int, float] = field(default_factory=dict)

    def reference(self, layout: Layout, disk: int) -> float:
        """What the others take of those that a disk is held against; 0 when that is not known."""
        beside = self._beside(layout.siblings_of[disk])
        alike = self.of_classes[layout.class_of[disk]]
        value, reference = self.values[disk], 0.0
        if beside is not None:
            reference = beside.median if value is None else beside.without(value)
        if alike is not None and (beside is None or alike.size > _FEW):
            # Slow is only what is slower than its siblings and than its class.
            reference = max(reference, alike.median if value is None else alike.without(value))
        return reference

    def _beside(self, group: int) -> Others | None:
        found = self.of_siblings[group]
        if isinstance(found, list):
            found = self.of_siblings[group] = others(found)
        return found


@dataclass(slots=True)
class Round:
    """Reads or writes of one sample. `vdevs` has a track for each group of siblings."""

    moment: Moment
    kind: int  # READS or WRITES
    vdevs: Sequence[Track]
    late: list[tuple[int, float, float]] = field(default_factory=list)  # disk, latency, reference
    _did: list[Did] = field(default_factory=list)
    _sums: dict[int, tuple[float, float]] | None = None

    def compare(self) -> None:
        """Hold each disk against the others, and keep what that says."""
        self._learn()
        if not self._did:
            return
        moment, kind, layout, medians = self.moment, self.kind, self.moment.layout, self._medians()
        disks, numbers, pace, bounds = moment.disks, moment.numbers, moment.pace, medians.bounds
        for did in self._did:
            disk, operations, latency, gap = did
            track, bound = disks[disk].tracks[kind], bounds[layout.siblings_of[disk]]
            share = pace if operations >= FULL_WEIGHT else pace * weight(operations)
            reference = 0.0
            if track.score or bound is None or latency > bound:
                reference = medians.reference(layout, disk)
                if not reference:
                    continue
            track.judged += share
            offset = layout.offsets_ns[disk]
            if reference and (track.score or latency + offset > NOTICED * (reference + offset)):
                self._suspect(track, did, reference, share * stands_for(operations, gap))
            elif kind == WRITES:
                seen = numbers[disk]
                track.healthy_bytes += 0.0 if seen is None else seen.write_bytes
                track.healthy_samples += 1
        compare_vdevs(moment, self.vdevs, medians.lows)

    def note(self, suspicion: Suspicion, did: Did, reference: float, share: float) -> None:
        """Keep the numbers that speak against a disk, and what the others did meanwhile."""
        disk, operations, latency, _ = did
        own, spent = self.moment.numbers[disk], operations * latency
        suspicion.weight += share
        suspicion.operations += operations
        suspicion.own_ns += spent
        suspicion.reference_ns += operations * reference
        if own is not None and self.kind == WRITES:
            suspicion.sync_weight += share * own.is_sync
            suspicion.bytes += own.write_bytes
        if suspicion.samples >= _MEASURED_FROM:
            self._note_vdevs(suspicion, did)
            self._measure(suspicion, disk)

    def _learn(self) -> None:
        moment, kind, seconds = self.moment, self.kind, self.moment.interval_s
        left_out, number, did = moment.left_out, moment.number, self._did
        for disk, (state, seen) in enumerate(zip(moment.disks, moment.numbers, strict=True)):
            if seen is None or (left_out and disk in left_out):
                continue
            latency = seen.write_ns if kind == WRITES else seen.read_ns
            if latency is None:
                continue
            rate, size = (seen.writes, seen.write_bytes) if kind == WRITES else (seen.reads, seen.read_bytes)
            operations = rate * seconds or 1.0  # one in a little over the interval is printed as 0
            track = state.tracks[kind]
            # After a pause with work to do, what comes then is no burst.
            did.append((disk, operations, latency, 1 if state.silent else number - track.last_sample))
            track.learn(number, operations, latency, size * seconds)

    def _medians(self) -> Medians:
        moment, kind, layout = self.moment, self.kind, self.moment.layout
        number, left_out = moment.number, moment.left_out
        values: list[float | None] = [None] * len(layout.members)
        for disk, operations, latency, _ in self._did:
            if operations >= LEAST_OPERATIONS:
                values[disk] = latency
        for disk, value in enumerate(values):
            if value is None and disk not in left_out:
                values[disk] = moment.disks[disk].tracks[kind].recent_ns(number)
        groups = len(layout.siblings)
        found = Medians([None] * groups, [None] * len(layout.classes), [None] * groups, values)
        for at in {layout.siblings_of[did[0]] for did in self._did}:
            group = layout.siblings[at]
            if len(group) > 1:
                known = [value for disk in group if (value := values[disk]) is not None]
                if len(known) > 1:
                    known.sort()
                    found.of_siblings[at] = known
                    found.lows[at] = known[(len(known) - 1) // 2]
                    offset = layout.offsets_ns[group[0]]
                    found.bounds[at] = NOTICED * (known[0] + offset) - offset
        for at in {layout.class_of[did[0]] for did in self._did}:
            if not layout.is_one_vdev[at]:
                found.of_classes[at] = others(
                    [value for disk in layout.classes[at] if (value := values[disk]) is not None]
                )
        return found

    def _suspect(self, track: Track, did: Did, reference: float, share: float) -> None:
        """Count what speaks against a disk, or what speaks for it again."""
        disk, _, latency, _ = did
        moment = self.moment
        above = excess(latency, reference, moment.layout.offsets_ns[disk])
        if above > 0:
            above -= moment.load(disk)
        suspicion = track.add(moment.number, moment.at, share * max(-MOST, min(MOST, above)))
        if suspicion is not None:
            self.note(suspicion, did, reference, share)
        if latency >= STALL_NS and latency >= STALL_RATIO * reference:
            self.late.append((disk, latency, reference))

    def _note_vdevs(self, suspicion: Suspicion, did: Did) -> None:
        """Note what the other disks of its vdev did, and those of the other vdevs that do the same work."""
        disk, operations, latency, _ = did
        layout = self.moment.layout
        if self._sums is None:
            self._sums = {}
            for each, number, took, _ in self._did:
                vdev = layout.vdev_of[each]
                had, spent = self._sums.get(vdev, (0.0, 0.0))
                self._sums[vdev] = (had + number, spent + number * took)
        suspicion.noted_operations += operations
        own_vdev, role = layout.vdev_of[disk], layout.members[disk].role
        for vdev, (number, spent) in self._sums.items():
            if vdev == own_vdev:
                suspicion.others_operations += max(0.0, number - operations)
                suspicion.others_ns += max(0.0, spent - operations * latency)
            elif layout.members[layout.vdevs[vdev][0]].role == role:
                suspicion.pool_operations += number
                suspicion.pool_ns += spent

    def _measure(self, suspicion: Suspicion, disk: int) -> None:
        """Note how busy the disk was, and how much was queued, beside its peers."""
        moment = self.moment
        peers = moment.peers(disk)[:_MOST_PEERS_MEASURED]
        rows, busy, places = moment.sample.rows, moment.sample.busy, moment.layout.places
        if not peers:
            return
        suspicion.measured += 1
        suspicion.queued += queued(rows[places[disk]])
        suspicion.peers_queued += sum(queued(rows[places[peer]]) for peer in peers) / len(peers)
        known = [value for peer in peers if (value := _at(busy, places[peer])) is not None]
        own = _at(busy, places[disk])
        if own is not None and known:
            suspicion.busy += own
            suspicion.peers_busy += sum(known) / len(known)
            suspicion.busy_samples += 1


def _at(busy: Sequence[float | None], place: int) -> float | None:
    return busy[place] if place < len(busy) else None
