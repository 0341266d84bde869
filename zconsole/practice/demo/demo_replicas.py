"""Replicas of some datasets of the demonstration host on its pool of cold disks.

Most are some hours behind, one is complete, one shares a single old snapshot, one has an interrupted receive.
"""

from __future__ import annotations

import random
from typing import Final

from zconsole.practice.send_receive.streams import BLOCK, Sent, token
from zconsole.practice.world.datasets import Partial, PracticeDataset, Snapshot
from zconsole.practice.world.host_world import TXG_S, World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.snapshot_space import content, written_since

_SEED: Final = 43
_TOOK_S: Final = 600  # from a snapshot to its copy
_DATABASES: Final = {"postgres": 0, "mysql": 5}  # with the snapshots that the copies lack
_HOMES: Final = {"anna": 2, "bo": 2, "chen": 2, "dora": 2, "emil": 2, "fatima": 2, "gita": 7, "henk": 30}
_CUT: Final = "gita"
_ON_A_THREAD: Final = "henk"


def copy_some(world: World, tank: PracticePool, vault: PracticePool) -> None:
    """Fill `vault/replica`; the numbers are drawn apart from all else."""
    numbers = random.Random(_SEED)  # noqa: S311
    for above, names in (("db", _DATABASES), ("home", _HOMES)):
        for name, behind in names.items():
            source = tank.datasets[f"tank/{above}/{name}"]
            kept = source.snapshots[: len(source.snapshots) - behind]
            if name == _ON_A_THREAD:
                kept = kept[-1:]
            made = _received(world, vault, kept, f"vault/replica/tank-{above}/{name}", numbers)
            vault.datasets[made.name] = made
            if name == _CUT:
                made.partial = _cut(kept[-1], source.snapshots[-3])


def _received(
    world: World, pool: PracticePool, kept: list[Snapshot], name: str, numbers: random.Random
) -> PracticeDataset:
    """A dataset that got these snapshots of another, one after the other."""
    source, first, last = kept[0].dataset, kept[0], kept[-1]
    made = PracticeDataset(
        name,
        source.kind,
        numbers.getrandbits(64) | 1 << 58,
        createtxg=_txg(world, pool, first.creation),
        creation=first.creation + _TOOK_S,
        objset=_object(pool),
        logical=last.logical,
        is_mounted=False,
        properties={"readonly": "on", "canmount": "off"},
        seed=source.seed,
        files_at=float(last.creation),
    )
    came: dict[int, int] = {}  # the txg there of each txg here
    newest = made.createtxg
    for each in kept:
        newest = max(newest + 1, _txg(world, pool, each.creation))
        came[each.createtxg] = newest
        dead = {} if each is first else {came.get(birth, 0): size for birth, size in each.dead.items()}
        sizes = (each.referenced, each.logical)
        made.snapshots.append(
            Snapshot(made, each.name, each.guid, newest, each.creation, *sizes, _object(pool), dead)
        )
    made.live = {}
    for birth, size in content(last).items():
        made.live[came.get(birth, 0)] = made.live.get(came.get(birth, 0), 0) + size
    return made


def _cut(base: Snapshot, wanted: Snapshot) -> Partial:
    """The resumable state of an increment of which two thirds were received."""
    source = wanted.dataset
    size = written_since(source, wanted, base) or 0
    sent = Sent(wanted.full_name, wanted.guid, base.guid, wanted.creation, source.kind, size)
    received = size * 2 // 3 // BLOCK * BLOCK
    return Partial(wanted.guid, received, token(sent, received), is_all=False)


def _txg(world: World, pool: PracticePool, taken: int) -> int:
    """The transaction group that was open once a snapshot of that moment had come."""
    return max(8, int(pool.txg - (world.now - taken - _TOOK_S) / TXG_S))


def _object(pool: PracticePool) -> int:
    pool.next_object += 2
    return pool.next_object
