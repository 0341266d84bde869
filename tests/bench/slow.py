"""How well slow disks are found, beside what ZFS's autosit finds on the same streams: a section of the page.

`python -m tests.bench slow` writes that section alone, in half a minute, and leaves the rest of the page.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.bench.autosit import Autosit
from tests.bench.slow_streams import (
    Stream,
    practised,
    recorded,
    recorded_slight,
    simulated,
    simulated_slight,
)
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import PeerGroups, inferred_layout
from zconsole.model.pools.iostat import IoSample
from zconsole.zfs.iostat.iostat_stream import IostatReader
from zconsole.zfs.iostat.read_disk_performance_as_columns import work
from zconsole.zfs.iostat.saved_output import Recording

HEADING: Final = "## Slow disks"
DISKS: Final = 300
GOAL_MS: Final = 3.0
_WARM: Final = 5
_MEASURED: Final = 60
HOW: Final = """\
Written by `python -m tests.bench slow`.
Streams with a known slow disk, and pools without one.
*Recorded in the lab* are those of `tests/captures/slow`.
*Simulated* streams cover all layouts, workloads and faults of a script,
including two slow disks at the same time (`tests/bench/slow_pool.py`).
`slow5` and `slow10` add 5 and 10 ms, `slow300us` and `slow400us` less than one;
`smr` stops and slows the writes in bursts.
A disk also counts as found when it is said to be slightly slower.
The recordings of these are `tests/captures/slightly_slow`: fifty from a machine with more work than
processors, whose disks of 8 ms take 11 to 130 ms, and their disks in memory 5 to 23 ms, and twenty from a
quiet one, where they take 7 to 14 and 1.3 to 2 ms. Disks of 8 ms and of 100 us are simulated too.
The *practice host* runs its demonstration, and disks that become 3 and 10 times slower.
`slow20` adds 20 ms to each operation, `slowread` and `slowwrite` 80 ms to one kind;
`stall` stops a disk for 4 s, three times in a minute.
Where the fault is of I/O that there is none of, the stream is left out.
Where nothing is written during one of the three stalls it shows as two, and that is no verdict.

