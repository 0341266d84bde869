"""`zpool initialize` and `zpool trim`."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.getopt import Options
from zconsole.practice.program_reply import Refusal, Reply, Waiting
from zconsole.practice.world.background_progress import pace_of_activity
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import LeafActivity
from zconsole.practice.world.vdev_sizes import partition_bytes
from zconsole.practice.world.vdev_tree_changes import top_of
from zconsole.practice.zpool.pool_imported_and_writable_checks import REFUSED_BY_LIBZFS, allow, open_pool
from zconsole.practice.zpool.usage_and_arguments import misuse, read
from zconsole.practice.zpool.wait import until_idle
from zconsole.practice.zpool.write_history_and_event_records import event, internal, note
from zconsole.practice.zpool_vdevs.vdev_lookup import find

_LONGS = {"cancel": "c", "suspend": "s", "uninit": "u", "wait": "w", "all": "a", "secure": "d"}
_VERBS = {"c": "cancel", "s": "suspend", "u": "uninit"}


@dataclass(frozen=True, slots=True)
class _Kind:
    """One of the two: its command, and its words."""

    name: str
    busy: str
    idle: str


_INITIALIZE = _Kind("initialize", "currently initializing", "there is no active initialization")
_TRIM = _Kind("trim", "currently trimming", "there is no active trim")


def initialize(world: World, args: Sequence[str]) -> Reply | Waiting:
    """Answer `zpool initialize`."""
    longs = {name: flag for name, flag in _LONGS.items() if flag != "d"}
    options = read("initialize", args, "acsuw", longs)
    return _run(world, args, options, _INITIALIZE)


def trim(world: World, args: Sequence[str]) -> Reply | Waiting:
    """Answer `zpool trim`."""
    longs = {name: flag for name, flag in _LONGS.items() if flag != "u"}
    options = read("trim", args, "acdr:sw", longs)
    return _run(world, args, options, _TRIM)


def _run(world: World, args: Sequence[str], options: Options, kind: _Kind) -> Reply | Waiting:
    verbs = options.flags & set(_VERBS)
    if len(verbs) > 1:
        raise misuse(kind.name, f"-{max(verbs)} cannot be combined with other options")
    if "a" in options and options.operands:
        raise misuse(kind.name, "-a cannot be combined with individual pools or vdevs")
    if not options.operands and "a" not in options:
        raise misuse(kind.name, "missing pool name argument")
    if "w" in options and verbs:
        raise misuse(kind.name, "-w cannot be used with -c, -sor -u")
    verb = _VERBS[verbs.pop()] if verbs else "start"
    names = options.operands[:1] or list(world.pools)
    pools = [open_pool(world, name, REFUSED_BY_LIBZFS) for name in names]
    complaints = ""
    for pool in pools:
        told = _pool(world, pool, options.operands[1:], (kind, verb))
        complaints += told
        if not told:
            note(world, pool, kind.name, args)
    if complaints:
        return Reply(stderr=complaints, status=REFUSED_BY_LIBZFS)
    return until_idle(world, pools[-1], kind.name) if "w" in options and pools else Reply()


def _pool(world: World, pool: PracticePool, words: Sequence[str], what: tuple[_Kind, str]) -> str:
    """Start, cancel or suspend the work on devices of a pool; returns the errors."""
    kind, verb = what
    try:
        allow(world, pool, "operation failed")
    except Refusal as refusal:
        return refusal.reply.stderr
    leaves, complaints = _chosen(pool, words, kind)
    if complaints:
        return complaints
    objections = {name: _objection(pool, leaf, what) for name, leaf in leaves}
    unsupported = "trim operations are not supported by this device"
    if not words:
        hidden = [name for name, why in objections.items() if why == unsupported]
        if len(hidden) == len(leaves):
            return "cannot trim: no devices in pool support trim operations\n" if hidden else ""
        leaves = [(name, leaf) for name, leaf in leaves if name not in hidden]
        objections = {name: why for name, why in objections.items() if name not in hidden}
    complaints = "".join(f"cannot {kind.name} '{name}': {why}\n" for name, why in objections.items() if why)
    for name, leaf in leaves:
        if not objections[name]:
            _act(world, pool, leaf, (kind, verb))
    return complaints


def _chosen(
    pool: PracticePool, words: Sequence[str], kind: _Kind
) -> tuple[list[tuple[str, PracticeVdev]], str]:
    if not words:
        tops = [top for top in pool.present if not top.is_removing]
        return [(leaf.path, leaf) for top in tops for leaf in top.leaves() if leaf.is_usable], ""
    leaves, complaints = [], ""
    for word in words:
        found = find(pool, word)
        why = "no such device in pool" if found is None else ""
        if found is not None and found.is_idle_spare:
            why = "device is reserved as a hot spare"
        if found is not None and found.is_cache:
            why = "device is in use as a cache"
        if why or found is None:
            complaints += f"cannot {kind.name} '{word}': {why}\n"
        else:
            leaves.append((word, found.vdev))
    return leaves, complaints


def _objection(pool: PracticePool, leaf: PracticeVdev, what: tuple[_Kind, str]) -> str:
    """The error of the kernel about a device; empty for none."""
    kind, verb = what
    if not leaf.is_leaf or not leaf.is_usable:
        return "invalid device"
    if kind is _TRIM and not leaf.can_trim:
        return "trim operations are not supported by this device"
    activity: LeafActivity | None = getattr(leaf, kind.name)
    state = activity.state if activity is not None else ""
    top = top_of(pool, leaf)
    match verb:
        case "start":
            is_held = top is not None and (top.is_removing or top.is_expanding)
            return kind.busy if state == "ACTIVE" or is_held else ""
        case "cancel":
            return "" if state in {"ACTIVE", "SUSPENDED"} else kind.idle
        case "suspend":
            return "" if state == "ACTIVE" else kind.idle
        case _:
            return kind.busy if state == "ACTIVE" else ""


def _act(world: World, pool: PracticePool, leaf: PracticeVdev, what: tuple[_Kind, str]) -> None:
    kind, verb = what
    activity: LeafActivity | None = getattr(leaf, kind.name)
    now = int(world.now)
    match verb:
        case "start":
            is_going_on = activity is not None and activity.state == "SUSPENDED"
            if activity is None or not is_going_on:
                activity = LeafActivity("ACTIVE", 0, max(1, _free_bytes(pool, leaf)), now)
            activity.state, activity.at = "ACTIVE", now
            activity.pace = pace_of_activity(leaf, kind.name)
            setattr(leaf, kind.name, activity)
            told, happened = "activated", "resume" if is_going_on else "start"
        case "cancel" if activity is not None:
            activity.state, activity.at = "CANCELED", now
            told, happened = "canceled", "cancel"
        case "suspend" if activity is not None:
            activity.state, activity.at = "SUSPENDED", now
            told, happened = "suspended", "suspend"
        case _:
            setattr(leaf, kind.name, None)
            told, happened = "uninitialized", ""
    internal(world, pool, kind.name, f"vdev={leaf.path} {told}")
    if happened:
        event(world, pool, f"{kind.name}_{happened}", leaf)


def _free_bytes(pool: PracticePool, leaf: PracticeVdev) -> int:
    """Free bytes of a device, which are initialized or trimmed."""
    top = top_of(pool, leaf)
    if top is None:
        return partition_bytes(leaf)
    return partition_bytes(leaf) * (top.size - top.allocated) // (top.size or 1)
