"""libvirt in a lab guest: a real libvirtd and QEMU beside a real OpenZFS, with small machines on its storage.

QEMU emulates within an emulated machine. For a system the machines have the boot sector of tests/libvirtd,
which is enough to write to a disk and to obey ACPI's power button.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from tests.lab.guests import Guest, said
from tests.libvirtd.boot_sector import EVERY, boot_sector

FOLDER: Final = "/srv/guests"  # on no pool
PATIENCE_S: Final = 180
VIRSH: Final = "/usr/bin/virsh -q -c qemu:///system"
CONFIGURATION: Final = """\
security_driver = "none"
cgroup_controllers = [ ]
namespaces = [ ]
stdio_handler = "file"
"""
SOCKETS: Final = """\
auth_unix_ro = "none"
auth_unix_rw = "none"
unix_sock_group = "libvirt"
unix_sock_ro_perms = "0777"
unix_sock_rw_perms = "0770"
"""  # what polkit decides elsewhere: everybody may look, the group may change
CALLS: Final = "/run/virsh.calls"
KEYS: Final = "/root/.ssh/authorized_keys"
NO_FORWARDING: Final = "no-port-forwarding "  # before a key: neither of ports nor of sockets
COUNTED: Final = f"""\
#!/bin/sh
echo "$*" >>{CALLS}
exec /usr/bin/virsh "$@"
"""
START: Final = f"""\
mkdir -p {FOLDER}
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
pidof libvirtd >/dev/null || libvirtd -d
timeout {PATIENCE_S} sh -c 'until {VIRSH} list >/dev/null 2>&1; do sleep 1; done'
"""
WRITTEN: Final = f"""\
import struct, sys
count = 0
with open(sys.argv[1], "rb") as disk:
    while disk.seek({EVERY} * 512 * (count + 1)) and disk.read(4) == struct.pack("<I", {EVERY} * (count + 1)):
        count += 1
print(count)
"""
RESET: Final = f"""\
for name in $({VIRSH} list --all --name); do
    {VIRSH} destroy "$name" >/dev/null 2>&1
    {VIRSH} undefine "$name"
done
: >{CALLS}
"""


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk of a machine: a file or a device; `kind` is raw or qcow2. Without `cache` it is QEMU's own."""

    path: str
    kind: str = "raw"
    cache: str = ""

    @property
    def xml(self) -> str:
        """Its element, at the second place of the machine."""
        is_device = self.path.startswith("/dev/")
        type_, key = ("block", "dev") if is_device else ("file", "file")
        cache = f" cache='{self.cache}'" if self.cache else ""
        return (
            f"<disk type='{type_}' device='disk'><driver name='qemu' type='{self.kind}'{cache}/>"
            f"<source {key}='{self.path}'/><target dev='vdb' bus='virtio'/><boot order='2'/></disk>"
        )


class Libvirt:
    """libvirtd of a lab guest, which answers."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        guest.ssh("cat >/etc/libvirt/qemu.conf", stdin=CONFIGURATION.encode())
        guest.ssh("cat >/etc/libvirt/libvirtd.conf", stdin=SOCKETS.encode())
        guest.ssh("cat >/usr/local/sbin/virsh; chmod 755 /usr/local/sbin/virsh", stdin=COUNTED.encode())
        self.start_libvirtd()

    def start_libvirtd(self) -> None:
        """Start the daemon unless it runs; it answers when this returns."""
        self.guest.ssh(START, timeout_s=2 * PATIENCE_S)

    def kill_libvirtd(self) -> None:
        """Let the daemon die; its machines go on."""
        self.guest.ssh("kill -KILL $(pidof libvirtd); while pidof libvirtd >/dev/null; do :; done")

    def virsh(self, *words: str) -> str:
        """Run virsh."""
        return said(self.guest, f"{VIRSH} {shlex.join(words)}")

    def define(
        self, name: str, disk: Disk, *, writes: bool = False, is_deaf: bool = False, pause_s: float = 0.0
    ) -> None:
        """Define a machine that boots from a file on no pool, and has this disk beside it."""
        boot = self.put_boot(name, writes=writes, is_deaf=is_deaf, pause_s=pause_s)
        self.define_xml(name, _definition(name, boot, disk))

    def put_boot(
        self, name: str, *, writes: bool = False, is_deaf: bool = False, pause_s: float = 0.0
    ) -> str:
        """Write the file that a machine boots from, as another host has to have it too; returns its path."""
        boot = f"{FOLDER}/{name}.boot"
        sector = boot_sector(writes=writes, is_deaf=is_deaf, pause_s=pause_s).ljust(1 << 20, b"\0")
        self.guest.ssh(f"cat >{boot}", stdin=sector)
        return boot

    def define_xml(self, name: str, xml: str) -> None:
        """Define a machine by this text."""
        self.guest.ssh(f"cat >{FOLDER}/{name}.xml; {VIRSH} define {FOLDER}/{name}.xml", stdin=xml.encode())

    def start(self, name: str) -> None:
        """Start a machine, and wait until its boot sector is read: from then on it hears the power button."""
        self.virsh("start", name)
        self.until(f"[ $({VIRSH} domstats --block {name} | sed -n 's/.*block.0.rd.reqs=//p') -gt 0 ]")

    def state(self, name: str) -> str:
        """State and reason, as virsh words them: `running (booted)`."""
        return self.virsh("domstate", "--reason", name)

    def until(self, condition: str) -> None:
        """Wait until a line of shell succeeds in the guest."""
        self.guest.ssh(
            f"timeout {PATIENCE_S} sh -c {shlex.quote(f'until {condition}; do sleep 1; done')}",
            timeout_s=PATIENCE_S + 60,
        )

    def written(self, path: str) -> int:
        """How many of the writes of a machine that writes a disk has, without a gap from the first."""
        return int(self.guest.ssh(f"python3 - {shlex.quote(path)}", stdin=WRITTEN.encode()))

    @contextmanager
    def forwarding(self, *, allowed: bool) -> Iterator[None]:
        """Have the host's sshd forward sockets, or not, and virsh's calls counted from now on."""
        self.guest.ssh(f": >{CALLS}")
        if allowed:
            yield
            return
        self.guest.ssh(f"sed -i 's/^/{NO_FORWARDING}/' {KEYS}")
        try:
            yield
        finally:
            self.guest.ssh(f"sed -i 's/^{NO_FORWARDING}//' {KEYS}")

    @contextmanager
    def not_counted(self) -> Iterator[None]:
        """Have virsh where the rules for sudo expect it, and nowhere else."""
        self.guest.ssh("mv /usr/local/sbin/virsh /run/virsh.counted")
        try:
            yield
        finally:
            self.guest.ssh("mv /run/virsh.counted /usr/local/sbin/virsh")

    def calls(self, word: str) -> int:
        """How many virsh with this word the console has run."""
        return int(said(self.guest, f"grep -c -e {shlex.quote(word)} {CALLS} || true"))

    def reset(self) -> None:
        """End and forget all machines, and the calls of virsh."""
        self.start_libvirtd()
        self.guest.ssh(RESET, timeout_s=PATIENCE_S)


def _definition(name: str, boot: str, disk: Disk) -> str:
    return (
        f"<domain type='qemu'><name>{name}</name><memory unit='MiB'>16</memory>"
        "<os><type machine='pc'>hvm</type></os><features><acpi/></features><devices>"
        "<disk type='file' device='disk'><driver name='qemu' type='raw'/>"
        f"<source file='{boot}'/><target dev='vda' bus='virtio'/><readonly/><boot order='1'/></disk>"
        f"{disk.xml}<memballoon model='none'/></devices></domain>"
    )
