"""`python -m tests.scenarios`: the full run of the moving world, its counts, and what fails.

python -m tests.scenarios [--probes] [--jobs N] [--keep FILE] [--table FILE] [PART OF A CASE'S NAME ...]
python -m tests.scenarios --restless [--jobs N] [--keep FILE]

With --keep each part that is done is a line of FILE at once, and is not done again by a later call: one case
with one change at all positions, or with several changes. `--counts` tells what FILE has so far.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.scenarios.moving_world.cases import CASES
from tests.scenarios.moving_world.moving import Scenario
from tests.scenarios.moving_world.test_moving_world import LONG_RUNS, restless, seeds_of

_MORE_GARBAGE = (50_000, 20, 50)  # before it is collected: worlds are many and short-lived


@dataclass
class Part:
    """One case with one change, or some runs with several changes each."""

    name: str
    runs: int = 0
    followed: int = 0  # that were known to go as another one
    ends: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)
    entries: list[str] = field(default_factory=list)  # of known_failures.txt
    told: list[str] = field(default_factory=list)

    def add(self, other: Part) -> None:
        """Sum them up."""
        self.runs += other.runs
        self.followed += other.followed
        self.ends = dict(Counter(self.ends) + Counter(other.ends))
        self.wrong = dict(Counter(self.wrong) + Counter(other.wrong))
        self.entries = sorted({*self.entries, *other.entries})

    def counts(self) -> str:
        """For a person."""
        ran = f"{self.runs} runs ({self.followed} of them known to go as another)"
        return f"{ran}: wrong {self.wrong or 'none'}; ends {self.ends}"


def run_case(number: int, is_long: bool, done: frozenset[str]) -> Iterator[Part]:
    """One case with each change that is not done yet, at all positions or one of each kind."""
    scenario = Scenario(CASES[number])
    names = {change: f"{scenario.case.name} | {change.name}" for change in scenario.changes}
    if done.issuperset(names.values()):
        return
    asyncio.run(scenario.begin())
    for change, name in names.items():
        if name in done:
            continue
        part, before = Part(name), scenario.followed
        for each in asyncio.run(scenario.at(change, is_long=is_long)):
            part.add(Part("", 1, 0, {each.state: 1}, Counter(w.wrong.value for w in each.failures),
                          each.entries(), []))  # fmt: skip
            part.told += [each.told()] if each.failures else []
        part.followed = scenario.followed - before
        yield part


def run_seeds(number: int, done: frozenset[str]) -> Iterator[Part]:
    """One case with several changes in each run."""
    name = f"{CASES[number].name} | several changes"
    if name not in done:
        ends: Counter[str] = Counter()
        failing = asyncio.run(restless(seeds_of(number, LONG_RUNS), ends))
        wrong = {"with several changes": len(failing)} if failing else {}
        yield Part(name, ends.total(), 0, dict(ends), wrong, [], failing)


def work(task: tuple[str, int, bool, frozenset[str], Path | None]) -> Part:
    """Do a case or some seeds, and keep each part as soon as it is done; the sum of them."""
    kind, number, is_long, done, kept = task
    gc.set_threshold(*_MORE_GARBAGE)
    whole = Part("")
    for part in run_case(number, is_long, done) if kind == "case" else run_seeds(number, done):
        if kept is not None:
            with kept.open("a") as file:
                file.write(json.dumps(asdict(part)) + "\n")
        whole.add(part)
        whole.told += part.told
    return whole


def read(kept: Path | None) -> dict[str, Part]:
    """The parts that are done, by their names; the last one of each."""
    if kept is None or not kept.exists():
        return {}
    parts = (Part(**json.loads(line)) for line in kept.read_text().split("\n") if line.endswith("}"))
    return {part.name: part for part in parts}


def tell(line: str) -> None:
    """Say it at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def summed(parts: Iterable[Part]) -> Part:
    """All of them."""
    whole = Part("")
    for part in parts:
        whole.add(part)
    return whole


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--probes", action="store_true", help="one position for each change, as the tests")
    parser.add_argument("--restless", action="store_true", help="the runs with several changes each")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--keep", type=Path, help="keep what is done here, and go on from there")
    parser.add_argument("--counts", action="store_true", help="run nothing, and tell what is kept")
    parser.add_argument("--table", type=Path, help="write the failures as known_failures.txt has them")
    parser.add_argument("names", nargs="*")
    told = parser.parse_args()
    kept = read(told.keep)
    tell(f"done before: {summed(kept.values()).counts()}")
    if told.counts:
        for part in kept.values():
            for line in part.told:
                tell(line)
        return
    numbers = [
        number
        for number, case in enumerate(CASES)
        if not told.names or any(name in case.name for name in told.names)
    ]
    done = frozenset(kept)
    kind = "seeds" if told.restless else "case"
    tasks = [(kind, number, not told.probes, done, told.keep) for number in numbers]
    began = time.monotonic()
    whole = summed(kept.values())
    with ProcessPoolExecutor(max_workers=told.jobs) as workers:
        for part in workers.map(work, tasks):
            whole.add(part)
            for line in part.told:
                tell(line)
            tell(f"{time.monotonic() - began:.0f} s: {whole.runs} runs, wrong {whole.wrong or 'none'}")
    tell(whole.counts())
    if told.table is not None:
        told.table.write_text("".join(f"{entry}\n" for entry in whole.entries))
    sys.exit(1 if whole.wrong else 0)


if __name__ == "__main__":
    main()
