"""How often a healthy disk is said to be slightly slower, by simulation, in alarms per disk-year.

`python -m tests.bench.slow_false_alarms [TIMES]` prints two tables of Markdown, in some minutes. The
first is of pools that are simulated operation by operation (`slow_pool.py`), in all layouts and workloads.
The second is of disks of which only the latency of each second is simulated, which is much faster: noise of
several widths, with and without memory from second to second, and disks that differ by 5 % by nature. No
alarm in so many disk-days bounds the rate; how often the evidence came near tells how far it is.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from tests.bench.slow_pool import LAYOUTS, MORE_LAYOUTS, WORKLOADS, Scenario, SlowPool
from zconsole.analysis.slow_disks.accumulated_evidence import READS
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.analysis.slow_disks.slightly_slower.paired_seconds_evidence import (
    ENOUGH,
    LASTING_S,
    MARGIN,
    OPENS_AT,
    PairedSeconds,
)
from zconsole.zfs.iostat.saved_output import Recording

SAMPLES: Final = 180
WIDTHS: Final = (2, 6, 12)
SPREADS: Final = (0.1, 0.3, 0.8)  # doublings from second to second
DISK_DAYS: Final = {0.0: 210.0, 0.5: 60.0, 0.9: 20.0}  # by the share of a second's noise left in the next
NATURAL: Final = 0.05  # difference of alike disks
MARKS: Final = (5, 10, 15, 20)  # doublings of evidence; an alarm needs log2(ENOUGH), a finding log2(SURE)
DAY_S: Final = 86400.0
YEAR_DAYS: Final = 365.25
NO_ALARM: Final = 3.0  # with 95 % confidence the mean number is less where none was seen


def pools(seeds: int = 1) -> Iterator[tuple[str, str, int, int]]:
    """Layout, workload, disk-seconds and alarms of pools in which nothing is wrong."""
    for layout, workload, seed in product((*LAYOUTS, *MORE_LAYOUTS), WORKLOADS, range(seeds)):
        is_solid = layout == "nvme"
        base, own, noise = (0.05, 0.05, 0.05) if is_solid else (4.0, 4.0, 8.0)
        scenario = Scenario(
            layout, workload, base_ms=base, own_ms=own, noise_ms=noise, samples=SAMPLES, seed=seed
        )
        recording, told = Recording(), set[str]()
        detector = Detector(lambda sample, of=recording: inferred_layout(sample, of.starts(sample)))  # type: ignore[misc]
        for number, sample in recording.samples(line.encode() for line in SlowPool(scenario).lines()):
            told.update(verdict.disk for verdict in detector.feed(sample, number))
            told.update(one.disk for one in detector.judgement().slightly)
            told.update(disk for one in detector.judgement().not_answering for disk in one.disks)
        yield layout, workload, SAMPLES * sum((LAYOUTS | MORE_LAYOUTS)[layout]), len(told)


@dataclass
class Seen:
    """What was held against healthy disks in so many disk-days."""

    days: float = 0.0
    reached: Counter[int] = field(
        default_factory=Counter
    )  # times that the evidence reached each of the marks
    told: int = 0  # times that a disk was slightly slower,
    lasted: int = 0  # and long enough for a finding

    def add(self, other: Seen) -> None:
        """Take in another simulation."""
        self.days += other.days
        self.reached.update(other.reached)
        self.told += other.told
        self.lasted += other.lasted


def seconds(width: int, spread: float, memory: float, disk_seconds: int) -> Seen:
    """Simulate the seconds of alike disks beside each other."""
    dice = random.Random(f"{width} {spread} {memory}")  # noqa: S311 - a simulation
    nature = [math.log2(1 + NATURAL * dice.uniform(-1, 1)) for _ in range(width)]
    noise = [dice.gauss(0, spread) for _ in range(width)]
    fresh = spread * math.sqrt(1 - memory * memory)
    paired: list[PairedSeconds | None] = [None] * width
    seen, peaks, has_lasted = Seen(disk_seconds / DAY_S), [0.0] * width, [False] * width
    for second in range(disk_seconds // width):
        noise = [memory * each + dice.gauss(0, fresh) for each in noise]
        took = [8e6 * 2 ** (nature[at] + noise[at]) for at in range(width)]
        for disk in range(width):
            reference = statistics.median(took[:disk] + took[disk + 1 :])
            present = paired[disk]
            if present is None:
                if took[disk] <= OPENS_AT * reference:
                    continue
                present = paired[disk] = PairedSeconds(second, 0.0)
            present.add(second, READS, 30, took[disk], reference)
            present.bet(READS, math.log2(took[disk] / reference) - MARGIN, 1.0)
            peaks[disk] = max(peaks[disk], present.wealth)
            if present.decided is None and present.is_enough:
                present.decided = second
                seen.told += 1
            elif (
                present.decided is not None
                and present.is_sure
                and second - present.first >= LASTING_S
                and not has_lasted[disk]
            ):
                seen.lasted += 1
                has_lasted[disk] = True
            if present.is_gone:
                seen.reached.update(mark for mark in MARKS if peaks[disk] >= 2.0**mark)
                paired[disk], peaks[disk], has_lasted[disk] = None, 0.0, False
    return seen


def per_year(alarms: int, days: float) -> str:
    """Alarms in a disk-year, or the bound where there were none."""
    rate = YEAR_DAYS / days
    return f"{alarms * rate:.3g}" if alarms else f"< {NO_ALARM * rate:.3g}"


def tables(times: float = 1.0) -> Iterator[str]:
    """Both tables, line by line."""
    found = list(pools())
    days = sum(each[2] for each in found) / DAY_S
    alarms = sum(each[3] for each in found)
    yield "| simulated | layouts and workloads | disk-days | alarms | a disk-year (95 %) |"
    yield "|---|---|---|---|---|"
    yield f"| operation by operation | {len(found)} | {days:.2f} | {alarms} | {per_year(alarms, days)} |"
    yield ""
    yield (
        "| noise (doublings) | memory | disk-days | "
        + " | ".join(f"2^{mark}" for mark in MARKS)
        + f" | told (2^{math.log2(ENOUGH):.1f}) | a disk-year | found after 5 min | a disk-year (95 %) |"
    )
    yield "|" + "---|" * (7 + len(MARKS))
    for (memory, days), spread in product(DISK_DAYS.items(), SPREADS):
        total, each_s = Seen(), int(times * days * DAY_S / (len(WIDTHS) * len(SPREADS)))
        for width in WIDTHS:
            total.add(seconds(width, spread, memory, each_s))
        counts = " | ".join(str(total.reached[mark]) for mark in MARKS)
        told, lasted = (per_year(each, total.days) for each in (total.told, total.lasted))
        yield (
            f"| {spread} | {memory} | {total.days:.1f} | {counts} | {total.told} | {told} "
            f"| {total.lasted} | {lasted} |"
        )


if __name__ == "__main__":
    for each_line in tables(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0):
        print(each_line, flush=True)
