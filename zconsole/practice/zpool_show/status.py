"""`zpool status` as text."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.getopt import Options
from zconsole.practice.nicenum_and_times import ctime, nicenum
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import LeafActivity
from zconsole.practice.world.status_messages import AUX_WORDS, MESSAGES, advice
from zconsole.practice.world.vdev_names import Naming, widest
from zconsole.practice.zpool_show.background_work_text import (
    checkpoint_text,
    expansion_text,
    removal_text,
    scan_lines,
)
from zconsole.practice.zpool_show.status_json import status_json

SHORT: Final = "c:DdegijLpPstT:vx"
LONGS: Final = {
    "json-int": "json-int",
    "json-flat-vdevs": "flat",
    "json-pool-key-guid": "key-guid",
    "power": "power",
}
_MIN_NAME: Final = 10
_SINCE: Final = {"ACTIVE": "started at", "SUSPENDED": "suspended, started at", "COMPLETE": "completed at"}


@dataclass(frozen=True, slots=True)
class _Columns:
    """How the rows of the vdevs are written."""

    pool: PracticePool
    naming: Naming
    width: int
    options: Options


def zpool_status(world: World, pools: list[PracticePool], options: Options) -> Reply:
    """Answer `zpool status`."""
    if "x" in options:
        sick = [pool for pool in pools if advice(pool, world.hostid) is not None]
        if not sick and not options.operands and "j" not in options:
            return Reply("all pools are healthy\n" if pools else "", "" if pools else "no pools available\n")
        healthy = [pool for pool in pools if pool not in sick] if options.operands else []
        said = "".join(f"pool '{pool.name}' is healthy\n" for pool in healthy)
    else:
        sick, said = pools, ""
    if "j" in options:
        return Reply(status_json(sick, options, world.hostid))
    if not pools:
        return Reply(stderr="no pools available\n")
    return Reply(said + "\n".join(_pool(world, pool, options) for pool in sick))


def _pool(world: World, pool: PracticePool, options: Options) -> str:
    found = advice(pool, world.hostid)
    naming = Naming.of(options)
    text = f"  pool: {pool.name}\n state: {pool.state}\n"
    if found is not None:
        text += f"status: {found.status}action: {found.action}"
        text += f"   see: {MESSAGES}{found.message}\n" if found.message else ""
    text += scan_lines(pool, world.now) + removal_text(pool, world.now)
    text += checkpoint_text(pool) + expansion_text(pool, world.now) + "config:\n\n"
    columns = _Columns(pool, naming, max(_MIN_NAME, widest(pool, naming)), options)
    slow = "  SLOW" if "s" in options else ""
    text += f"\t{'NAME':<{columns.width}}  {'STATE':<8}  READ WRITE CKSUM{slow}\n"
    text += _tree(pool.root, columns, 0)
    for heading, tops in pool.sections():
        text += f"\t{heading}\t\n" + "".join(_tree(top, columns, 2) for top in tops)
    if pool.caches:
        text += "\tcache\n" + "".join(_tree(cache, columns, 2) for cache in pool.caches)
    if pool.spares:
        text += "\tspares\n" + "".join(_spare(spare, columns) for spare in pool.spares)
    text += "\n"
    if "D" in options:
        text += " dedup: no DDT entries\n"
    return text + _errors(pool, "v" in options)


def _errors(pool: PracticePool, verbose: bool) -> str:
    if not pool.error_count:
        return "errors: No known data errors\n"
    if not verbose:
        return f"errors: {pool.error_count} data errors, use '-v' for a list\n"
    files = "".join(f"        {path}\n" for path in pool.error_files)
    return f"errors: Permanent errors have been detected in the following files:\n\n{files}"


def _tree(vdev: PracticeVdev, columns: _Columns, depth: int) -> str:
    is_bad = vdev.state != "ONLINE" or vdev.has_errors
    line = "" if "e" in columns.options and depth and not is_bad else _row(vdev, columns, depth)
    children = columns.pool.tops("normal") if vdev.kind == "root" else vdev.children
    return line + "".join(_tree(child, columns, depth + 2) for child in children)


def _row(vdev: PracticeVdev, columns: _Columns, depth: int) -> str:
    exact = "p" in columns.options
    show = str if exact else nicenum
    name = columns.naming.name(vdev, columns.pool)
    state = columns.pool.state if vdev.kind == "root" and not columns.pool.is_suspended else vdev.state
    line = f"\t{'':{depth}}{name:<{columns.width - depth}}  {state:<8}"
    counts = (vdev.read_errors, vdev.write_errors, vdev.checksum_errors)
    line += "".join(f" {show(count):>5}" for count in counts)
    if "s" in columns.options:
        line += f" {show(vdev.slow_ios) if vdev.is_leaf or exact else '-':>5}"
    if vdev.is_not_present:
        line += f"  was {vdev.path}"
    elif vdev.aux is not None:
        line += f"  {AUX_WORDS.get(vdev.aux, 'corrupted data')}"
    elif vdev.is_leaf and vdev.is_misaligned:
        line += f"  block size: {1 << vdev.ashift}B configured, {vdev.native_block}B native"
    line += _remarks(vdev, columns.pool)
    return line + _activities(vdev, columns) + "\n"


def _remarks(vdev: PracticeVdev, pool: PracticePool) -> str:
    """The remarks in parentheses: removing, resilvering."""
    text = ""
    if vdev.is_removing:
        text += "  (removing)"
    elif vdev.properties.get("allocating") == "off":
        text += "  (non-allocating)"
    is_scanning = pool.scan is not None and pool.scan.is_running
    if vdev.is_leaf and vdev.state == "ONLINE":
        if (is_scanning and vdev.scan_processed) or (vdev.rebuilt and not (is_scanning and vdev.is_deferred)):
            text += "  (resilvering)"
        elif is_scanning and vdev.is_deferred:
            text += "  (awaiting resilver)"
    return text


def _spare(spare: PracticeVdev, columns: _Columns) -> str:
    name = columns.naming.name(spare, columns.pool)
    state = columns.pool.spare_state(spare)
    line = f"\t  {name:<{columns.width - 2}}  {state:<8}"
    if state == "INUSE":
        line += "  currently in use"
    elif spare.aux is not None:
        line += f"  {AUX_WORDS.get(spare.aux, 'corrupted data')}"
    return line + _activities(spare, columns) + "\n"


def _activities(vdev: PracticeVdev, columns: _Columns) -> str:
    if not vdev.is_leaf:
        return ""
    text = ""
    if "i" in columns.options:
        text += _activity(vdev.initialize, "initialized", "uninitialized")
    if "t" in columns.options:
        text += _activity(vdev.trim, "trimmed", "untrimmed") if vdev.can_trim else "  (trim unsupported)"
    return text


def _activity(activity: LeafActivity | None, done: str, never: str) -> str:
    if activity is None or activity.state == "CANCELED":
        return f"  ({never})"
    share = activity.done * 100 // (activity.total or 1)
    return f"  ({share}% {done}, {_SINCE[activity.state]} {ctime(activity.at)})"
