"""A million snapshots on the datasets screen, as a user meets them: a section of the page.

`python -m tests.bench snapshots` writes that section alone, in four minutes, and leaves the rest of the page.
Commands stand in for ZFS, a process each: a listing takes as long as the kernel's takes.
`tests.bench.noting` is the program that is measured.
"""

from __future__ import annotations

import json
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.bench import local_pool
from tests.bench.report import Result, speed
from tests.bench.snapshots import DATASETS, KERNEL_A_SECOND, ROWS, listing
from tests.bench.terminal import Terminal
from tests.doubles.iostat_outputs import since_boot
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.program_and_subcommand_table import answer

HEADING: Final = "## A million snapshots"
ROOT: Final = Path(__file__).parents[2]
POOL: Final = "vault"  # the first on the screen
POOLS: Final = ("bulk", "tank", "vault")
SILENT_IO: Final = f"'iostat -T u -Hpvlqy {' '.join(POOLS)} 1') {local_pool.SILENT} ;;"
LIVE_IO: Final = "while :; do /bin/date +%s; /bin/cat {sample}; /bin/sleep 1; done ;;"
KEYS: Final = 200
DOWN: Final = b"\x1b[B"
HOME: Final = b"\x1b[H"
WITHIN_S: Final = 300.0
MIB: Final = 1 << 20
FILTERS: Final = ("h", "hourly-77", "/hourly-7[0-9]+$", "zz")
SCRIPT: Final = """\
#!/bin/sh
# Lists {rows} snapshots of {datasets} datasets no faster than the kernel does.
args="$*"
case "$args" in
"list -Hp -t snapshot -o name,guid,createtxg -d 1 -- "*)
    began=$(/bin/date +%s.%N)
    shift 9
    for each; do
        file="{folder}/listed/${{each##*/}}"
        if [ -e "$file" ]; then /bin/sleep {pause}; /bin/cat "$file"; fi
    done
    echo "$began $(/bin/date +%s.%N)" >> "{folder}/log"
    exit 0 ;;
"list -Hp -t filesystem,volume -o name,type,guid,createtxg,origin,snapshots_changed -r -- {pool}")
    exec /bin/cat "{folder}/systems" ;;
"list -Hp -t filesystem,volume,bookmark -o "*) exec /bin/cat "{folder}/datasets" ;;
"list -Hp -t snapshot -o name,type,"*)
    while [ "$1" != "--" ]; do shift; done
    shift
    for each; do printf '{values}' "$each"; done
    exit 0 ;;
"get "*) exit 0 ;;
esac
"""
VALUES: Final = (
    r"%s\tsnapshot\t1048576\t-\t1073741824\t-\t-\t-\t-\t-\t-\t-\t1790000000\t5\t7\t1048576\t2097152\t1.50\t-\t-"
    r"\t-\t-\t-\t-\t-\t-\t-\toff\t-\t-\t-\t0\toff\n"
)
DATASET: Final = (
    "{name}\tfilesystem\t9999999\t99999999\t999999\t/{name}\t99999\t999999\t0\t0\t-\t-\t1790000000\t5\t{guid}"
    "\t0\t99999\t1.50\tlz4\t131072\t-\toff\t1\t0\t0\t0\t0\toff\t-\tyes\ton\t-\t-\n"
)


# What stands in for ZFS


