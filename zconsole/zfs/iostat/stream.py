"""`zpool iostat` as a stream: samples of pools, each given out as soon as its last row has come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.iostat import IoRow, IoSample, LazyRows
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.iostat.row import RowParser

TOOL: Final = "zpool iostat"
FIRST_CLASSES: Final = ("data", "dedup", "special", "log")  # in the order of printing; cache comes last
CACHE: Final = "cache"
BETWEEN_CLASSES: Final = b""  # the line that stands there
NOT_PRINTED: Final = "spare"
MAX_LINE_BYTES: Final = 64 * 1024
MAX_ROWS: Final = 65_536
MOST_TOGETHER: Final = 1024  # rows that are taken in one go: copying more would cost more than it saves
EPOCH_DIGITS: Final = 12
IMPLAUSIBLE: Final = 1e15  # no device does this a second: a counter of one vdev less one of another


def stream(pools: Sequence[str], interval_s: float) -> Command:
    """Print a sample of the pools every interval, for ever: exact numbers, latencies, queues."""
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


def since_boot(pools: Sequence[str] = ()) -> Command:
    """Print one sample of the pools, or of all, averaged since they were imported."""
    return Command(("zpool", "iostat", "-T", "u", "-Hpvlq", *pools))


def expected_rows(pool: Pool) -> tuple[Vdev | None, ...]:
    """What each row of `zpool iostat -v` is of, in the order of printing; None is the pool itself.

    Spares are not printed unless they stand in for a disk. `zpool status` may hide the indirect
    vdevs that a removal leaves and iostat prints: `match_rows` copes with that.
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
    """The names that `expected_rows` have in the output."""
    return tuple(pool.name if vdev is None else vdev.name for vdev in expected_rows(pool))


def match_rows(pool: Pool, rows: Sequence[IoRow]) -> tuple[Vdev | None, ...]:
    """The vdev that each printed row is of; None for the pool's own row and what the tree lacks."""
    return tuple(_matches(expected_rows(pool)[1:], rows))


def parse_samples(output: bytes, pools: Sequence[str] = (), *, now: float | None = None) -> list[IoSample]:
    """All samples of an output that has ended; where no pools are named it is of one pool only."""
    reader = IostatReader(dict.fromkeys(pools, ()))
    return reader.feed(output, now=now) + reader.finish()


@dataclass(frozen=True, slots=True)
class _Printed:
    """The rows of a pool's last sample, and with what their lines began where that is known."""

    pool: str
    names: tuple[str, ...]
    heads: tuple[bytes, ...] = ()

    def and_one_more(self, name: str, line: bytes) -> _Printed:
        """With a row behind the last."""
        heads = (*self.heads, _head(line)) if self.heads else ()
        return _Printed(self.pool, (*self.names, name), heads)


@dataclass(slots=True)
class _Open:
    """A sample under way; `target` is what was printed last time, or else what status promises."""

    pool: str
    at: float
    target: Sequence[str]
    names: list[str] = field(default_factory=list)
    rows: list[IoRow | bytes] = field(default_factory=list)  # lines; rows where an epoch stood in front
    is_as_before: bool = True
    is_plausible: bool = True

    @property
    def awaited(self) -> str | None:
        """The row that comes next if nothing has changed."""
        have = len(self.rows)
        return self.target[have] if self.is_as_before and have < len(self.target) else None

    @property
    def is_complete(self) -> bool:
        """Whether the last row has come, if nothing has changed."""
        return self.is_as_before and len(self.rows) == len(self.target)


