"""Background work of a pool in `zpool status -j`."""

from __future__ import annotations

from zconsole.practice.nicenum_and_times import nicetime
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import (
    Expansion,
    PracticeScan,
    Rebuild,
    Removal,
)
from zconsole.practice.world.vdev_names import Naming, kind_name
from zconsole.practice.zpool_show.json_values import Document, Style, vdev_identity

_NS_PER_S = 1_000_000_000


def work_stats(pool: PracticePool, style: Style, naming: Naming) -> Document:
    """The members of a pool about its background work, in the order of ZFS."""
    document: Document = {}
    scan = _scan(pool.scan, style) if pool.scan is not None else {}
    rebuilds: Document = {
        naming.name(top, pool): _rebuild(pool, top, top.rebuild, style)
        for top in pool.present
        if top.rebuild is not None
    }
    if rebuilds:
        scan["rebuild_stats"] = rebuilds
    if scan:
        document["scan_stats"] = scan
    if pool.removal is not None:
        document["removal_stats"] = _removal(pool, pool.removal, style)
    if pool.checkpoint is not None or pool.discarding is not None:
        made, space = pool.checkpoint or (0, pool.discarding or 0)
        document["checkpoint_stats"] = {
            "state": "DISCARDING" if pool.checkpoint is None else "EXISTS",
            "start_time": style.moment(made),
            "space": style.size(space),
        }
    if pool.expansion is not None:
        document["raidz_expand_stats"] = _expansion(pool, pool.expansion, style)
    return document


def _scan(scan: PracticeScan, style: Style) -> Document:
    return {
        "function": scan.function,
        "state": scan.state,
        "start_time": style.moment(scan.start),
        "end_time": style.moment(scan.end),
        "to_examine": style.size(scan.to_examine),
        "examined": style.size(scan.examined),
        "skipped": style.size(scan.skipped),
        "processed": style.size(scan.processed),
        "errors": style.count(scan.errors),
        "bytes_per_scan": style.size(scan.pass_examined),
        "pass_start": style.plain(scan.pass_start),
        "scrub_pause": style.plain(scan.paused_at),
        "scrub_spent_paused": style.plain(scan.seconds_paused),
        "issued_bytes_per_scan": style.size(scan.pass_issued),
        "issued": style.size(scan.issued),
    }


def _rebuild(pool: PracticePool, top: PracticeVdev, rebuild: Rebuild, style: Style) -> Document:
    lasted = (rebuild.end - rebuild.start) * _NS_PER_S if rebuild.end else 0
    time = style.plain(lasted) if style.size is style.plain else nicetime(lasted)
    return {
        **vdev_identity(top, pool, style, Naming()),
        "class": top.vdev_class,
        "state": rebuild.state,
        "start_time": style.moment(rebuild.start),
        "end_time": style.moment(rebuild.end),
        "scan_time": time,
        "scanned": style.size(rebuild.done),
        "issued": style.size(rebuild.done),
        "rebuilt": style.size(rebuild.done),
        "to_scan": style.size(rebuild.total),
        "errors": style.count(0),
        "pass_time": time,
        "pass_scanned": style.size(rebuild.done),
        "pass_issued": style.size(rebuild.done),
        "pass_skipped": style.size(0),
    }


def _removal(pool: PracticePool, removal: Removal, style: Style) -> Document:
    top = pool.top(removal.vdev_id)
    item: Document = {"name": kind_name(top)}
    if top.is_leaf:
        item = {**vdev_identity(top, pool, style, Naming(full_paths=True)), "class": top.vdev_class}
    return item | {
        "state": removal.state,
        "removing_vdev": style.plain(removal.vdev_id),
        "start_time": style.moment(removal.start),
        "end_time": style.moment(removal.end),
        "to_copy": style.size(removal.to_copy),
        "copied": style.size(removal.copied),
        "mapping_memory": style.size(removal.mapping_memory),
    }


def _expansion(pool: PracticePool, expansion: Expansion, style: Style) -> Document:
    return {
        "name": kind_name(pool.top(expansion.vdev_id)),
        "state": expansion.state,
        "expanding_vdev": style.plain(expansion.vdev_id),
        "start_time": style.moment(expansion.start),
        "end_time": style.moment(expansion.end),
        "to_reflow": style.size(expansion.to_reflow),
        "reflowed": style.size(expansion.reflowed),
        "waiting_for_resilver": style.plain(int(expansion.is_waiting)),
    }
