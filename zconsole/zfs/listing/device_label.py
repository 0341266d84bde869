"""`zdb -lu`: the pool that a device belongs or belonged to, and the pool's last write to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Final

from zconsole.base.bounded_lines import line_list
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.host.plan_facts import DiskLabel
from zconsole.zfs.zfs_numbers_and_dates import LARGEST_ASHIFT

TOOL: Final = "zdb -l"
NO_LABEL_STATUS: Final = 2  # exit status of zdb when it could not read all four labels
LABEL_TIMEOUT_S: Final = 30.0  # it reads a few MiB, possibly of a failing disk
STATES: Final = {  # pool_state_t
    "0": "active",
    "1": "exported",
    "2": "destroyed",
    "3": "spare",
    "4": "cache",
    "5": "uninitialized",
    "6": "unavailable",
    "7": "potentially active",
}
_RULE: Final = "-" * 36
_HEADER: Final = re.compile(r"LABEL \d+ *(?:\(Bad label cksum\))?")
_CACHE_HEADER: Final = "L2ARC device header"  # the last section: contents of a cache device
_NONE: Final = re.compile(r"failed to (?:unpack|read) label \d+")
_UBERBLOCK: Final = re.compile(r" {4}Uberblock\[\d+\]")
_NUMBER: Final = re.compile(r"\d{1,20}", re.ASCII)
_LABELS: Final = "    labels = "
_TOP: Final = " " * 4  # indentation of fields of the pool and of this device
_TREE: Final = " " * 8  # indentation of fields of the top-level vdev


@dataclass(slots=True)
class _Config:
    """Configuration in a label, while it is parsed."""

    line_no: int
    top: dict[str, str] = field(default_factory=dict)
    tree: dict[str, str] = field(default_factory=dict)
    is_whole: bool = False


def read_label(path: str) -> Command:
    """Read the labels of a device; on a whole disk they are on the first partition.

    The exit status is `NO_LABEL_STATUS` when a label is missing; the output is valid nevertheless.
    """
    return Command(("zdb", "-l", "-u", path), timeout_s=LABEL_TIMEOUT_S)


def parse_label(path: str, text: str) -> DiskLabel | None:
    """The newest label in `read_label` output, with or without uberblocks; None without a label.

    A device has four copies, which differ if the device was lost during an update.
    """
    lines = line_list(TOOL, text, reason="the output is truncated")
    configs, written = _read(lines)
    for config in configs:
        if not config.is_whole and config.top:
            raise ParseError(TOOL, config.line_no, lines[config.line_no - 1], "a label is truncated")
    labels = [_label(path, config, written) for config in configs if config.top]
    if not labels and not any(map(_NONE.fullmatch, lines)):
        raise ParseError(TOOL, len(lines), text, "neither a label nor a report that there is none")
    return max(labels, key=lambda label: label.txg or 0, default=None)


def _read(lines: list[str]) -> tuple[list[_Config], dict[int, int]]:
    """The configurations, and the time of each txg that has an uberblock."""
    configs: list[_Config] = []
    written: dict[int, int] = {}
    block: dict[str, str] | None = None
    branch = ""
    for line_no, line in enumerate(lines, start=1):
        if not line or line == _RULE or _NONE.fullmatch(line):
            continue
        if line == _CACHE_HEADER:
            break
        if _HEADER.fullmatch(line.rstrip(" ")):
            configs.append(_Config(line_no))
            block = None
        elif not configs:
            raise ParseError(TOOL, line_no, line, "neither a label nor a report that there is none")
        elif line.startswith(_LABELS):
            configs[-1].is_whole = True
        elif line.startswith(_TOP) and _UBERBLOCK.match(line):
            block = {}
        elif block is not None:
            key, _, value = line.strip().partition(" = ")
            block[key] = value.partition(" ")[0]
            _note_time(block, written)
        else:
            branch = _field(configs[-1], line, branch)
    return configs, written


def _field(config: _Config, line: str, branch: str) -> str:
    """Store a value of the two upper levels; returns the branch of the following lines."""
    key, colon, value = line.strip(" ").partition(":")
    value = value.strip(" ")
    is_top = line.startswith(_TOP) and not line.startswith(_TOP + " ")
    if is_top and colon and not value:
        return key
    if is_top and colon:
        config.top.setdefault(key, value)
    elif branch == "vdev_tree" and line.startswith(_TREE) and not line.startswith(_TREE + " "):
        config.tree.setdefault(key, value)
    return branch


def _note_time(block: Mapping[str, str], written: dict[int, int]) -> None:
    txg, timestamp = _number(block.get("txg")), _number(block.get("timestamp"))
    if txg and timestamp:
        written[txg] = timestamp


def _label(path: str, config: _Config, written: Mapping[int, int]) -> DiskLabel:
    top = config.top
    if "version" not in top and "state" not in top:
        raise ParseError(TOOL, config.line_no, "LABEL", "a label without version and state")
    hostid = _number(top.get("hostid"))
    last_txg = max(written, default=None)
    state = top.get("state", "")
    return DiskLabel(
        path=path,
        pool=_text(top.get("name")) or "",
        pool_guid=_number(top.get("pool_guid")),
        vdev_guid=_number(top.get("guid")),
        state=STATES.get(state, state),
        hostname=_text(top.get("hostname")),
        hostid=None if hostid is None else f"{hostid:08x}",
        txg=_number(top.get("txg")),
        last_txg=last_txg,
        last_written=None if last_txg is None else written[last_txg],
        ashift=_ashift(config.tree.get("ashift")),
        top_type=_text(config.tree.get("type")) or "",
        is_log=config.tree.get("is_log") == "1",
        top_vdevs=_number(top.get("vdev_children")),
    )


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and _NUMBER.fullmatch(text) else None


def _ashift(text: str | None) -> int | None:
    value = _number(text)
    return value if value is not None and value <= LARGEST_ASHIFT else None


def _text(value: str | None) -> str | None:
    """A text without its quotes."""
    return None if value is None else value.removeprefix("'").removesuffix("'")
