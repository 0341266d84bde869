"""CPU of the console itself: to its first frame, on its screens, in the demonstration; beside its peers.

`python -m tests.bench cost` on a machine with other work: only CPU is counted, and scaled by a fixed loop
that runs right before and after each program (`report.LOOP_MS` is what that takes at a quiet moment).
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.bench import local_pool
from tests.bench.report import LOOP, LOOP_MS, Result, put_section
from tests.bench.terminal import Terminal

ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = sys.executable
HEADING: Final = "## What the console costs"
RUNS: Final = 9
WATCHED_S: Final = 40.0
PEERS: Final = (
    ("htop -d 10", ("htop", "-d", "10")),
    ("btop", ("btop",)),
    ("glances -t 1", ("glances", "-t", "1")),
)
TEXTUAL: Final = [PYTHON, "-c", "import gc; gc.disable(); import textual.app; print('loaded', flush=True)"]
WORDS: Final = """\
Written by `python -m tests.bench cost`: CPU of all threads, which other work on the machine changes less
than elapsed time. Each number is scaled by a fixed loop that runs right before and after the program: it is
what the program would take at a quiet moment. For a first frame it counts from the start of Python until
the words are on the terminal; for a screen it is a share of one core while nobody touches it.
"""


def loop_ms() -> float:
    """CPU milliseconds of the fixed loop at this moment."""
    began, total = time.process_time(), 0
    for number in range(LOOP // 5):
        total += number * number % 7
    return 5000 * (time.process_time() - began)


def cpu_ms(terminal: Terminal) -> float:
    """CPU milliseconds of a program so far, by the scheduler's own clock, of the threads that it has."""
    total = 0
    for each in Path(f"/proc/{terminal.process.pid}/task").iterdir():
        with suppress(FileNotFoundError):  # it has ended since
            total += int((each / "schedstat").read_text().split()[0])
    return total / 1e6


def scaled(measure: Callable[[], float]) -> float:
    """What `measure` returns, as at a quiet moment."""
    before = loop_ms()
    found = measure()
    return found * LOOP_MS / statistics.mean((before, loop_ms()))


def frame(argv: Sequence[str], words: bytes, env: Mapping[str, str] | None = None) -> float:
    """Scaled CPU milliseconds until the words are on the terminal: the median of some starts."""

    def once() -> float:
        with Terminal(argv, columns=80, rows=24, env=env or {}) as terminal:
            terminal.read_until(words, within_s=60)
            return cpu_ms(terminal)

    once()
    return statistics.median(scaled(once) for _ in range(RUNS))


def shown(
    argv: Sequence[str], until: bytes, keys: bytes = b"", settling_s: float = 8
) -> tuple[float, float, float]:
    """Scaled percent of a core, bytes a second, and MiB of a program that nobody touches."""
    with Terminal(argv) as terminal:
        terminal.read_until(until, within_s=60)
        terminal.read_for(2)
        if keys:
            terminal.send(keys)
        terminal.read_for(settling_s)
        written = 0

        def watched() -> float:
            nonlocal written
            before = cpu_ms(terminal)
            written = terminal.read_for(WATCHED_S)
            return cpu_ms(terminal) - before

        return scaled(watched) / WATCHED_S / 10, written / WATCHED_S, terminal.rss_mib()


def first_frames() -> Iterator[Result]:
    """Of this machine's pools and of the demonstration, beside the import of Textual alone."""
    with tempfile.TemporaryDirectory() as folder:
        local_pool.install(Path(folder), ROOT)
        argv = local_pool.argv(Path(folder))
        env = {"XDG_CACHE_HOME": f"{folder}/cache", "XDG_STATE_HOME": f"{folder}/state"}
        with Terminal(argv, columns=80, rows=24, env=env) as terminal:
            terminal.read_until(b"live", within_s=60)
            terminal.read_for(5)
            terminal.send(b"q")
            while terminal.process.poll() is None:  # it keeps what it has read
                terminal.read_for(0.2)
        known = frame(argv, b"last known", env)
    textual, demo = frame(TEXTUAL, b"loaded"), frame([PYTHON, "-m", "zconsole", "--demo"], b"practice")
    pools = frame([PYTHON, "-m", "zconsole", "--demo"], b"vault")
    yield Result("`import textual.app` and nothing else", "", f"{textual:.0f} ms", is_met=True)
    yield Result("first frame of local pools, as last known", "< 250 ms", f"{known:.0f} ms", known < 250)
    yield Result("first frame of `--demo`", "< 300 ms", f"{demo:.0f} ms", demo < 300)
    yield Result("the same until its pools are there", "", f"{pools:.0f} ms", is_met=True)


def screens() -> Iterator[Result]:
    """Idle and live, beside the peers; and the demonstration."""
    source = [PYTHON, "-m", "tests.bench.programs"]
    for name, keys in (("first screen", b""), ("Pool screen", b"\r")):
        cpu, rate, _ = shown([*source, "idle"], b"tank", keys)
        yield Result(f"idle {name}", "0 B/s", f"{rate:.0f} B/s, {cpu:.2f} %", rate == 0)
        cpu, rate, _ = shown([*source, "live"], b"tank", keys)
        yield Result(
            f"live {name}, a fifth of its numbers changing each second",
            "< 0.4 %",
            f"{cpu:.2f} %, {rate:.0f} B/s",
            cpu < 0.4,
        )
    for name, argv in PEERS:
        if shutil.which(argv[0]):
            cpu, rate, _ = shown(argv, b"\x1b[")
            yield Result(f"`{name}`", "", f"{cpu:.2f} %, {rate:.0f} B/s", is_met=True)
    cpu, rate, memory = shown([PYTHON, "-m", "zconsole", "--demo"], b"vault", settling_s=30)
    yield Result("`--demo`, untouched", "< 1 %", f"{cpu:.2f} %, {rate:.0f} B/s", cpu < 1)
    yield Result("the same: memory after a minute", "< 70 MiB", f"{memory:.0f} MiB", memory < 70)


def rewrite(page: Path) -> None:
    """Measure, print, and put the section into the page."""
    rows: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        for part in (first_frames(), screens()):
            for r in part:
                rows.append(f"| {r.what} | {r.goal} | {r.seen} | {'yes' if r.is_met else '**no**'} |")
                print(rows[-1], flush=True)
    put_section(
        page,
        HEADING,
        "\n".join([HEADING, "", WORDS, "| what | goal | seen | met |", "|---|---|---|---|", *rows, ""]),
    )
