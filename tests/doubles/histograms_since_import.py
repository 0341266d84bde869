"""Histograms as `zpool iostat -w` and `-r` print them once: what those of the stream are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.bounded_lines import line_list
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.histograms import HistogramRow
from zconsole.model.pools.iostat import Histogram
from zconsole.zfs.iostat.histogram_stream import LATENCY_COLUMNS, SIZE_COLUMNS, TOOL

_MAX_DIGITS: Final = 20  # of 64 bits


def latency_histograms(pool: str) -> Command:
    """Print the latency of each vdev's operations, in nanoseconds."""
    return Command(("zpool", "iostat", "-wHpv", pool))


def size_histograms(pool: str) -> Command:
    """Print the size of each vdev's requests, in bytes."""
    return Command(("zpool", "iostat", "-rHpv", pool))


def parse_latency_histograms(text: str) -> tuple[HistogramRow, ...]:
    """Parse the output of `latency_histograms`; buckets are labelled with their upper bounds."""
    return tuple(_rows(text, LATENCY_COLUMNS, (len(LATENCY_COLUMNS) - 1, len(LATENCY_COLUMNS))))


def parse_size_histograms(text: str) -> tuple[HistogramRow, ...]:
    """Parse the output of `size_histograms`; buckets are labelled with their lower bounds, powers of two."""
    widths = (len(SIZE_COLUMNS) - 2, len(SIZE_COLUMNS))
    return tuple(
        HistogramRow(row.name, {name: _to_upper_bounds(of) for name, of in row.histograms.items()})
        for row in _rows(text, SIZE_COLUMNS, widths)
    )


def _rows(text: str, columns: Sequence[str], widths: tuple[int, int]) -> Iterator[HistogramRow]:
    """A vdev is a line with its name and a line per bucket; all vdevs have the same buckets."""
    lines = line_list(TOOL, text, reason="the output is truncated")
    name, buckets, wanted = "", list[tuple[int, ...]](), list[int]()
    for line_no, line in enumerate([*lines, "end"], start=1):
        if "\t" in line:
            bucket = _bucket(line, line_no)
            if len(bucket) - 1 not in widths or (buckets and len(bucket) != len(buckets[0])):
                raise ParseError(TOOL, line_no, line, f"{len(bucket)} fields are not expected here")
            if not name or (buckets and bucket[0] <= buckets[-1][0]):
                raise ParseError(TOOL, line_no, line, "a bucket out of place")
            buckets.append(bucket)
        elif line:
            if name:
                bounds = [bucket[0] for bucket in buckets]
                if not bounds or bounds != (wanted or bounds):
                    raise ParseError(TOOL, line_no, line, f"{name} lacks buckets")
                yield _row(name, buckets, columns)
                wanted = bounds
            name, buckets = line, []


def _bucket(line: str, line_no: int) -> tuple[int, ...]:
    fields = line.split("\t")
    if not all(field.isascii() and field.isdigit() and len(field) <= _MAX_DIGITS for field in fields):
        raise ParseError(TOOL, line_no, line, "not a count")
    return tuple(map(int, fields))


def _row(name: str, buckets: Sequence[tuple[int, ...]], columns: Sequence[str]) -> HistogramRow:
    bounds, *counts = zip(*buckets, strict=True)
    return HistogramRow(
        name, {column: Histogram(bounds, of) for column, of in zip(columns, counts, strict=False)}
    )


def _to_upper_bounds(lower: Histogram) -> Histogram:
    return Histogram(tuple(2 * bound - 1 for bound in lower.upper_bounds), lower.counts)
