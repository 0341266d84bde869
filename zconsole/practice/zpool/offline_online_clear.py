"""`zpool offline`, `zpool online` and `zpool clear`."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.practice.getopt import Options
from zconsole.practice.program_reply import Refusal, Reply, for_each
from zconsole.practice.world import space_formulas
from zconsole.practice.world.drives import prepare
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.start_or_abort_scrub_and_resilver import start_resilver
from zconsole.practice.world.vdev_sizes import asize_of, expandable
from zconsole.practice.world.vdev_states_and_drive_unplugging import derive_states, set_state
from zconsole.practice.world.vdev_tree_changes import is_required, settle
from zconsole.practice.zpool.pool_imported_and_writable_checks import allow, cannot, open_pool
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, read
from zconsole.practice.zpool.write_history_and_event_records import event, note
from zconsole.practice.zpool_vdevs.vdev_lookup import FoundVdev, find

_NOT_A_DEVICE = "operation not supported on this type of pool"


def offline(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool offline`."""
    options = read("offline", args, "ft", {"power": "power"})
    pool, words = _pool_and_devices(world, "offline", options)
    reply = for_each(
        words, lambda word: _offline(world, pool, word, fault="f" in options, temporary="t" in options)
    )
    if reply.stderr:
        return Reply(stderr=reply.stderr.lstrip("\n"), status=1)
    note(world, pool, "offline", args)
    return reply


def _pool_and_devices(world: World, command: str, options: Options) -> tuple[PracticePool, list[str]]:
    name, *words = operands(command, options, "missing pool name", "missing device name")
    if name not in world.pools:
        raise Refusal(f"cannot open '{name}': no such pool\nfailed to open pool \"{name}\"")
    return world.pools[name], words


def _offline(world: World, pool: PracticePool, word: str, *, fault: bool, temporary: bool) -> None:
    found = find(pool, word)
    if fault and found is None:
        raise Refusal("\n")  # nothing else; alone it is not printed either
    action = f"cannot fault {found.vdev.guid}" if fault and found else f"cannot offline {word}"
    if found is None:
        raise cannot(action, "no such device in pool")
    if found.is_idle_spare:
        raise cannot(action, "device is reserved as a hot spare")
    allow(world, pool, action)
    leaf = found.vdev
    if not leaf.is_leaf or leaf.kind == "dspare":
        raise cannot(action, _NOT_A_DEVICE)
    if fault:
        _fault(world, pool, found, temporary=temporary)
        return
    if leaf.is_offline:
        leaf.is_forgotten = temporary
        return
    if not found.is_log and not found.is_cache and is_required(pool, leaf):
        raise cannot(action, "no valid replicas")
    leaf.is_offline, leaf.is_forgotten = True, temporary
    if leaf.state != "OFFLINE":
        set_state(world, pool, leaf, "OFFLINE")


def _fault(world: World, pool: PracticePool, found: FoundVdev, *, temporary: bool) -> None:
    """Mark a device as faulted; the last replica is only degraded."""
    leaf = found.vdev
    is_last = not found.is_log and not found.is_cache and is_required(pool, leaf)
    leaf.is_forgotten = temporary
    set_state(world, pool, leaf, "DEGRADED" if is_last else "FAULTED", "EXTERNAL")


