"""Memory of a disk between samples: its evidence, and the periods in which it stalled."""

from __future__ import annotations

from dataclasses import field

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES, Track, seconds_carried
from zconsole.analysis.slow_disks.slightly_slower.paired_seconds_evidence import PairedSeconds
from zconsole.base.lazy_dataclass import dataclass


@dataclass(slots=True)
class Stall:
    """Period in which a disk did not answer, or took far too long; in samples."""

    first: int
    last: int
    first_at: float
    last_at: float
    longest_ns: float
    reference_ns: float
    outstanding: int = 0  # I/Os in the longest wait; 0 if some were completed, late
    answered: set[str] = field(default_factory=set)  # peers that completed I/O meanwhile


@dataclass(slots=True)
class WholeWatch:
    """All compared reads or writes of a disk."""

    samples: int = 0
    operations: float = 0.0
    own_ns: float = 0.0
    reference_ns: float = 0.0

    def add(self, operations: float, latency: float, reference: float) -> None:
        """Take in a sample."""
        self.samples += 1
        self.operations += operations
        self.own_ns += operations * latency
        self.reference_ns += operations * reference


@dataclass(slots=True)
class DiskMemory:
    """Memory of a disk between samples."""

    seen: int  # the last sample with work
    joined: int = 0  # the sample with which the pool got it; 0 if it was there from the start
    tracks: tuple[Track, Track] = field(default_factory=lambda: (Track(), Track()))
    silent: int = 0  # consecutive samples with work and no completion
    stalls: list[Stall] = field(default_factory=list)
    excused: list[Stall] = field(default_factory=list)  # after a rest, or of half of its kind at once
    rested: Stall | None = None  # of `excused` the longest after a rest
    trims: int = 0  # consecutive samples with a TRIM at it and none completed
    trim: Stall | None = None  # the longest of these
    waking: int = 0  # samples with answers still to be ignored
    woke: int = 0  # where that began
    paired: PairedSeconds | None = None  # while it is slower than its peers in most seconds,
    paired_reads: PairedSeconds | None = None  # and while its reads are, if it writes, too

    whole: tuple[WholeWatch, WholeWatch] = field(
        default_factory=lambda: (WholeWatch(), WholeWatch())
    )  # by READS and WRITES, where bounds are asked for
    passed: dict[str, int] = field(default_factory=dict)  # samples with I/O in which it was left out, by why
    last_passed: int = 0

    def let_pass(self, sample: int, why: str) -> None:
        """Note that the I/O of a sample is not judged."""
        self.passed[why] = self.passed.get(why, 0) + 1
        self.last_passed = sample

    @property
    def is_known(self) -> bool:
        """Whether it had any I/O that is judged or compared with."""
        return any(track.samples for track in self.tracks)

    @property
    def score(self) -> float:
        """Total evidence against it."""
        return self.tracks[READS].score + self.tracks[WRITES].score

    def carried(self, sample: int) -> tuple[float, float]:
        """Recent operations and bytes, reads and writes together."""
        read, written = self.tracks[READS].carried(sample), self.tracks[WRITES].carried(sample)
        return read[0] + written[0], read[1] + written[1]

    def outstanding(self, sample: int, interval_s: float) -> float:
        """Operations at the disk at a time, in the recent mean (Little's law)."""
        took_ns = self.tracks[READS].carried_ns(sample) + self.tracks[WRITES].carried_ns(sample)
        return took_ns / 1e9 / seconds_carried(max(1, sample + 1 - self.joined), interval_s)

    @property
    def judged(self) -> float:
        """Weight of all compared samples."""
        return self.tracks[READS].judged + self.tracks[WRITES].judged
