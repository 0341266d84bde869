"""Measures everything that has a goal, beside its peers, and writes docs/benchmarks.md.

`python -m tests.bench` on a quiet machine; some minutes. Peers that are not installed are left out, and so is
`zpool iostat` where no lab guest can be started (`python -m tests.lab build 2.4`).
`python -m tests.bench slow` does the section on slow disks alone, `python -m tests.bench snapshots` the one
on a million snapshots on the screen, `python -m tests.bench plans` the one on plans among so many, and
`python -m tests.bench repair` the one on the plan of a replacement, `python -m tests.bench host` the one on
what a host pays, `python -m tests.bench cost` the one on what the console itself takes, and
`python -m tests.bench day` the one on a day's memory, a quarter of an hour.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.bench import (
    console_cost,
    day,
    host_cost,
    local_pool,
    many_plans,
    many_snapshots,
    plan_sessions,
    repair_plan,
    slow,
    snapshots,
)
from tests.bench.guest import beside_iostat
from tests.bench.hour import CPU_GOAL_MS, MEMORY_GOAL, SECONDS
from tests.bench.report import Result, in_a_guest, report
from tests.bench.terminal import Cost, Terminal, watch

ROOT: Final = Path(__file__).parents[2]
REPORT: Final = ROOT / "docs" / "benchmarks.md"
PYTHON: Final = sys.executable
RUNS: Final = 15
WATCHED_S: Final = 20.0
KEYS: Final = 200
HOSTS: Final = 100
PEERS: Final = (
    ("htop -d 10", ("htop", "-d", "10")),
    ("btop", ("btop",)),
    ("glances -t 1", ("glances", "-t", "1")),
)
SECTIONS: Final[dict[str, tuple[Callable[[Path], object], ...]]] = {
    "slow": (slow.rewrite,),
    "plans": (many_plans.rewrite,),
    "repair": (repair_plan.rewrite, plan_sessions.rewrite),
    "cost": (console_cost.rewrite,),
    "day": (day.rewrite,),
    "host": (host_cost.rewrite,),
}
DOWN: Final = b"\x1b[B"


def quantile(values: list[float], share: float) -> float:
    """The value below which that share lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def version() -> Iterator[Result]:
    """How long `--version` takes, and what it loads."""
    walls: list[float] = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run([PYTHON, "-m", "zconsole", "--version"], check=True, capture_output=True, cwd=ROOT)
        walls.append(1000 * (time.perf_counter() - began))
    wall = statistics.median(walls)
    yield Result("`zconsole --version`", "< 80 ms", f"{wall:.0f} ms", wall < 80)
    loaded = subprocess.run(
        [PYTHON, "-X", "importtime", "-m", "zconsole", "--version"],
        check=True, capture_output=True, text=True, cwd=ROOT,
    ).stderr  # fmt: skip
    heavy = sorted({name for name in ("textual", "asyncssh", "asyncio") if re.search(rf"\b{name}\b", loaded)})
    yield Result("it imports neither textual nor asyncssh", "none", ", ".join(heavy) or "none", not heavy)


def first_frame() -> Iterator[Result]:
    """From the start of the program to pools on the screen: of this machine, and of the practice host."""
    with tempfile.TemporaryDirectory() as folder:
        local_pool.install(Path(folder), ROOT)
        argv, begin = local_pool.argv(Path(folder)), local_pool.BEGIN.encode()
        here = {"XDG_CACHE_HOME": f"{folder}/cache", "XDG_STATE_HOME": f"{folder}/state"}
        with Terminal(argv, columns=80, rows=24, env=here) as terminal:  # it compiles, and is remembered
            terminal.read_until(b"live")
            terminal.read_for(2)
            terminal.send(b"q")
            while terminal.process.poll() is None:  # it keeps what it has read
                terminal.read_for(0.2)
        local = [until(argv, (begin, b"last known", b"live"), here) for _ in range(RUNS)]
    demo = [until([PYTHON, "-m", "zconsole", "--demo"], (b"practice", b"vault")) for _ in range(1 + RUNS)]
    known, size, live = (
        statistics.median(each)
        for each in zip(*((b[0] - a[0], b[1], c[0] - a[0]) for a, b, c in local), strict=True)
    )
    yield Result("first frame of local pools, as last known", "< 250 ms", f"{known:.0f} ms", known < 250)
    yield Result("the same with their live state", "", f"{live:.0f} ms", is_met=True)
    yield Result("bytes up to the first frame, 80x24", "<= 10 kB", f"{size:.0f} B", size <= 10_000)
    first, pools = (statistics.median(each[at][0] for each in demo[1:]) for at in (0, 1))
    yield Result("first frame of `--demo`", "< 300 ms", f"{first:.0f} ms", first < 300)
    yield Result("the same with its pools", "", f"{pools:.0f} ms", is_met=True)


