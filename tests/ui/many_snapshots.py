"""A host with very many snapshots, of which most is not read yet."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from tests.analysis.listings import listing_of
from tests.ui import states
from tests.ui.frames import make_app, source_of
from tests.ui.states import GIB, NOW, TICKS
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.host.host_state import HostState, Reading
from zconsole.ui.app import ZConsoleApp

DATASETS, EACH = 50, 2000
DAY = 86400
TRIES = 1000  # of a hundred thousand names some work takes long on a busy machine


def snapshot(dataset: str, at: int) -> Dataset:
    """All that ZFS tells of one, when it is asked: the older, the larger; every thousandth is held."""
    return Dataset(
        f"{dataset}@auto-{at:04}", "snapshot", used_bytes=(EACH - at) * GIB, referenced_bytes=5 * GIB,
        creation=int(NOW) - (EACH - at) * DAY // 24, createtxg=at + 1, written_bytes=GIB,
        guid=int(dataset[-2:]) * EACH + at + 1, holds=int(at % 1000 == 7),
    )  # fmt: skip


SYSTEMS = (
    Dataset("tank", "filesystem", 900 * GIB, guid=1, available_bytes=100 * GIB),
    *(Dataset(f"tank/d{at:02}", "filesystem", 9 * GIB, used_by_snapshots_bytes=GIB, guid=at + 2)
      for at in range(DATASETS)),
    Dataset("tank/copy", "filesystem", GIB, guid=99, origin="tank/d01@auto-1000"),
    Dataset("tank/d00#mark", "bookmark", guid=98, createtxg=1),
)  # fmt: skip


@cache
def every() -> dict[str, Dataset]:
    """All snapshots by name."""
    names = [(f"tank/d{dataset:02}", at) for dataset in range(DATASETS) for at in range(EACH)]
    return {each.name: each for each in (snapshot(*name) for name in names)}


@cache
def listed() -> Listing:
    """What was listed of them."""
    return listing_of((*SYSTEMS, *every().values()), as_of=NOW - 7)


def host_with(listing: Listing) -> HostState:
    pool = replace(states.pool_state(states.tank()), listing=Reading(listing, TICKS))
    return states.host("storage1", pool)


def app_with_many_snapshots() -> ZConsoleApp:
    """The console on that host, which reads what it is asked for."""
    made = make_app(host_with(listed()))
    source_of(made).canned_values = every()
    return made
