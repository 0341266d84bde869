"""`python -m tests.scenarios`: the full run of the moving world, its counts, and what fails.

python -m tests.scenarios [--probes] [--table FILE] [PART OF A CASE'S NAME ...]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.scenarios.cases import CASES
from tests.scenarios.moving import Seen
from tests.scenarios.test_moving_world import seen


def run_case(number: int, is_long: bool) -> list[Seen]:
    """One case at all positions."""
    return asyncio.run(seen(CASES[number], is_long=is_long))


def tell(line: str) -> None:
    """Say it at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--probes", action="store_true", help="one position for each change, as the tests")
    parser.add_argument("--table", type=Path, help="write the failures as known_failures.txt has them")
    parser.add_argument("names", nargs="*")
    told = parser.parse_args()
    chosen = [
        number
        for number, case in enumerate(CASES)
        if not told.names or any(name in case.name for name in told.names)
    ]
    began = time.monotonic()
    ends: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    entries: set[str] = set()
    runs = 0
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as workers:
        for found in workers.map(run_case, chosen, [not told.probes] * len(chosen)):
            runs += len(found)
            for each in found:
                ends[each.state] += 1
                wrong.update(failure.wrong.value for failure in each.failures)
                entries.update(each.entries())
                if each.failures:
                    tell(each.told())
    tell(f"{runs} runs in {time.monotonic() - began:.0f} s: {dict(wrong)}; ends: {dict(ends)}")
    if told.table is not None:
        told.table.write_text("".join(f"{entry}\n" for entry in sorted(entries)))
    sys.exit(1 if entries else 0)


if __name__ == "__main__":
    main()
