"""What changes datasets; every way to change the world keeps its books here."""

from __future__ import annotations

from zconsole.hosts.practice.dataset import Dataset, Snapshot
from zconsole.hosts.practice.tree import Pool
from zconsole.hosts.practice.world import World


def take_snapshot(world: World, pool: Pool, dataset: Dataset, name: str) -> Snapshot:
    """Keep a dataset as it is now."""
    snapshot = Snapshot(
        name,
        guid=world.guid(),
        createtxg=int(pool.txg),
        creation=int(world.now),
        referenced=dataset.referenced,
        written=dataset.written,
        logical=dataset.logical,
        objset=pool.next_object,
    )
    pool.next_object += 2
    dataset.written = 0
    dataset.snapshots.append(snapshot)
    world.history_event(
        pool,
        "snapshot",
        " ",
        txg=snapshot.createtxg,
        dataset=(f"{dataset.name}@{name}", snapshot.objset),
    )
    return snapshot


def destroy_snapshot(world: World, pool: Pool, dataset: Dataset, snapshot: Snapshot) -> None:
    """Let a snapshot go; what only it kept comes free."""
    dataset.snapshots.remove(snapshot)
    freed = snapshot.used
    normal = [top for top in pool.tops("normal") if top.allocated]
    total = sum(top.allocated for top in normal) or 1
    for top in normal:
        top.allocated -= min(top.allocated, int(freed * top.allocated / total * 512 / top.ratio) >> 12 << 12)
    world.history_event(
        pool,
        "destroy",
        " ",
        txg=int(pool.txg),
        dataset=(f"{dataset.name}@{snapshot.name}", snapshot.objset),
    )
