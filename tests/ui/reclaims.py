"""What is proposed to free so much, made by hand for the screens."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from tests.ui.states import DAY, GIB, NOW
from zconsole.analysis.snapshots.freed_space import NOTHING, Chain, Freed
from zconsole.analysis.snapshots.snapshots_to_free_space import SnapshotChoice
from zconsole.analysis.snapshots.snapshots_to_keep import LockedSnapshot
from zconsole.execution.facts.snapshots_to_free_space import Order, Reclaim, ReclaimGoal
from zconsole.model.datasets.dataset import Dataset

NAMES = (
    "tank",
    "tank/home",
    "tank/images",
    "tank/vm/database-of-the-bookkeeping",
    "tank/vm/web1",
    "tank/vm/web2",
)
MONTHS = 14
BASE = "the next increment to vault:backup/{} starts from it"
NONE: frozenset[int] = frozenset()


def chain(name: str) -> Chain:
    """A dataset with a snapshot a month, as sanoid names them, and one that somebody took."""
    first = int(NOW) - MONTHS * 30 * DAY
    taken = [first + at * 30 * DAY for at in range(MONTHS)]
    names = [f"autosnap_{datetime.fromtimestamp(at, UTC):%Y-%m-%d_%H:%M:%S}_monthly" for at in taken]
    names[5] = "before-the-upgrade-to-debian-13"
    snapshots = tuple(
        Dataset(f"{name}@{short}", "snapshot", GIB, creation=at)
        for short, at in zip(names, taken, strict=True)
    )
    return Chain(Dataset(name, "filesystem", 100 * GIB), snapshots)


def proposed(
    order: Order, need_gib: int, places: tuple[frozenset[int], ...], *, is_enough: bool = True
) -> Reclaim:
    """So many of each; what of it is not exact is that of the last dataset."""
    chains = tuple(chain(name) for name in NAMES)
    each = tuple(Freed(len(at) * 7 * GIB, len(at) * 7 * GIB) for at in places[:-1])
    last = Freed(2 * GIB, 9 * GIB) if places[-1] else NOTHING
    freed = sum((*each, last), NOTHING)
    kept = (
        LockedSnapshot(chains[1].snapshots[0].name, "held", "held by audit-2025, backup"),
        LockedSnapshot(chains[2].snapshots[1].name, "cloned", "origin of tank/vm/web1, tank/vm/web2"),
        *(
            LockedSnapshot(of.snapshots[-2].name, "replication", BASE.format(of.dataset.name))
            for of in chains
        ),
        *(LockedSnapshot(of.snapshots[-1].name, "newest", "the newest of its dataset") for of in chains),
    )  # fmt: skip
    choice = SnapshotChoice(
        places, freed, (*each, last), is_enough=is_enough, is_fewest=True if order == "fewest" else None
    )
    wish = ReclaimGoal("tank", need_gib * GIB, order)
    return Reclaim(wish, chains, choice, kept, freed, 3 * GIB, 31, datasets=_holding())


def _holding() -> tuple[Dataset, ...]:
    """The same datasets with what each holds, and a volume without snapshots with an unused reservation."""
    live = (0, 340, 45, 910, 120, 15)
    names = zip(NAMES, live, strict=True)
    held = [
        Dataset(name, "filesystem", used_by_dataset_bytes=gib * GIB, used_by_snapshots_bytes=40 * GIB)
        for name, gib in names
    ]
    held[4] = replace(held[4], origin="tank/images@gold", used_bytes=160 * GIB)
    held[1] = replace(held[1], quota_bytes=500 * GIB)
    volume = Dataset(
        "tank/vm/db", "volume", used_by_dataset_bytes=60 * GIB, used_by_refreservation_bytes=200 * GIB
    )
    return (*held, volume)


def oldest() -> Reclaim:
    """Some of the oldest of each, with gaps where one stays."""
    places = (
        NONE,
        frozenset({1, 2, 3}),
        frozenset({0, 2, 3, 4}),
        frozenset(range(5)),
        NONE,
        frozenset({0, 1}),
    )
    return proposed("oldest", 80, places)


def fewest() -> Reclaim:
    """One of a dataset, and one of another."""
    return proposed("fewest", 6, (NONE, frozenset({3}), NONE, NONE, NONE, frozenset({5})))


def too_little() -> Reclaim:
    """All that may go, which is more than a screen holds and still too little."""
    every = frozenset(range(1, 13, 2))
    return proposed("oldest", 900, (every,) * len(NAMES), is_enough=False)


def perhaps() -> Reclaim:
    """Enough in the datasets; what cloned blocks share with others the pool may not gain."""
    return proposed("oldest", 9, (NONE, frozenset({1}), NONE, NONE, NONE, frozenset({0})))


def nothing() -> Reclaim:
    """No snapshot may go."""
    return proposed("oldest", 900, (frozenset(),) * len(NAMES), is_enough=False)
