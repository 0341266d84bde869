"""Proxmox's configuration: disks of guests, snapshots left out, storages on ZFS."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.guests.container import ContainerKind
from zconsole.system.containers.proxmox_config import CONFIGURATION, parse_proxmox

# As pct.conf(5), qm.conf(5) and the wiki page "Storage: ZFS" of Proxmox VE 8 print them.
FILES = {
    "lxc/101.conf": """\
arch: amd64
cores: 2
hostname: files
memory: 2048
mp0: local-zfs:subvol-101-disk-1,mp=/srv,size=200G
net0: name=eth0,bridge=vmbr0,hwaddr=BC:24:11:2C:69:EC,ip=dhcp,type=veth
rootfs: local-zfs:subvol-101-disk-0,size=8G
unprivileged: 1

[before]
rootfs: local-zfs:subvol-101-disk-9,size=8G
snaptime: 1763900000
""",
    "qemu-server/100.conf": """\
boot: order=scsi0;ide2;net0
efidisk0: local-zfs:vm-100-disk-0,efitype=4m,size=1M
ide2: local:iso/debian-13.1.0-amd64-netinst.iso,media=cdrom,size=754M
name: mail
scsi0: local-zfs:base-9000-disk-0/vm-100-disk-1,iothread=1,size=32G
scsi1: nfs1:100/vm-100-disk-0.qcow2,size=100G
scsi2: none,media=cdrom
virtio0: /dev/sdx,size=8G
""",
    "storage.cfg": """\
dir: local
\tpath /var/lib/vz
\tcontent iso,vztmpl,backup

zfspool: local-zfs
\tpool rpool/data
\tsparse
\tcontent images,rootdir

rbd: ceph
\tpool vms
""",
}
PRINTED = "".join(
    f"/etc/pve/{name}:{line}\n" for name, text in FILES.items() for line in text.splitlines() if line
)


def test_guests_have_their_disks_without_those_of_snapshots() -> None:
    files, mail = parse_proxmox(PRINTED).guests

    assert ("101", ContainerKind.CONTAINER, "files") == (files.number, files.kind, files.name)
    assert ["mp0", "rootfs"] == [disk.key for disk in files.disks]
    assert ("100", ContainerKind.VIRTUAL_MACHINE, "mail") == (mail.number, mail.kind, mail.name)
    assert "/etc/pve/qemu-server/100.conf" == mail.path


def test_disks_on_storages_of_zfs_are_datasets_and_others_are_none() -> None:
    config = parse_proxmox(PRINTED)
    files, mail = config.guests

    assert ["rpool/data/subvol-101-disk-1", "rpool/data/subvol-101-disk-0"] == [
        config.dataset_of(disk) for disk in files.disks
    ]
    assert {"rpool/data/vm-100-disk-0", "rpool/data/vm-100-disk-1", ""} == {
        config.dataset_of(disk) for disk in mail.disks
    }
    assert (("local-zfs", "rpool/data"),) == config.datasets


def test_a_backup_beside_the_configurations_is_no_guest() -> None:
    assert () == parse_proxmox("/etc/pve/lxc/101.conf.bak:rootfs: a:b\n").guests


@pytest.mark.parametrize("text", ["rootfs: a:b\n", "/etc/passwd:root:x\n"])
def test_another_line_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_proxmox(text)


def test_a_real_grep_finds_what_the_parser_needs(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    words = [word.replace("/etc/pve", str(tmp_path)) for word in CONFIGURATION.argv]

    found = subprocess.run(words, capture_output=True, check=True, text=True).stdout

    printed = re.sub(re.escape(str(tmp_path)), "/etc/pve", found)
    assert parse_proxmox(PRINTED) == parse_proxmox(printed)
    assert "BC:24:11" not in printed
