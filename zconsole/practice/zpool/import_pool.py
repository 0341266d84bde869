"""`zpool import`: pools found on drives, and the import of one or all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.getopt import Options
from zconsole.practice.nicenum_and_times import ctime
from zconsole.practice.program_reply import Refusal, Reply, for_each
from zconsole.practice.world.drives import BY_ID
from zconsole.practice.world.host_world import KERNEL, KERNEL_BUILD, SOFTWARE, World
from zconsole.practice.world.pool_label import label_of
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.start_or_abort_scrub_and_resilver import LEAST_MISSED, start_resilver
from zconsole.practice.world.vdev_names import short_name
from zconsole.practice.world.vdev_states_and_drive_unplugging import derive_states
from zconsole.practice.world.vdev_tree_changes import settle
from zconsole.practice.zpool.import_listing import shown
from zconsole.practice.zpool.mount_with_pool import mount_all
from zconsole.practice.zpool.pool_imported_and_writable_checks import cannot
from zconsole.practice.zpool.usage_and_arguments import misuse, pairs, read
from zconsole.practice.zpool.write_history_and_event_records import event, internal, note

_DEV: Final = "/dev"


def import_pool(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool import`, with and without a pool."""
    options = read(
        "import", args, "aCc:d:DEfFlmMnNo:R:stT:VX", {"rewind-to-checkpoint": "rewind-to-checkpoint"}
    )
    operands = options.operands
    _check(options)
    if not operands and world.user_id != 0:
        raise Refusal("cannot discover pools: permission denied\n")
    found = _candidates(world, options)
    if "a" in options:
        return _all(world, found, args, options)
    if not operands:
        if not found:
            return Reply(stderr="no pools available to import\n")
        return Reply("\n".join(shown(world, pool) for pool in found))
    name = operands[0]
    matching = [pool for pool in found if name in {pool.name, str(pool.guid)}]
    imported = [pool for pool in world.pools.values() if name in {pool.name, str(pool.guid)}]
    if imported and (len(operands) == 1 or operands[1] == name):
        raise Refusal(
            f"cannot import '{name}': a pool with that name already exists\n"
            "use the form 'zpool import <pool | id> <newpool>' to give it a new name\n"
        )
    if not matching or world.user_id != 0:
        raise cannot(f"cannot import '{name}'", "no such pool available")
    if len(matching) > 1:
        raise Refusal(f"cannot import '{name}': more than one matching pool\nimport by numeric ID instead\n")
    new_name = operands[1] if len(operands) == 2 else None
    return _import(world, matching[0], (args, options), new_name)


def _check(options: Options) -> None:
    if "c" in options and "d" in options:
        raise misuse("import", "-c is incompatible with -d")
    if "l" in options and "N" in options:
        raise misuse("import", "-l is incompatible with -N")
    if options.flags & {"n", "X"} and "F" not in options:
        raise misuse("import", "-n or -X only meaningful with -F")
    if len(options.operands) > 2 or ("a" in options and options.operands):
        raise misuse("import", "too many arguments")


def _candidates(world: World, options: Options) -> list[PracticePool]:
    """The pools that a scan of the drives finds, by guid as a list keeps them."""
    folders = options.values.get("d", [_DEV])
    if not any(folder.startswith(_DEV) for folder in folders):
        return []
    wants_destroyed = "D" in options
    found = [
        pool
        for pool in world.importable
        if (pool.label_state == "DESTROYED") == wants_destroyed and _is_seen(pool)
    ]
    for pool in found:
        look(world, pool)
    return sorted(found, key=lambda pool: pool.name)


def _is_seen(pool: PracticePool) -> bool:
    return any(leaf.is_there for leaf in pool.root.leaves())


def look(world: World, pool: PracticePool) -> None:
    """Derive the states of a pool from the devices that are there."""
    for leaf in (*pool.root.leaves(), *pool.spares, *pool.caches):
        if leaf.is_offline or leaf.state == "FAULTED" or leaf.kind == "dspare":
            continue
        label = label_of(world, leaf.disk) if leaf.disk is not None and leaf.disk.is_present else None
        is_there = label is not None and label.pool is pool
        if is_there and not leaf.is_usable:
            leaf.state, leaf.aux = "ONLINE", None
        elif not is_there:
            if leaf.state != "REMOVED":
                leaf.state, leaf.aux = "UNAVAIL", "BAD_LABEL" if _has_node(world, leaf) else None
            leaf.missed = max(leaf.missed, LEAST_MISSED)
    pool.is_suspended = False
    derive_states(pool)
    if pool.is_suspended:
        pool.root.state, pool.root.aux = "UNAVAIL", "NO_REPLICAS"
    else:
        pool.root.aux = None


