"""`zpool remove`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from zconsole.practice.nicenum_and_times import nicenum
from zconsole.practice.program_reply import Reply, Waiting, for_each
from zconsole.practice.world import space_formulas
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import Removal
from zconsole.practice.world.start_or_abort_scrub_and_resilver import pace_of
from zconsole.practice.world.vdev_states_and_drive_unplugging import derive_states
from zconsole.practice.zpool.pool_imported_and_writable_checks import allow, cannot, no_checkpoint, open_pool
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, read
from zconsole.practice.zpool.wait import until_idle
from zconsole.practice.zpool.write_history_and_event_records import event, internal, note
from zconsole.practice.zpool_vdevs.vdev_lookup import FoundVdev, find

_BUSY: Final = "Pool busy; removal may already be in progress"
_DRAID_SPARE: Final = re.compile(r"draid\d+-\d+-\d+")
_MAPPING: Final = 24  # bytes of memory for each range that is moved
_RANGE: Final = 1 << 20  # bytes of data in such a range, more or less


def remove(world: World, args: Sequence[str]) -> Reply | Waiting:
    """Answer `zpool remove`."""
    options = read("remove", args, "npsw")
    name, *words = operands("remove", options, "missing pool name argument")
    pool = open_pool(world, name)
    if "s" in options:
        return _stop(world, pool, args, has_devices=bool(words), is_dry="n" in options)
    if not words:
        raise misuse("remove", "missing device")
    if "n" in options:
        return Reply("".join(_memory(pool, word, exact="p" in options) for word in words))
    reply = for_each(words, lambda word: _remove(world, pool, word))
    if reply.stderr.count("\n") < len(words):
        derive_states(pool)
        event(world, pool, "config_sync")
    if reply.status:
        return reply
    note(world, pool, "remove", args)
    return until_idle(world, pool, "remove") if "w" in options else Reply()


def _memory(pool: PracticePool, word: str, *, exact: bool) -> str:
    action = f"cannot determine indirect size of {word}"
    found = find(pool, word)
    if found is None:
        raise cannot(action, "no such device in pool")
    top = found.top
    if found.is_idle_spare or found.is_cache or found.is_log:
        size = 0
    elif top is None or top is not found.vdev:
        raise cannot(action, "indirect size not available")
    else:
        size = -(-top.allocated // _RANGE) * _MAPPING
    if exact:
        return f"{word} {size}\n"
    return f"Memory that will be used after removing {word}: {nicenum(size)}\n"


def _stop(world: World, pool: PracticePool, args: Sequence[str], *, has_devices: bool, is_dry: bool) -> Reply:
    if is_dry:
        return Reply(stderr="stop request ignored\n")
    if has_devices:
        raise misuse("remove", "too many arguments")
    allow(world, pool, "cannot cancel removal")
    removal = pool.removal
    if removal is None or not pool.is_removing:
        raise cannot("cannot cancel removal", "operation is not in progress")
    removal.state, removal.end = "CANCELED", int(world.now)
    top = pool.top(removal.vdev_id)
    top.is_removing = False
    internal(world, pool, "vdev remove canceled", f"{pool.name} vdev {top.vdev_id} {top.path or '-'}")
    note(world, pool, "remove", args)
    return Reply()


def _remove(world: World, pool: PracticePool, word: str) -> None:
    action = f"cannot remove {word}"
    if _DRAID_SPARE.fullmatch(word):
        raise cannot(action, "dRAID spares cannot be removed")
    found = find(pool, word)
    if found is None:
        raise cannot(action, "no such device in pool")
    allow(world, pool, action)
    no_checkpoint(pool, action)
    if found.is_idle_spare or found.is_cache:
        _remove_auxiliary(world, pool, found, action)
    elif any(spare.guid == found.vdev.guid for spare in pool.spares):
        raise cannot(action, _BUSY)
    elif found.is_log and found.top is found.vdev:
        _remove_log(world, pool, found.vdev)
    else:
        _remove_top(world, pool, found, action)


def _remove_auxiliary(world: World, pool: PracticePool, found: FoundVdev, action: str) -> None:
    """Spares and caches go at once; a spare that works for another does not."""
    leaf = found.vdev
    if found.is_idle_spare and pool.is_in_use(leaf):
        raise cannot(action, _BUSY)
    event(world, pool, "vdev_remove_aux", leaf)
    pool.spares = [spare for spare in pool.spares if spare is not leaf]
    pool.caches = [cache for cache in pool.caches if cache is not leaf]
    kind = "spare" if found.is_idle_spare else "l2cache"
    internal(world, pool, "vdev remove", f"{pool.name} vdev ({kind}) {leaf.path}")


def _remove_log(world: World, pool: PracticePool, top: PracticeVdev) -> None:
    event(world, pool, "vdev_remove_dev", top)
    pool.root.children = [other for other in pool.root.children if other is not top]
    internal(world, pool, "vdev remove", f"{pool.name} vdev {top.vdev_id} (log) {top.path or '-'}")


def _remove_top(world: World, pool: PracticePool, found: FoundVdev, action: str) -> None:
    """Begin to evacuate a top-level vdev; raises Refusal where that cannot be."""
    top = found.vdev
    if top is not found.top or "device_removal" in pool.disabled_features:
        raise cannot(action, "operation not supported on this type of pool")
    if top.is_removing:
        raise cannot(action, "removal for this vdev is already in progress.")
    if not _has_room(pool, top):
        raise cannot(action, "out of space")
    if pool.is_removing:
        raise cannot(action, _BUSY)
    if any(not leaf.is_current for leaf in top.leaves()):
        raise cannot(action, _BUSY if top.is_usable else "I/O error")
    tops = pool.tops("normal", "special", "dedup")
    uneven = len({other.ashift for other in tops}) > 1
    striped = any(other.parity for other in tops)
    nested = any(not child.is_leaf for other in tops for child in other.children)
    if uneven or striped or nested:
        raise cannot(
            action, "invalid config; all top-level vdevs must have the same sector size and not be raidz."
        )
    top.is_removing = True
    others = [other for other in pool.tops("normal") if other is not top]
    pace = min(map(pace_of, (top, *others)))
    pool.removal = Removal(top.vdev_id, "SCANNING", int(world.now), max(1, top.allocated), pace)
    internal(world, pool, "vdev remove started", f"{pool.name} vdev {top.vdev_id} {top.path or '-'}")


def _has_room(pool: PracticePool, top: PracticeVdev) -> bool:
    """Whether the other vdevs have room for its data and twice the slop."""
    others = [other for other in pool.tops("normal") if other is not top]
    if not others:
        return False
    room = sum((other.size - other.allocated >> 9) * other.ratio for other in others)
    needed = (top.allocated >> 9) * top.ratio
    total = sum((other.size >> 9) * other.ratio for other in others)
    return room >= needed + 2 * (total - space_formulas.usable(total, 0))
