"""Names of the exercises on the practice host: `--demo=NAME`."""

from __future__ import annotations

from typing import Final

EXERCISES: Final = {
    "failed-disk": "a disk has failed, and the hot spare stands in",
    "slow-disk": "a disk without errors slows down its whole vdev",
    "wrong-disk-pulled": "a disk has failed, and the wrong one was pulled",
    "second-failure": "a second disk of the vdev fails during the resilver",
    "new-disk-too-small": "a disk is failing, and not every new disk fits",
    "cable": "several disks behind one cable report errors",
    "full-pool": "guests are paused, because their pool has no space",
}
