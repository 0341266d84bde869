"""`zpool iostat` as a stream: each pool's sample is returned when its last row arrives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, NoReturn

from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.pools.iostat import IoRow, IoSample, LazyRows
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.iostat.row_parser import RowParser

TOOL: Final = "zpool iostat"
FIRST_CLASSES: Final = ("data", "dedup", "special", "log")  # in printed order; cache is last
CACHE: Final = "cache"
BETWEEN_CLASSES: Final = b""  # the separator line
NOT_PRINTED: Final = "spare"
MAX_LINE_BYTES: Final = 64 * 1024
MAX_ROWS: Final = 65_536
MOST_TOGETHER: Final = 1024  # rows compared in one step: copying more costs more than it saves
EPOCH_DIGITS: Final = 12
IMPLAUSIBLE: Final = 1e15  # per second; a larger rate is the difference of counters of two vdevs


def stream(pools: Sequence[str], interval_s: float) -> Command:
    """Print a sample of the pools every interval, endlessly: exact numbers, latencies, queues."""
    return Command((
        "zpool", "iostat",
        "-T", "u",
        "-Hpvlqy",
        *pools,
        f"{interval_s:g}",
    ))  # fmt: skip


def pools_of(argv: Sequence[str]) -> tuple[str, ...] | None:
    """The pools of a `stream`; None for any other command."""
    fixed = stream((), 1).argv[:-1]
    return tuple(argv[len(fixed) : -1]) if tuple(argv[: len(fixed)]) == fixed else None


def expected_rows(pool: Pool) -> tuple[Vdev | None, ...]:
    """The vdev of each row of `zpool iostat -v` in printed order; None is the pool itself.

    Spares are printed only while in use. `zpool status` may hide indirect vdevs left by a removal, which
    iostat prints: `match_rows` handles these.
    """
    others = {vdev.vdev_class for vdev in pool.vdevs} - {*FIRST_CLASSES, CACHE, NOT_PRINTED}
    tops = (
        vdev
        for vdev_class in (*FIRST_CLASSES, *sorted(others), CACHE)
        for vdev in pool.of_class(vdev_class)
        if _is_printed(vdev)
    )
    return (None, *(vdev for top in tops for vdev in top.walk()))


def row_names(pool: Pool) -> tuple[str, ...]:
    """The printed names of `expected_rows`."""
    return tuple(pool.name if vdev is None else vdev.name for vdev in expected_rows(pool))


def match_rows(pool: Pool, rows: Sequence[IoRow]) -> tuple[Vdev | None, ...]:
    """The vdev of each printed row; None for the pool's own row and for rows missing in the tree."""
    return tuple(_matches(expected_rows(pool)[1:], rows))


@dataclass(frozen=True, slots=True)
class _Printed:
    """Rows of a pool's last sample, and the beginnings of their lines."""

    pool: str
    names: tuple[str, ...]
    heads: tuple[bytes, ...]

    def and_one_more(self, name: str, line: bytes) -> _Printed:
        """The same with one more row."""
        return _Printed(self.pool, (*self.names, name), (*self.heads, _head(line)))


@dataclass(slots=True)
class _Open:
    """Incomplete sample; `target` has the rows of the last sample, or those expected from `zpool status`."""

    pool: str
    at: float
    target: Sequence[str]
    names: list[str] = field(default_factory=list)
    rows: list[bytes] = field(default_factory=list)
    is_as_before: bool = True
    is_plausible: bool = True

    @property
    def awaited(self) -> str | None:
        """The next row if nothing has changed."""
        have = len(self.rows)
        return self.target[have] if self.is_as_before and have < len(self.target) else None

    @property
    def is_complete(self) -> bool:
        """Whether the last row has arrived, if nothing has changed."""
        return self.is_as_before and len(self.rows) == len(self.target)


