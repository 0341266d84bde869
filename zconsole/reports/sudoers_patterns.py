"""Patterns of the words in sudoers rules: POSIX extended regular expressions without blanks.

No expression matches a control character, a blank or the beginning of an option, none uses `.` or `[^...]`:
what is not listed is not allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.actions.checks.dataset_property_table import AT_CREATION, PROPERTIES
from zconsole.actions.guest.move.move_progress import SETTINGS
from zconsole.actions.pool.set_property import POOL_PROPERTIES
from zconsole.analysis.dependencies.mount_safety import normal, why_needed
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.zfs.benchmark.scratch_dataset_script import FOLDER
from zconsole.zfs.change.argv_template import (
    ASKED_FOR,
    BASE,
    BELOW,
    BOOKMARK,
    BOUND,
    CHANGED,
    COMPRESSION,
    COPIED,
    DATASET,
    DESTROYED,
    DEVICE,
    EITHER,
    EMULATOR,
    GUEST_UUID,
    GUID,
    GUIDS,
    INHERITED,
    LAYOUT,
    MARKED,
    OBJECT,
    PATH,
    POOL,
    POOL_CHANGED,
    ROOTED,
    SCRATCH_FOLDER,
    SETTING,
    SIZE,
    SNAPSHOT,
    SNAPSHOTS,
    TAG,
    TOKEN,
    USER_NAME,
    WHICH,
    WORD,
)

RESTRICTED: Final[Mapping[str, str]] = {  # properties, and the values that are granted without being named
    "mountpoint": "none|legacy", "keylocation": "prompt", "sharenfs": "off", "sharesmb": "off",
    "setuid": "off", "exec": "off", "devices": "off",
    "zoned": "off",
    "context": "none", "fscontext": "none", "defcontext": "none", "rootcontext": "none",
}  # fmt: skip
CACHEFILE: Final = "cachefile"
_COMPONENT: Final = "[A-Za-z0-9_.:-]+"
_MARK: Final = r"\#"  # an unescaped one begins a comment
_NAME: Final = "[A-Za-z][A-Za-z0-9_.:-]*"
_FOLDER: Final = "/[A-Za-z0-9_-][A-Za-z0-9_.-]*"  # one part of a path: none begins with a dot
_LINK: Final = "[A-Za-z0-9_@:+=-][A-Za-z0-9_.@:+=-]*"  # a name below /dev/disk and /dev/mapper
_DEVICE: Final = (  # not /dev/shm, /dev/fd, /dev/stdin, loop devices and volumes: users can write to these
    f"/dev/(disk/by-[a-z]+/{_LINK}|mapper/{_LINK}|(sd|hd|vd|xvd|nvme|md|dm-|mmcblk|dasd|pmem)[a-z0-9]+)"
)
_VALUE: Final = "[A-Za-z0-9.,-]+"
_USER: Final = "[a-z0-9_][a-z0-9_.-]*:[a-z0-9:_.-]*=[A-Za-z0-9_.,:+@%-]*"
_QUOTA: Final = "(user|group|project)(obj)?quota@[A-Za-z0-9_][A-Za-z0-9_.@-]*=[A-Za-z0-9.]+"
_DEFAULT_QUOTA: Final = "default(user|group|project)(obj)?quota"
_KIND: Final = "(mirror|raidz[1-3]?|draid[0-9a-z:]*|log|special|dedup|cache|spare)"
_POOL_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]*")
_PLAIN_PATH: Final = re.compile(f"({_FOLDER})+")
_ADDRESS: Final = re.compile(r"https://[A-Za-z0-9][A-Za-z0-9.:/_-]*")
_PLAIN_VALUE: Final = re.compile(r"[A-Za-z0-9_.,:=@/*+%-]+")
_SPECIAL: Final = re.compile(r"([.\[\]()*+?{}^$|\\#])")


@dataclass(frozen=True, slots=True)
class Grants:
    """Additional grants; by default none."""

    pools: tuple[str, ...] = ()  # the pools that the rules are restricted to; empty: every pool
    mountpoints: tuple[str, ...] = ()  # directories on and below which file systems may be mounted
    keys: tuple[str, ...] = ()  # directories, and https:// addresses, from which keys may be read
    values: tuple[tuple[str, str], ...] = ()  # values of restricted properties
    commands: frozenset[str] = frozenset()  # of ASKED_FOR

    def check(self) -> None:
        """Raise UsageError for values that are sudoers syntax, or must never be granted."""
        for pool in self.pools:
            if _POOL_NAME.fullmatch(pool) is None:
                raise UsageError(f"{pool!r} is not the name of a pool that a rule can have")
        for path in self.mountpoints:
            _check_path(path)
            if why := why_needed(normal(path)):
                raise UsageError(f"nothing may be mounted on {path}: {why}", hint="Name a directory of data.")
        for place in self.keys:
            if not _ADDRESS.fullmatch(place):
                _check_path(place)
        for name, value in self.values:
            if name not in RESTRICTED and name != CACHEFILE:
                raise UsageError(
                    f"{name!r} needs not be named, or cannot be set",
                    hint=f"Restricted are {', '.join((*RESTRICTED, CACHEFILE))}.",
                )
            if name == "mountpoint":
                raise UsageError("mountpoints are named by --mountpoints")
            if _PLAIN_VALUE.fullmatch(value) is None:
                raise UsageError(f"{value!r} cannot be in a rule as a value of {name}")
        if unknown := self.commands - {*ASKED_FOR}:
            raise UsageError(f"{min(unknown)!r} is none of {', '.join(ASKED_FOR)}")


def patterns(grants: Grants) -> dict[str, str]:
    """Return the pattern of each placeholder."""
    pool = f"({_any(grants.pools)})" if grants.pools else _NAME
    dataset = f"{pool}(/{_COMPONENT})*"
    snapshot = f"{dataset}@{_COMPONENT}"
    device = _DEVICE
    word = f"({_KIND}|{device})"
    cachefile = f"{CACHEFILE}=({_joined('none', *_named(CACHEFILE, grants))})?"
    change = f"({_safe()}={_VALUE}|{_USER}|{_QUOTA}|{_restricted(grants)})"
    created = f"({_safe(*AT_CREATION)}={_VALUE}|{_USER}|{_QUOTA}|{_restricted(grants)})"
    return {
        POOL: pool,
        DATASET: dataset,
        SNAPSHOT: snapshot,
        BOOKMARK: f"{dataset}{_MARK}{_COMPONENT}",
        EITHER: f"{dataset}(@{_COMPONENT})?",
        DESTROYED: f"{dataset}(@{_COMPONENT}([,%]{_COMPONENT})*|{_MARK}{_COMPONENT})?",
        BASE: f"{dataset}(@|{_MARK}){_COMPONENT}",
        SNAPSHOTS: f"{snapshot}( {snapshot})*",
        TAG: "[A-Za-z0-9_:@+=/][A-Za-z0-9_.:@+=/-]*",
        SIZE: "[0-9]+([.][0-9]+)?[KMGTPEZkmgtpez]?[Ii]?[Bb]?",
        TOKEN: "[0-9]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+",
        DEVICE: device,
        LAYOUT: f"{word}( {word})*",
        GUIDS: "[0-9]+( [0-9]+)*",
        COMPRESSION: "[a-z0-9-]+",
        PATH: f"({_joined(RESTRICTED['mountpoint'], _below(grants.mountpoints))})",
        BELOW: _below(grants.mountpoints),
        ROOTED: f"({_any(_roots(grants))})" if _roots(grants) else "",
        SETTING: created,
        "=".join(CHANGED): change,
        "=".join(POOL_CHANGED): f"({_of_pool()}|{_USER}|{cachefile})",
        COPIED: f"({_grouped(SETTINGS)})={_VALUE}",
        INHERITED: f"({_joined(_safe(), _USER.partition('=')[0], *_inheritable(grants))})",
        MARKED: "[A-Za-z0-9_.,:+@%-]*",
        OBJECT: f"{dataset}((@|{_MARK}){_COMPONENT})?",
        WHICH: "(guid=-?[0-9]+,createtxg=[0-9]+|bookmark)",
        BOUND: "(any|[0-9]+)",
        GUID: "[0-9]+",
        USER_NAME: "[A-Za-z_][A-Za-z0-9_.-]*",
        SCRATCH_FOLDER: f"{escaped(FOLDER.removesuffix('X' * 6))}[A-Za-z0-9]{{6}}",
        WORD: "[A-Za-z0-9_][A-Za-z0-9_.-]*",
        EMULATOR: "/usr(/[A-Za-z0-9_-]+)+",
        GUEST_UUID: "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    }


def escaped(text: str) -> str:
    """Escape text for a regular expression."""
    return _SPECIAL.sub(r"\\\1", text)


def _check_path(path: str) -> None:
    if _PLAIN_PATH.fullmatch(path) is None:
        raise UsageError(
            f"{path!r} is not a directory that a rule can have",
            hint="An absolute path of letters, digits and _ . -, no part with a dot first.",
        )


def _joined(*patterns: str) -> str:
    return "|".join(pattern for pattern in patterns if pattern)


def _any(words: Sequence[str]) -> str:
    return "|".join(map(escaped, words))


def _below(paths: Sequence[str], before: str = "") -> str:
    """Return the pattern of directories and everything below them; of none, nothing."""
    return f"{before}({_any(paths)})({_FOLDER})*" if paths else ""


def _roots(grants: Grants) -> tuple[str, ...]:
    """Return the pools with a root file system that is mounted on a named directory by default."""
    names = tuple(path[1:] for path in grants.mountpoints if _POOL_NAME.fullmatch(path[1:]))
    return tuple(name for name in names if not grants.pools or name in grants.pools)


def _safe(*more: str) -> str:
    """Return the pattern of properties with any value; ZFS refuses invalid values."""
    names = [name for name in PROPERTIES if name not in RESTRICTED and not name.startswith("default")]
    return f"({_grouped((*names, *more))}|{_DEFAULT_QUOTA})"


def _grouped(words: Sequence[str]) -> str:
    """Return alternatives with common prefixes merged: sudo takes no more than 1024 characters."""
    heads: dict[str, list[str]] = {}
    for word in sorted(words):
        heads.setdefault(word[:1], []).append(word[1:])
    found = []
    for head, rests in heads.items():
        ends, longer = "" in rests, [rest for rest in rests if rest]
        inside = _grouped(longer)
        if not longer:
            found.append(head)
        elif len(longer) == 1 and not ends:
            found.append(head + inside)
        else:
            found.append(f"{head}({inside}){'?' if ends else ''}" if "|" in inside or ends else head + inside)
    return "|".join(found)


def _restricted(grants: Grants) -> str:
    offs = [name for name, value in RESTRICTED.items() if value == "off"]
    keys = [each for each in grants.keys if not each.startswith("https:")]
    addresses = [f"{escaped(each)}[A-Za-z0-9_.:/-]*" for each in grants.keys if each.startswith("https:")]
    places = _joined(
        RESTRICTED["keylocation"], _below(keys, "file://"), *addresses, *_named("keylocation", grants)
    )
    named = [
        f"{name}={value}"
        for name in RESTRICTED
        for value in _named(name, grants)
        if name not in {"keylocation", "mountpoint"}
    ]
    return _joined(
        f"mountpoint=({_joined(RESTRICTED['mountpoint'], _below(grants.mountpoints))})",
        f"keylocation=({places})",
        f"({_any(offs)})=off",
        "(fs|def|root)?context=none",
        *named,
    )


def _named(name: str, grants: Grants) -> tuple[str, ...]:
    return tuple(escaped(value) for of, value in grants.values if of == name)


def _inheritable(grants: Grants) -> tuple[str, ...]:
    """Return the restricted properties that may be inherited; the inherited value may be anything."""
    named = {name for name, _ in grants.values} & {*RESTRICTED}
    return tuple(sorted(named | {"mountpoint"} if grants.mountpoints else named))


def _of_pool() -> str:
    """Return the pattern of pool properties except `cachefile`."""
    names = [name for name in POOL_PROPERTIES if name not in {CACHEFILE, "bootfs", "comment"}]
    return (
        f"({'|'.join(names)})=[A-Za-z0-9_.,-]*|comment=[A-Za-z0-9_.,:+@%-]*|"
        f"bootfs=({_NAME}(/{_COMPONENT})*)?|feature@[a-z0-9_.:-]+=enabled"
    )
