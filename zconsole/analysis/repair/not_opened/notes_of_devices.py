"""What the note of a device in `zpool status` says of why ZFS does not use it.

The notes are those of print_status_config() in OpenZFS's cmd/zpool/zpool_main.c.
"""

from __future__ import annotations

from typing import Final

from zconsole.model.pools.pool import Vdev

REMOVED: Final = "REMOVED"
SPLIT: Final = "SPLIT"
_OTHER_LABEL: Final = frozenset({"invalid label", "corrupted data"})  # VDEV_AUX_BAD_LABEL, CORRUPT_DATA


def is_split_off(leaf: Vdev) -> bool:
    """Whether the device belongs to the pool that was split off: it has not failed."""
    return leaf.state == SPLIT


def has_another_label(leaf: Vdev) -> bool:
    """Whether ZFS opened the device and did not find its label on it."""
    return leaf.note in _OTHER_LABEL