def install(folder: Path) -> None:
    """Write the programs, and what they print."""
    local_pool.install(folder, ROOT)
    (folder / "listed").mkdir()
    names = [f"{POOL}/customer{number:04}" for number in range(DATASETS)]
    for name in names:
        (folder / "listed" / name.rpartition("/")[2]).write_bytes(listing(name, ROWS // DATASETS))
    every = [POOL, *names]
    (folder / "systems").write_text(
        "".join(f"{name}\tfilesystem\t{at + 1}\t1\t-\t1700000000\n" for at, name in enumerate(every))
    )
    (folder / "datasets").write_text(
        "".join(DATASET.format(name=name, guid=at + 1) for at, name in enumerate(every))
    )
    ours = SCRIPT.format(
        rows=ROWS, datasets=DATASETS, folder=folder, pool=POOL, values=VALUES,
        pause=f"{ROWS / DATASETS / KERNEL_A_SECOND:.4f}",
    )  # fmt: skip
    _let_io_live(folder)
    theirs = (folder / "zfs").read_text().partition("\n")[2]
    (folder / "zfs").write_text(ours + theirs)


def _let_io_live(folder: Path) -> None:
    """A sample of every pool each second, from a stream that says nothing otherwise."""
    epoch, _, rows = answer(demo_world(time.time()), since_boot(POOLS).argv).stdout.partition("\n")
    assert epoch.isdigit()
    (folder / "sample").write_text(rows)
    script = (folder / "zpool").read_text()
    assert SILENT_IO in script
    lives = SILENT_IO.partition(") ")[0] + ") " + LIVE_IO.format(sample=folder / "sample")
    (folder / "zpool").write_text(script.replace(SILENT_IO, lives))


def argv(folder: Path) -> list[str]:
    """The program, in a mount namespace in which those programs are the ones that it finds."""
    run = f"{shlex.quote(sys.executable)} -m tests.bench.noting {shlex.quote(str(folder))}"
    place = f"{shlex.quote(str(folder))} {local_pool.PLACE}"
    return ["unshare", "--map-root-user", "--mount", "/bin/sh", "-c", f"mount --bind {place} && exec {run}"]


# Measuring


Line = list[object]
SAMPLE: Final = 5  # its place in what was seen


class Watcher:
    """Reads what the program writes down, while its terminal is read."""

    def __init__(self, terminal: Terminal, folder: Path) -> None:
        self.terminal = terminal
        self._file = folder / "seen"
        self._file.touch()
        self._at = self._file.stat().st_size
        self._seen: list[Line] = []

    def begin(self) -> None:
        """What was seen so far does not count any more."""
        self._read()
        self._seen.clear()

    def until(self, what: str, *wanted: object) -> tuple[float, float]:
        """When that was first seen, and the worst stall up to it in milliseconds."""
        at = {"rows": 2, "whole": 3, "filter": 4}[what]
        ends = time.perf_counter() + WITHIN_S
        while time.perf_counter() < ends:
            self._read()
            for place, line in enumerate(self._seen):
                is_there = len(line) > at
                if is_there and (line[at : at + len(wanted)] == [*wanted] if wanted else line[at] != 0):
                    worst = max(float(str(each[1])) for each in self._seen[: place + 1])
                    return float(str(line[0])), worst
            self.terminal.read_for(0.01)
        raise TimeoutError(f"{what} {wanted} was not seen")

    def longest_gap(self) -> float:
        """Seconds between two samples of live I/O on the screen, at most, in what was seen so far."""
        at, gaps, before = 0.0, [0.0], None
        for moment, _, *seen in self._seen:
            if len(seen) > SAMPLE and seen[SAMPLE] != before:
                gaps += [float(str(moment)) - at] if at else []
                at, before = float(str(moment)), seen[SAMPLE]
        return max(gaps)

    def _read(self) -> None:
        with self._file.open() as file:
            file.seek(self._at)
            for text in file:
                if not text.endswith("\n"):
                    return
                self._at += len(text)
                self._seen.append(json.loads(text))


def measure() -> Iterator[Result]:
    """All of it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        install(folder)
        subprocess.run([sys.executable, "-m", "compileall", "-q", "zconsole"], check=True, cwd=ROOT)
        yield from _first_time(folder)
        yield from _second_time(folder)


def _first_time(folder: Path) -> Iterator[Result]:
    with Terminal(argv(folder)) as terminal:
        terminal.read_until(POOL.encode(), within_s=WITHIN_S)
        terminal.read_for(2)
        watcher = Watcher(terminal, folder)
        since = len(terminal.output)
        terminal.send(b"D")
        asked = time.perf_counter()
        first = terminal.read_until(b"customer00", since=since)
        yield _within("first rows, without an index", first, 0.5)
        latencies = [1000 * terminal.time_key(DOWN) for _ in range(KEYS)]
        _, opening = watcher.until("rows")
        yield Result("longest stall of the screen's loop: opening it", "", f"{opening:.1f} ms", is_met=True)
        watcher.begin()
        yield from _keys("a key while it is listed", latencies)
        with subprocess.Popen(
            [sys.executable, "-m", "tests.bench.beat", str(folder / "idle")], cwd=ROOT
        ) as idle:
            whole_at, stall = watcher.until("whole", True)
            idle.kill()
        noise = 1000 * float((folder / "idle").read_text() or "nan")
        seen = f"{stall:.1f} ms (of a loop that idles: {noise:.1f} ms)"
        yield Result("longest stall of the loop while it is listed", "", seen, is_met=True)
        gap = watcher.longest_gap()
        yield Result(
            "longest time without another sample of live I/O, of one a second",
            "<= 1.5 s",
            f"{gap:.2f} s",
            0 < gap <= 1.5,
        )
        spent = [float(end) - float(begin) for begin, end in _log(folder)]
        listed, wall = sum(spent), whole_at - asked
        yield Result("ZFS's part of the listing (17,450 a second)", "", f"{listed:.1f} s", is_met=True)
        share = wall / listed - 1
        yield Result(
            "what the console adds to it",
            "<= 5 %",
            f"{100 * share:.1f} %, {wall - listed:.2f} s",
            share <= 0.05,
        )
        terminal.send(HOME)
        terminal.read_for(1)
        folded = [1000 * terminal.time_key(DOWN) for _ in range(KEYS)]
        seen = f"{statistics.median(folded):.1f} ms"
        yield Result("a key in its 201 datasets, for comparison: median", "", seen, is_met=True)
        terminal.send(HOME + b"+")
        terminal.read_for(1)
        yield from _keys("a key in all of them", [1000 * terminal.time_key(DOWN) for _ in range(KEYS)])
        for words in FILTERS:
            yield from _filter(watcher, words)
        rss = terminal.rss_mib() * MIB
        yield Result("memory of the whole console", "< 300 MB", f"{rss / 1e6:.0f} MB", rss < 300e6)


def _second_time(folder: Path) -> Iterator[Result]:
    """From the index; nothing has changed."""
    with Terminal(argv(folder)) as terminal:
        terminal.read_until(POOL.encode(), within_s=WITHIN_S)
        terminal.read_for(2)
        watcher = Watcher(terminal, folder)
        log = len(_log(folder))
        terminal.send(b"D")
        asked = time.perf_counter()
        rows_at, _ = watcher.until("rows")
        yield _within("the last known million, from the index", rows_at - asked, 0.5)
        whole_at, _ = watcher.until("whole", True)
        again = len(_log(folder)) - log
        yield Result(
            "compared with the pool, where nothing changed", "",
            f"{whole_at - asked:.2f} s, {again} listings",
            again <= 1,
        )  # fmt: skip


def _filter(watcher: Watcher, words: str) -> Iterator[Result]:
    """All of it typed but the last letter, then that: from the key to the last row found."""
    terminal = watcher.terminal
    for letter in f"/{words[:-1]}":
        terminal.send(letter.encode())
        terminal.read_for(0.1)
    terminal.read_for(1)
    watcher.begin()
    terminal.send(words[-1:].encode())
    asked = time.perf_counter()
    done_at, stall = watcher.until("filter", words, True)
    wall = 1000 * (done_at - asked)
    yield Result(f"filter `{words}`, from the last key to the last hit", "<= 150 ms",
                 f"{wall:.0f} ms, stall {stall:.1f} ms", wall <= 150)  # fmt: skip
    terminal.send(b"\x1b")
    terminal.read_for(1.5)


def _keys(what: str, latencies: list[float]) -> Iterator[Result]:
    middle = statistics.median(latencies)
    tail = sorted(latencies)[int(0.99 * len(latencies))]
    yield Result(f"{what}: median", "<= 5 ms", f"{middle:.1f} ms", middle <= 5)
    yield Result(f"{what}: p99", "<= 16 ms", f"{tail:.1f} ms", tail <= 16)


def _within(what: str, seconds: float, goal: float) -> Result:
    return Result(what, f"<= {goal:g} s", f"{seconds:.2f} s", seconds <= goal)


def _log(folder: Path) -> list[list[str]]:
    file = folder / "log"
    return [line.split() for line in file.read_text().splitlines()] if file.exists() else []


HOW: Final = """\
Written by `python -m tests.bench snapshots`: the datasets screen on 1,000,000 snapshots of 200 datasets.
Commands replace ZFS, one process each, and take as long for a listing as the kernel does with a warm cache
([openzfs/zfs#18849](https://github.com/openzfs/zfs/issues/18849)).
Another command prints a sample of live I/O each second.
The time of a filter runs from the key to the comparison of the last snapshot;
the first hits are shown earlier.
"""


def section() -> str:
    """The section of the page."""
    rows = []
    before = speed()
    for each in measure():
        print(f"{'ok  ' if each.is_met else 'MISS'} {each.what}: {each.seen} ({each.goal})", flush=True)
        rows.append(f"| {each.what} | {each.goal} | {each.seen} | {'yes' if each.is_met else '**no**'} |")
    head = ["| what | goal | seen | met |", "|---|---|---|---|"]
    return "\n".join(
        [HEADING, "", HOW, f"The machine: before, {before}; after, {speed()}.", "", *head, *rows, ""]
    )


def rewrite(page: Path) -> None:
    """Put the section in the place of the one that the page has, or before the next heading of its kind."""
    text = page.read_text()
    before, _, old = text.partition(f"\n{HEADING}\n")
    behind = old or text
    at = behind.find("\n## ")
    rest = behind[at:] if at >= 0 else ""
    head = before if old else (text[:at] if at >= 0 else text)
    page.write_text(head.rstrip("\n") + "\n\n" + section() + rest)