def _has_node(world: World, leaf: PracticeVdev) -> bool:
    """Whether something is at the path by which a device is known."""
    drives = [disk for disk in world.disks if disk.is_present and disk.is_partitioned]
    return leaf.path in {f"{BY_ID}{link}-part1" for disk in drives for link in disk.links}


def _all(world: World, found: Sequence[PracticePool], args: Sequence[str], options: Options) -> Reply:
    if not found:
        return Reply(stderr="no pools available to import\n")
    return for_each(found, lambda pool: _import(world, pool, (args, options), None).stdout)


def _import(
    world: World, pool: PracticePool, command: tuple[Sequence[str], Options], new_name: str | None
) -> Reply:
    args, options = command
    action = f"cannot import '{pool.name}'" + (f" as '{new_name}'" if new_name else "")
    name = new_name or pool.name
    properties = pairs("import", _only_pairs(options), "o")
    if "f" not in options and _is_foreign(world, pool):
        raise Refusal(
            f"cannot import '{pool.name}': pool was previously in use from another system.\n"
            f"Last accessed by {pool.hostname} (hostid={pool.hostid:x}) at {ctime(pool.accessed_at)}\n"
            "The pool can be imported, use 'zpool import -f' to import the pool.\n"
        )
    if name in world.pools:
        raise cannot(action, "pool already exists")
    lost_log = any(not top.is_usable for top in pool.tops("log"))
    if lost_log and not pool.is_suspended and "m" not in options:
        lost = [top for top in pool.tops("log") if not top.is_usable]
        names = [short_name(top.path) if top.is_leaf else f"{top.kind}-{top.vdev_id}" for top in lost]
        missing = "".join(f"\t    {name} [log]\n" for name in names)
        said = "The devices below are missing or corrupted, use '-m' to import the pool anyway:\n"
        return Reply(f"{said}{missing}\n", f"{action}: one or more devices is currently unavailable\n", 1)
    if pool.is_suspended:
        if any(leaf.aux == "BAD_LABEL" for leaf in pool.root.leaves()):
            raise cannot(action, "one or more devices is currently unavailable")
        said = "\tDestroy and re-create the pool from\n\ta backup source.\n"
        return Reply(said, f"{action}: no such pool or dataset\n", 1)
    if "n" in options:
        return Reply()
    if options.last("R"):
        properties |= {"altroot": options.last("R") or "", "cachefile": "none"}
    for leaf in pool.leaves():
        leaf.is_not_present = leaf.state == "UNAVAIL"
        leaf.aux = None if leaf.is_not_present else leaf.aux
    take_in(world, pool, name, readonly=properties.pop("readonly", "off") == "on")
    pool.properties |= properties
    if "N" not in options:
        mount_all(pool)
    if not pool.is_readonly:
        start_resilver(world, pool)
        settle(world, pool)
        derive_states(pool)
        note(world, pool, "import", args)
    return Reply()


def _only_pairs(options: Options) -> Options:
    """Without the mount options, which have no `=`."""
    values = dict(options.values)
    values["o"] = [text for text in values.get("o", []) if "=" in text]
    return Options(options.flags, values, options.operands)


def _is_foreign(world: World, pool: PracticePool) -> bool:
    """Whether another host had it last and did not export it."""
    return pool.label_state != "EXPORTED" and pool.hostid != world.hostid


def take_in(world: World, pool: PracticePool, name: str, *, readonly: bool = False) -> None:
    """Import a pool."""
    world.importable = [other for other in world.importable if other is not pool]
    if name != pool.name:
        rename(pool, name)
    pool.is_readonly = readonly
    pool.load_guid = world.guid()
    pool.imported_at = world.elapsed
    for dataset in pool.datasets.values():
        dataset.is_mounted = False
    world.pools[name] = pool
    world.pools = dict(sorted(world.pools.items()))
    if not readonly:
        pool.label_state = "ACTIVE"
        pool.hostname, pool.hostid, pool.accessed_at = world.hostname, world.hostid, int(world.now)
        build = f"{SOFTWARE}; uts {world.hostname} {KERNEL} {KERNEL_BUILD} x86_64"
        internal(world, pool, "import", f"pool version 5000; software version {build}")
    event(world, pool, "pool_import")
    event(world, pool, "config_sync")


def rename(pool: PracticePool, name: str) -> None:
    """Rename a pool and all its datasets."""
    old, pool.name = pool.name, name
    renamed = {}
    for dataset in pool.datasets.values():
        dataset.name = name + dataset.name.removeprefix(old)
        renamed[dataset.name] = dataset
    pool.datasets = renamed
