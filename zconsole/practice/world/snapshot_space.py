"""Space of snapshots, exact from deadlists: unique, written, and freed by destroying a range."""

from __future__ import annotations

from collections.abc import Collection

from zconsole.practice.world.datasets import Births, PracticeDataset, Snapshot, born_after


def before(snapshot: Snapshot) -> Snapshot | None:
    """The snapshot before it: of its dataset, or else the dataset's origin."""
    kept = snapshot.dataset.snapshots
    index = kept.index(snapshot)
    return kept[index - 1] if index else snapshot.dataset.origin


def txg_before(snapshot: Snapshot) -> int:
    """The txg of the snapshot before it; 0 without one."""
    earlier = before(snapshot)
    return earlier.createtxg if earlier else 0


def uniques(dataset: PracticeDataset) -> dict[Snapshot, int]:
    """Unique bytes of each snapshot."""
    found: dict[Snapshot, int] = {}
    txg = dataset.origin_txg
    for snapshot, after in zip(dataset.snapshots, _after(dataset), strict=True):
        found[snapshot] = born_after(after, txg)
        txg = snapshot.createtxg
    return found


def writings(dataset: PracticeDataset) -> dict[Snapshot, int]:
    """Bytes that each snapshot refers to and the one before it does not."""
    found: dict[Snapshot, int] = {}
    earlier = dataset.origin
    for snapshot in dataset.snapshots:
        reference = earlier.referenced if earlier else 0
        found[snapshot] = snapshot.referenced - reference + sum(snapshot.dead.values())
        earlier = snapshot
    return found


def _after(dataset: PracticeDataset) -> list[Births]:
    """The deadlist behind each snapshot."""
    return [*(snapshot.dead for snapshot in dataset.snapshots[1:]), dataset.dead]


def content(snapshot: Snapshot) -> Births:
    """Bytes that a snapshot refers to, by birth."""
    dataset = snapshot.dataset
    births, dead = dict(dataset.live), dataset.dead
    for kept in reversed(dataset.snapshots):
        births = {birth: size for birth, size in births.items() if birth < kept.createtxg}
        add(births, dead)
        if kept is snapshot:
            break
        dead = kept.dead
    return births


def add(births: Births, more: Births) -> None:
    """Add births."""
    for birth, size in more.items():
        births[birth] = births.get(birth, 0) + size


def chain(dataset: PracticeDataset) -> list[Snapshot]:
    """The snapshots of a dataset and of its origins, newest first."""
    found = list(reversed(dataset.snapshots))
    origin = dataset.origin
    while origin is not None:
        kept = origin.dataset.snapshots
        found.extend(reversed(kept[: kept.index(origin) + 1]))
        origin = origin.dataset.origin
    return found


def written_since(dataset: PracticeDataset, newer: Snapshot | None, older: Snapshot) -> int | None:
    """Bytes in `newer` (None: the live dataset) that are not in `older`; None when that is no ancestor.

    Of the deadlists between them counts what `older` refers to: what was born after it came and went.
    """
    ancestors = chain(dataset)
    if newer is not None:
        ancestors = ancestors[ancestors.index(newer) + 1 :]
    if older not in ancestors:
        return None
    top = newer or dataset
    between = ancestors[: ancestors.index(older)]
    gone = sum(_born_before(each.dead, older.createtxg) for each in (top, *between))
    return top.referenced - older.referenced + gone


def _born_before(births: Births, txg: int) -> int:
    """Bytes that a snapshot of that txg can refer to."""
    return sum(size for birth, size in births.items() if birth < txg)


def freed_by_range(dataset: PracticeDataset, first: Snapshot, last: Snapshot) -> int:
    """Bytes that destroying a range of snapshots frees, both ends included."""
    kept = dataset.snapshots
    start, end = kept.index(first), kept.index(last)
    txg = txg_before(first)
    return sum(born_after(dead, txg) for dead in _after(dataset)[start : end + 1])


def ranges(dataset: PracticeDataset, chosen: Collection[Snapshot]) -> list[tuple[Snapshot, Snapshot]]:
    """Chosen snapshots of a dataset as ranges without a gap, oldest first."""
    found: list[tuple[Snapshot, Snapshot]] = []
    is_open = False
    for snapshot in dataset.snapshots:
        if snapshot in chosen:
            first = found.pop()[0] if is_open else snapshot
            found.append((first, snapshot))
        is_open = snapshot in chosen
    return found
