"""Pools that come from another host: on the drives, and not imported here."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.vdev_topology import make_pool, record_creation, use_first, vdev_spec
from zconsole.practice.world.world import World


def bring(  # noqa: PLR0913 - what its labels tell
    world: World,
    name: str,
    words: Iterable[str],
    *,
    host: str,
    days_ago: float,
    exported: bool = False,
    missing: Iterable[str] = (),
) -> PracticePool:
    """Let drives bear the labels of a pool that another host had last; some of its drives stayed there.

    Devices are named as `World.disk` knows them. When it was not exported, importing it needs force.
    """
    here, at = world.pools, world.now - days_ago * 86400
    pool = make_pool(world, name, vdev_spec(world, words), at=at)
    record_creation(world, pool, at=at)
    world.events = [event for event in world.events if event.pool_guid != pool.guid]
    world.pools = {other: kept for other, kept in here.items() if kept is not pool}
    use_first(pool)
    pool.hostname, pool.hostid = host, zlib.crc32(host.encode()) | 1
    pool.accessed_at = int(at)
    pool.label_state = "EXPORTED" if exported else "ACTIVE"
    gone = {world.disk(word).serial for word in missing}
    for leaf in pool.leaves():
        if leaf.disk is not None and leaf.disk.serial in gone:
            leaf.disk.data_bytes, leaf.disk = 0, None
    world.importable.append(pool)
    return pool
