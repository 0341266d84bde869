"""Configuration of Proxmox VE: the disks of its guests, and the datasets of its storages.

Formats: pct.conf(5) and qm.conf(5); storage.cfg with `zfspool: ID` and its `pool DATASET` (pve-storage,
src/PVE/Storage/ZFSPoolPlugin.pm, `options`, and `parse_volname`: a volume is `subvol-101-disk-0`, a linked
clone `base-100-disk-0/vm-101-disk-0`, whose dataset is that of its last part, `path`). Below /etc/pve files
are readable for root and www-data.
"""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.dataset_names import last_part
from zconsole.model.guests.container import ContainerKind

FOLDER: Final = "/etc/pve"  # a file system in memory, pmxcfs(8): nothing is there while it is not mounted
FOLDERS: Final = {"lxc": ContainerKind.CONTAINER, "qemu-server": ContainerKind.VIRTUAL_MACHINE}
_DISK_KEYS: Final = r"rootfs|(mp|unused|ide|sata|scsi|virtio|efidisk|tpmstate)[0-9]+"
CONFIGURATION: Final = Command((
    "grep", "-arsHE", "--",
    rf"^(\[|name:|hostname:|({_DISK_KEYS}):|[a-z]+:[ ]|[[:space:]]+pool[[:space:]])",
    "/etc/pve/lxc", "/etc/pve/qemu-server", "/etc/pve/storage.cfg",
))  # fmt: skip
_LINE: Final = re.compile(r"/etc/pve/(?:(lxc|qemu-server)/([0-9]{1,9})\.conf|(storage\.cfg)):(.*)", re.ASCII)
_ELSEWHERE: Final = re.compile(r"/etc/pve/(?:lxc|qemu-server)/[^:]*:.*")
_DISK: Final = re.compile(rf"({_DISK_KEYS}):\s*([^:,\s]+):([^,\s]+)(?:,.*)?", re.ASCII)
_NAMED: Final = re.compile(r"(?:name|hostname):\s*(\S+)\s*")
_STORAGE: Final = re.compile(r"([a-z]+):\s*(\S+)\s*")
_POOL: Final = re.compile(r"\s+pool\s+(\S+)\s*")


@dataclass(frozen=True, slots=True)
class ProxmoxDisk:
    """Disk of a guest: its key (`rootfs`, `scsi0`), storage, and volume."""

    key: str
    storage: str
    volume: str


@dataclass(frozen=True, slots=True)
class ProxmoxGuest:
    """Guest of Proxmox, without its snapshots."""

    number: str
    kind: ContainerKind
    name: str = ""
    disks: tuple[ProxmoxDisk, ...] = ()

    @property
    def path(self) -> str:
        """The file of its configuration."""
        folder = next(name for name, kind in FOLDERS.items() if kind is self.kind)
        return f"/etc/pve/{folder}/{self.number}.conf"


@dataclass(frozen=True, slots=True)
class ProxmoxConfig:
    """Guests of this node, and the dataset of each storage on ZFS by its id."""

    guests: tuple[ProxmoxGuest, ...] = ()
    datasets: tuple[tuple[str, str], ...] = ()

    def dataset_of(self, disk: ProxmoxDisk) -> str:
        """The dataset or volume of a disk; empty for one on another storage."""
        above = dict(self.datasets).get(disk.storage, "")
        return f"{above}/{last_part(disk.volume)}" if above else ""


def parse_proxmox(text: str) -> ProxmoxConfig:
    """Parse the output of `CONFIGURATION`. What stands below `[...]` is of a snapshot, and left out."""
    guests: dict[tuple[str, str], ProxmoxGuest] = {}
    in_snapshot: set[tuple[str, str]] = set()
    storage, datasets = ("", ""), []
    for line_no, line in bounded_lines("grep /etc/pve", text):
        if not line:
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            if _ELSEWHERE.fullmatch(line):
                continue  # a file that is no guest's
            raise ParseError("grep /etc/pve", line_no, line, "not a line of a configuration")
        if found[3]:
            if at := _POOL.fullmatch(found[4]):
                if storage[0] == "zfspool":
                    datasets.append((storage[1], at[1]))
            elif begins := _STORAGE.fullmatch(found[4]):
                storage = (begins[1], begins[2])
            continue
        key = (found[1], found[2])
        guest = guests.setdefault(key, ProxmoxGuest(found[2], FOLDERS[found[1]]))
        if found[4].startswith("["):
            in_snapshot.add(key)
        elif key not in in_snapshot:
            guests[key] = _with_line(guest, found[4])
    return ProxmoxConfig(tuple(guests.values()), tuple(datasets))


def _with_line(guest: ProxmoxGuest, text: str) -> ProxmoxGuest:
    if named := _NAMED.fullmatch(text):
        return ProxmoxGuest(guest.number, guest.kind, named[1], guest.disks)
    if disk := _DISK.fullmatch(text):
        disks = (*guest.disks, ProxmoxDisk(disk[1], disk[3], disk[4]))
        return ProxmoxGuest(guest.number, guest.kind, guest.name, disks)
    return guest
