"""Streams of histograms made by hand, beside the samples that a detector needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from tests.analysis.slow_disks.streams import AT, GROUPS, HEALTHY, Act, sample
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout, layout_of
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.histograms import HistogramRow, HistogramSample
from zconsole.model.pools.iostat import Histogram
from zconsole.model.pools.pool import Pool

BOUNDS = tuple((1 << power) - 1 for power in range(1, 38))
INTERVAL_S = 0.5
Took = Mapping[int, int]  # I/Os of half a second, by the bits of the upper bound of their bucket
Tails = Callable[[int, str], Took]  # in which half second, which disk
MS_8, MS_16, MS_33, MS_67, MS_268, MS_1074 = 23, 24, 25, 26, 28, 30  # buckets up to so many milliseconds


def row(name: str, reads: Took, writes: Took) -> HistogramRow:
    """What ZFS prints of half a second, in which `n` I/Os are a rate of `2 n`."""
    return HistogramRow(
        name,
        {
            of: Histogram(BOUNDS, tuple(2 * took.get(at + 1, 0) for at in range(len(BOUNDS))))
            for of, took in (("disk_read", reads), ("disk_write", writes))
        },
    )


def histograms(half: int, names: Sequence[str], reads: Tails, writes: Tails) -> HistogramSample:
    """Half a second of a pool whose rows have these names."""
    rows = [row("tank", {}, {})]
    for name in names:
        is_group = name.startswith(GROUPS)
        rows.append(row(name, {} if is_group else reads(half, name), {} if is_group else writes(half, name)))
    return HistogramSample(AT + half // 2, INTERVAL_S, tuple(rows))


def nothing(_half: int, _name: str) -> Took:
    return {}


def alike(_half: int, _name: str) -> Took:
    """Forty reads in half a second, the slowest of them up to 33 ms."""
    return {MS_8: 30, MS_16: 9, MS_33: 1}


def watch(
    names: Sequence[str],
    reads: Tails = alike,
    writes: Tails = nothing,
    *,
    seconds: int = 60,
    act: Act = lambda _number, _name: HEALTHY,
    pool: Pool | None = None,
    inventory: Inventory | None = None,
) -> Detector:
    """A detector that has seen both for so many seconds."""
    detector = Detector(inferred_layout if pool is None else partial(layout_of, pool, inventory))
    for number in range(seconds):
        detector.feed(sample(number, names, act))
        for half in (2 * number, 2 * number + 1):
            detector.hear(histograms(half, names, reads, writes))
    return detector


def every(halves: int, beyond: Took, disks: Sequence[str], since: int = 0, until: int = 1 << 30) -> Tails:
    """As all of them, but for some disks, which add I/Os in every so many half seconds."""

    def took(half: int, name: str) -> Took:
        usual = alike(half, name)
        if name in disks and since <= half < until and half % halves == 0:
            return {power: usual.get(power, 0) + beyond.get(power, 0) for power in {*usual, *beyond}}
        return usual

    return took
