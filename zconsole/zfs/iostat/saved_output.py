"""Recording of `zpool iostat -T u -Hpvlqy POOL 1`, each line with or without a leading epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NoReturn

from zconsole.base.errors import ParseError
from zconsole.model.pools.iostat import IoSample
from zconsole.zfs.iostat.iostat_stream import EPOCH_DIGITS, MAX_LINE_BYTES, IostatReader
from zconsole.zfs.iostat.row_parser import LAYOUTS, UNKNOWN_WIDTH

TOOL: Final = "recording"
NO_LINE: Final = "not a line of a recording, or truncated"
COMMAND: Final = "zpool iostat -T u -Hpvlqy POOL 1"
LONGEST_LINE: Final = MAX_LINE_BYTES
_EPOCH_DIGITS: Final = range(9, EPOCH_DIGITS + 1)


class Recording:
    """Parser of a recording into samples. The pool is that of the first row."""

    def __init__(self) -> None:
        self.count = 0  # samples begun
        self._pool: bytes | None = None
        self._reader = IostatReader()
        self._names: list[str] = []  # of the current sample
        self._starts: list[int] = []
        self._starts_of: dict[tuple[str, ...], tuple[int, ...]] = {}
        self._epoch = b""
        self._width = 0
        self._line_no = 0

    def starts(self, sample: IoSample) -> tuple[int, ...]:
        """Rows of a sample after a blank line, each the first of a vdev class."""
        return self._starts_of.get(sample.names, ())

    def samples(self, lines: Iterable[bytes]) -> Iterator[tuple[int, IoSample]]:
        """Each valid sample with its number. Raises ParseError for an invalid or truncated line."""
        for line in lines:
            self._line_no += 1
            row = self._row(line.rstrip(b"\r\n"))
            if row is None:
                continue
            if not row:
                self._starts.append(len(self._names))
                continue
            name = row.partition(b"\t")[0]
            if self._pool is None:
                self._pool = name
            if name == self._pool:
                yield from self._begin()
            self._names.append(name.decode("utf-8", "replace"))
            yield from self._feed(row + b"\n")
        if self._pool is None:
            self._refuse(b"", "the output ends without a sample")
        self._remember()
        yield from ((self.count - 1, sample) for sample in self._reader.finish())

    def _row(self, line: bytes) -> bytes | None:
        """The row in a line without its epoch; empty for a blank line, None for a line with only a time."""
        first, tab, rest = line.partition(b"\t")
        if first.isdigit() and len(first) in _EPOCH_DIGITS:
            if not rest:
                self._epoch = first
                return b"" if tab else None
            width = rest.count(b"\t") + 1
            if width in LAYOUTS and (width + 1 not in LAYOUTS or not rest.partition(b"\t")[0].isdigit()):
                self._epoch, line = first, rest
        if line:
            width = line.count(b"\t") + 1
            layout = LAYOUTS.get(width)
            if layout is None:
                self._refuse(line, f"{NO_LINE}: {UNKNOWN_WIDTH.format(width)}")
            if width != (self._width or width):
                self._refuse(line, f"{NO_LINE}: {width} columns, and {self._width} in the lines before")
            if not layout.latencies:
                self._refuse(line, "a line without latencies")
            self._width = width
        return line

    def _begin(self) -> Iterator[tuple[int, IoSample]]:
        """A new sample begins: return the previous one if it has not been returned."""
        self._remember()
        yield from self._feed((self._epoch or b"%d" % self.count) + b"\n")
        self.count += 1
        self._names, self._starts = [], []

    def _remember(self) -> None:
        self._starts_of[tuple(self._names)] = tuple(self._starts)

    def _feed(self, line: bytes) -> Iterator[tuple[int, IoSample]]:
        try:
            samples = self._reader.feed(line)
        except ParseError as error:
            self._refuse(error.line.encode("utf-8", "replace"), error.reason)
        for sample in samples:
            yield self.count - 1, sample

    def _refuse(self, line: bytes, reason: str) -> NoReturn:
        raise ParseError(TOOL, self._line_no, line.decode("utf-8", "replace"), reason)
