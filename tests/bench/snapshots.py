"""A million snapshots: what reading, keeping, opening and filtering them takes.

`python -m tests.bench.snapshots` prints numbers, one a line: CPU seconds of reading, bytes of memory,
milliseconds to open the index, and CPU milliseconds of filtering for a word in few names, for a word in none,
for a letter that is in all of them, by two regular expressions, and by a pattern.
"""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from tests.bench.hour import resident
from zconsole.analysis.dependencies.snapshot_graph import graph_of
from zconsole.analysis.search.dataset_query import parse_filter
from zconsole.analysis.search.snapshot_filter_in_time_slices import IncrementalFilter
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.datasets.snapshot_table import DatasetSnapshots, SnapshotTable
from zconsole.storage.snapshot_cache import SnapshotIndex
from zconsole.zfs.listing.snapshots_and_their_datasets import CHUNK, SnapshotReader

ROWS: Final = 1_000_000
DATASETS: Final = 200
KERNEL_A_SECOND: Final = 17_450  # that one process lists, warm: openzfs/zfs#18849
READING_GOAL: Final = 0.05  # of the time that ZFS takes
MEMORY_GOAL: Final = 300e6
OPEN_GOAL_MS: Final = 250.0  # half of what there is until the first rows
FILTER_GOAL_MS: Final = 150.0
TRIES: Final = 3
FILTERS: Final = ("hourly-77", "weekly", "h", "/hourly-7[0-9]+$/", "/_1[0-2]:.*9$/", "*-77")


def listing(dataset: str, count: int) -> bytes:
    """What `zfs list` prints of a dataset with hourly snapshots."""
    dice = random.Random(dataset)  # noqa: S311 - guids of a made-up pool

    def line(at: int) -> str:
        day = f"2026-{1 + at // 672 % 12:02}-{1 + at // 24 % 28:02}_{at % 24:02}:00:00"
        return f"{dataset}@autosnap_{day}_hourly-{at}\t{dice.getrandbits(64)}\t{1000 + at}\n"

    return "".join(map(line, range(count))).encode()


def table() -> tuple[SnapshotTable, float]:
    """A million snapshots, and the CPU seconds that reading them took."""
    datasets, spent = [], 0.0
    for number in range(DATASETS):
        name = f"tank/vm/customer{number:04}/disk0"
        text = listing(name, ROWS // DATASETS)
        began = time.process_time()
        reader = SnapshotReader()
        for at in range(0, len(text), CHUNK):
            reader.feed(text[at : at + CHUNK])
        columns = reader.close()[name]
        spent += time.process_time() - began
        datasets.append(DatasetSnapshots(name, number + 1, 1, None, 5, 10.0, columns))
    return SnapshotTable("tank", 7, tuple(datasets), 10.0), spent


def least_ms(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """The least of some tries: what others on the machine take is not meant."""
    spent = []
    for _ in range(TRIES):
        began = clock()
        work()
        spent.append(1000 * (clock() - began))
    return min(spent)


def numbers() -> Iterator[float]:
    """All that is printed."""
    before = resident()
    made, spent = table()
    gc.collect()
    yield spent
    yield resident() - before
    with tempfile.TemporaryDirectory() as folder:
        index = SnapshotIndex(Path(folder))
        index.save("nas1", made)
        yield least_ms(lambda: index.load("nas1", 7), time.perf_counter)
    graph = graph_of(Listing(made, {each.name: Dataset(each.name, "volume") for each in made.datasets}), {})
    for words in FILTERS:
        query = parse_filter(words)
        assert query is not None
        sieve = partial(IncrementalFilter, graph, query, 0.0, [each.name for each in made.datasets])
        yield least_ms(lambda sieve=sieve: sieve().advance(float("inf")), time.process_time)  # type: ignore[misc]


if __name__ == "__main__":
    sys.stdout.write("".join(f"{each}\n" for each in numbers()))
