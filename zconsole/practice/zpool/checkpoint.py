"""`zpool checkpoint`."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.practice.program_reply import Refusal, Reply, Waiting
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zpool.pool_imported_and_writable_checks import allow, cannot, no_checkpoint, open_pool
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, read
from zconsole.practice.zpool.wait import until_idle
from zconsole.practice.zpool.write_history_and_event_records import internal, note

_FIRST_CONSUMED = 86_016  # bytes on each vdev that a new checkpoint keeps


def checkpoint(world: World, args: Sequence[str]) -> Reply | Waiting:
    """Answer `zpool checkpoint`."""
    options = read("checkpoint", args, "dw", {"discard": "d", "wait": "w"})
    if "w" in options and "d" not in options:
        raise misuse("checkpoint", "--wait only valid when --discard also specified")
    (name,) = operands("checkpoint", options, "missing pool argument", most=1)
    if name not in world.pools and "/" in name:
        raise Refusal(
            f"cannot open '{name}': invalid character '/' in pool name\n"
            "'zpool checkpoint' doesn't work on datasets. To save the state of a dataset from a specific"
            " point in time please use 'zfs snapshot'\n"
        )
    pool = open_pool(world, name)
    if "d" in options:
        _discard(world, pool)
        note(world, pool, "checkpoint", args)
        return until_idle(world, pool, "discard") if "w" in options else Reply()
    _take(world, pool)
    note(world, pool, "checkpoint", args)
    return Reply()


def _take(world: World, pool: PracticePool) -> None:
    action = f"cannot checkpoint '{pool.name}'"
    allow(world, pool, action)
    if "zpool_checkpoint" in pool.disabled_features:
        raise cannot(action, "operation not supported on this type of pool")
    if pool.is_removing:
        raise cannot(action, "device removal in progress")
    if pool.is_expanding:
        raise cannot(action, "raidz expansion in progress")
    no_checkpoint(pool, action)
    tops = pool.tops("normal", "special", "dedup")
    for top in tops:
        top.checkpoint_space = min(_FIRST_CONSUMED, top.allocated)
    pool.checkpoint = (int(world.now), sum(top.checkpoint_space for top in tops))
    pool.active_features |= {"zpool_checkpoint"}
    internal(world, pool, "spa checkpoint", f"checkpointed uberblock txg={int(pool.txg)}")


def _discard(world: World, pool: PracticePool) -> None:
    action = f"cannot discard checkpoint in '{pool.name}'"
    allow(world, pool, action)
    if pool.discarding is not None:
        raise cannot(action, "currently discarding checkpoint")
    if pool.checkpoint is None:
        raise cannot(action, "checkpoint does not exist")
    pool.discarding, pool.checkpoint = pool.checkpoint[1], None
    internal(world, pool, "spa discard checkpoint", "started discarding checkpointed state from the pool")
