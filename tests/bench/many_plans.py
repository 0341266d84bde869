"""What is listed for a plan in a pool of a million snapshots: rows, commands and bytes, not times.

A host of 200 file systems with 5,000 snapshots each answers `zfs list` as ZFS does; how long ZFS takes for
each row depends on the columns, and on what is in its cache.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final

from tests.bench.many_snapshots import DATASET
from tests.bench.report import Result
from tests.bench.snapshots import DATASETS, ROWS, listing
from tests.doubles.practice_runs import HOST, Bench
from zconsole.actions.intent import intent
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.send_base_search import MOST_BESIDE
from zconsole.execution.facts.snapshots_to_free_space import ReclaimGoal, read_reclaim
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Completed
from zconsole.practice import PracticeHost
from zconsole.zfs.listing.datasets import DATASET_COLUMNS
from zconsole.zfs.listing.snapshots_and_their_datasets import FAST_COLUMNS

HEADING: Final = "## Plans in a pool of a million snapshots"
HOW: Final = """\
Written by `python -m tests.bench plans`: what is listed of 1,000,000 snapshots of 200 datasets.
*Opened* are snapshots of which all columns are read: ZFS opens each, thousands a second from memory and
dozens from disks.
*Named* are those of which name, guid and age are read, which ZFS returns without
opening them, 17,000 a second.
For copies, 20,000 snapshots of the rest of the pool and those of one more dataset are searched.
"""
EACH: Final = ROWS // DATASETS
NAMES: Final = tuple(f"tank/customer{number:04}" for number in range(DATASETS))
MINE: Final = NAMES[77]
GIB: Final = 1 << 30
ALL_COLUMNS: Final = ",".join(DATASET_COLUMNS)
Asked = Callable[["Million", Bench], Awaitable[object]]


class Million(PracticeHost):
    """A practice host whose pool seems to have a million snapshots."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(clock=bench.manual, world=bench.world)
        self.counts: Counter[str] = Counter()
        self._snapshots: dict[str, list[str]] = {}

    async def run(self, command: Command) -> Completed:
        argv = command.argv
        if argv[:3] == ("zfs", "destroy", "-nvp"):
            return ended(command, 0, f"destroy\t{argv[-1]}\nreclaim\t{4 * GIB}\n".encode(), b"")
        if argv[:2] != ("zfs", "list") or "--" not in argv:
            return await super().run(command)
        text = self._listed(argv).encode()
        self.counts["commands"] += 1
        self.counts["bytes"] += len(text)
        return ended(command, 0, text, b"")

    def _listed(self, argv: tuple[str, ...]) -> str:
        names, columns = argv[argv.index("--") + 1 :], argv[argv.index("-o") + 1]
        if "filesystem" in argv[argv.index("-t") + 1]:
            return "".join(DATASET.format(name=name, guid=at + 9) for at, name in enumerate(("tank", *NAMES)))
        rows = [
            row for name in names for row in self._of(name) if "@" not in name or row.startswith(f"{name}\t")
        ]
        self.counts["opened" if columns == ALL_COLUMNS else "named"] += len(rows)
        if columns == ",".join(FAST_COLUMNS):
            return "".join(rows)
        return "".join(map(_with_all, rows))

    def _of(self, name: str) -> list[str]:
        base = name.partition("@")[0]
        if base not in NAMES:
            return []
        if base not in self._snapshots:
            self._snapshots[base] = listing(base, EACH).decode().splitlines(keepends=True)
        return self._snapshots[base]


def _with_all(row: str) -> str:
    name, guid, createtxg = row.rstrip("\n").split("\t")
    known = {
        "name": name, "type": "snapshot", "used": "1048576", "refer": "1073741824", "guid": guid,
        "createtxg": createtxg, "creation": "1790000000", "written": "2097152", "userrefs": "0",
        "defer_destroy": "off",
    }  # fmt: skip
    return "\t".join(known.get(column, "-") for column in DATASET_COLUMNS) + "\n"


async def _plan(host: Million, bench: Bench, action: str, *words: str, **options: bool) -> None:
    made = await bench.another(host).prepare(HOST, intent(action, *words, options=options))
    assert made.steps, made.refusals


async def _destroy_one(host: Million, bench: Bench) -> None:
    await _plan(host, bench, "destroy", next(iter(host._of(MINE))).partition("\t")[0])


async def _destroy_all(host: Million, bench: Bench) -> None:
    await _plan(host, bench, "destroy", MINE, recursive=True)


async def _set(host: Million, bench: Bench) -> None:
    await _plan(host, bench, "set", MINE, "compression=zstd")


async def _reclaim(host: Million, bench: Bench) -> None:
    await host.connect()
    found = await read_reclaim(Asker(host), ReclaimGoal(MINE, GIB), bench.world.now)
    assert 1 == len(found.chains)


CASES: Final[tuple[tuple[str, Asked, int, int], ...]] = (
    ("plan to destroy one snapshot", _destroy_one, 1, 1),
    ("plan to destroy a file system of 5,000", _destroy_all, EACH, 0),
    ("`zconsole reclaim` of a file system of 5,000", _reclaim, EACH, 0),
    ("plan to set a property", _set, 0, 0),
)
BESIDE: Final = MOST_BESIDE + EACH  # looked through for copies


def measure() -> Iterator[Result]:
    """Each case on a host of its own."""
    for what, ask, opened, neighbours in CASES:
        bench = Bench()
        host = Million(bench)
        asyncio.run(_once(ask, host, bench))
        seen = host.counts
        named = neighbours * EACH + (BESIDE if opened else 0)
        yield Result(
            what,
            f"<= {opened:,} opened, {named:,} named",
            f"{seen['opened']:,} opened, {seen['named']:,} named, {seen['commands']} commands, "
            f"{seen['bytes'] / 1e6:.1f} MB",
            seen["opened"] <= opened and seen["named"] <= named,
        )


async def _once(ask: Asked, host: Million, bench: Bench) -> None:
    await ask(host, bench)


def section() -> str:
    """The section of the page."""
    rows = []
    for each in measure():
        print(f"{'ok  ' if each.is_met else 'MISS'} {each.what}: {each.seen} ({each.goal})", flush=True)
        rows.append(f"| {each.what} | {each.goal} | {each.seen} | {'yes' if each.is_met else '**no**'} |")
    return "\n".join([HEADING, "", HOW, "| what | goal | seen | met |", "|---|---|---|---|", *rows, ""])


def rewrite(page: Path) -> None:
    """Put the section in the place of the one that the page has, or before that on slow disks."""
    before, found, old = page.read_text().partition(f"\n{HEADING}\n")
    if not found:
        before, _, rest = before.partition("\n## Slow disks\n")
        old = f"\n## Slow disks\n{rest}" if rest else ""
    at = old.find("\n## ")
    page.write_text(before.rstrip("\n") + "\n\n" + section() + (old[at:] if at >= 0 else ""))
