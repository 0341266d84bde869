"""Vdevs of a pool by guid, by a name such as `mirror-0`, or by device path."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import whole_disk

_INTERIOR: Final = re.compile(r"(root|mirror|raidz|draid|spare|replacing)([123]?)-(\d+)")
FOLDERS: Final = (  # where ZFS looks for a device that is named without its folder
    "/dev/disk/by-vdev/",
    "/dev/mapper/",
    "/dev/disk/by-partlabel/",
    "/dev/disk/by-partuuid/",
    "/dev/disk/by-label/",
    "/dev/disk/by-uuid/",
    "/dev/disk/by-id/",
    "/dev/disk/by-path/",
    "/dev/",
)


@dataclass(frozen=True, slots=True)
class FoundVdev:
    """A vdev, and the part of the pool that it belongs to."""

    vdev: PracticeVdev
    is_idle_spare: bool = False
    is_cache: bool = False
    top: PracticeVdev | None = None  # the top-level vdev that it is or belongs to

    @property
    def is_log(self) -> bool:
        """Whether it belongs to a log."""
        return self.top is not None and self.top.vdev_class == "log"


def find(pool: PracticePool, word: str) -> FoundVdev | None:
    """The vdev that a word means in a pool."""
    for vdev in (pool.root, *pool.root.children):
        for candidate in (vdev,) if vdev is pool.root else vdev.walk():
            if _is_meant(candidate, word):
                return FoundVdev(candidate, top=None if vdev is pool.root else vdev)
    for spare in pool.spares:
        if _is_meant(spare, word):
            return FoundVdev(spare, is_idle_spare=True)
    for cache in pool.caches:
        if _is_meant(cache, word):
            return FoundVdev(cache, is_cache=True)
    return None


def _is_meant(vdev: PracticeVdev, word: str) -> bool:
    if word.isdigit():
        return vdev.guid == int(word)
    interior = _INTERIOR.fullmatch(word)
    if interior is not None and not vdev.is_leaf:
        kind, parity, number = interior.groups()
        is_kind = vdev.kind == kind and vdev.vdev_id == int(number)
        return is_kind and (not parity or vdev.parity == int(parity))
    if not vdev.is_leaf:
        return False
    names = {vdev.path, whole_disk(vdev.path)}
    return word in names or any(folder + word in names for folder in FOLDERS)
