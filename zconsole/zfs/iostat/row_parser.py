"""One line of `zpool iostat -Hp`: its columns and the parsed row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.iostat import IoRow, Latency, Queues

DEFAULT_COLUMNS: Final = ("name", "alloc", "free", "read_ops", "write_ops", "read_bytes", "write_bytes")
LATENCY_COLUMNS: Final = (  # of -l
    *("total_read", "total_write", "disk_read", "disk_write"),
    *("syncq_read", "syncq_write", "asyncq_read", "asyncq_write"),
    *("scrub", "trim", "rebuild"),
)
QUEUE_COLUMNS: Final = tuple(  # of -q
    f"{queue}_{part}"
    for queue in ("syncq_read", "syncq_write", "asyncq_read", "asyncq_write", "scrub", "trim", "rebuild")
    for part in ("pending", "active")
)

_NO_LATENCY: Final = Latency()
_NO_QUEUES: Final = Queues()
_NO_IO: Final = frozenset((b"-", b"-1"))  # printed for "no I/O in the interval"
_NUMERIC: Final = b"0123456789-\t"
_MAX_CACHED: Final = 4096
_MAX_DIGITS: Final = 20  # of 64 bits


@dataclass(frozen=True, slots=True)
class IostatLayout:
    """Columns behind the default ones: the first ones of LATENCY_COLUMNS and of QUEUE_COLUMNS."""

    latencies: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Number of columns of a line."""
        return len(DEFAULT_COLUMNS) + len(self.latencies) + len(self.queues)


_WITHOUT_REBUILD: Final = IostatLayout(LATENCY_COLUMNS[:-1], QUEUE_COLUMNS[:-2])  # 2.1
KNOWN_LAYOUTS: Final = (  # told apart by their width alone: -H prints no titles
    IostatLayout(),
    IostatLayout(_WITHOUT_REBUILD.latencies),
    _WITHOUT_REBUILD,
    IostatLayout(LATENCY_COLUMNS),
    IostatLayout(LATENCY_COLUMNS, QUEUE_COLUMNS),
)
LAYOUTS: Final[Mapping[int, IostatLayout]] = {layout.width: layout for layout in KNOWN_LAYOUTS}
UNKNOWN_WIDTH: Final = (
    "{} columns, where zpool iostat -Hp prints "
    f"{', '.join(map(str, sorted(LAYOUTS)))} in the versions of OpenZFS that zconsole knows"
)


_NOTHING: Final = re.compile(rb"(?!)()")
_PLAUSIBLE_DIGITS: Final = 15  # no device does 10^15 of anything a second


@lru_cache
def _sound(layout: IostatLayout) -> re.Pattern[bytes]:
    """Pattern of lines that certainly parse, with rates that a device can have."""
    count, rate = rb"\d{1,%d}" % _MAX_DIGITS, rb"\d{1,%d}" % _PLAUSIBLE_DIGITS
    columns = [rb"([^\t\n]+)", count, count, rate, rate, rate, rate]
    columns += [rb"(?:\d{1,%d}|-1?)" % _MAX_DIGITS] * len(layout.latencies) + [count] * len(layout.queues)
    return re.compile(rb"\t".join(columns))


class RowParser:
    """Parser of the lines of one output, which all have as many columns as the first.

    Raises ValueError for a line that is not a row.
    """

    def __init__(self) -> None:
        self._width = 0
        self._layout = IostatLayout()
        self._sound = _NOTHING
        self._names: dict[bytes, str] = {}  # names repeat in each sample
        self._queues: dict[bytes, Queues] = {}  # queues are mostly empty
        self._counts: dict[bytes, int] = {}  # space changes slowly

    def name_of_sound(self, line: bytes) -> str | None:
        """The name in a line that certainly parses later; None leaves it open."""
        found = self._sound.fullmatch(line)
        return None if found is None else self._names.get(found[1]) or self._learn_name(found[1])

    def are_sound(self, lines: Iterable[bytes]) -> bool:
        """Whether all of these lines certainly parse later."""
        return all(map(self._sound.fullmatch, lines))

    def row(self, line: bytes) -> IoRow:
        """Parse a line."""
        width = line.count(b"\t") + 1
        if width != self._width:
            self._learn_layout(width)
        layout = self._layout
        name, alloc, free, *rates = line.split(b"\t", len(DEFAULT_COLUMNS))
        behind = rates.pop() if layout.latencies else b""
        if not b"".join(rates).isdigit() or max(map(len, rates)) > _MAX_DIGITS:
            raise ValueError("not a number")
        reads, writes, read_bytes, written_bytes = map(float, rates)
        allocated_bytes, free_bytes = self._count(alloc), self._count(free)
        has_space = allocated_bytes or free_bytes  # -p prints `0 0` for a row without space
        latency, queues = self._behind(behind, layout)
        return IoRow(
            self._names.get(name) or self._learn_name(name),
            allocated_bytes if has_space else None,
            free_bytes if has_space else None,
            reads,
            writes,
            read_bytes,
            written_bytes,
            latency,
            queues,
        )

    def _behind(self, text: bytes, layout: IostatLayout) -> tuple[Latency, Queues]:
        if not layout.latencies:
            return _NO_LATENCY, _NO_QUEUES
        queues, waits = _NO_QUEUES, text.split(b"\t", len(layout.latencies))
        if layout.queues:
            in_queues = waits.pop()
            queues = self._queues.get(in_queues) or self._learn_queues(in_queues)
        if text.translate(None, _NUMERIC) or max(map(len, waits)) > _MAX_DIGITS:
            raise ValueError("not a number")
        times = [None if wait in _NO_IO else float(wait) for wait in waits]
        without = times.count(None)
        if without != text.count(b"-"):
            raise ValueError("a negative wait")
        return (_NO_LATENCY if without == len(times) else Latency(*times)), queues

    def _count(self, digits: bytes) -> int:
        known = self._counts.get(digits)
        if known is None:
            if len(self._counts) >= _MAX_CACHED:
                self._counts.clear()
            self._counts[digits] = known = _natural(digits)
        return known

    def _learn_layout(self, width: int) -> None:
        if self._width:
            raise ValueError(f"{width} columns, and {self._width} in the lines before")
        if width not in LAYOUTS:
            raise ValueError(UNKNOWN_WIDTH.format(width))
        self._width, self._layout = width, LAYOUTS[width]
        self._sound = _sound(self._layout)

    def _learn_name(self, name: bytes) -> str:
        if not name:
            raise ValueError("a row without a name")
        if len(self._names) >= _MAX_CACHED:
            self._names.clear()
        self._names[name] = text = name.decode("utf-8", "replace")
        return text

    def _learn_queues(self, text: bytes) -> Queues:
        if len(self._queues) >= _MAX_CACHED:
            self._queues.clear()
        self._queues[text] = queues = Queues(*map(_natural, text.split(b"\t")))
        return queues


def _natural(digits: bytes) -> int:
    if not digits.isdigit() or len(digits) > _MAX_DIGITS:
        raise ValueError(f"not a count: {digits.decode('utf-8', 'replace')!r}")
    return int(digits)
