"""`zdb -C`: the pools as ZFS keeps them in /etc/zfs/zpool.cache, which any user may read.

Before OpenZFS 2.3 only this tells where a device was and which disk it is: the text of `zpool status` has
neither its slot nor its devid. No device is opened for it. The file is written anew at each change of a
pool and is empty for an instant; pools with another cachefile are not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.zfs_numbers_and_dates import LARGEST_ASHIFT

TOOL: Final = "zdb -C"
CACHED_CONFIG: Final = Command(("zdb", "-C"))
_BLOCK: Final = re.compile(r"(?:vdev_tree|children\[\d{1,5}\]|spares\[\d{1,5}\]|l2cache\[\d{1,5}\]):")
_NUMBER: Final = re.compile(r"\d{1,20}", re.ASCII)
_WANTED: Final = frozenset({"guid", "phys_path", "devid", "ashift", "vdev_enc_sysfs_path"})


@dataclass(frozen=True, slots=True)
class CachedVdev:
    """One vdev of the file."""

    phys_path: str | None = None
    devid: str | None = None
    enclosure_path: str | None = None
    ashift: int | None = None  # of top-level vdevs


@dataclass(slots=True)
class _Block:
    """A vdev while it is parsed, and how far it is indented."""

    indent: int
    values: dict[str, str] = field(default_factory=dict)


def parse_cached_config(text: str) -> dict[int, CachedVdev]:
    """The vdevs by guid; lines of other kinds are skipped. Raises ParseError where a line is too long."""
    found = {}
    for values in _blocks(text):
        guid = _number(values.get("guid"))
        if guid is not None:
            ashift = _number(values.get("ashift"))
            found[guid] = CachedVdev(
                _text(values.get("phys_path")),
                _text(values.get("devid")),
                _text(values.get("vdev_enc_sysfs_path")),
                ashift if ashift is not None and 0 < ashift <= LARGEST_ASHIFT else None,
            )
    return found


def with_config(pool: Pool, known: Mapping[int, CachedVdev]) -> Pool:
    """The pool with what the file tells of its vdevs, by guid."""
    return replace(pool, vdevs=tuple(_merged(vdev, known) for vdev in pool.vdevs))


def _merged(vdev: Vdev, known: Mapping[int, CachedVdev]) -> Vdev:
    found = known.get(vdev.guid, CachedVdev()) if vdev.guid is not None else CachedVdev()
    return replace(
        vdev,
        phys_path=vdev.phys_path or found.phys_path,
        devid=vdev.devid or found.devid,
        enclosure_path=vdev.enclosure_path or found.enclosure_path,
        configured_ashift=vdev.configured_ashift or found.ashift,
        children=tuple(_merged(child, known) for child in vdev.children),
    )


def _blocks(text: str) -> Iterator[dict[str, str]]:
    """The values of each vdev: those of the lines below its own, one level deeper."""
    under_way: list[_Block] = []
    for _, line in bounded_lines(TOOL, text):
        words = line.lstrip(" ")
        indent = len(line) - len(words)
        while under_way and indent <= under_way[-1].indent:
            yield under_way.pop().values
        if _BLOCK.fullmatch(words):
            under_way.append(_Block(indent))
        elif under_way:
            key, colon, value = words.partition(": ")
            if colon and key in _WANTED:
                under_way[-1].values.setdefault(key, value)
    for block in reversed(under_way):
        yield block.values


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and _NUMBER.fullmatch(text) else None


def _text(value: str | None) -> str | None:
    """A text without its quotes; None where it is empty."""
    return (value.removeprefix("'").removesuffix("'") or None) if value is not None else None
