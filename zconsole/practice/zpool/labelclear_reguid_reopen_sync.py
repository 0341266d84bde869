"""`zpool labelclear`, `zpool reguid`, `zpool reopen` and `zpool sync`."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pool_label import label_of
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.start_or_abort_scrub_and_resilver import start_resilver
from zconsole.practice.world.vdev_names import whole_disk
from zconsole.practice.world.vdev_states_and_drive_unplugging import derive_states, set_state
from zconsole.practice.zpool.pool_imported_and_writable_checks import (
    REFUSED_BY_LIBZFS,
    allow,
    open_pool,
    open_pools,
)
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, read
from zconsole.practice.zpool.write_history_and_event_records import event, internal, next_txg, note
from zconsole.practice.zpool_vdevs.drive_lookup_and_in_use_check import device_at, is_open, leave

_EXPORTED = {"EXPORTED": "exported", "ACTIVE": "potentially active"}


def labelclear(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool labelclear`."""
    options = read("labelclear", args, "f")
    (word,) = operands("labelclear", options, "missing vdev name", most=1)
    device = device_at(world, word) or device_at(world, whole_disk(word))
    if device is None:
        if word.startswith("/"):
            raise Refusal(f"failed to open {word}: No such file or directory\n")
        raise Refusal(f"failed to find device {word}, try specifying absolute path instead\n")
    if world.user_id != 0:
        raise Refusal(f"failed to open {word}: Permission denied\n")
    path = word if word.startswith("/") else device.partition
    label = label_of(world, device.disk)
    if label is None or path == device.path:  # the labels are on the partition, not on the whole drive
        raise Refusal(f"failed to read label from {path}\n")
    if label.pool is not None and label.is_imported:
        kind = {"SPARE": "SPARE", "L2CACHE": "L2CACHE"}.get(label.state, "ACTIVE")
        if is_open(label) or "f" not in options:
            more = ". Offline the disk first to clear its label." if "f" in options else ""
            return Reply("\n", f'{path} is a member ({kind}) of pool "{label.pool_name}"{more}', 1)
    elif label.pool is not None and label.state in _EXPORTED and "f" not in options:
        raise Refusal(
            "use '-f' to override the following error:\n"
            f'{path} is a member of {_EXPORTED[label.state]} pool "{label.pool_name}"\n'
        )
    if label.pool is not None and label.is_imported and label.leaf is not None:
        label.leaf.disk = None
    leave(world, device.disk)
    device.disk.left_label = None
    return Reply()


def reguid(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool reguid`."""
    options = read("reguid", args, "g:")
    (name,) = operands("reguid", options, "missing pool name", most=1)
    wanted = options.last("g")
    if wanted is not None and not wanted.isdigit():
        raise misuse("reguid", f"invalid GUID: {wanted}")
    pool = open_pool(world, name)
    action = f"cannot reguid '{pool.name}'"
    allow(world, pool, action, REFUSED_BY_LIBZFS)
    old, pool.root.guid = pool.guid, int(wanted) if wanted else world.guid()
    internal(world, pool, "guid change", f"old={old} new={pool.guid}")
    event(world, pool, "pool_reguid")
    note(world, pool, "reguid", args)
    return Reply()


def reopen(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool reopen`: devices that are back serve again."""
    options = read("reopen", args, "n")
    for pool in open_pools(world, options.operands):
        allow(world, pool, f"cannot reopen '{pool.name}'")
        _reopen(world, pool)
        note(world, pool, "reopen", args)
    return Reply()


def _reopen(world: World, pool: PracticePool) -> None:
    for leaf in pool.leaves():
        if leaf.state in {"REMOVED", "UNAVAIL"} and leaf.is_there:
            set_state(world, pool, leaf, "ONLINE")
    start_resilver(world, pool)
    derive_states(pool)


def sync(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool sync`."""
    options = read("sync", args, "f")
    for pool in open_pools(world, options.operands):
        next_txg(pool)
    return Reply()
