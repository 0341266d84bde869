"""Advice on the guests whose disks are on a pool, in words."""

from __future__ import annotations

from typing import Final

from zconsole.model.finding import Severity
from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

_EVIDENCE: Final = ("guest", "uuid", "disks", "places")
_AT_NEXT_START: Final = "It holds from the next start of the guest on: a reboot inside it is none."

GUESTS: Final = (
    Advice(
        "guest-image-corrupt",
        Stake.DATA,
        HelpedData.NONE,
        "QEMU has found the metadata of a qcow2 image damaged, and has marked it. A risk and not advice: the "
        "guest cannot write to it, or does not start.",
        "`qemu-img info`, corrupt",
        "Clusters may belong to two places of the disk, or to none: a write to one damages the other. ZFS "
        "cannot see it, for the blocks are what QEMU wrote. Most often two programs have written to the "
        "image at once, such as qemu-img beside the running guest.",
        "Shut the guest down, snapshot its dataset, and look: qemu-img check IMAGE. Take the image from the "
        "newest snapshot in which the check is clean (a clone of it shows that); only without one try "
        "qemu-img check -r all.",
        "What was written since that snapshot; a repair may lose data of its own.",
        (*_EVIDENCE, "images"),
        risk=(Severity.WARNING,),
    ),
    Advice(
        "guest-errors-ignored",
        Stake.DATA,
        HelpedData.NEW,
        "A disk that a guest writes to has error_policy=ignore. A risk and not advice: writes are lost "
        "without a word.",
        "libvirt, domain XML, error_policy; QEMU, werror: its default is enospc",
        "QEMU tells the guest that a write has succeeded which has failed: in a full or suspended pool its "
        "file systems and databases are damaged, and nobody is told. With enospace or stop the guest is "
        "paused instead, and nothing is lost.",
        "virsh edit GUEST: remove error_policy from the driver of the disk, or set it to stop.",
        f"The guest stands still at an error until it is resumed. {_AT_NEXT_START}",
        _EVIDENCE,
        risk=(Severity.WARNING,),
    ),
    Advice(
        "guest-cache-unsafe",
        Stake.DATA,
        HelpedData.NEW,
        "A disk that a guest writes to has cache=unsafe.",
        "QEMU, cache modes: unsafe ignores each flush",
        "QEMU answers a flush at once and passes none on. After a crash of the host an image in a file is "
        "as it was some seconds before, for ZFS keeps the order of its writes: transactions are lost that "
        "were confirmed. A volume is written by the page cache of the host, in any order: the file systems "
        "and databases on it may be damaged. A crash of the guest alone does no harm.",
        "virsh edit GUEST: set the cache of the driver of the disk to none, or remove it for the default. "
        "Silence this for a guest that is made again from its image.",
        "Flushes take their time: a log device (zpool add POOL log DEVICE) makes them short. "
        f"{_AT_NEXT_START}",
        _EVIDENCE,
    ),
    Advice(
        "guest-errors-reported",
        Stake.SERVICE,
        HelpedData.NEW,
        "A disk that a guest writes to has error_policy=report. A guest that writes to storage outside "
        "the pool as well is left alone: it may mirror its disks itself, and needs to see errors.",
        "libvirt, domain XML, error_policy; QEMU, werror: its default is enospc",
        "In a full pool the guest gets write errors: its file systems go read-only or fail, and it must be "
        "rebooted and checked. By QEMU's default it is paused at the first write without space, and goes on "
        "where it was.",
        "virsh edit GUEST: remove error_policy from the driver of the disk. For a volume with a cache mode "
        "other than none and directsync set it to stop: there a full pool is an I/O error (EIO), at which "
        "the default does not pause.",
        f"The guest stands still until there is space and it is resumed (zconsole guests). {_AT_NEXT_START}",
        _EVIDENCE,
    ),
    Advice(
        "guest-without-snapshots",
        Stake.DATA,
        HelpedData.ALL,
        "A guest of libvirt that is not off writes to a dataset or volume of which ZFS knows no snapshot, "
        "now or before, while at least as many that guests of the pool write to have one of the last 35 "
        "days. It has 64 MiB or more and is older than a week; names of what nobody keeps are left out, as "
        "in snapshots-left-out, which speaks in its place where the datasets beside it have snapshots.",
        "zfsprops(7), snapshots_changed; the sizes, days and names are those of this program",
        "A guest that was damaged, encrypted or wrongly updated cannot be set back, and there is nothing to "
        "send to a copy. The dataset of an image is easily forgotten where a schedule names volumes.",
        "Take a snapshot now, and add it to the schedule of the others (sanoid.conf, the timer of "
        "zfs-auto-snapshot, zrepl); or silence this, where the guest is made again from elsewhere.",
        "Space for what the guest overwrites. It protects from the first snapshot on.",
        ("dataset", "guests", "own_bytes", "others", "limit_days"),
    ),
    Advice(
        "guest-discard-off",
        Stake.SPACE,
        HelpedData.NEW,
        "The pool is 80 % full, and a disk of a guest does not pass discards on: it is an image in a file, "
        "or a volume without a reservation for its whole size.",
        "libvirt, domain XML, discard: ignore unless set to unmap; used_warning_percent of the configuration",
        "A thin disk only grows: what the guest deletes stays taken in the pool, until the disk has its "
        "whole size there.",
        "virsh edit GUEST: set discard of the driver of the disk to unmap; after its next start trim once "
        "in the guest (fstrim -av, Optimize-Volume on Windows), and let it do so by a timer.",
        "A trim is load for minutes. Blocks that a snapshot has stay until it is destroyed. "
        f"{_AT_NEXT_START}",
        (*_EVIDENCE, "used_percent", "limit_percent"),
    ),
)  # fmt: skip
