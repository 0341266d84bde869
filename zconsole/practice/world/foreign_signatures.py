"""Signatures on drives beside ZFS: filesystems, LUKS, LVM, md, swap, and the devices on top of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Holder:
    """A device that stands on another: an opened LUKS, a logical volume, an md array."""

    kname: str  # dm-0, md127
    name: str  # what lsblk shows: luks-backup, vg0-root, md127
    kind: str  # crypt, lvm, raid1
    size: int  # bytes
    fstype: str | None = None
    mountpoint: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """Something that libblkid recognises, on a whole drive or on one of its partitions."""

    fstype: str  # ext4, crypto_LUKS, LVM2_member, linux_raid_member, swap
    label: str = ""
    mountpoint: str = ""  # [SWAP] while it is swapped to
    number: int = 0  # of the partition; 0 is the whole drive
    holder: Holder | None = None

    @property
    def is_used(self) -> bool:
        """Whether the kernel refuses to open it exclusively."""
        return bool(self.mountpoint) or self.holder is not None