class IostatReader:
    """Turns the bytes of `zpool iostat`, cut anywhere, into samples.

    `expected` gives each pool of the output its row names (`row_names`), or nothing where they are
    not known yet; without any pool the first row names the only one. What was printed last time is
    awaited the next time, so only a pool's first sample may have to wait for the line behind it.
    ZFS subtracts two samples' counters by position: a sample whose rows are not those of the one
    before is not sound, and is left out.
    """

    def __init__(self, expected: Mapping[str, Sequence[str]] | None = None) -> None:
        self.left_out = 0  # samples that were not sound
        self._expected = dict(expected or {})
        self._printed: dict[str, _Printed] = {}  # by pool
        self._by_head: dict[bytes, _Printed] = {}  # the same, by how the pool's own line begins
        self._open: _Open | None = None
        self._closed: str | None = None  # the pool whose last awaited row has just come
        self._stamp: float | None = None
        self._parser = RowParser()
        self._rest = b""
        self._line_no = 0

    def expect(self, expected: Mapping[str, Sequence[str]]) -> None:
        """Name rows anew, and pools that were not named."""
        self._expected.update(expected)

    def feed(self, chunk: bytes, *, now: float | None = None) -> list[IoSample]:
        """The samples that this chunk completes; `now` is their time where none is printed."""
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
            self._refuse(self._rest, "the line has no end")
        return samples

    def finish(self) -> list[IoSample]:
        """The last sample of an output that has ended, unless it is known to lack rows."""
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
        """Take the rows that come next in one go, if they are those of the last time; tells how many.

        Looking at each line by itself, as `_take_row` does, takes twice as long.
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
        row: IoRow | bytes = line
        name, recorded_at, is_plausible = self._parser.name_of_sound(line), None, True
        if name is None:
            try:
                recorded_at, made = self._parser.parse(line)
            except ValueError as error:
                self._refuse(line, str(error))
            name = made.name
            is_plausible = max(made.read_ops, made.write_ops, made.read_bytes, made.write_bytes) < IMPLAUSIBLE
            if recorded_at is not None:
                row = made
        ended: list[IoSample] = []
        sample = self._open
        if sample is None or name != sample.awaited:
            if self._is_pool(name):
                ended = self._end_sample()
                at = next((at for at in (recorded_at, self._stamp, now) if at is not None), None)
                if at is None:
                    self._refuse(line, "a sample without a time")
                sample = self._open = self._begin(name, at)
            elif sample is None:
                self._take_stray(name, line)
                return ended
            else:
                sample.is_as_before = False
        if len(sample.rows) >= MAX_ROWS:
            self._refuse(line, "the pool has no end")
        sample.names.append(name)
        sample.rows.append(row)
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
        """A row behind the last that was awaited: the pool has grown, await it the next time."""
        if self._closed is None:
            self._refuse(line, "a row of no pool")
        printed = self._printed[self._closed]
        if len(printed.names) >= MAX_ROWS:
            self._refuse(line, "the pool has no end")
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
            lines = [line for line in sample.rows if isinstance(line, bytes)]
            heads = map(_head, lines) if len(lines) == len(names) else ()
            self._await(_Printed(sample.pool, names, tuple(heads)))
        if sample.is_plausible and (before is None or is_as_before):
            return [IoSample(sample.pool, sample.at, LazyRows(names, sample.rows, self._parser.row))]
        self.left_out += 1
        return []

    def _await(self, printed: _Printed) -> None:
        """Expect the same rows the next time."""
        self._printed[printed.pool] = printed
        if printed.heads:
            self._by_head[printed.heads[0]] = printed

    def _refuse(self, line: bytes, reason: str) -> NoReturn:
        raise ParseError(TOOL, self._line_no, line.decode("utf-8", "replace"), reason)


def _head(line: bytes) -> bytes:
    """The name in a line and the tab behind it; nothing where there is no tab."""
    return line[: line.find(b"\t") + 1]


def _is_printed(top: Vdev) -> bool:
    if top.type == "indirect":
        return top.vdev_class in ("data", "log")
    return top.type != "hole"


def _matches(vdevs: Sequence[Vdev | None], rows: Sequence[IoRow]) -> Iterator[Vdev | None]:
    """Each row's vdev by name and order, skipping what only one side has."""
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
