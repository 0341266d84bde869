"""How often a healthy disk is named in a watch of a minute, where the load of each disk wanders by itself.

`python -m tests.bench.slow_noise_with_memory [WATCHES]` prints two tables, the second of how often
more than half of healthy disks were told to be slow at once, with a third of the watches. Each disk does
twenty reads and twenty writes a second, whose latencies are spread as those of hard disks are; their mean
goes up and down by so many doublings, and keeps a part of that from one second to the next. The whole
detector judges what `zpool iostat` would print of them, power-of-two buckets included.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.model.pools.slow_disk import Judgement
from zconsole.zfs.iostat.saved_output import Recording

WATCH_S: Final = 60
OPERATIONS: Final = 20  # a second, of each kind
USUAL_NS: Final = 8e6
WITHIN: Final = 0.5  # sigma of the logarithms of latencies within a second
LAYOUTS: Final = {
    "mirrors": {f"mirror-{at}": (f"d{2 * at}", f"d{2 * at + 1}") for at in range(3)},
    "raidz2 of six": {"raidz2-0": tuple(f"d{at}" for at in range(6))},
}
OF_ONE_VDEV: Final = {count: {"raidz2-0": tuple(f"d{at}" for at in range(count))} for count in (3, 6, 12)}
MEMORY: Final = (0.0, 0.5, 0.9)  # share of a second's noise that is left in the next one
SPREADS: Final = (0.1, 0.3, 0.5, 0.8)  # doublings
BLOCK: Final = 16384


def lines(vdevs: Mapping[str, Sequence[str]], spread: float, memory: float, seed: int) -> Iterator[bytes]:
    """What `zpool iostat -Hpvlq` prints of healthy disks, a sample a second."""
    dice = random.Random(f"{spread} {memory} {seed}")  # noqa: S311 - a simulation
    fresh = spread * math.sqrt(1 - memory * memory)
    noise = {disk: dice.gauss(0, spread) for disks in vdevs.values() for disk in disks}
    for second in range(WATCH_S):
        rows, all_of_pool = list[str](), ([], [])
        for vdev, disks in vdevs.items():
            own, all_of_vdev = list[str](), ([], [])
            for disk in disks:
                noise[disk] = memory * noise[disk] + dice.gauss(0, fresh)
                mean = math.log(USUAL_NS) + math.log(2) * noise[disk] - WITHIN * WITHIN / 2
                took = tuple(
                    [
                        dice.lognormvariate(mean, WITHIN)
                        for _ in range(max(0, round(dice.gauss(OPERATIONS, OPERATIONS**0.5))))
                    ]
                    for _ in "rw"
                )
                own.append(_row(second, disk, took))
                for of, more in zip(all_of_vdev, took, strict=True):
                    of.extend(more)
            rows += [_row(second, vdev, all_of_vdev, is_vdev=True), *own]
            for of, more in zip(all_of_pool, all_of_vdev, strict=True):
                of.extend(more)
        for text in (_row(second, "tank", all_of_pool, is_vdev=True), *rows):
            yield f"{text}\n".encode()


def _row(second: int, name: str, took: Sequence[Sequence[float]], *, is_vdev: bool = False) -> str:
    space = ("100000000000", "1000000000000") if is_vdev else ("0", "0")
    counts = [str(len(each)) for each in took]
    sizes = [str(len(each) * BLOCK) for each in took]
    means = [str(sum(map(_bucket, each)) // len(each)) if each else "-" for each in took]
    words = (
        str(1_800_000_000 + second),
        name,
        *space,
        *counts,
        *sizes,
        *means,
        *means,
        *["-"] * 7,
        *["0"] * 14,
    )
    return "\t".join(words)


def _bucket(took_ns: float) -> int:
    """The middle of ZFS's bucket."""
    return int(1.5 * 2 ** int(math.log2(max(1.0, took_ns))))


def judged(vdevs: Mapping[str, Sequence[str]], spread: float, memory: float, seed: int) -> Judgement:
    """What is said of healthy disks after one watch."""
    recording = Recording()
    detector = Detector(lambda sample: inferred_layout(sample, recording.starts(sample)))
    for number, sample in recording.samples(lines(vdevs, spread, memory, seed)):
        detector.feed(sample, number)
    return detector.judgement()


def named(vdevs: Mapping[str, Sequence[str]], spread: float, memory: float, seed: int) -> tuple[int, int]:
    """How many healthy disks were named slow, and slightly slower, in one watch."""
    found = judged(vdevs, spread, memory, seed)
    return len({each.disk for each in found.verdicts}), len(
        {each.disk for each in (*found.were_slightly, *found.slightly)}
    )


def table(watches: int) -> Iterator[str]:
    """The table, line by line."""
    yield "| layout | memory | noise, doublings | disk-minutes | slow | slightly slower |"
    yield "|---|---|---|---|---|---|"
    for (layout, vdevs), memory, spread in product(LAYOUTS.items(), MEMORY, SPREADS):
        found = [named(vdevs, spread, memory, seed) for seed in range(watches)]
        disks = watches * sum(map(len, vdevs.values()))
        slow, slightly = (sum(each[at] for each in found) for at in (0, 1))
        yield f"| {layout} | {memory} | {spread} | {disks} | {slow} | {slightly} |"


def together(watches: int) -> Iterator[str]:
    """The table of watches in which more than half of the disks were told, of one vdev or of mirrors."""
    yield "| disks | memory | noise, doublings | watches | told |"
    yield "|---|---|---|---|---|"
    pools = {f"raidz2 of {count}": vdevs for count, vdevs in OF_ONE_VDEV.items()}
    pools["mirrors"] = LAYOUTS["mirrors"]
    for (layout, vdevs), memory, spread in product(pools.items(), MEMORY, SPREADS):
        found = [judged(vdevs, spread, memory, seed).findings for seed in range(watches)]
        told = sum(any("faster" in each.evidence for each in findings) for findings in found)
        yield f"| {layout} | {memory} | {spread} | {watches} | {told} |"


if __name__ == "__main__":
    all_watches = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    for each_line in (*table(all_watches), "", *together(max(1, all_watches // 3))):
        print(each_line, flush=True)
