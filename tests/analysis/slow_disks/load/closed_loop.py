"""A raidz near saturation: clients with one read outstanding each, disks that serve one after the other.

All disks are alike. Blocks begin at some positions more often than at others, so that some disks have more
reads; a read waits for the slowest of its columns, and the next one begins when it ends.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.bench.slow_pool import bucketed

_FIRST = 1_800_000_000
_UNUSED = "-\t-\t-\t-\t-\t-\t-"


@dataclass
class SerialDisk:
    """A disk with a queue, first in, first out."""

    waiting: deque[tuple[float, int]] = field(default_factory=deque)
    is_busy: bool = False
    took: list[float] = field(default_factory=list)  # seconds, of the reads that ended


@dataclass(frozen=True)
class ClosedLoop:
    """`columns` is how many disks a read needs, `weights` how often it begins at each."""

    disks: int = 12
    clients: int = 16
    columns: int = 4
    weights: Sequence[float] = (1.0,)
    service_ms: float = 8.0
    spread: float = 0.3  # sigma of the logarithm of the service
    seed: int = 1
    slow: int | None = None  # a disk that serves `times` as long
    times: float = 1.0

    def lines(self, samples: int = 60) -> Iterator[str]:
        """What `zpool iostat -Hpvlqy` prints of it."""
        dice = random.Random(f"{self}")  # noqa: S311 - a simulation
        disks = [SerialDisk() for _ in range(self.disks)]
        weights = [self.weights[at % len(self.weights)] for at in range(self.disks)]
        left = [0] * self.clients
        events: list[tuple[float, int]] = []  # end of a read of a disk

        def serve(at: int, now: float) -> None:
            times = self.times if at == self.slow else 1.0
            took = times * self.service_ms / 1000 * dice.lognormvariate(-(self.spread**2) / 2, self.spread)
            disks[at].is_busy = True
            heapq.heappush(events, (now + took, at))

        def read(client: int, now: float) -> None:
            (first,) = dice.choices(range(self.disks), weights)
            left[client] = self.columns
            for column in range(self.columns):
                at = (first + column) % self.disks
                disks[at].waiting.append((now, client))
                if not disks[at].is_busy:
                    serve(at, now)

        for client in range(self.clients):
            read(client, 0.0)
        for number in range(samples):
            while events[0][0] <= number + 1:
                now, at = heapq.heappop(events)
                issued, client = disks[at].waiting.popleft()
                disks[at].took.append(now - issued)
                disks[at].is_busy = False
                if disks[at].waiting:
                    serve(at, now)
                left[client] -= 1
                if not left[client]:
                    read(client, now)
            yield from _sample(number, disks)


def _sample(number: int, disks: Sequence[SerialDisk]) -> Iterator[str]:
    parity = "raidz2-0"
    for name, of in (("p", disks), (parity, disks), *((f"d{at}", [disk]) for at, disk in enumerate(disks))):
        took = [each for disk in of for each in disk.took]
        mean, active = bucketed(took), sum(len(disk.waiting) for disk in of)
        space = "0\t0" if name.startswith("d") else "1000\t9000"
        queues = "\t".join(["0", str(active), *["0"] * 12])
        waits = f"{mean}\t-\t{mean}\t-\t{_UNUSED}"
        done = f"{len(took)}\t0\t{len(took) * 65536}\t0"
        yield f"{_FIRST + number}\t{name}\t{space}\t{done}\t{waits}\t{queues}\n"
    for disk in disks:
        disk.took.clear()