*Found* counts slow disks that were named, *wrong* healthy ones that were;
*seconds* are the median and the longest from the fault to the verdict.
`autosit` is ZFS's own rule (2.4, switched on) with all its constants,
but with the mean read latency of each second in place of its histograms.
It is for raidz and dRAID of five disks and more, and it acts, where this only speaks.
"""


@dataclass
class Score:
    """How one of the two did on some streams."""

    found: int = 0
    wrong: int = 0
    seconds: list[int] = field(default_factory=list)

    def add(self, stream: Stream, named: dict[str, int]) -> None:
        """Take in who was named, and at which sample."""
        for disk, at in named.items():
            if disk in stream.disks:
                self.found += 1
                self.seconds.append(max(0, at - stream.from_sample + 1))
            else:
                self.wrong += 1

    @property
    def took(self) -> str:
        """Median and longest."""
        return f"{statistics.median(self.seconds):.0f}, {max(self.seconds)}" if self.seconds else ""


@dataclass
class Line:
    """A line of the table."""

    streams: int = 0
    slow: int = 0
    ours: Score = field(default_factory=Score)
    autosit: Score = field(default_factory=Score)

    def add(self, stream: Stream, ours: dict[str, int], autosit: dict[str, int]) -> None:
        """Take in a stream."""
        self.streams += 1
        self.slow += len(stream.disks)
        self.ours.add(stream, ours)
        self.autosit.add(stream, autosit)

    def cells(self) -> str:
        """As Markdown, without the first cell."""
        ours, theirs = self.ours, self.autosit
        return (
            f"{self.streams} | {self.slow} | {ours.found} | {ours.wrong} | {ours.took} "
            f"| {theirs.found} | {theirs.wrong} | {theirs.took} |"
        )


class Resting:
    """Autosit on every raidz of a pool."""

    def __init__(self) -> None:
        self.named: dict[str, int] = {}
        self._vdevs: dict[str, Autosit] = {}

    def feed(self, layout: PeerGroups, sample: IoSample, number: int) -> None:
        """One second."""
        read_ns = work(sample.rows, layout.places).read_ns
        for group in layout.vdevs:
            member = layout.members[group[0]]
            if member.shape not in {"raidz", "draid"}:
                continue
            parity = re.search(r"\d", member.vdev)
            vdev = self._vdevs.setdefault(member.vdev, Autosit(len(group), int(parity[0]) if parity else 1))
            found = vdev.check(number, [read_ns[at] for at in group])
            if found is not None:
                self.named.setdefault(layout.members[group[found]].disk, number)


def judge(stream: Stream) -> tuple[dict[str, int], dict[str, int]]:
    """Whom we name and whom autosit lets rest, and at which sample."""
    recording, resting = Recording(), Resting()
    layouts: dict[tuple[str, ...], PeerGroups] = {}

    def arrange(sample: IoSample) -> PeerGroups:
        return inferred_layout(sample, recording.starts(sample))

    detector = Detector(arrange)
    for number, sample in recording.samples(stream.read()):
        detector.feed(sample, number)
        layout = layouts.get(sample.names) or layouts.setdefault(sample.names, arrange(sample))
        resting.feed(layout, sample, number)
    judgement = detector.judgement()
    named = {one.disk: one.decided_sample for one in (*judgement.were_slightly, *judgement.slightly)}
    named |= {verdict.disk: verdict.decided_sample for verdict in reversed(judgement.verdicts)}
    for pause in judgement.not_answering:
        for disk in pause.disks:
            named.setdefault(disk, pause.first_sample)
    return named, resting.named


def cost_ms() -> tuple[float, float]:
    """CPU of a sample of 300 disks that all read and write: of reading it, and of judging it; medians."""
    reader, detector = IostatReader(), Detector(inferred_layout)
    reading: list[float] = []
    judging: list[float] = []
    for chunk in _busy(DISKS, _WARM + _MEASURED):
        began = time.process_time()
        samples = reader.feed(chunk)
        read = time.process_time()
        for sample in samples:
            detector.feed(sample)
        judging.append(time.process_time() - read)
        reading.append(read - began)
    return 1000 * statistics.median(reading[_WARM:]), 1000 * statistics.median(judging[_WARM:])


def _busy(disks: int, samples: int) -> Iterator[bytes]:
    """A pool of raidz2 vdevs of six disks, each with its own latencies."""
    for number in range(samples):
        lines = [f"{1_800_000_000 + number}", _row("tank", "100", number)]
        for disk in range(disks):
            if disk % 6 == 0:
                lines.append(_row(f"raidz2-{disk // 6}", "100", number))
            lines.append(_row(f"disk{disk}", "0", 31 * disk + 17 * number))
        yield ("\n".join(lines) + "\n").encode()


def _row(name: str, space: str, salt: int) -> str:
    read, written = 6_000_000 + 97_003 * (salt % 89), 7_000_000 + 91_009 * (salt % 97)
    waits = [read, written, read, written, 3000, 2000, "-", 50_000, "-", "-", "-"]
    return "\t".join(map(str, (name, space, space, 40, 30, 655_360, 491_520, *waits, *[0, 1] * 7)))


def section() -> str:
    """Measure, and return the section of the page."""
    by_fault: dict[tuple[str, str], Line] = {}
    by_workload: dict[tuple[str, str], Line] = {}
    total, wide = Line(), Line()
    for stream in (*recorded(), *recorded_slight(), *simulated(), *simulated_slight(), *practised()):
        judged = judge(stream)
        lines = [
            by_fault.setdefault((stream.origin, stream.fault), Line()),
            by_workload.setdefault((stream.origin, stream.workload), Line()),
            total,
        ]
        for line in (*lines, wide) if stream.layout == "raidz2" else lines:
            line.add(stream, *judged)
    parts = [
        [HEADING, "", HOW],
        [_summary("Of all slow disks", total), _summary("Of those in a raidz2 of six", wide), ""],
        _table("fault", by_fault, total),
        ["The same streams by workload:", ""],
        _table("workload", by_workload, total),
        [_cost(*cost_ms()), ""],
    ]
    return "\n".join(line for part in parts for line in part)


def _summary(which: str, line: Line) -> str:
    ours, theirs = (
        f"recall {_share(one.found, line.slow)}, precision {_share(one.found, one.found + one.wrong)}"
        for one in (line.ours, line.autosit)
    )
    return f"{which}: {ours}; autosit: {theirs}."


def _cost(reading: float, judging: float) -> str:
    met = "yes" if judging < GOAL_MS else "**no**"
    return (
        f"A sample of {DISKS} disks that all read and write costs {judging:.1f} ms of CPU to judge "
        f"(goal < {GOAL_MS:.0f} ms, met: {met}), beside {reading:.1f} ms to take in."
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "of nothing"


def _table(what: str, lines: dict[tuple[str, str], Line], total: Line) -> Iterable[str]:
    yield (
        f"| stream | {what} | streams | slow disks | found | wrong | seconds "
        "| autosit: found | wrong | seconds |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for (origin, name), line in lines.items():
        yield f"| {origin} | {name} | {line.cells()}"
    yield f"| all | | {total.cells()}"
    yield ""


def rewrite(page: Path, measured: Callable[[], str] = section) -> None:
    """Put the section in the place of the one that the page has, or behind all else."""
    before = page.read_text().partition(f"\n{HEADING}\n")[0].rstrip("\n")
    page.write_text(f"{before}\n\n{measured()}")
