"""Context of one sample: peers, load, and the disks that it leaves out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.slow_disks.disk_memory import DiskMemory
from zconsole.analysis.slow_disks.load.load_in_a_queue import DiskLoad, expected_queueing, queueing
from zconsole.analysis.slow_disks.peer_groups import PeerGroups
from zconsole.analysis.slow_disks.peer_score import (
    FEW_BYTES,
    FEW_OPERATIONS,
    MedianOfOthers,
    discount,
    others,
)
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.iostat import IoSample
from zconsole.zfs.iostat.read_disk_performance_as_columns import Work, work

ASLEEP_S: Final = 60.0  # idle time after which a disk may have spun down
WAKING_S: Final = 15.0  # time it may then take to answer
_WAKING_SAMPLES: Final = 2  # samples with answers: the first, and those delayed behind it
IS_WRITTEN: Final = "a resilver or rebuild writes it and reads the others"
IS_READ: Final = "a resilver reads it, and not those that it could be compared with"
IS_TRIMMED: Final = "it was trimmed, and most of its peers were not"
WAKES_UP: Final = "its first I/O after a minute without any"


@dataclass(slots=True)
class SampleContext:
    """One sample. `left_out` are disks excluded from judgement and comparison."""

    number: int
    sample: IoSample
    layout: PeerGroups
    disks: Sequence[DiskMemory]
    interval_s: float
    offsets_ns: Sequence[float]  # per member: latency differences far below it do not count
    work: Work = field(init=False)
    _carried: dict[tuple[int, ...], tuple[MedianOfOthers | None, MedianOfOthers | None]] = field(
        default_factory=dict
    )
    left_out: set[int] = field(init=False)
    waking: set[int] = field(default_factory=set)  # of these, those that may be spinning up
    pace: float = field(init=False)  # weight of the sample: at most a second's worth of evidence

    def __post_init__(self) -> None:
        self.pace = min(1.0, self.interval_s)
        self.work = work(self.sample.rows, self.layout.places)
        self.left_out = set(self.layout.exempt)
        self._let_wake()
        self._leave_out_at_work()

    @property
    def at(self) -> float:
        """Epoch seconds."""
        return self.sample.at

    def samples(self, seconds: float) -> float:
        """Number of samples in this many seconds."""
        return seconds / self.interval_s

    def peers(self, disk: int) -> list[int]:
        """Primary peers of a disk: its vdev, or else its class."""
        return [peer for peer in self._beside(disk) if peer != disk and peer not in self.left_out]

    def load(self, disk: int) -> float:
        """Doublings of latency explained by recent load beyond the peers'.

        Not of this sample alone: a slow disk is still busy when the others have finished.
        """
        beside = self._beside(disk)
        medians = self._carried.get(beside)
        if medians is None:
            did = [self.disks[peer].carried(self.number) for peer in beside if peer not in self.left_out]
            operations, size = ([each[at] for each in did] for at in (0, 1))
            medians = self._carried[beside] = (others(operations), others(size))
        most = 0.0
        for own, of_peers, few in zip(
            self.disks[disk].carried(self.number), medians, (FEW_OPERATIONS, FEW_BYTES), strict=True
        ):
            if of_peers is not None:
                most = max(most, discount(own, of_peers.without(own), few))
        return max(most, self.queueing(disk))

    def load_of(self, disk: int) -> DiskLoad:
        """Recent operations of a disk, and how many are at it at a time."""
        state = self.disks[disk]
        return DiskLoad(state.carried(self.number)[0], state.outstanding(self.number, self.interval_s))

    def load_of_all(self, disks: Sequence[int]) -> DiskLoad:
        """The same of some disks, in the mean."""
        each = [self.load_of(disk) for disk in disks]
        operations, outstanding = (math.fsum(one[which] for one in each) for which in (0, 1))
        return DiskLoad(operations / len(disks), outstanding / len(disks))

    def queueing(self, disk: int) -> float:
        """Doublings of latency that more operations than those of the peers explain by their queue."""
        return queueing(self.load_of(disk), [self.load_of(peer) for peer in self.peers(disk)])

    def load_beyond_all(self, disk: int) -> float:
        """Doublings of latency explained by recent load beyond that of the peer with the largest load.

        A peer that does as much in less time shows that the load is not the cause.
        """
        own, peers = self.disks[disk].carried(self.number), self.peers(disk)
        if not peers:
            return 0.0
        did = [self.disks[peer].carried(self.number) for peer in peers]
        beside = [self.load_of(peer) for peer in peers]
        return max(
            expected_queueing(self.load_of(disk), beside),
            *(
                math.log2((own[at] + few) / (max(each[at] for each in did) + few))
                for at, few in enumerate((FEW_OPERATIONS, FEW_BYTES))
            ),
        )

    def _beside(self, disk: int) -> tuple[int, ...]:
        layout = self.layout
        siblings = layout.siblings[layout.siblings_of[disk]]
        has_any = any(peer != disk and peer not in self.left_out for peer in siblings)
        return siblings if has_any else layout.classes[layout.class_of[disk]]

    def _let_wake(self) -> None:
        """Exclude disks that spin up after idling."""
        asleep, longest = self.samples(ASLEEP_S), self.samples(WAKING_S)
        number, work = self.number, self.work
        for at, disk in enumerate(self.disks):
            if at in work.idle:
                continue
            if number - disk.seen > asleep:
                disk.waking, disk.woke = _WAKING_SAMPLES, number
            disk.seen = number
            if disk.waking:
                if number - disk.woke > longest:
                    disk.waking = 0
                    continue
                self._leave_out(at, WAKES_UP)
                self.waking.add(at)
                disk.waking -= work.has_completed(at)

    def _leave_out(self, at: int, why: str) -> None:
        """Exclude a disk, whatever it does; what it did is known all the same."""
        self.left_out.add(at)
        if at not in self.work.idle:
            self.disks[at].let_pass(self.number, why)

    def _leave_out_at_work(self) -> None:
        """Exclude disks with special work: TRIM, or the target of a resilver or rebuild."""
        work, layout = self.work, self.layout
        for at in sorted(work.trimming):
            if self._trims_alone(at):
                self._leave_out(at, IS_TRIMMED)
        for vdev in {layout.vdev_of[at] for at in work.scrubbing}:
            self._leave_out_targets(layout.vdevs[vdev])
        for vdev in {layout.vdev_of[at] for at in work.rebuilding}:
            self._leave_out_rebuilt(layout.vdevs[vdev])

    def _trims_alone(self, disk: int) -> bool:
        peers = self.peers(disk)
        return not peers or 2 * len(self.work.trimming.intersection(peers)) < len(peers)

    def _leave_out_targets(self, vdev: Sequence[int]) -> None:
        """While others are read by a scan, the one that is only written is the resilver target."""
        work = self.work
        is_resilvered = False
        for at in vdev:
            if at not in work.idle and at not in work.scrubbing and self._is_written_most(at, vdev):
                self._leave_out(at, IS_WRITTEN)
                is_resilvered = True
        sources = work.scrubbing.intersection(vdev) if is_resilvered else set()
        for at in sorted(sources):
            peers = self.peers(at)
            if peers and 2 * len(work.scrubbing.intersection(peers)) < len(peers):
                self._leave_out(at, IS_READ)

    def _leave_out_rebuilt(self, vdev: Sequence[int]) -> None:
        """Of the disks with I/O of a sequential rebuild, which reads and writes, the one that is not read."""
        work = self.work
        for at in sorted(work.rebuilding.intersection(vdev)):
            read = sorted(work.reads[peer] for peer in vdev if peer != at and peer not in work.idle)
            is_read = not read or 2 * work.reads[at] > read[len(read) // 2]
            if not is_read and self._is_written_most(at, vdev):
                self._leave_out(at, IS_WRITTEN)

    def _is_written_most(self, disk: int, vdev: Sequence[int]) -> bool:
        """Whether it is written twice as often as most others of its vdev."""
        work = self.work
        written = sorted(0.0 if peer in work.idle else work.writes[peer] for peer in vdev if peer != disk)
        return bool(written) and work.writes[disk] >= 2 * written[len(written) // 2] + 2