def until(
    argv: list[str], words: tuple[bytes, ...], env: dict[str, str] | None = None
) -> list[tuple[float, float]]:
    """Milliseconds and bytes from the start until each of the words is on the screen."""
    with Terminal(argv, columns=80, rows=24, env=env or {}) as terminal:
        seen: list[tuple[float, float]] = []
        for each in words:
            terminal.read_until(each)
            seen.append((1000 * (time.perf_counter() - terminal.started), float(len(terminal.output))))
        return seen


def screen(kind: str, *, is_first: bool = False) -> Cost:
    """What the Pool screen costs on a made-up source, or the first screen."""
    with Terminal([PYTHON, "-m", "tests.bench.programs", kind]) as terminal:
        terminal.read_until(b"tank")
        terminal.read_for(1)
        if not is_first:
            terminal.send(b"\r")
            terminal.read_until(b"mirror-0")
        terminal.read_for(3)
        return watch(terminal, WATCHED_S)


def practice() -> Iterator[Result]:
    """`--demo`, untouched on its first screen."""
    with Terminal([PYTHON, "-m", "zconsole", "--demo"]) as terminal:
        terminal.read_until(b"vault")
        terminal.read_for(10)
        cost = watch(terminal, 3 * WATCHED_S)
    yield Result("`--demo`, untouched: CPU", "< 1 %", f"{cost.cpu_percent:.2f} %", cost.cpu_percent < 1)
    yield Result("the same: memory after a minute", "< 70 MiB", f"{cost.rss_mib:.0f} MiB", cost.rss_mib < 70)


def screens(peers: dict[str, Cost]) -> Iterator[Result]:
    """Idle and live."""
    idle, live = screen("idle"), screen("live")
    yield Result("idle Pool screen", "0 B/s", f"{idle.bytes_per_s:.0f} B/s", idle.bytes_per_s == 0)
    yield Result(
        "live Pool screen, 300 cells, a fifth changing: CPU", "< 0.4 %", f"{live.cpu_percent:.2f} %",
        live.cpu_percent < 0.4,
    )  # fmt: skip
    yield Result("the same: bytes", "<= 6 KB/s", f"{live.bytes_per_s:.0f} B/s", live.bytes_per_s <= 6000)
    for kind, goal in (("idle", 0.0), ("live", 6000.0)):
        cost = screen(kind, is_first=True)
        yield Result(
            f"{kind} first screen: CPU and bytes", f"< 0.4 %, {goal:.0f} B/s",
            f"{cost.cpu_percent:.2f} %, {cost.bytes_per_s:.0f} B/s",
            cost.cpu_percent < 0.4 and cost.bytes_per_s <= goal,
        )  # fmt: skip
    for name, cost in peers.items():
        ratio = live.bytes_per_s / cost.bytes_per_s if cost.bytes_per_s else float("nan")
        share = live.cpu_percent / cost.cpu_percent if cost.cpu_percent else float("nan")
        yield Result(
            f"live Pool screen beside `{name}`",
            "",
            f"{ratio:.2f}x its bytes, {share:.2f}x its CPU",
            is_met=True,
        )


def measure_peers() -> dict[str, Cost]:
    """The programs that an administrator has open beside it, in the same run."""
    costs: dict[str, Cost] = {}
    for name, argv in PEERS:
        if shutil.which(argv[0]):
            with Terminal(argv) as terminal:
                terminal.read_for(4)
                costs[name] = watch(terminal, WATCHED_S)
    return costs


def million() -> Iterator[Result]:
    """A key in a list of a million rows, quiet and while data comes in; and how long the loop stood still."""
    for label, options in (("", []), (", while data comes in", ["--ingest"])):
        with tempfile.NamedTemporaryFile() as beats, tempfile.NamedTemporaryFile() as idle:
            argv = [PYTHON, "-m", "tests.bench.programs", "million", *options]
            with Terminal(argv, env={"BEATS": beats.name}) as terminal:
                terminal.read_until(b"autosnap")
                with subprocess.Popen([PYTHON, "-m", "tests.bench.beat", idle.name], cwd=ROOT) as idling:
                    try:
                        terminal.read_for(2)
                        latencies = [1000 * terminal.time_key(DOWN) for _ in range(KEYS)]
                        terminal.read_for(1)
                    finally:
                        idling.kill()
            worst, noise = (1000 * float(Path(each.name).read_text() or "nan") for each in (beats, idle))
        middle, tail = statistics.median(latencies), quantile(latencies, 0.99)
        yield Result(f"key in a million rows{label}: median", "<= 5 ms", f"{middle:.1f} ms", middle <= 5)
        yield Result(f"key in a million rows{label}: p99", "<= 16 ms", f"{tail:.1f} ms", tail <= 16)
        seen = f"{worst:.1f} ms (of a loop that idles: {noise:.1f} ms)"
        yield Result(f"longest stall of the loop{label}", "<= 10 ms", seen, worst <= 10)


