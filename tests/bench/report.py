"""docs/benchmarks.md, out of what was measured."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench.terminal import Cost

HOW: Final = """\
The time to the first frame runs from the start of Python; that of local pools has the pools as last known.
The local pools are commands in the `PATH` that print recorded output of the practice host, one process each;
with `--demo` the practice host runs in the same process and is counted.
Programs run from bytecode, as installed by pip.
The states of the live Pool screen are made before the measurement, so that only the UI is counted.
A stall is the delay of a 5 ms timer;
the number in parentheses is that of an idle loop in a process of its own, at the same time.
The hundred hosts are SSH servers in one separate process:
each has 33 vdevs that all read and write. The CPU is that of the collecting side,
which receives, parses and stores what the screens show.
The next row adds the judgement of every disk and one hour of history of all hosts.
"""
GUEST: Final = """\
Compared with `zpool iostat -v 1` on a real pool of ten disks, each in a terminal of the same lab guest.
Its processors are emulated and many times slower than real ones: only the ratio counts.
Both counts include all processes that they start;
the console starts its own `zpool iostat`, follows events, and also reads status, sizes and disks.
It takes {cpu:.1f} times the CPU and {bytes:.2f} times the bytes.
"""
NO_GUEST: Final = "`zpool iostat -v 1` was not measured: there was no lab guest.\n"


LOOP: Final = 5_000_000
LOOP_MS: Final = 255  # of a quiet moment of the machine on which the goals were first met


def speed() -> str:
    """How fast the machine is at this moment, by a loop that always is the same work."""
    began, total = time.process_time(), 0
    for number in range(LOOP):
        total += number * number % 7
    spent = 1000 * (time.process_time() - began)
    return f"{spent:.0f} ms of CPU for a fixed loop (at a quiet moment: {LOOP_MS})"


@dataclass(frozen=True)
class Result:
    """One goal, and what was seen."""

    what: str
    goal: str
    seen: str
    is_met: bool


def report(results: list[Result], peers: dict[str, Cost], guest: dict[str, Cost]) -> str:
    """The page of the manual."""
    rows = [f"| {r.what} | {r.goal} | {r.seen} | {'yes' if r.is_met else '**no**'} |" for r in results]
    circumstances = (
        f"Measured {time.strftime('%Y-%m-%d', time.gmtime())} by `python -m tests.bench`, "
        f"Python {platform.python_version()}, {os.cpu_count()} shared cores, a 120x40 pseudo-terminal, "
        f"load {os.getloadavg()[1]:.1f}; {speed()}.\n"
        "A shared machine is noisy: trust medians, ratios and bytes."
    )
    return "\n".join(
        ["# Benchmarks", "", circumstances, ""]
        + ["| what | goal | seen | met |", "|---|---|---|---|", *rows, ""]
        + [HOW, "Other programs in the same run:", "", *table(peers), in_a_guest(guest)]
    )


def table(costs: dict[str, Cost]) -> list[str]:
    """What programs cost."""
    rows = [
        f"| `{name}` | {cost.cpu_percent:.2f} % | {cost.bytes_per_s:.0f} | {cost.rss_mib:.0f} |"
        for name, cost in costs.items()
    ]
    return ["| program | CPU | B/s | RSS MiB |", "|---|---|---|---|", *rows, ""]


def in_a_guest(costs: dict[str, Cost]) -> str:
    """The part of the page on `zpool iostat`."""
    if not costs:
        return NO_GUEST
    iostat, console = costs.values()
    words = GUEST.format(
        cpu=console.cpu_percent / iostat.cpu_percent, bytes=console.bytes_per_s / iostat.bytes_per_s
    )
    return "\n".join([words, *table(costs)])


def table_section(heading: str, how: str, results: Iterable[Result]) -> str:
    """A section of the page with a row for each result; each is printed when it comes."""
    rows = []
    for each in results:
        print(f"{'ok  ' if each.is_met else 'MISS'} {each.what}: {each.seen} ({each.goal})", flush=True)
        rows.append(f"| {each.what} | {each.goal} | {each.seen} | {'yes' if each.is_met else '**no**'} |")
    return "\n".join([heading, "", how, "| what | goal | seen | met |", "|---|---|---|---|", *rows, ""])


def put_section(page: Path, heading: str, section: str) -> None:
    """Put a section in the place of the one that the page has, or before that on slow disks."""
    before, found, old = page.read_text().partition(f"\n{heading}\n")
    if not found:
        before, _, rest = before.partition("\n## Slow disks\n")
        old = f"\n## Slow disks\n{rest}" if rest else ""
    at = old.find("\n## ")
    page.write_text(before.rstrip("\n") + "\n\n" + section + (old[at:] if at >= 0 else ""))
