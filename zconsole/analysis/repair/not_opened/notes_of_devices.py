"""What the note of a device in `zpool status` says of why ZFS does not use it.

The notes are those of print_status_config() in OpenZFS's cmd/zpool/zpool_main.c.
"""

from __future__ import annotations

from typing import Final

from zconsole.model.pools.pool import GONE_STATES, Pool, Vdev

WAS: Final = "was /"  # and the path that it had
NO_LABEL: Final = "ZFS-8000-4J"
REMOVED: Final = "REMOVED"
SPLIT: Final = "SPLIT"
_SPLIT_NOTE: Final = "split into new pool"  # VDEV_AUX_SPLIT_POOL
_OTHER_LABEL: Final = frozenset({"invalid label", "corrupted data"})  # VDEV_AUX_BAD_LABEL, CORRUPT_DATA


def is_split_off(leaf: Vdev) -> bool:
    """Whether the device belongs to the pool that was split off: it has not failed."""
    return leaf.state == SPLIT or leaf.note == _SPLIT_NOTE


def label_problem(pool: Pool, leaf: Vdev) -> str:
    """How ZFS says that it opened the device and did not find its label on it; empty where it does not.

    Of a device that was not there at the import it prints the old path in place of the reason; the message
    of the pool has it then, since a device that cannot be opened would come before (`check_status`).
    """
    if leaf.note in _OTHER_LABEL:
        return leaf.note
    is_told = leaf.state in GONE_STATES and leaf.note.startswith(WAS) and pool.see.endswith(NO_LABEL)
    return NO_LABEL if is_told else ""
