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
        "virsh edit GUEST: set the cache of the driver of the disk to none; of an image in a file it may be "
        "removed, for the default. Silence this for a guest that is made again from its image.",
        "Flushes take their time: a log device (zpool add POOL log DEVICE) makes them short. "
        f"{_AT_NEXT_START}",
        _EVIDENCE,
    ),
    Advice(
        "guest-volume-page-cache",
        Stake.SERVICE,
        HelpedData.NEW,
        "A disk that a guest writes to is a volume, with a cache mode other than none, directsync and unsafe "
        "(which has advice of its own), or with none written down: QEMU writes back then. Images in files "
        "are left alone: ZFS keeps these in the ARC alone, whatever the mode.",
        "libvirt, domain XML, cache; QEMU opens with O_DIRECT for none and directsync only. What a full pool "
        "gives was seen on OpenZFS 2.4 and Linux 6.12",
        "The host caches the volume twice, and its page cache takes memory that nothing limits, with bursts "
        "when it writes back. A write has succeeded for the guest before ZFS has seen it: where ZFS then "
        "fails it, as in a full pool, the guest is told with its next flush, by an I/O error "
        "(EIO) at which QEMU does not pause it. Its file systems fail or go read-only, and QEMU fails each "
        "further flush until the guest was shut down and started. With cache=none the write itself fails for "
        "want of space (ENOSPC), and the guest is paused and loses nothing.",
        "virsh edit GUEST: set the cache of the driver of the disk to none, and io to native; shut the guest "
        "down and start it.",
        "Reads that the page cache had come from the ARC: give that the memory. What the guest writes "
        "without "
        "a flush waits for ZFS where the pool is busy. " + _AT_NEXT_START,
        (*_EVIDENCE, "caches"),
    ),
    Advice(
        "guest-storage-read-only",
        Stake.SERVICE,
        HelpedData.NEW,
        "A guest that is not off may write to a disk on a dataset or volume with readonly=on, its own or "
        "inherited. A risk and not advice: its writes fail. A guest that is off is left alone, such as one "
        "that was moved away; so is a disk that the guest has read-only itself.",
        "zfsprops(7), readonly. QEMU opens no disk for writing there: it was set after the start of the "
        "guest",
        "Each write fails with an I/O error (EIO or EROFS), through the page cache only later: the file "
        "systems in the guest go read-only, databases stop, and a guest that is shut down does not start "
        "again.",
        "zfs set readonly=off DATASET, then look at the file systems of GUEST, or shut it down and start it. "
        "If it is a copy that a receive goes into, shut the guest down instead: what it writes ends the "
        "increments.",
        "None, unless something relies on it: the next increment into a copy that was written to is refused.",
        _EVIDENCE,
        risk=(Severity.WARNING,),
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
        "guest-without-agent-channel",
        Stake.SERVICE,
        HelpedData.NEW,
        "Guests of libvirt's system instance run without the channel org.qemu.guest_agent.0, and all that "
        "they write to on the pool has a snapshot of the last 35 days. One finding for all guests of a "
        "pool. Guests without snapshots need no freeze, and are left alone.",
        "libvirt, domain XML, channel; zfsprops(7), snapshots_changed; the days are those of this program",
        "A crash-consistent snapshot has what ZFS had been given when it was taken: a file system replays "
        "its journal and a database its log, and what programs had in memory is lost. That is safe where "
        "all disks of a guest are snapshotted at once (zfs snapshot -r, or several names in one command), "
        "and not for programs without a log. The agent writes out and freezes the file systems first; it "
        "also takes requests to shut down where the guest ignores the power button.",
        "virsh edit GUEST, for each: add <channel type='unix'><target type='virtio' "
        "name='org.qemu.guest_agent.0'/></channel> to its devices, and install qemu-guest-agent in the guest "
        "(on Windows from virtio-win). Then take snapshots with --freeze-guests, or have the schedule "
        "run virsh domfsfreeze before its snapshots and domfsthaw after them: by themselves these freeze "
        "nothing. Silence this where crash-consistent is enough.",
        "The guest stands still for writes while it is frozen, most often less than a second. The host can "
        f"have the agent run commands in the guest. {_AT_NEXT_START}",
        ("guests", "places", "limit_days"),
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
