"""Labelled streams of a simulated pool, made as `slowdisk.sh` of the lab makes real ones.

Disks with a delay, a queue and noise in front of them; jobs that wait for their reads, transaction groups
that wait for the slowest disk; a fault from some second on. It prints what `zpool iostat -Hpvlqy` would.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

SAMPLES: Final = 60
TXG_S: Final = 5.0
MOST_ACTIVE: Final = 10  # operations of a class that ZFS has at a disk at once
RECORD: Final = 16 * 1024
LAYOUTS: Final = {"mirrors": (2, 2, 2), "raidz2": (6,), "single": (1, 1, 1, 1), "hybrid": (2, 2, 2)}
MORE_LAYOUTS: Final = {"pair": (2,), "raidz1": (4,), "raidz3": (12,), "draid2": (9,), "nvme": (2, 2, 2)}
PARITY: Final = {"raidz1": 1, "raidz2": 2, "raidz3": 3, "draid2": 2}
WORKLOADS: Final = ("randread", "randwrite", "mixed", "sync", "bursty", "seqread", "scrub")
SLIGHT_FAULTS: Final = ("slow5", "slow10")
MICRO_FAULTS: Final = ("slow300us", "slow400us")
FAULTS: Final = ("slow20", "slow60", "slow300", "slowread", "slowwrite", "stall")
SYNC_READ, SYNC_WRITE, ASYNC_READ, ASYNC_WRITE, SCRUB = range(5)
_READS: Final = frozenset({SYNC_READ, ASYNC_READ, SCRUB})
_FIRST: Final = 1_800_000_000


@dataclass(frozen=True)
class Scenario:
    """What is to happen; `disks` are those that the fault is of. Its representation seeds the dice."""

    layout: str
    workload: str
    fault: str = "none"
    disks: tuple[int, ...] = ()
    from_sample: int = 15
    base_ms: float = 6.0
    seed: int = 1
    own_ms: float = field(
        default=4.0, repr=False
    )  # of the disk itself: a median, of a long-tailed distribution
    noise_ms: float = field(default=8.0, repr=False)  # of a busy host, now and then
    samples: int = field(default=SAMPLES, repr=False)


@dataclass
class Operation:
    """One operation of one disk; `done` is called at its end."""

    kind: int
    size: int
    done: Callable[[], None]
    queued: float = 0.0
    issued: float = 0.0


@dataclass
class Disk:
    """A disk: what it adds, what waits and runs, what it did in this interval."""

    read_ms: float
    write_ms: float
    stopped_until: float = 0.0
    waiting: list[list[Operation]] = field(default_factory=lambda: [[] for _ in range(5)])
    active: list[int] = field(default_factory=lambda: [0] * 5)
    done: list[tuple[Operation, float]] = field(default_factory=list)


class SlowPool:
    """The pool, its jobs and its clock."""

    def __init__(self, scenario: Scenario) -> None:
        self.of = scenario
        self.now = 0.0
        self._random = random.Random(f"{scenario}")  # noqa: S311 - a simulation
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._dirty = 0
        self._turn = 0
        self._noise_until = 0.0
        self._noise_ms = 0.0
        self.groups: list[list[int]] = []
        self.disks: list[Disk] = []
        for group, width in enumerate((LAYOUTS | MORE_LAYOUTS)[scenario.layout]):
            base = 12.0 if scenario.layout == "hybrid" and group == 0 else scenario.base_ms
            self.groups.append(list(range(len(self.disks), len(self.disks) + width)))
            self.disks += [Disk(base, base) for _ in range(width)]

    def lines(self) -> Iterator[str]:
        """Each line of the recording."""
        self._start_jobs()
        self._after(TXG_S * self._random.random(), self._sync_txg)
        self._after(0.5, self._make_noise)
        self._after(self.of.from_sample + 3.0, self._break)
        self._run_until(3.0)
        for disk in self.disks:
            disk.done.clear()
        for number in range(self.of.samples):
            self._run_until(4.0 + number)
            yield from self._sample(number)

    def _after(self, seconds: float, what: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, (self.now + seconds, self._count, what))

    def _run_until(self, end: float) -> None:
        while self._events and self._events[0][0] <= end:
            self.now, _, what = heapq.heappop(self._events)
            what()
        self.now = end

    def _break(self) -> None:
        base, fault = self.of.base_ms, self.of.fault
        extra = {
            "slow5": 5.0,
            "slow10": 10.0,
            "slow300us": 0.3,
            "slow400us": 0.4,
            "slow20": 20.0,
            "slow60": 60.0,
            "slow300": 300.0,
            "slowread": 80.0,
            "slowwrite": 80.0,
        }
        for number in self.of.disks:
            disk = self.disks[number]
            if fault != "slowwrite" and fault in extra:
                disk.read_ms = base + extra[fault]
            if fault != "slowread" and fault in extra:
                disk.write_ms = base + extra[fault]
        if fault == "stall":
            for at in (0.0, 13.0, 26.0):
                self._after(at, self._stop)

    def _stop(self) -> None:
        for number in self.of.disks:
            self.disks[number].stopped_until = self.now + 4.0

    def _make_noise(self) -> None:
        """A busy host: now and then everything takes longer for a while."""
        self._noise_until = self.now + self._random.expovariate(2.0)
        self._noise_ms = self._random.expovariate(1 / self.of.noise_ms)
        self._after(self._random.expovariate(0.4), self._make_noise)

    # disks

    def _submit(self, number: int, operation: Operation) -> None:
        operation.queued = self.now
        self.disks[number].waiting[operation.kind].append(operation)
        self._issue(number)

    def _issue(self, number: int) -> None:
        disk = self.disks[number]
        for kind, waiting in enumerate(disk.waiting):
            while waiting and disk.active[kind] < MOST_ACTIVE:
                operation = waiting.pop(0)
                operation.issued = self.now
                disk.active[kind] += 1
                delay = disk.read_ms if kind in _READS else disk.write_ms
                own = self.of.own_ms * self._random.lognormvariate(0.0, 0.5) * (1 + 0.15 * sum(disk.active))
                noise = self._noise_ms * self._random.random() if self.now < self._noise_until else 0.0
                end = max(self.now, disk.stopped_until) + (delay + own + noise) / 1000
                self._after(end - self.now, lambda operation=operation: self._complete(number, operation))

    def _complete(self, number: int, operation: Operation) -> None:
        disk = self.disks[number]
        if self.now < disk.stopped_until:  # it was issued before the disk stopped, and is held there
            self._after(disk.stopped_until - self.now + 0.001, lambda: self._complete(number, operation))
            return
        disk.active[operation.kind] -= 1
        disk.done.append((operation, self.now))
        operation.done()
        self._issue(number)

    # the pool

    def _read(self, done: Callable[[], None], kind: int = SYNC_READ, size: int = RECORD) -> None:
        group = self._random.choice(self.groups)
        if parity := PARITY.get(self.of.layout):
            width = 6 if self.of.layout == "draid2" else len(group)  # of a redundancy group
            columns = min(4, width - parity)
            first = self._random.choice((0, 1, 2, 4)) if self.of.layout == "raidz2" else self._first(group)
            self._all([(first + at) % len(group) for at in range(columns)], kind, size // columns, done)
            return
        quietest = min(group, key=lambda number: (sum(self.disks[number].active), self._random.random()))
        self._all([quietest], kind, size, done)

    def _write(self, done: Callable[[], None], kind: int, size: int = RECORD) -> None:
        self._turn += 1
        group = self.groups[self._turn % len(self.groups)]
        parity = PARITY.get(self.of.layout, 0)
        if parity and self.of.layout != "raidz2":
            columns = min(4, (6 if self.of.layout == "draid2" else len(group)) - parity)
            first = self._first(group)
            group = [(first + at) % len(group) for at in range(columns + parity)]
        self._all(group, kind, size // 4 if parity else size, done)

    def _first(self, group: list[int]) -> int:
        """The first column of a stripe."""
        return self._random.randrange(len(group))

    def _all(self, numbers: list[int], kind: int, size: int, done: Callable[[], None]) -> None:
        """One operation at each of these disks; done when the slowest is."""
        left = len(numbers)

        def one_less() -> None:
            nonlocal left
            left -= 1
            if not left:
                done()

        for number in numbers:
            self._submit(number, Operation(kind, size, one_less))

    def _sync_txg(self) -> None:
        writes, self._dirty = self._dirty, 0
        left = writes + 4 * len(self.groups) if writes else 0
        if not left:
            self._after(TXG_S, self._sync_txg)
            return
        began, remaining = self.now, left

        def one_less() -> None:
            nonlocal remaining
            remaining -= 1
            if not remaining:
                self._after(max(0.0, TXG_S - (self.now - began)), self._sync_txg)

        for _ in range(left):
            self._write(one_less, ASYNC_WRITE)

    # the jobs

    def _start_jobs(self) -> None:
        jobs = {
            "randread": (3, 40, 1.0), "randwrite": (2, 40, 0.0), "mixed": (3, 30, 0.7), "sync": (2, 15, 0.0),
            "bursty": (2, 60, 0.5), "seqread": (1, 60, 1.0), "scrub": (1, 20, 1.0),
        }  # fmt: skip
        for _ in range(jobs.get(self.of.workload, (0,))[0]):
            _, rate, reads = jobs[self.of.workload]
            self._next(self.now + self._random.random() / rate, rate, reads)
        if self.of.workload == "scrub":
            for number in range(len(self.disks)):
                self._scrub(number, 300)

    def _next(self, due: float, rate: float, reads: float) -> None:
        """A job does one operation when it is due, or at once when it is late, and then the next."""
        if self.of.workload == "bursty" and max(due, self.now) % 10 > 4:
            due = math.ceil(max(due, self.now) / 10) * 10.0

        def work() -> None:
            def again() -> None:
                self._next(due + 1 / rate, rate, reads)

            if self._random.random() < reads:
                size = 8 * RECORD if self.of.workload == "seqread" else RECORD
                self._read(again, ASYNC_READ if self.of.workload == "seqread" else SYNC_READ, size)
                return
            self._dirty += 1
            if self.of.workload == "sync":
                self._write(again, SYNC_WRITE)
            else:
                again()

        self._after(max(0.0, due - self.now), work)

    def _scrub(self, number: int, left: int) -> None:
        if left:
            again = lambda: self._scrub(number, left - 1)  # noqa: E731
            self._submit(number, Operation(SCRUB, 8 * RECORD, again))

    # what zpool iostat prints

    def _sample(self, number: int) -> Iterator[str]:
        everything = [self._cells(list(range(len(self.disks))))]
        yield self._line(number, "p", "1000 9000", everything[0])
        for at, group in enumerate(self.groups):
            if len(group) > 1:
                name = f"{self.of.layout if self.of.layout in PARITY else 'mirror'}-{at}"
                yield self._line(number, name, "1000 9000", self._cells(group))
            for disk in group:
                space = "0 0" if len(group) > 1 else "1000 9000"
                yield self._line(number, f"disk{disk}", space, self._cells([disk]))
        for disk in self.disks:
            disk.done.clear()

    @staticmethod
    def _line(number: int, name: str, space: str, cells: list[str]) -> str:
        return "\t".join((str(_FIRST + number), name, *space.split(), *cells)) + "\n"

    def _cells(self, numbers: list[int]) -> list[str]:
        done = [each for number in numbers for each in self.disks[number].done]
        reads = [each for each in done if each[0].kind in _READS]
        writes = [each for each in done if each[0].kind not in _READS]

        def waits(of: list[tuple[Operation, float]]) -> list[float]:
            return [end - operation.issued for operation, end in of]

        def totals(of: list[tuple[Operation, float]]) -> list[float]:
            return [end - operation.queued for operation, end in of]

        def in_queue(kind: int) -> list[float]:
            return [operation.issued - operation.queued for operation, _ in done if operation.kind == kind]

        means = [totals(reads), totals(writes), waits(reads), waits(writes)]
        means += [in_queue(kind) for kind in (SYNC_READ, SYNC_WRITE, ASYNC_READ, ASYNC_WRITE, SCRUB)]
        queues = [
            str(sum(count))
            for kind in range(5)
            for count in (
                [len(self.disks[number].waiting[kind]) for number in numbers],
                [self.disks[number].active[kind] for number in numbers],
            )
        ]
        return [
            str(len(reads)), str(len(writes)),
            str(sum(operation.size for operation, _ in reads)),
            str(sum(operation.size for operation, _ in writes)),
            *map(bucketed, means), "-", "-", *queues, "0", "0", "0", "0",
        ]  # fmt: skip


def bucketed(seconds: list[float]) -> str:
    """The mean as ZFS prints it: of the middles of power-of-two buckets, in nanoseconds."""
    if not seconds:
        return "-"
    exponents = [max(0, int(math.log2(max(1.0, each * 1e9)))) for each in seconds]
    return str(int(sum(1.5 * 2.0**each for each in exponents) / len(exponents)))
