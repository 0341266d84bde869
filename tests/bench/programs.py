"""Programs that are measured: the console on made-up sources that are as busy as a benchmark needs.

`python -m tests.bench.programs live|idle|million [--ingest]`
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.screen import Screen

from tests.bench.beat import beat
from tests.doubles.static_source import StaticSource
from zconsole.base.gc_tuning import enable_gc
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, PoolState, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.iostat import IoRow, IoSample, Latency, Queues
from zconsole.model.pools.pool import Count, Pool, Vdev
from zconsole.ui.app import ZConsoleApp, run_console
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.styled_text import Line, Span

MIRRORS: Final = 10  # with their disks and the pool: 31 rows of about ten numbers, 300 cells
FIFTH: Final = 5
TICKS: Final = 120  # longer than anybody watches
MILLION: Final = 1_000_000
NOW: Final = 1_795_000_000.0
ZERO: Final = Count(0)
MS: Final = 1_000_000.0


def pool() -> Pool:
    """Ten two-way mirrors."""
    return Pool(
        "tank", "ONLINE", guid=1, size_bytes=80 << 40, allocated_bytes=40 << 40, free_bytes=40 << 40,
        fragmentation_percent=20, capacity_percent=50, usable_used_bytes=40 << 40,
        usable_available_bytes=38 << 40, error_count=0,
        vdevs=tuple(
            Vdev(
                f"mirror-{number}", "mirror", "data", "ONLINE", guid=10 + number,
                read_errors=ZERO, write_errors=ZERO, checksum_errors=ZERO,
                children=tuple(
                    Vdev(
                        f"ata-ST12000NM0008-2H3101_ZL2F{number:02}{side}", "disk", "data", "ONLINE",
                        guid=100 + 2 * number + side, path=f"/dev/disk/by-id/ata-{number}{side}-part1",
                        read_errors=ZERO, write_errors=ZERO, checksum_errors=ZERO, slow_ios=ZERO,
                    )
                    for side in (0, 1)
                ),
            )
            for number in range(MIRRORS)
        ),
    )  # fmt: skip


def sample(known: Pool, second: int) -> IoSample:
    """A second of I/O in which a fifth of the numbers differ from the second before."""
    names = [known.name, *(vdev.name for vdev in known.walk())]

    def moving(place: int, column: int, base: float) -> float:
        changes = second // FIFTH + ((place * 7 + column) % FIFTH < second % FIFTH)
        return base * (1 + (changes % 7) / 10)

    rows = tuple(
        IoRow(
            name, 4 << 40, 4 << 40,
            moving(place, 0, 210), moving(place, 1, 440), moving(place, 2, 26e6), moving(place, 3, 49e6),
            Latency(
                total_read=moving(place, 4, 8 * MS), total_write=moving(place, 5, 9 * MS),
                disk_read=moving(place, 6, 7 * MS), disk_write=moving(place, 7, 6 * MS),
            ),
            Queues(),
        )
        for place, name in enumerate(names)
    )  # fmt: skip
    return IoSample(known.name, NOW + second, rows, tuple(0.3 for _ in rows))


def state(second: int) -> HostState:
    """The host after so many seconds."""
    known = pool()
    samples = tuple(sample(known, s) for s in range(max(0, second - 119), second + 1))
    return HostState(
        host="storage1",
        revision=second,
        link=LinkStatus(LinkState.UP, since=0.0),
        version=Reading(ZfsVersion("zfs-2.4.4", "zfs-kmod-2.4.4"), 0.0),
        pools=(
            PoolState("tank", "ONLINE", Reading(known, float(second)), samples=samples, io_at=float(second)),
        ),
        pools_at=float(second),
    )


class Ticking(StaticSource):
    """A source whose pool changes once a second; what it will say is made before, and costs nothing then."""

    def begin(self) -> None:
        coming = tuple(self._coming())
        threading.Thread(target=self._tick, args=(coming,), daemon=True).start()

    def _coming(self) -> Iterator[HostState]:
        newest = self.newest()[0]
        for second in range(newest.revision + 1, newest.revision + 1 + TICKS):
            before = newest.pools[0]
            known = before.pool.value
            assert known is not None
            after = replace(
                before,
                samples=(*before.samples[-119:], sample(known, second)),
                io_at=float(second),
                pool=replace(before.pool, taken_at=float(second)),
            )
            newest = replace(newest, revision=second, pools=(after,), pools_at=float(second))
            yield newest

    def _tick(self, coming: Sequence[HostState]) -> None:
        for state in coming:
            time.sleep(1)
            self.replace(state, now=NOW + state.revision, monotonic=float(state.revision))


class MillionLines:
    """A million lines, made when they are looked at."""

    def __init__(self) -> None:
        self.generation = 0

    def __len__(self) -> int:
        return MILLION

    def line(self, index: int) -> Line:
        return (
            Span(f"tank/home/ann@autosnap_{index:07}"),
            Span(f" {index * 37 % 9973 + self.generation:>12}"),
        )

    def key(self, index: int) -> str:
        return str(index)

    def is_selectable(self, index: int) -> bool:
        return index >= 0


class MillionScreen(Screen[None]):
    """One list of a million rows; with `ingest` its numbers change while one moves in it."""

    PLACE: ClassVar[str] = "million"

    def compose(self) -> ComposeResult:
        assert isinstance(self.app, Million)
        yield RowView(self.app.paint, id="rows")

    def on_mount(self) -> None:
        self._lines = MillionLines()
        self._rows = self.query_one(RowView)
        self._rows.show(self._lines)
        self._rows.focus()
        self.set_interval(1.0, self._more)

    def show(self, view: View) -> None:
        """Nothing of it is of the states."""

    def say(self, words: str, style: str = "info") -> None:
        """There is no line for remarks."""

    def refuses(self, _key: str) -> bool:
        return False

    def repaint(self, paint: Paint) -> None:
        """It keeps its theme."""

    def put_on_host(self, host: str) -> None:
        """It lists no hosts."""

    def _more(self) -> None:
        assert isinstance(self.app, Million)
        if self.app.ingest:
            self._lines.generation += 1
            self._rows.show(self._lines)


class Million(ZConsoleApp):
    """The console's own app, with its driver, around that list."""

    ingest = False

    def get_default_screen(self) -> MillionScreen:  # type: ignore[override]
        return MillionScreen()

    def on_mount(self) -> None:
        super().on_mount()
        self.run_worker(beat(Path(os.environ["BEATS"])))


def main(kind: str, *options: str) -> int:
    """Run one of them."""
    if kind == "million":
        enable_gc()
        app = Million(StaticSource(state(1)).service)
        app.ingest = "--ingest" in options
        app.run()
        return 0
    source = Ticking(state(60), now=NOW + 60, monotonic=60.0)
    if kind == "live":
        source.begin()
    return run_console(source.service)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
