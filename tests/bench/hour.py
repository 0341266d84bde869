"""An hour of 300 disks, each of them busy: the memory that the console keeps of it, and what a second costs.

`python -m tests.bench.hour` prints bytes of resident memory, seconds kept, and CPU milliseconds a sample.
Each number of each disk is drawn anew each second, which compresses worse than any real pool.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from zconsole.collect.host_state_store import Store
from zconsole.collect.slow_disk_detectors import Verdicts
from zconsole.history.host_timeline import HostPast
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import Count, Pool, Vdev
from zconsole.zfs.iostat.iostat_stream import IostatReader, row_names

DISKS: Final = 300
WIDTH: Final = 12  # of each raidz2
SECONDS: Final = 3600
STATUS_EVERY: Final = 5
FIRST: Final = 1_800_000_000
MEMORY_GOAL: Final = 100e6
CPU_GOAL_MS: Final = 50.0  # a twentieth of a core


def pool(issued: int) -> Pool:
    """The pool as one status tells it; each makes its values anew."""
    tops = []
    for top, first in enumerate(range(0, DISKS, WIDTH)):
        disks = tuple(leaf(number) for number in range(first, first + WIDTH))
        tops.append(Vdev(f"raidz2-{top}", "raidz2", "data", "ONLINE", guid=1000 + top, children=disks))
    return Pool("tank", "ONLINE", 7, tuple(tops), allocated_bytes=issued)


def leaf(number: int) -> Vdev:
    """A disk."""
    name = f"wwn-0x5000c500a{number:07x}"
    return Vdev(
        name, "disk", "data", "ONLINE", guid=10**18 + number, path=f"/dev/disk/by-id/{name}-part1",
        read_errors=Count(0), write_errors=Count(0), checksum_errors=Count(0), slow_ios=Count(0),
    )  # fmt: skip


def chunks(names: tuple[str, ...], count: int) -> Iterator[bytes]:
    """What `zpool iostat` prints of it."""
    dice = random.Random(1)  # noqa: S311 - numbers to be printed, not secrets

    def row(name: str) -> str:
        space = "0" if name.startswith("wwn") else str(10**12 + dice.randrange(10**6))
        waits = [int(8e6 * 2 ** dice.gauss(0, 0.25)) for _ in range(8)]
        rates = [dice.randrange(1, 500), dice.randrange(1, 500), dice.randrange(10**8), dice.randrange(10**8)]
        queues = [dice.randrange(4) for _ in range(8)]
        return "\t".join(map(str, [name, space, space, *rates, *waits, *"---", *queues, *[0] * 6]))

    for number in range(count):
        yield ("\n".join([str(FIRST + number), *map(row, names)]) + "\n").encode()


def resident() -> int:
    """Bytes of memory of this process."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def live(seconds: int = SECONDS) -> tuple[int, int, float]:
    """Resident bytes that it took, seconds that are kept, CPU milliseconds of a sample."""
    names = row_names(pool(0))
    reader, verdicts, past = IostatReader({"tank": names}), Verdicts(1.0), HostPast()
    store = Store("nas1", lambda: None)
    store.set_pools([("tank", "ONLINE")], 0.0)
    before, spent = resident(), 0.0
    for second, chunk in enumerate(chunks(names, seconds)):
        if second % STATUS_EVERY == 0:
            known = pool(second)
            store.update_pool("tank", lambda state, p=known, at=second: replace(state, pool=Reading(p, at)))  # type: ignore[misc]
            verdicts.describe([known], Inventory())
        began = time.process_time()
        samples = reader.feed(chunk)
        store.add_samples(samples, float(second), verdicts.feed(samples))
        past.take_in(samples, store.state, float(second))
        spent += time.process_time() - began
    span = past.span("tank")
    assert span is not None
    return resident() - before, int(span.last - span.first) + 1, 1000 * spent / seconds


if __name__ == "__main__":
    print(*live(*map(int, sys.argv[1:])))
