"""A small Linux guest with QEMU's real guest agent: Debian's kernel, busybox, qemu-ga, and an ext4.

Its initial RAM disk is its whole system. It prints a number on its serial line each time that a write to the
ext4 has reached the disk, so that a frozen file system is seen from outside: the numbers stand still.
"""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.lab.images import CACHE, LabError, lock

PROGRAMS: Final = {"qemu-ga": "qemu-guest-agent", "busybox": "busybox-static", "mkfs.ext4": "e2fsprogs"}
PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"
META_PACKAGE: Final = "linux-image-cloud-amd64"
FOLDER: Final = CACHE / "agent-guest"
DISK_BYTES: Final = 64 << 20
MODULES: Final = (  # in the order of their needs; what a kernel has built in is not there
    "virtio_ring", "virtio", "virtio_pci_modern_dev", "virtio_pci_legacy_dev", "virtio_pci", "virtio_blk",
    "virtio_console",
)  # fmt: skip
INIT: Final = """\
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /run /tmp /mnt /sbin /usr/sbin /var/run
/bin/busybox --install -s /bin
export PATH=/bin:/sbin:/usr/sbin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null
for each in %(modules)s; do [ ! -e /modules/$each.ko ] || insmod /modules/$each.ko; done
until [ -b /dev/vda ]; do sleep 0.1; done
mount -t ext4 /dev/vda /mnt
case " $(cat /proc/cmdline) " in
  *" agent=none "*) ;;
  *)
    until port=$(grep -l org.qemu.guest_agent.0 /sys/class/virtio-ports/*/name); do sleep 0.1; done
    port=${port%%/name}
    qemu-ga -m virtio-serial -p "/dev/${port##*/}" -t /run </dev/null >/run/qga.log 2>&1 & ;;
esac
count=0
while :; do
  count=$((count + 1))
  echo $count | dd of=/mnt/count conv=fsync 2>/dev/null
  echo "written $count"
  sleep 0.2
done
"""
_WRITTEN: Final = re.compile(r"^written (\d{1,9})\r?$", re.MULTILINE)


def missing_packages() -> tuple[str, ...]:
    """Debian's packages that this machine lacks for it."""
    lacks = [package for tool, package in PROGRAMS.items() if shutil.which(tool, path=PATH) is None]
    return tuple(lacks if shutil.which("apt-get") else [*lacks, "apt"])


def kernel_and_ramdisk() -> tuple[Path, Path]:
    """The files that it boots, made once per machine. Raises LabError and CalledProcessError."""
    kernel, ramdisk = FOLDER / "vmlinuz", FOLDER / "initrd"
    with lock("agent-guest"):
        if not kernel.exists():
            _unpack_kernel(kernel)
        ramdisk.write_bytes(_archive(dict(_files(FOLDER / "modules"))))
    return kernel, ramdisk


def make_disk(path: Path) -> None:
    """A raw disk with an empty ext4."""
    with path.open("wb") as file:
        file.truncate(DISK_BYTES)
    _call("mkfs.ext4", "-q", "-F", str(path))


def last_written(serial: str) -> int:
    """The last number that has reached the disk, by what the guest has printed."""
    return max((int(each) for each in _WRITTEN.findall(serial)), default=0)


def _unpack_kernel(kernel: Path) -> None:
    """Debian's newest cloud kernel and the modules that the guest loads, out of its package."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / "modules").mkdir(parents=True)
    depends = _call("apt-cache", "depends", META_PACKAGE)
    package = re.search(r"Depends: (linux-image-\S+)", depends)
    if package is None:
        raise LabError(f"apt knows no {META_PACKAGE} (run apt-get update first)")
    _call("apt-get", "-q", "download", package[1], cwd=FOLDER)
    _call("dpkg-deb", "-x", str(next(FOLDER.glob("*.deb"))), str(FOLDER / "tree"))
    for name in MODULES:
        for module in (FOLDER / "tree").rglob(f"{name}.ko"):
            shutil.copy(module, FOLDER / "modules" / module.name)
    image = next((FOLDER / "tree" / "boot").glob("vmlinuz-*"))
    shutil.copy(image, kernel.with_suffix(".part"))
    shutil.rmtree(FOLDER / "tree")
    next(FOLDER.glob("*.deb")).unlink()
    kernel.with_suffix(".part").rename(kernel)


def _files(modules: Path) -> Iterator[tuple[str, bytes]]:
    yield "init", (INIT % {"modules": " ".join(MODULES)}).encode()
    for module in modules.iterdir():
        yield f"modules/{module.name}", module.read_bytes()
    for tool, place in (("busybox", "bin/busybox"), ("qemu-ga", "bin/qemu-ga")):
        program = shutil.which(tool, path=PATH)
        assert program is not None
        yield place, Path(program).read_bytes()
    agent = shutil.which("qemu-ga", path=PATH)
    assert agent is not None
    for library in re.findall(r"(/\S+) \(0x", _call("ldd", agent)):
        yield library.lstrip("/"), Path(library).read_bytes()


def _archive(files: dict[str, bytes]) -> bytes:
    """A cpio archive in the format that the kernel unpacks, of programs in folders."""
    folders = {str(above) for name in files for above in Path(name).parents if str(above) != "."}
    entries = [(name, stat.S_IFDIR | 0o755, b"") for name in sorted({*folders, "dev", "proc", "sys"})]
    entries += [(name, stat.S_IFREG | 0o755, data) for name, data in sorted(files.items())]
    made = bytearray()
    for number, (name, mode, data) in enumerate([*entries, ("TRAILER!!!", 0, b"")], 1):
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        made += b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        made += bytes(-len(made) % 4)
        made += data + bytes(-len(data) % 4)
    return bytes(made)


def _call(*argv: str, cwd: Path | None = None) -> str:
    return subprocess.run(
        argv, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, cwd=cwd
    ).stdout


def definition(name: str, disk: str, folder: str, *, agent: str = "runs", image: str = "raw") -> str:
    """A guest that boots the kernel of a folder and has one disk; `agent` is `runs` or `none`."""
    kind, key = ("block", "dev") if disk.startswith("/dev/") else ("file", "file")
    return f"""\
<domain type='qemu'>
  <name>{name}</name>
  <memory unit='MiB'>160</memory>
  <os>
    <type machine='pc'>hvm</type>
    <kernel>{folder}/vmlinuz</kernel>
    <initrd>{folder}/initrd</initrd>
    <cmdline>console=ttyS0 quiet panic=1 agent={agent}</cmdline>
  </os>
  <features><acpi/></features>
  <devices>
    <disk type='{kind}' device='disk'>
      <driver name='qemu' type='{image}'/>
      <source {key}='{disk}'/>
      <target dev='vda' bus='virtio'/>
    </disk>
    <channel type='unix'>
      <target type='virtio' name='org.qemu.guest_agent.0'/>
    </channel>
    <serial type='file'><source path='{folder}/{name}.serial'/></serial>
    <memballoon model='none'/>
  </devices>
</domain>
"""