class IostatReader:
    """Incremental parser of `zpool iostat` output into samples.

    `expected` gives the row names (`row_names`) of each pool, or none if unknown; without any pool the first
    row names the only one. The rows of a sample are expected again in the next one, so only a pool's first
    sample may have to wait for the following line. ZFS subtracts two samples' counters by position: a sample
    whose rows differ from those of the previous one is invalid and is dropped.
    """

    def __init__(self, expected: Mapping[str, Sequence[str]] | None = None) -> None:
        self.left_out = 0  # invalid samples
        self._expected = dict(expected or {})
        self._printed: dict[str, _Printed] = {}  # by pool
        self._by_head: dict[bytes, _Printed] = {}  # the same, by the beginning of the pool's own line
        self._open: _Open | None = None
        self._closed: str | None = None  # the pool whose last expected row has just arrived
        self._stamp: float | None = None
        self._parser = RowParser()
        self._rest = b""
        self._line_no = 0

    def expect(self, expected: Mapping[str, Sequence[str]]) -> None:
        """Replace the expected rows, and add pools."""
        self._expected.update(expected)

    def feed(self, chunk: bytes, *, now: float | None = None) -> list[IoSample]:
        """The samples completed by this chunk; `now` is their time unless one is printed."""
        whole, newline, self._rest = (self._rest + chunk).rpartition(b"\n")
        lines = whole.split(b"\n") if newline else []
        samples: list[IoSample] = []
        at, may_be_as_before = 0, True
        while at < len(lines):
            taken = self._take_as_before(lines, at, now, samples) if may_be_as_before else 0
            if not taken:
                taken, line = 1, lines[at]
                self._line_no += 1
                may_be_as_before = b"\t" not in line
                if b"\t" in line:
                    samples.extend(self._take_row(line, now))
                elif line:
                    samples.extend(self._take_stamp(line))
            at += taken
        if len(self._rest) > MAX_LINE_BYTES:
            self._refuse(self._rest, "the line does not end")
        return samples

    def finish(self) -> list[IoSample]:
        """The last sample of a finished output, unless rows are known to be missing."""
        if self._open is not None and self._open.pool in self._printed:
            self._open = None
        return self._end_sample()

    def _take_stamp(self, line: bytes) -> list[IoSample]:
        if not line.isdigit() or len(line) > EPOCH_DIGITS:
            self._refuse(line, "neither a row nor a time")
        ended = self._end_sample()
        self._stamp, self._closed = float(line), None
        return ended

    def _take_as_before(
        self, lines: Sequence[bytes], start: int, now: float | None, samples: list[IoSample]
    ) -> int:
        """Consume the next rows in one step if they equal those of the last sample; returns their number.

        Going line by line through `_take_row` takes twice as long.
        """
        sample, at = self._open, now if self._stamp is None else self._stamp
        printed = self._by_head.get(_head(lines[start])) if sample is None else self._printed.get(sample.pool)
        if printed is None or at is None or (sample is not None and not sample.is_as_before):
            return 0
        have = 0 if sample is None else len(sample.rows)
        heads = printed.heads[have : have + MOST_TOGETHER]
        rows = lines[start : start + len(heads)]
        if BETWEEN_CLASSES in rows:
            rows = rows[: rows.index(BETWEEN_CLASSES)]
        if not (all(map(bytes.startswith, rows, heads)) and self._parser.are_sound(rows)):
            return 0
        if sample is None:
            sample = self._open = self._begin(printed.pool, at)
        sample.names += printed.names[have : have + len(rows)]
        sample.rows += rows
        self._line_no += len(rows)
        if sample.is_complete:
            samples += self._end_sample()
            self._closed = sample.pool
        return len(rows)

    def _take_row(self, line: bytes, now: float | None) -> list[IoSample]:
        name, is_plausible = self._parser.name_of_sound(line), True
        if name is None:
            try:
                made = self._parser.row(line)
            except ValueError as error:
                self._refuse(line, str(error))
            name = made.name
            is_plausible = max(made.read_ops, made.write_ops, made.read_bytes, made.write_bytes) < IMPLAUSIBLE
        ended: list[IoSample] = []
        sample = self._open
        if sample is None or name != sample.awaited:
            if self._is_pool(name):
                ended = self._end_sample()
                at = next((at for at in (self._stamp, now) if at is not None), None)
                if at is None:
                    self._refuse(line, "a sample without a time")
                sample = self._open = self._begin(name, at)
            elif sample is None:
                self._take_stray(name, line)
                return ended
            else:
                sample.is_as_before = False
        if len(sample.rows) >= MAX_ROWS:
            self._refuse(line, "the pool does not end")
        sample.names.append(name)
        sample.rows.append(line)
        sample.is_plausible = sample.is_plausible and is_plausible
        if sample.is_complete:
            ended += self._end_sample()
            self._closed = sample.pool
        return ended

    def _is_pool(self, name: str) -> bool:
        if self._expected:
            return name in self._expected
        if self._open is not None:
            return name == self._open.pool
        return not self._printed or name in self._printed

    def _begin(self, pool: str, at: float) -> _Open:
        printed = self._printed.get(pool)
        target = printed.names if printed is not None else self._expected.get(pool) or ()
        self._closed = None
        return _Open(pool, at, target, is_as_before=bool(target) and target[0] == pool)

    def _take_stray(self, name: str, line: bytes) -> None:
        """A row after the last expected one: the pool has grown; expect it from now on."""
        if self._closed is None:
            self._refuse(line, "a row of no pool")
        printed = self._printed[self._closed]
        if len(printed.names) >= MAX_ROWS:
            self._refuse(line, "the pool does not end")
        self._await(printed.and_one_more(name, line))

    def _end_sample(self) -> list[IoSample]:
        sample, self._open = self._open, None
        if sample is None:
            return []
        before, names = self._printed.get(sample.pool), tuple(sample.names)
        is_as_before = before is not None and before.names == names
        if before is not None and is_as_before:
            names = before.names
        else:
            self._await(_Printed(sample.pool, names, tuple(map(_head, sample.rows))))
        if sample.is_plausible and (before is None or is_as_before):
            return [IoSample(sample.pool, sample.at, LazyRows(names, sample.rows, self._parser.row))]
        self.left_out += 1
        return []

    def _await(self, printed: _Printed) -> None:
        """Expect the same rows in the next sample."""
        self._printed[printed.pool] = printed
        self._by_head[printed.heads[0]] = printed

    def _refuse(self, line: bytes, reason: str) -> NoReturn:
        raise ParseError(TOOL, self._line_no, line.decode("utf-8", "replace"), reason)


def _head(line: bytes) -> bytes:
    """The name in a line with the following tab; empty without a tab."""
    return line[: line.find(b"\t") + 1]


def _is_printed(top: Vdev) -> bool:
    if top.type == "indirect":
        return top.vdev_class in ("data", "log")
    return top.type != "hole"


def _matches(vdevs: Sequence[Vdev | None], rows: Sequence[IoRow]) -> Iterator[Vdev | None]:
    """The vdev of each row by name and order, skipping entries present on one side only."""
    yield from (None for _ in rows[:1])
    start = 0
    for row in rows[1:]:
        for at in range(start, len(vdevs)):
            vdev = vdevs[at]
            if vdev is not None and vdev.name == row.name:
                start = at + 1
                yield vdev
                break
        else:
            yield None
