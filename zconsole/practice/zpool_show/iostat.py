"""`zpool iostat`: rates and averages between two readings of the counters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.getopt import Options
from zconsole.practice.io.io_counters import LATENCIES, QUEUES, Numbers
from zconsole.practice.nicenum_and_times import nicenum, nicetime, rawtime, words
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import Naming, widest

SHORT: Final = "c:ghHlLnpPqrT:vwy"
_NOTHING: Final[Numbers] = (0,) * (4 + 2 * LATENCIES)
_NO_QUEUES: Final = (0,) * QUEUES
_MIN_NAME: Final = 10
_SMALLEST_REQUEST: Final = 9  # 512 bytes

_WAITS: Final = "total_wait disk_wait syncq_wait asyncq_wait"
_QUEUES: Final = "syncq_read syncq_write asyncq_read asyncq_write scrubq_read trimq_write rebuildq_write"
_REQUESTS: Final = "sync_read sync_write async_read async_write scrub trim rebuild"


def _titles(names: str, columns: int = 2) -> tuple[tuple[str, int], ...]:
    return tuple((name, columns) for name in words(names))


_TOP: Final = {  # titles with the number of columns below each
    "default": _titles("capacity operations bandwidth"),
    "l": _titles(_WAITS) + _titles("scrub trim rebuild", 1),
    "q": _titles(_QUEUES),
    "w": _titles(_WAITS),
    "r": _titles(_REQUESTS),
}
_BOTTOM: Final = {
    "default": ("alloc", "free", *("read", "write") * 2),
    "l": (*("read", "write") * 4, "wait", "wait", "wait"),
    "q": ("pend", "activ") * 7,
    "w": (*("read", "write") * 4, "scrub", "trim", "rebuild"),
    "r": ("ind", "agg") * 7,
}
_EXACT_WIDTHS: Final = {"default": 15, "l": 10, "q": 6}


@dataclass(slots=True)
class MeterReading:
    """The meters of a pool at a moment; of every vdev, by guid."""

    at: float
    numbers: dict[int, Numbers] = field(default_factory=dict)
    queues: dict[int, tuple[int, ...]] = field(default_factory=dict)
    histograms: dict[int, list[list[int]]] = field(default_factory=dict)


def look(world: World, pool: PracticePool, options: Options) -> MeterReading:
    """Read the counters; those above the leaves are sums."""
    taken = MeterReading(world.elapsed - pool.imported_at)
    which = "latencies" if "w" in options else "sizes" if "r" in options else ""

    for vdev in (pool.root, *pool.caches):
        _take(taken, vdev, which)
    return taken


def _take(taken: MeterReading, vdev: PracticeVdev, which: str) -> None:
    """Take the counters of a vdev and of all below it."""
    if vdev.is_leaf:
        taken.numbers[vdev.guid] = vdev.meter.numbers()
        taken.queues[vdev.guid] = tuple(vdev.meter.queues)
        if which:
            taken.histograms[vdev.guid] = [list(histogram) for histogram in getattr(vdev.meter, which)]
        return
    guids = [child.guid for child in vdev.children if child.kind != "indirect"]
    for child in vdev.children:
        if child.kind != "indirect":
            _take(taken, child, which)
    taken.numbers[vdev.guid] = _summed(taken.numbers[guid] for guid in guids)
    taken.queues[vdev.guid] = _summed(taken.queues[guid] for guid in guids)
    if which:
        of_each = zip(*(taken.histograms[guid] for guid in guids), strict=True)
        taken.histograms[vdev.guid] = [list(_summed(same)) for same in of_each]


def _summed(rows: Iterable[Sequence[int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


class Printer:
    """Prints samples since the reading before."""

    def __init__(
        self, world: World, pools: Sequence[PracticePool], vdevs: Sequence[str], options: Options
    ) -> None:
        self.world, self.pools, self.vdevs, self.options = world, list(pools), tuple(vdevs), options
        self.naming = Naming.of(options)
        self.exact, self.scripted = "p" in options, "H" in options
        self.verbose = "v" in options or bool(vdevs)
        self.histogram = "w" if "w" in options else "r" if "r" in options else ""
        self.kinds = (
            [self.histogram] if self.histogram else ["default", *(kind for kind in "lq" if kind in options)]
        )
        self._before: dict[int, MeterReading] = {}
        self._number: Callable[[int], str] = str if self.exact else nicenum
        self._time: Callable[[int], str] = rawtime if self.exact else nicetime
        self._width = 0
        self._is_first = True

    def stamp(self) -> str:
        """The line that -T prints before each sample."""
        how = self.options.last("T")
        if how is None:
            return ""
        return f"{int(self.world.now)}\n" if how == "u" else self.world.stamp("%a %b %e %H:%M:%S UTC %Y\n")

    def skip(self) -> str:
        """Read the counters without printing a sample, for -y."""
        for pool in self.pools:
            self._before[pool.guid] = look(self.world, pool, self.options)
        return self.stamp()

    def sample(self) -> str:
        """A sample since the last reading, or since import."""
        parts = [self.stamp()]
        if not self.scripted:
            self._width = max([_MIN_NAME, *map(self._widest, self.pools)])
        has_rules = not self.scripted and not self.histogram
        if has_rules and (self._is_first or self.verbose):
            parts.append(self._header(""))
        self._is_first = False
        for pool in self.pools:
            now = look(self.world, pool, self.options)
            before = self._before.get(pool.guid)
            parts.extend(self._vdev(pool.root, (pool, now, before), 0))
            self._before[pool.guid] = now
            if has_rules and self.verbose and not self.vdevs:
                parts.append(self._dashes("") + "\n")
        if has_rules and (self.vdevs or (len(self.pools) > 1 and not self.verbose)):
            parts.append(self._dashes("") + "\n")
        return "".join(parts)

    def _widest(self, pool: PracticePool) -> int:
        return widest(pool, self.naming) if self.verbose else len(pool.name)

    def _vdev(
        self, vdev: PracticeVdev, looks: tuple[PracticePool, MeterReading, MeterReading | None], depth: int
    ) -> Iterator[str]:
        pool = looks[0]
        name = self.naming.name(vdev, pool)
        if not self.vdevs or name in self.vdevs or str(vdev.guid) in self.vdevs:
            yield self._row(vdev, name, looks, 0 if self.vdevs else depth)
        if not self.verbose:
            return
        for child in vdev.children:
            if child.kind != "indirect" and (vdev.kind != "root" or child.vdev_class == "normal"):
                yield from self._vdev(child, looks, depth + 2)
        if vdev.kind != "root":
            return
        for heading, members in (*pool.sections(), ("cache", pool.caches)):
            if members:
                if not self.histogram and not self.scripted and not self.vdevs:
                    yield self._dashes(heading)
                yield "\n"
                for member in members:
                    yield from self._vdev(member, looks, depth + 2)

    def _row(
        self,
        vdev: PracticeVdev,
        name: str,
        looks: tuple[PracticePool, MeterReading, MeterReading | None],
        depth: int,
    ) -> str:
        pool, now, before = looks
        span = now.at - (before.at if before else 0.0)
        scale = 1.0 / span if span > 0 else 1.0
        if self.histogram:
            return "\n" + self._histogram(vdev, name, now, before, 1.0 if before is None else scale)
        old = before.numbers.get(vdev.guid, _NOTHING) if before else _NOTHING
        new = now.numbers.get(vdev.guid, _NOTHING)
        cells = [*self._capacity(vdev, pool)]
        number = self._number
        cells += [number(int((new[index] - old[index]) * scale)) for index in range(4)]
        if "l" in self.options:
            for index in range(4, 4 + LATENCIES):
                count = new[index] - old[index]
                weight = new[index + LATENCIES] - old[index + LATENCIES]
                cells.append(self._time(weight // count if count else 0))
        if "q" in self.options:
            cells += map(number, now.queues.get(vdev.guid, _NO_QUEUES))
        if self.scripted:
            return "\t".join((name, *cells)) + "\n"
        padded = (f"  {cell:>{width}}" for cell, width in zip(cells, self._widths(), strict=True))
        return f"{'':{depth}}{name:<{max(0, self._width - depth)}}{''.join(padded)}\n"

    def _capacity(self, vdev: PracticeVdev, pool: PracticePool) -> tuple[str, str]:
        if vdev.kind == "root":
            size, allocated = pool.size, pool.allocated
        elif vdev in pool.caches:
            size, allocated = vdev.asize, vdev.allocated
        elif vdev in pool.root.children:
            size, allocated = vdev.size, vdev.allocated
        else:
            return ("0", "0") if self.exact else ("-", "-")
        return self._number(allocated), self._number(size - allocated)

    def _histogram(
        self, vdev: PracticeVdev, name: str, now: MeterReading, before: MeterReading | None, scale: float
    ) -> str:
        new = now.histograms.get(vdev.guid, [])
        old = before.histograms.get(vdev.guid) if before else None
        first = _SMALLEST_REQUEST if self.histogram == "r" else 0
        differences = [
            [count - (old[index][bucket] if old else 0) for bucket, count in enumerate(histogram)]
            for index, histogram in enumerate(new)
        ]
        largest = max((max(histogram) for histogram in differences), default=0)
        width = max(5, len(str(largest))) if self.exact else 5
        lines = [name] if self.scripted else [self._header(name, width).removesuffix("\n")]
        name_width = max(self._width, len(self._title()))
        for bucket in range(first, len(new[0]) if new else 0):
            edge = (1 << bucket + 1) - 1 if self.histogram == "w" else 1 << bucket
            counts = [self._number(int(histogram[bucket] * scale)) for histogram in differences]
            if self.scripted:
                lines.append("\t".join((str(edge), *counts)))
                continue
            label = nicetime(edge) if self.histogram == "w" else nicenum(edge)
            lines.append(f"{label:<{name_width}}" + "".join(f"  {count:>{width}}" for count in counts))
        if not self.scripted:
            lines.append("-" * (name_width + (width + 2) * len(differences)))
        return "\n".join(lines) + "\n"

    def _widths(self) -> list[int]:
        return [_EXACT_WIDTHS[kind] if self.exact else 5 for kind in self.kinds for _ in _BOTTOM[kind]]

    def _title(self) -> str:
        """The heading of the first column."""
        return {"w": "latency", "r": "req_size"}.get(self.histogram, "vdev" if self.vdevs else "pool")

    def _header(self, name: str, width: int = 0) -> str:
        title = self._title()
        name_width = max(len(title), self._width, len(name))
        top = bottom = ""
        for kind in self.kinds:
            column = width or (_EXACT_WIDTHS[kind] if self.exact else 5)
            top += "".join(_centered(label, columns, column) for label, columns in _TOP[kind])
            bottom += "".join(_centered(label, 1, column) for label in _BOTTOM[kind])
        return f"{name:<{name_width}}{top}\n{title:<{name_width}}{bottom}\n{self._dashes('', width)}\n"

    def _dashes(self, heading: str, width: int = 0) -> str:
        name_width = max(len(self._title()), self._width, len(heading))
        widths = [width] * len(_BOTTOM[self.histogram]) if width else self._widths()
        if heading:
            return f"{heading:<{name_width}}" + "".join(f"  {'-':>{column}}" for column in widths)
        return "-" * name_width + "".join("  " + "-" * column for column in widths)


def _centered(label: str, columns: int, width: int) -> str:
    """A label over its columns, where `zpool iostat` puts it."""
    room = width * columns + 2 * (columns - 1)
    start = max(0, room // columns - len(label) // columns)
    return "  " + " " * start + label + " " * max(0, room - start - len(label))