def fleet() -> Iterator[Result]:
    """The collecting side on a hundred hosts with a sample a second each."""
    with tempfile.TemporaryDirectory() as folder:
        serve = [PYTHON, "-m", "tests.bench.fleet", "serve", folder]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
            assert server.stdout is not None
            port = server.stdout.readline().strip()
            collect = [PYTHON, "-m", "tests.bench.fleet", "collect", folder, port, str(HOSTS)]
            try:
                said = subprocess.run(collect, check=True, capture_output=True, text=True, cwd=ROOT).stdout
            finally:
                server.kill()
    collected, judged, kept, memory = map(float, said.split())
    yield Result(
        f"{HOSTS} hosts at 1 Hz: CPU of the collecting side", "< 4 %", f"{collected:.1f} %", collected < 4
    )
    whole = collected + judged + kept
    yield Result("the same with all disks judged and the hour kept", "< 6 %", f"{whole:.1f} %", whole < 6)
    yield Result("the same: memory after two minutes", "< 300 MB", f"{memory / 1e6:.0f} MB", memory < 300e6)


def hour() -> Iterator[Result]:
    """An hour of many busy disks, in a process of its own."""
    argv = [PYTHON, "-m", "tests.bench.hour"]
    said = subprocess.run(argv, check=True, capture_output=True, text=True, cwd=ROOT).stdout.split()
    kept, cost_ms = int(said[1]), float(said[2])
    memory = float(said[0])
    yield Result(
        "an hour of 300 disks, no number twice: memory", "< 100 MB", f"{memory / 1e6:.0f} MB",
        memory < MEMORY_GOAL and kept >= SECONDS,
    )  # fmt: skip
    yield Result(
        "300 disks at 1 Hz, read, judged and kept: CPU", "< 5 %", f"{cost_ms / 10:.1f} %",
        cost_ms < CPU_GOAL_MS,
    )  # fmt: skip


def in_columns() -> Iterator[Result]:
    """A million snapshots, in a process of its own, beside what one `zfs list` takes for them."""
    argv = [PYTHON, "-m", "tests.bench.snapshots"]
    said = subprocess.run(argv, check=True, capture_output=True, text=True, cwd=ROOT).stdout.split()
    spent, memory, opened, *filtered = map(float, said)
    few, none, every, *patterns = filtered
    share = spent * snapshots.KERNEL_A_SECOND / snapshots.ROWS
    yield Result(
        "1,000,000 snapshots: what reading adds to the listing by ZFS (57 s)", "<= 5 %",
        f"{100 * share:.1f} %, {spent:.2f} s", share <= snapshots.READING_GOAL,
    )  # fmt: skip
    yield Result("the same: memory", "< 300 MB", f"{memory / 1e6:.0f} MB", memory < snapshots.MEMORY_GOAL)
    yield Result(
        "the same: open the last known state",
        f"<= {snapshots.OPEN_GOAL_MS:.0f} ms",
        f"{opened:.1f} ms",
        opened <= snapshots.OPEN_GOAL_MS,
    )
    yield Result(
        "the same: filter by a word", "<= 150 ms", f"{max(few, none):.0f} ms of CPU",
        max(few, none) <= snapshots.FILTER_GOAL_MS,
    )  # fmt: skip
    yield Result(
        "the same: filter by a letter that all have", "<= 150 ms", f"{every:.0f} ms of CPU",
        every <= snapshots.FILTER_GOAL_MS,
    )  # fmt: skip
    seen = ", ".join(f"{each:.0f}" for each in patterns)
    yield Result("the same: by two regular expressions and a pattern", "", f"{seen} ms of CPU", is_met=True)


def main() -> int:
    """Measure, print, and write the page; 1 when a goal is missed."""
    parser = argparse.ArgumentParser("python -m tests.bench", description="Measure, and write the page.")
    parser.add_argument("section", nargs="?", choices=("snapshots", *SECTIONS), help="only this one")
    section = parser.parse_args().section
    for rewrite in SECTIONS.get(section, ()):
        rewrite(REPORT)
    if section in SECTIONS:
        return 0
    is_of_snapshots = section == "snapshots"
    peers = {} if is_of_snapshots else measure_peers()
    with tempfile.TemporaryDirectory() as folder:
        # As installed: pip compiles what it installs, and a source tree may be told not to be.
        os.environ |= {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        if is_of_snapshots:
            many_snapshots.rewrite(REPORT)
            return 0
        return measure(peers)


def measure(peers: dict[str, Cost]) -> int:
    """All of it, with bytecode in place."""
    results: list[Result] = []
    for part in (
        version(),
        first_frame(),
        screens(peers),
        practice(),
        million(),
        fleet(),
        hour(),
        in_columns(),
    ):
        for result in part:
            results.append(result)
            print(
                f"{'ok  ' if result.is_met else 'MISS'} {result.what}: {result.seen} ({result.goal})",
                flush=True,
            )
    guest = beside_iostat()
    print(in_a_guest(guest))
    REPORT.write_text(report(results, peers, guest))
    many_snapshots.rewrite(REPORT)
    many_plans.rewrite(REPORT)
    repair_plan.rewrite(REPORT)
    plan_sessions.rewrite(REPORT)
    host_cost.rewrite(REPORT)
    console_cost.rewrite(REPORT)
    day.rewrite(REPORT)
    slow.rewrite(REPORT)
    return 0 if all(result.is_met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