def online(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool online`."""
    options = read("online", args, "e", {"power": "power"})
    pool, words = _pool_and_devices(world, "online", options)
    reply = for_each(words, lambda word: _online(world, pool, word, expand="e" in options))
    settle(world, pool)
    derive_states(pool)
    if not reply.status:
        note(world, pool, "online", args)
    return reply


def _online(world: World, pool: PracticePool, word: str, *, expand: bool) -> str:
    """Bring one device back; returns the warning that it is still not well."""
    found = find(pool, word)
    if found is None:
        raise Refusal(f'couldn\'t find device "{word}" in pool "{pool.name}"\n')
    leaf, action = found.vdev, f"cannot {'expand' if expand else 'online'} {word}"
    failed = f'Failed to online "{word}" in pool "{pool.name}": -1\n'
    try:
        if found.is_idle_spare:
            raise cannot(action, "device is reserved as a hot spare")
        if found.is_cache and expand:
            raise cannot(action, "cannot expand cache devices")
        allow(world, pool, action)
        if not leaf.is_leaf:
            raise cannot(action, _NOT_A_DEVICE)
    except Refusal as refusal:
        raise Refusal(refusal.reply.stderr + failed) from refusal
    was_offline, leaf.is_offline, leaf.is_forgotten = leaf.is_offline, False, False
    _reopen(world, pool, leaf)
    if leaf.state == "ONLINE":
        if was_offline:
            event(world, pool, "vdev_online", leaf)
        if expand or pool.properties.get("autoexpand") == "on":
            grow(pool, found.top)
        return ""
    warning = f"warning: device '{word}' onlined, but remains in faulted state\n"
    if leaf.state == "FAULTED":
        return f"{warning}use 'zpool clear' to restore a faulted device\n"
    return f"{warning}use 'zpool replace' to replace devices that are no longer present\n"


def _reopen(world: World, pool: PracticePool, leaf: PracticeVdev) -> None:
    """Reopen a device, which is online if its drive is there."""
    if leaf.state in {"ONLINE", "FAULTED", "DEGRADED"}:
        return
    if not leaf.is_there:
        if leaf.state != "UNAVAIL":
            set_state(world, pool, leaf, "UNAVAIL")
        return
    set_state(world, pool, leaf, "ONLINE")
    start_resilver(world, pool)


def grow(pool: PracticePool, top: PracticeVdev | None) -> None:
    """Expand a top-level vdev to the size of its drives."""
    if top is None or not expandable(top):
        return
    sizes = [prepare(leaf.disk) for leaf in top.leaves() if leaf.disk is not None]
    top.asize = asize_of(top, space_formulas.leaf_asize(min(sizes)))
    pool.config_txg = int(pool.txg)


def clear(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool clear`."""
    options = read("clear", args, "FnX", {"power": "power"})
    words = operands("clear", options, "missing pool name", most=2)
    if options.flags & {"n", "X"} and "F" not in options:
        raise misuse("clear", "-n or -X only meaningful with -F")
    pool = open_pool(world, words[0])
    word = words[1] if len(words) == 2 else None
    action = f"cannot clear errors for {word or pool.name}"
    chosen = list(pool.leaves())
    if word is not None:
        found = find(pool, word)
        if found is None:
            raise cannot(action, "no such device in pool")
        if found.is_idle_spare:
            raise cannot(action, "device is reserved as a hot spare")
        chosen = list(found.vdev.leaves())
    allow(world, pool, action)
    if "n" in options:
        return Reply()
    for leaf in chosen:
        _clear(world, pool, leaf)
    for vdev in pool.root.walk():
        if word is None and not vdev.is_leaf:
            vdev.clear_errors()
    pool.is_suspended = False
    derive_states(pool)
    if pool.is_suspended:
        raise cannot(action, "I/O error")
    pool.error_count, pool.error_files = (0, []) if word is None else (pool.error_count, pool.error_files)
    start_resilver(world, pool)
    settle(world, pool)
    derive_states(pool)
    event(world, pool, "config_sync")
    note(world, pool, "clear", args)
    return Reply()


def _clear(world: World, pool: PracticePool, leaf: PracticeVdev) -> None:
    """Clear the errors of a device; a faulted one is online again if its drive is there."""
    leaf.clear_errors()
    event(world, pool, "vdev_clear", leaf)
    if leaf.state not in {"FAULTED", "DEGRADED", "UNAVAIL", "REMOVED"}:
        return
    leaf.is_forgotten = False
    if leaf.kind == "dspare" or leaf.is_there:
        set_state(world, pool, leaf, "ONLINE")
    elif leaf.state != "UNAVAIL":
        set_state(world, pool, leaf, "UNAVAIL")
