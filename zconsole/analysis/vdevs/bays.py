"""Bay of a disk: the slot's name in vdev_id.conf."""

from __future__ import annotations

import re
from typing import Final

from zconsole.model.pools.disk import Disk

_BY_VDEV: Final = re.compile(r"/dev/disk/by-vdev/([^/]+)")


def slot_name(disk: Disk) -> str:
    """Name that the administrator gave to the disk's slot; empty without one."""
    return next((found[1] for link in disk.links if (found := _BY_VDEV.fullmatch(link))), "")
