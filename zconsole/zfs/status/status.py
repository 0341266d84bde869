"""`zpool status`: state of a pool from JSON, or from text on older releases, in one model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.base.escape_control_characters import decoded
from zconsole.hosts.host import Command
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import DEAD_STATES, Pool, Vdev, VdevProgress
from zconsole.zfs.json_node import JsonNode, read_json
from zconsole.zfs.status.lasting_data_errors import lasting_data_errors
from zconsole.zfs.status.newest_scan_and_initialize_trim import TOOL, leaf_activities
from zconsole.zfs.status.scan_and_activities_json import (
    is_resilvering,
    read_activities,
    read_checkpoint,
    read_scans,
    rebuilding,
)
from zconsole.zfs.status.sequential_resilver_targets import with_suspects
from zconsole.zfs.status.vdev_class_order import DEEPEST, in_class_order
from zconsole.zfs.status.vdev_type_and_display_name import class_of, short_name, with_parity
from zconsole.zfs.zfs_numbers_and_dates import LARGEST_ASHIFT, prose, share

_AUX_WORDS: Final = {  # as in the text of `zpool status`; others are kept unchanged
    "ACTIVE": "currently in use",
    "ASHIFT_TOO_BIG": "unsupported minimum blocksize",
    "BAD_GUID_SUM": "missing device",
    "BAD_LABEL": "invalid label",
    "BAD_LOG": "bad intent log",
    "CHILDREN_OFFLINE": "all children offline",
    "CORRUPT_DATA": "corrupted data",
    "ERR_EXCEEDED": "too many errors",
    "EXTERNAL": "external device fault",
    "IO_FAILURE": "experienced I/O failures",
    "NONE": "",
    "NO_REPLICAS": "insufficient replicas",
    "OPEN_FAILED": "cannot open",
    "SPARED": "currently in use",
    "SPLIT_POOL": "split into new pool",
    "UNSUP_FEAT": "unsupported feature(s)",
    "VERSION_NEWER": "newer version",
}
_CANT_OPEN: Final = {"CORRUPT_DATA": "FAULTED", "BAD_LOG": "FAULTED", "SPLIT_POOL": "SPLIT"}
_NO_PROGRESS: Final = ("", "none", "uninitialized", "untrimmed")


def status(*pools: str, version: ZfsVersion) -> Command:
    """Full status of pools: errors, slow I/Os, initialize and trim states.

    With -P, because JSON is keyed by name, and two disks with equal names in different folders would collide.
    """
    if version.has_json:
        return Command(("zpool", "status", "-j", "--json-int", "-vsitP", *pools))
    return status_text(*pools)


def follow_status(*pools: str, interval_s: float) -> Command:
    """The same as JSON, a line each so many seconds, endlessly: the program starts once."""
    return Command(
        ("zpool", "status", "-j", "--json-int", "-vsitP", *pools, f"{interval_s:g}"), is_several=True
    )


def status_text(*pools: str) -> Command:
    """The same as text, for when JSON fails: ZFS truncates it at a damaged file whose name is not UTF-8."""
    return Command(("zpool", "status", "-vsitpP", *pools))


def status_guids(pool: str) -> Command:
    """The same tree as text with guids as names, which the text of `status` lacks."""
    return Command(("zpool", "status", "-gP", pool))


def parse_status(output: bytes, version: ZfsVersion) -> tuple[Pool, ...]:
    """Parse `status` or `status_text` output; truncated or unknown output raises ParseError."""
    if version.has_json and not output.startswith(b" "):
        return parse_status_json(output)
    from zconsole.zfs.status.status_text import parse_status_text  # noqa: PLC0415  # old releases only

    return parse_status_text(decoded(output))


def parse_status_json(output: bytes) -> tuple[Pool, ...]:
    """Parse the output of `zpool status -j`."""
    top = read_json(TOOL, output)
    if top.node("pools") is None:
        raise top.error("pools", "expected an object")
    return tuple(_pool(pool) for pool in top.nodes("pools"))


def _pool(pool: JsonNode) -> Pool:
    name = pool.required_text("name")
    root = next((node for node in pool.nodes("vdevs") if node.text("vdev_type") == "root"), None)
    if root is None:
        raise pool.error("vdevs", "expected the vdev tree")
    rebuilt = rebuilding(pool)
    vdevs = in_class_order(
        tuple(with_suspects(top) if top.name in rebuilt else top for top in _all_vdevs(pool, root))
    )
    size, allocated, free = _space(root)
    checkpoint_bytes, checkpoint_created = read_checkpoint(pool)
    state = _state(pool)
    scan, beside = read_scans(pool)
    return Pool(
        name=name,
        state=state,
        guid=pool.integer("pool_guid") or pool.integer("guid"),
        vdevs=vdevs,
        read_errors=root.count("read_errors"),
        write_errors=root.count("write_errors"),
        checksum_errors=root.count("checksum_errors"),
        scan=scan,
        scans_beside=beside,
        activities=(*read_activities(pool), *leaf_activities(vdevs)),
        status=prose(pool.text("status") or ""),
        action=prose(pool.text("action") or ""),
        see=prose(pool.text("moreinfo") or ""),
        error_count=lasting_data_errors(state, pool.integer("error_count")),
        error_files=pool.texts("errlist"),
        checkpoint_bytes=checkpoint_bytes,
        checkpoint_created=checkpoint_created,
        size_bytes=size,
        allocated_bytes=allocated,
        free_bytes=free,
    )


def _all_vdevs(pool: JsonNode, root: JsonNode) -> Iterator[Vdev]:
    """The top-level vdevs of the root, and those of the other classes, which are siblings of the root."""
    scan = is_resilvering(pool)
    for node in root.nodes("vdevs"):
        yield _vdev(node, "data", scan)
    for key in pool.names():
        if key != "vdevs" and pool.holds_objects_with(key, "vdev_type"):
            for node in pool.nodes(key):
                yield _vdev(node, class_of(key), scan)


def _vdev(node: JsonNode, vdev_class: str, scan: tuple[bool, bool], depth: int = 1) -> Vdev:
    if depth > DEEPEST:
        raise ParseError(TOOL, 1, node.where, "nested too deeply")
    children = tuple(_vdev(child, vdev_class, scan, depth + 1) for child in node.nodes("vdevs"))
    path = node.text("path")
    printed = node.required_text("name")
    name = short_name(printed) if printed == path else printed
    size, allocated, free = _space(node)
    found = Vdev(
        name=name,
        type=with_parity(node.text("vdev_type") or "unknown", name),
        vdev_class=vdev_class,
        state=_state(node),
        guid=node.integer("guid"),
        path=path if path and path.startswith("/") else None,  # a distributed spare has its name here
        phys_path=node.text("phys_path"),
        devid=node.text("devid"),
        read_errors=node.count("read_errors"),
        write_errors=node.count("write_errors"),
        checksum_errors=node.count("checksum_errors"),
        note=_note(node),
        is_removing=bool(node.integer("removing")),
        size_bytes=size,
        allocated_bytes=allocated,
        free_bytes=free,
        physical_bytes=node.integer("phys_space"),
        configured_ashift=_ashift(node, "configured_ashift"),
        physical_ashift=_ashift(node, "physical_ashift"),
        children=children,
    )
    return found if children else _leaf(found, node, scan)


def _leaf(vdev: Vdev, node: JsonNode, scan: tuple[bool, bool]) -> Vdev:
    """Fields that only devices have.

    `scan_processed` persists after a scan and after its device is gone, so it is valid only for a working
    device during a scan (print_status_config in zpool_main.c). The text shows it for ONLINE devices only; a
    DEGRADED device lacks data as well, and so does one that still waits while no scan runs.
    """
    is_scanning, is_resilver = scan
    is_alive = vdev.state not in DEAD_STATES
    is_written = is_scanning and is_alive and bool(node.integer("scan_processed"))
    resilvers = is_written and is_resilver
    repairs = is_written and not is_resilver
    waits = is_alive and not resilvers and bool(node.integer("resilver_deferred"))
    remarks = ("(repairing)" if repairs else "", "(awaiting resilver)" if waits else "")
    return replace(
        vdev,
        slow_ios=node.count("slow_ios"),
        note=" ".join(filter(None, (vdev.note, *remarks))),
        is_resilvering=resilvers,
        activities=tuple(_progress(node)),
    )


def _ashift(node: JsonNode, key: str) -> int | None:
    """Base-2 logarithm of a block size."""
    value = node.integer(key)
    if value is not None and value > LARGEST_ASHIFT:
        raise node.error(key, "expected a power of two")
    return value


def _state(node: JsonNode) -> str:
    """The state as in the text and `zpool list`; JSON has ZFS's internal name for some."""
    state = node.required_text("state")
    if state == "CANT_OPEN":
        return _CANT_OPEN.get(node.text("aux") or "", "UNAVAIL")
    return "OFFLINE" if state == "CLOSED" else state


