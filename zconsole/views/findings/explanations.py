"""Explanation of each finding, and where to look next."""

from __future__ import annotations

from typing import Final

from zconsole.views.findings.advice import ADVICE

_MEANINGS: Final = {
    "pool-suspended": (
        "Nothing is read or written until the devices are back. Cables, power and enclosure come first; "
        "then zpool clear. Commands that touch the pool hang until then."
    ),
    "pool-faulted": (
        "ZFS cannot use the pool: too many devices or its metadata are damaged. Do not clear or recreate "
        "anything before the devices are understood."
    ),
    "pool-read-only": (
        "Nothing writes to the pool: no resilver, no scrub and no clear until it is imported for writing. "
        "Where it is damaged, copy what matters off it before it is exported."
    ),
    "pool-unavail": ("Too many devices are missing to open the pool. Bring them back before anything else."),
    "pool-state-unknown": ("This ZFS is newer than what is known here. Read zpool status itself."),
    "vdev-lost": ("More devices failed than the vdev can make up for; the pool's data depends on it."),
    "vdev-incomplete": (
        "A device that missed writes and one that failed since: what neither has cannot be read. The failed "
        "one has it: leave it in, and bring it back."
    ),
    "vdev-no-redundancy": (
        "One more failure in this vdev loses the whole pool. Its repair (R) says what comes first: a device "
        "that was pulled by mistake goes back, a running resilver ends, then what has failed is replaced. "
        "Pull nothing else meanwhile."
    ),
    "pool-degraded": (
        "A vdev lacks a device; the pool serves its data with less redundancy. "
        "Data is safe as long as some is left."
    ),
    "guest-paused-io-error": (
        "The guest stands still and has lost nothing. Free space on what its disk is on, or mend the pool; "
        "then resume it, on the Guests screen (V) or by `zconsole plan guest-resume`. Resumed before, it "
        "is paused again."
    ),
    "guest-disk-shared": (
        "Two guests that write to one disk destroy its file system, unless it is one for clusters; and a "
        "backing file must not change, since its overlays hold only what differs from it."
    ),
    "guest-on-two-hosts": (
        "Its two copies drift apart with every write, and services at one address answer from either. The "
        "longer both run, the more is lost of the one that is given up."
    ),
    "guest-cannot-start": (
        "A guest starts only if QEMU can open each of its disks with all images below. One that runs still "
        "has its files open, also those that were deleted: what only it holds is gone once it ends."
    ),
    "data-errors": (
        "These files or blocks could not be repaired from redundancy. Restore them from a backup or "
        "delete them; a scrub afterwards clears the list."
    ),
    "device-faulted": (
        "ZFS stopped using the device after errors. Look at the SMART log first: the cable may be to blame "
        "and not the disk."
    ),
    "device-degraded": ("The device works but gave too many errors to be trusted."),
    "device-offline": ("Somebody took it out of use on purpose; zpool online brings it back."),
    "device-errors": (
        "Errors since the last import or clear. On one disk: it, or its cable. On several of one "
        "controller: that comes first."
    ),
    "log-faulted": ("Synchronous writes go to the data vdevs now and are slower; data is safe."),
    "cache-faulted": ("Reads are not cached on that device; data is safe."),
    "spare-faulted": ("This spare will not help when a disk fails."),
    "spare-in-use": (
        "A hot spare replaced a device. Replace the failed device, or detach it to keep the spare."
    ),
    "slow-ios": ("Single operations took more than 30 seconds. A disk that does so often is about to fail."),
    "checkpoint-exists": (
        "It holds the space of all that was freed since, and forbids changes of vdevs: ZFS cannot put a hot "
        "spare in the place of a failed device either."
    ),
    "scan-running": ("Reads and writes of users may be slower meanwhile."),
    "scan-stalled": ("It makes no progress: a very slow device, or a pool that is busy with something else."),
    "resilver-errors": (
        "What it could not read on the other devices is missing where it was to be copied, although ZFS "
        "shows the device ONLINE: after another failure these blocks may be lost."
    ),
    "scrub-errors": (
        "Blocks that could not be repaired were met, and no file of today is known to have them."
    ),
    "scrub-repaired": (
        "What a device returned did not have the checksum that it should, or could not be read; another one "
        "had it whole. Its counters were cleared since, or emptied by a reboot."
    ),
    "scan-restarting": ("Each new fault or attach starts a resilver over; it may never end."),
    "activity-running": ("It runs in the background."),
    "pool-unread": ("What is shown of this pool may be old."),
    "pools-unread": ("What is shown of this host may be old."),
    "smart-failing": ("The disk predicts its own failure. Replace it before ZFS has to fault it."),
    "smart-attribute": (
        "The disk still passes its own test, but not by the maker's measure. Replace it soon."
    ),
    "pending-sectors": (
        "The disk cannot read these sectors. A scrub repairs them from redundancy; if they come back or "
        "grow, replace the disk."
    ),
    "uncorrectable-sectors": ("The disk's own tests could not read them. A scrub repairs what ZFS uses."),
    "uncorrectable-errors": ("The disk gave up on these reads or writes. Replace it if they grow."),
    "reallocated-sectors": ("The disk replaces bad sectors by spare ones. Growth is what counts."),
    "nvme-warning": ("The disk itself calls this critical. Replace it."),
    "spare-blocks": ("A flash disk without spare blocks goes read-only or dies. Replace it."),
    "worn": ("It may work on for long, without a promise of its maker. Plan its replacement."),
    "crc-errors": (
        "Data is damaged on the way, and sent again: the cable, the backplane or the slot, seldom the disk. "
        "A new disk in the same bay would have them too."
    ),
    "shared-cause": (
        "Disks seldom fail together: what they share is at fault. A new disk in the same bay would have "
        "errors too, and the counters are evidence until it is repaired."
    ),
    "hot": ("Heat shortens a disk's life. Check fans and air flow first; neighbours will be hot as well."),
    "self-test-failed": ("The disk found an error by itself. Scrub, and repeat the test."),
}


def meaning(finding_id: str) -> str:
    """A sentence or two; empty where the finding needs no explanation."""
    if (advice := ADVICE.get(finding_id)) is not None:
        return advice.why
    return _MEANINGS.get(finding_id, "")
