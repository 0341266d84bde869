"""Strict parser of the vdev arguments of `zpool create` and `zpool add`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass

CLASS_WORDS: Final = ("special", "dedup", "log", "cache", "spare")
DATA: Final = "data"
LONE: Final = ""  # type of a single-device vdev
MAX_CHILDREN: Final = 255  # of a raidz or draid
DEFAULT_DRAID_DATA: Final = 8
_RAIDZ: Final = re.compile(r"raidz([123]?)")
_DRAID: Final = re.compile(r"draid([123]?)((?::\d{1,3}[dcs])*)")
_LOOKS_LIKE_A_GROUP: Final = re.compile(r"(?:mirror|raidz|draid|replacing|logs?|spares?|cache|data)\S*")
_ONLY_LONE: Final = frozenset({"cache", "spare"})
_LEAST: Final = {"mirror": 2, "raidz1": 2, "raidz2": 3, "raidz3": 4}


@dataclass(frozen=True, slots=True)
class Group:
    """New top-level vdev, cache device or spare; `devices` are as typed by the user."""

    vdev_class: str  # data, or one of CLASS_WORDS
    type: str  # mirror, raidz1..3, draid2:4d:11c:1s, or LONE
    devices: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The type as in `zpool status`: `draid2` of `draid2:4d:11c:1s`."""
        return self.type.partition(":")[0]

    @property
    def failures(self) -> int:
        """Number of devices that may fail by design."""
        if self.kind == "mirror":
            return len(self.devices) - 1
        return int(self.kind[5:]) if self.kind else 0

    @property
    def spares(self) -> int:
        """Number of distributed spares of a draid."""
        found = re.search(r":(\d{1,3})s", self.type)
        return int(found[1]) if found else 0


def parse_layout(words: Sequence[str]) -> tuple[Group, ...]:
    """Parse the vdevs in order. Raises UsageError where `zpool` would, and in some more cases."""
    groups: list[Group] = []
    vdev_class, kind, devices = DATA, LONE, list[str]()
    awaiting = ""  # the word that must be followed by a device

    def close() -> None:
        if kind != LONE:
            groups.append(_group(vdev_class, kind, tuple(devices)))
        devices.clear()

    for word in words:
        opened = _kind(word)
        if word in CLASS_WORDS:
            if awaiting in CLASS_WORDS:
                raise UsageError(f"no device follows {awaiting}")
            close()
            vdev_class, kind, awaiting = word, LONE, word
        elif opened is not None:
            close()
            kind, awaiting = opened, ""
        elif kind == LONE:
            groups.append(Group(vdev_class, LONE, (word,)))
            awaiting = ""
        else:
            devices.append(word)
    close()
    if awaiting or not groups:
        lacking = f"no device follows {awaiting}" if awaiting else "a layout names at least one device"
        raise UsageError(lacking, hint="Example: mirror DISK DISK")
    return tuple(groups)


def layout_words(groups: Sequence[Group], paths: Mapping[str, str]) -> tuple[str, ...]:
    """Arguments for `zpool`: the groups, with each device by its path."""
    words: list[str] = []
    last = DATA
    for group in groups:
        if group.vdev_class != last:
            words.append(group.vdev_class)
            last = group.vdev_class
        words += [group.type] if group.type else []
        words += [paths[device] for device in group.devices]
    return tuple(words)


def _kind(word: str) -> str | None:
    """The type of the group that a word begins; None for a device."""
    if word == "mirror":
        return word
    if word in CLASS_WORDS:
        return None
    if found := _RAIDZ.fullmatch(word):
        return f"raidz{found[1] or 1}"
    if found := _DRAID.fullmatch(word):
        return f"draid{found[1] or 1}{found[2]}"
    if _LOOKS_LIKE_A_GROUP.fullmatch(word):
        raise UsageError(
            f"{word!r} is not a type of vdev",
            hint=f"Known: mirror, raidz1 to 3, draid1 to 3; classes: {', '.join(CLASS_WORDS)}.",
        )
    return None


def _group(vdev_class: str, kind: str, devices: tuple[str, ...]) -> Group:
    if vdev_class in _ONLY_LONE:
        raise UsageError(f"a {vdev_class} device cannot be part of a {kind}")
    if vdev_class == "log" and kind != "mirror":
        raise UsageError(f"a log is a device or a mirror, it cannot be a {kind}")
    if kind.startswith("draid"):
        return Group(vdev_class, _draid(kind, len(devices)), devices)
    if len(devices) < _LEAST[kind]:
        raise UsageError(f"{kind} takes at least {_LEAST[kind]} devices, not {len(devices)}")
    if kind != "mirror" and len(devices) > MAX_CHILDREN:
        raise UsageError(f"{kind} takes at most {MAX_CHILDREN} devices, not {len(devices)}")
    return Group(vdev_class, kind, devices)


def _draid(kind: str, children: int) -> str:
    """The full draid type, with omitted numbers filled in as by ZFS."""
    name, *parts = kind.split(":")
    parity = int(name[5:])
    given = {part[-1]: int(part[:-1]) for part in parts}
    spares = given.get("s", 0)
    data = given.get("d", min(DEFAULT_DRAID_DATA, children - parity - spares))
    if given.get("c", children) != children:
        raise UsageError(f"{kind} expects {given['c']} devices, and {children} are given")
    if children > MAX_CHILDREN or data < 1 or data + parity + spares > children:
        wanted = f"{max(data, 1)} for data, {parity} for parity and {spares} spares"
        raise UsageError(f"{kind} needs more than {children} devices: {wanted}")
    return f"{name}:{data}d:{children}c:{spares}s"