def _note(node: JsonNode) -> str:
    """The remark after the counters, worded as in the text of `zpool status`."""
    words = ""
    aux = node.text("aux") or "NONE"
    if node.integer("not_present") or node.text("was"):
        words = f"was {node.text('was') or node.text('path') or ''}".strip()
    elif user := node.text("used_by"):
        words = f"in use by pool '{user}'"
    elif aux != "NONE":
        words = _AUX_WORDS.get(aux, aux)
    elif (configured := _ashift(node, "configured_ashift")) and (
        physical := _ashift(node, "physical_ashift")
    ):
        words = f"block size: {1 << configured}B configured, {1 << physical}B native"
    if node.integer("noalloc") and not node.integer("removing"):
        words = f"{words} (non-allocating)".strip()
    return words


def _progress(node: JsonNode) -> Iterator[VdevProgress]:
    if progress := _one_progress(
        node, "initialize", ("init_state", "initialized", "to_initialize", "init_time")
    ):
        yield progress
    if progress := _one_progress(node, "trim", ("trim_state", "trimmed", "to_trim", "trim_time")):
        yield progress
    elif node.integer("trim_notsup"):
        yield VdevProgress("trim", "unsupported")


def _one_progress(node: JsonNode, kind: str, keys: tuple[str, str, str, str]) -> VdevProgress | None:
    state_key, done_key, total_key, time_key = keys
    state = (node.text(state_key) or "").lower()
    if state in _NO_PROGRESS:
        return None
    done = share(node.integer(done_key), node.integer(total_key))
    return VdevProgress(kind, state, 100.0 if state == "complete" else done, node.moment(time_key))


def _space(node: JsonNode) -> tuple[int | None, int | None, int | None]:
    """Size, allocated and free of allocatable vdevs; ZFS omits an allocated 0."""
    size, allocated = node.integer("total_space"), node.integer("alloc_space")
    if size is None:
        return None, allocated, None
    allocated = allocated or 0
    return size, allocated, max(0, size - allocated)
