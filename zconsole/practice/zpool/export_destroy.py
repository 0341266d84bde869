"""`zpool export` and `zpool destroy`."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.practice.program_reply import Refusal, Reply, for_each
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zpool.mount_with_pool import has_open_volume, mount_all, unmount_all
from zconsole.practice.zpool.pool_imported_and_writable_checks import allow, cannot, open_pool
from zconsole.practice.zpool.usage_and_arguments import operands, read
from zconsole.practice.zpool.write_history_and_event_records import event, next_txg, note


def export(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool export`."""
    options = read("export", args, "afF")
    if "a" in options:
        operands("export", options, most=0)
    else:
        operands("export", options, "missing pool argument")
    return for_each(
        options.operands or list(world.pools),
        lambda name: _leave(world, open_pool(world, name), ("export", args), state="EXPORTED"),
    )


def destroy(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool destroy`."""
    options = read("destroy", args, "f")
    (name,) = operands("destroy", options, "missing pool argument", most=1)
    if "/" in name:
        raise Refusal(
            f"cannot open '{name}': invalid character '/' in pool name\n"
            "use 'zfs destroy' to destroy a dataset\n"
        )
    _leave(world, open_pool(world, name), ("destroy", args), state="DESTROYED")
    return Reply()


def _leave(world: World, pool: PracticePool, command: tuple[str, Sequence[str]], *, state: str) -> None:
    """Export or destroy a pool; its drives keep their labels."""
    verb, args = command
    try:
        unmount_all(world, pool)
    except Refusal as refusal:
        if verb == "export":
            raise
        could_not = f"could not destroy '{pool.name}': could not unmount datasets\n"
        raise Refusal(refusal.reply.stderr + could_not) from refusal
    action = f"cannot {verb} '{pool.name}'"
    allow(world, None, action)
    if has_open_volume(pool):
        mount_all(pool)
        raise cannot(action, "pool is busy")
    if not pool.is_readonly:
        note(world, pool, verb, args)
        next_txg(pool)
        pool.hostname, pool.hostid = world.hostname, world.hostid
        pool.accessed_at = int(world.now)
        pool.label_state = state
    event(world, pool, f"pool_{verb}")
    forget(pool)
    del world.pools[pool.name]
    world.importable.append(pool)


def forget(pool: PracticePool) -> None:
    """Reset what an export does not keep: error counts, temporary states, properties of the import."""
    for vdev in (*pool.root.walk(), *pool.caches, *pool.spares):
        vdev.clear_errors()
        if vdev.is_leaf and vdev.is_forgotten:
            vdev.is_offline = vdev.is_forgotten = False
            vdev.state, vdev.aux = "ONLINE", None
    for name in ("altroot", "cachefile"):
        pool.properties.pop(name, None)
    pool.is_readonly = False
    pool.load = None
