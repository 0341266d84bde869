"""`zpool split`."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.host_world import World
from zconsole.practice.world.new_pools_and_vdevs import Spec
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import Naming
from zconsole.practice.world.vdev_states_and_drive_unplugging import derive_states
from zconsole.practice.world.vdev_tree_changes import is_required, take_out
from zconsole.practice.zpool.import_pool import rename, take_in
from zconsole.practice.zpool.mount_with_pool import mount_all
from zconsole.practice.zpool.pool_imported_and_writable_checks import allow, no_checkpoint, open_pool
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, pairs, read
from zconsole.practice.zpool.write_history_and_event_records import event, internal, note
from zconsole.practice.zpool_vdevs.dry_run_layout import would_create
from zconsole.practice.zpool_vdevs.vdev_lookup import find


def split(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool split`."""
    options = read("split", args, "gLR:lno:P")
    name, new_name, *words = operands("split", options, "Missing pool name", "Missing new pool name")
    if "l" in options and "R" not in options:
        raise misuse("split", "loading keys is only valid when importing the pool")
    pool = open_pool(world, name)
    action = f"Unable to split {name}"
    properties = pairs("split", options, "o")
    chosen = _chosen(pool, words, action)
    if "n" in options:
        spec = Spec(tops=[_as_top(top, leaf) for top, leaf in chosen])
        return Reply(would_create(new_name, spec, Naming.of(options)))
    allow(world, pool, action)
    no_checkpoint(pool, action)
    if new_name in world.pools:
        raise Refusal(f"{action}: pool already exists\n")
    _may_split(pool, chosen, action)
    made = _split(world, pool, new_name, chosen)
    made.properties |= properties
    note(world, pool, "split", args)
    if "R" in options:
        take_in(world, made, new_name)
        made.properties |= {"altroot": options.last("R") or "", "cachefile": "none"}
        mount_all(made)
    return Reply()


def _chosen(pool: PracticePool, words: Sequence[str], action: str) -> list[tuple[PracticeVdev, PracticeVdev]]:
    """One disk of each mirror: the one that was asked for, or the last."""
    tops = [top for top in pool.present if top.vdev_class != "log"]
    wrong = next((top for top in tops if top.kind != "mirror"), None)
    if wrong is not None:
        raise Refusal(f"{action}: Source pool must be composed only of mirrors\n\n")
    wanted = []
    for word in words:
        found = find(pool, word)
        if found is None:
            raise Refusal(
                f"cannot open '{word}': no such device in /dev\n"
                "must be a full path or shorthand device name\n"
                "Unable to build a pool from the specified devices\n"
            )
        wanted.append(found.vdev)
    chosen, used = [], 0
    for top in tops:
        mine = [leaf for leaf in top.children if any(leaf is each for each in wanted)]
        used += bool(mine)
        chosen.append((top, mine[0] if mine else top.children[-1]))
    if used != len(wanted):
        raise Refusal(f"{action}: Device list must include at most one disk from each mirror\n")
    return chosen


def _as_top(top: PracticeVdev, leaf: PracticeVdev) -> PracticeVdev:
    return PracticeVdev("disk", leaf.guid, vdev_class=top.vdev_class, disk=leaf.disk, path=leaf.path)


def _may_split(pool: PracticePool, chosen: Sequence[tuple[PracticeVdev, PracticeVdev]], action: str) -> None:
    for _, leaf in chosen:
        if not leaf.is_leaf or leaf.state != "ONLINE":
            raise Refusal(f"{action}: invalid argument for this pool operation\n")
        if is_required(pool, leaf) or not leaf.is_current:
            raise Refusal(f"{action}: pool is busy\n")


def _split(
    world: World, pool: PracticePool, name: str, chosen: Sequence[tuple[PracticeVdev, PracticeVdev]]
) -> PracticePool:
    """Take the disks out, and leave a pool of them beside, exported."""
    made = PracticePool(name, PracticeVdev("root", world.guid()), pool.created)
    for top, leaf in chosen:
        new = _as_top(top, leaf)
        new.asize, new.ms_shift, new.ratio = top.asize, top.ms_shift, top.ratio
        new.ashift, new.allocated, new.fragmentation = top.ashift, top.allocated, top.fragmentation
        new.vdev_id, new.guid = len(made.root.children), world.guid()
        made.root.children.append(new)
    for _, leaf in chosen:
        take_out(pool, leaf)
        internal(world, pool, "detach", f"vdev={leaf.path}")
    derive_states(pool)
    made.name = pool.name
    made.datasets = copy.deepcopy(pool.datasets)
    for dataset in made.datasets.values():
        dataset.is_busy = dataset.is_mounted = False
    rename(made, name)
    made.txg, made.config_txg, made.first_txg = pool.txg, pool.config_txg, pool.first_txg
    made.next_object, made.history = pool.next_object, list(pool.history)
    made.active_features, made.disabled_features = pool.active_features, pool.disabled_features
    made.properties = {key: pool.properties[key] for key in ("ashift",) if key in pool.properties}
    made.label_state = "EXPORTED"
    made.hostname, made.hostid, made.accessed_at = world.hostname, world.hostid, int(world.now)
    derive_states(made)
    internal(world, pool, "split", f"new pool {name} from pool {pool.name}")
    event(world, pool, "config_sync")
    world.importable.append(made)
    return made
