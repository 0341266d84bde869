"""`lsblk`: block devices of a host with type and contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from zconsole.base.bounded_json import load_json
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.disk_and_inventory import Disk

TOOL: Final = "lsblk"
COLUMNS: Final = (
    *("NAME", "KNAME", "PATH", "TYPE", "SIZE"),
    *("MODEL", "SERIAL", "WWN", "VENDOR", "REV", "TRAN", "ROTA", "LOG-SEC", "PHY-SEC"),
    *("FSTYPE", "LABEL", "UUID", "PARTLABEL", "MOUNTPOINTS", "STATE", "HCTL"),
)
LSBLK: Final = Command(("lsblk", "-J", "-b", "-o", ",".join(COLUMNS)))
MAX_DEPTH: Final = 32
_MAX_DIGITS: Final = 20  # of 64 bits
_MOST: Final = 2**64
_BOOLEANS: Final = {True: True, False: False, "1": True, "0": False}

_Node = Mapping[str, object]


def lsblk_of(paths: Sequence[str]) -> Command:
    """The devices at these paths, links followed, with their children."""
    return Command((*LSBLK.argv, "--", *paths))


def parse_lsblk(text: str) -> tuple[Disk, ...]:
    """The devices as a forest; accepts the columns of `LSBLK` and of `-O`, of any util-linux."""
    try:
        document = load_json(TOOL, text)
        if not isinstance(document, dict):
            raise _OddError("not an object")
        return tuple(_disk(node, 0) for node in _nodes(document.get("blockdevices")))
    except ValueError as error:
        raise ParseError(TOOL, 1, text, str(error)) from error


class _OddError(ValueError):
    """Valid JSON that is not the output of lsblk."""


def _nodes(nodes: object) -> list[_Node]:
    if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
        raise _OddError("not a list of devices")
    return cast("list[_Node]", nodes)


def _disk(node: _Node, depth: int) -> Disk:
    if depth > MAX_DEPTH:
        raise _OddError("devices are nested too deeply")
    name = _text(node, "kname") or _text(node, "name")
    if not name:
        raise _OddError("a device without a name")
    return Disk(
        name=name,
        path=_text(node, "path") or f"/dev/{name}",
        type=_text(node, "type"),
        size_bytes=_count(node, "size"),
        model=_text(node, "model"),
        serial=_text(node, "serial"),
        wwn=_text(node, "wwn"),
        vendor=_text(node, "vendor"),
        revision=_text(node, "rev"),
        transport=_text(node, "tran"),
        is_rotational=_flag(node, "rota"),
        logical_sector_bytes=_count(node, "log-sec"),
        physical_sector_bytes=_count(node, "phy-sec"),
        fstype=_text(node, "fstype"),
        label=_text(node, "label"),
        uuid=_text(node, "uuid"),
        partition_label=_text(node, "partlabel"),
        mountpoints=_mountpoints(node),
        state=_text(node, "state"),
        hctl=_text(node, "hctl"),
        children=tuple(_disk(child, depth + 1) for child in _nodes(node.get("children", []))),
    )


def _text(node: _Node, key: str) -> str:
    """A string without the padding of fixed-width fields."""
    value = node.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _OddError(f"{key} is not a string")
    return value.strip(" ")


def _count(node: _Node, key: str) -> int | None:
    """A number, which older versions print as a string."""
    value = node.get(key)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS:
        return int(value)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST):
        return value
    raise _OddError(f"{key} is not a count")


def _flag(node: _Node, key: str) -> bool | None:
    value = node.get(key)
    if value is None:
        return None
    if not isinstance(value, (bool, str)) or value not in _BOOLEANS:
        raise _OddError(f"{key} is neither yes nor no")
    return _BOOLEANS[value]


def _mountpoints(node: _Node) -> tuple[str, ...]:
    """All mountpoints, or the single one that versions before 2.37 print."""
    points = node.get("mountpoints", [node.get("mountpoint")])
    if not isinstance(points, list) or not all(point is None or isinstance(point, str) for point in points):
        raise _OddError("mountpoints are not strings")
    return tuple(point for point in points if point)
