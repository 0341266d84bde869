"""A day of the demonstration that nobody touches: what the console keeps in memory after each hour.

`python -m tests.bench.day HOURS FILE` in a terminal: the whole console, on a clock that jumps to the next
moment for which somebody sleeps, so that a day takes minutes. It draws each change that it has time for, some
tens of thousands in a day. FILE gets a line an hour: hours, bytes of resident memory, drawings so far.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench.report import Result, put_section, table_section
from tests.bench.terminal import Terminal
from zconsole.base.clock import ManualClock
from zconsole.base.gc_tuning import enable_gc
from zconsole.hosts.host_opened_late import LateHost
from zconsole.practice import PracticeHost
from zconsole.service.collecting_thread import Engine
from zconsole.service.operator_calls_from_any_thread import journal_in_memory
from zconsole.ui.app import ZConsoleApp

ROOT: Final = Path(__file__).parents[2]
HOUR_S: Final = 3600.0
DAY_HOURS: Final = 24
HOUR_GOAL_MIB: Final = 70
GROWTH_GOAL: Final = 0.05  # from the first hour to the end of the day
ROUNDS: Final = 12  # of the loop, in which whoever was woken says for how long he sleeps next
BEGUN: Final = """
import sys
from zconsole.cli.main import load_asyncio_without_tls
load_asyncio_without_tls()  # as the console does
from tests.bench.day import main
sys.exit(main(*sys.argv[1:]))
"""
HEADING: Final = "## A day of the demonstration"
HOW: Final = """\
Written by `python -m tests.bench day`: the whole console in a terminal, on the practice host and on a clock
that jumps to the next moment for which somebody sleeps. Nobody touches it; it draws as often as it has time
for. A sample a second is read, judged and kept, as in real time. Memory is that of the process.
"""


class JumpingClock(ManualClock):
    """Time that passes at once when everybody on the loop sleeps."""

    def __init__(self, now: float, passed: Callable[[float], None]) -> None:
        super().__init__(now)
        self._passed = passed
        self._jumps: asyncio.Task[None] | None = None

    async def sleep(self, seconds: float) -> None:
        if self._jumps is None:
            self._jumps = asyncio.get_running_loop().create_task(self._go_on())
        await super().sleep(seconds)

    async def _go_on(self) -> None:
        while True:
            for _ in range(ROUNDS):
                await asyncio.sleep(0)
            waiting = [at for at, sleeper in self._sleepers if not sleeper.done()]
            if not waiting:
                await asyncio.sleep(0.001)
                continue
            self.advance(max(0.0, min(waiting) - self._elapsed))
            self._passed(self._elapsed)


@dataclass
class Hours:
    """Notes the memory once an hour, and ends the program after the last."""

    wanted: float
    file: Path
    drawings: int = 0
    noted: int = 0

    def passed(self, seconds: float) -> None:
        """So many seconds have passed."""
        if seconds >= (self.noted + 1) * HOUR_S:
            self.noted += 1
            with self.file.open("a") as file:
                file.write(f"{self.noted} {resident_bytes()} {self.drawings}\n")
        if seconds >= self.wanted * HOUR_S:
            os._exit(0)  # no wait for threads: everything is noted

    def drawn(self) -> None:
        """A drawing more."""
        self.drawings += 1


class CountedConsole(ZConsoleApp):
    """The console, which counts its drawings."""

    hours: Hours

    def draw(self) -> None:
        self.hours.drawn()
        super().draw()


def resident_bytes() -> int:
    """Resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(hours: str, file: str) -> int:
    """Live through some hours."""
    noted = Hours(float(hours), Path(file))
    clock = JumpingClock(time.time(), noted.passed)
    host = LateHost("practice", lambda: PracticeHost("practice", clock))
    engine = Engine([host], clock=clock, journal=journal_in_memory)
    engine.start(behind_first_frame=True)
    enable_gc()
    app = CountedConsole(engine.service, shown=engine.begin, gap_s=0.0)
    app.hours = noted
    app.run()
    engine.stop()
    return app.return_code or 0


def lived(hours: float, within_s: float = 3600.0) -> list[tuple[int, float, int]]:
    """Hours, MiB and drawings, of a console in a terminal."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "hours"
        file.touch()
        argv = [sys.executable, "-c", BEGUN, f"{hours:g}", str(file)]
        ends = time.monotonic() + within_s
        with Terminal(argv) as terminal:
            while terminal.process.poll() is None and time.monotonic() < ends:
                terminal.read_for(0.5)
                terminal.output.clear()
        lines = [line.split() for line in file.read_text().splitlines()]
    return [(int(hour), int(size) / 2**20, int(drawn)) for hour, size, drawn in lines]


def results() -> Iterator[Result]:
    """A day, hour by hour."""
    seen = lived(DAY_HOURS)
    if len(seen) < DAY_HOURS:
        yield Result("a whole day", f"{DAY_HOURS} hours", f"{len(seen)} hours", is_met=False)
        return
    sizes = [size for _, size, _ in seen]
    first, noon, last = sizes[0], sizes[DAY_HOURS // 2 - 1], sizes[-1]
    yield Result("memory after an hour", f"< {HOUR_GOAL_MIB} MiB", f"{first:.0f} MiB", first < HOUR_GOAL_MIB)
    yield Result(
        "after a day",
        f"< {100 * GROWTH_GOAL:.0f} % more",
        f"{last:.0f} MiB, {100 * (last / first - 1):+.1f} %; {max(sizes):.0f} MiB at most",
        last < (1 + GROWTH_GOAL) * first,
    )
    yield Result(
        "of that, in the second half of the day",
        "",
        f"{last - noon:+.1f} MiB; {seen[-1][2]:,} drawings in all",
        is_met=True,
    )


def rewrite(page: Path) -> None:
    """Measure, print, and put the section into the page."""
    put_section(page, HEADING, table_section(HEADING, HOW, results()))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
