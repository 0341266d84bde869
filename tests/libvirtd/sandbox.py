"""A libvirtd with folders, processes and a network of its own: nothing of it is seen outside, nor stays.

Its namespaces hide a libvirtd that runs on this machine, and end with all processes in them.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from tests.libvirtd.boot_sector import boot_sector
from tests.ui.terminal.tty import ROOT, Tty

PROGRAMS: Final = ("libvirtd", "virtlogd", "virsh", "qemu-img", "qemu-system-x86_64", "unshare", "nsenter")
PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"
GUESTS: Final = "/srv/guests"  # inside
CALLS: Final = "/srv/virsh.calls"
PERSON: Final = "gus"  # a user inside, in no group but his own
RULES: Final = "/etc/sudoers.d/zconsole"  # inside; none at first
MUTE: Final = "/srv/virsh.mute"
HELD: Final = "/srv/virsh.held"
PATIENCE_S: Final = 60.0
INIT: Final = (  # the first process inside reaps the others, and ends them all when its stdin ends
    "import signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); print(flush=True); sys.stdin.read()"
)
CONFIGURATION: Final = """\
user = "root"
group = "root"
security_driver = "none"
cgroup_controllers = [ ]
namespaces = [ ]
dynamic_ownership = 0
remember_owner = 0
"""
SOCKETS: Final = """\
auth_unix_ro = "none"
auth_unix_rw = "none"
unix_sock_ro_perms = "0777"
unix_sock_rw_perms = "0700"
"""  # what polkit decides elsewhere: everybody may look, root alone may change
COUNTED: Final = f"""\
#!/bin/sh
echo "$*" >>{CALLS}
case " $* " in
  *" $(cat {HELD}) "*) while [ "$(cat {HELD})" != nothing ]; do :; done ;;
esac
case " $* " in
  *" $(cat {MUTE}) "*)
    /srv/virsh "$@" >/dev/null
    echo "error: Disconnected from qemu:///system due to end of file" >&2
    exit 1 ;;
esac
exec /srv/virsh "$@"
"""
FOLDERS: Final = f"""\
set -e
mount --make-rprivate /
for each in /run /var /srv /etc/libvirt; do mount -t tmpfs -o mode=755 tmpfs $each; done
mkdir -p /var/lib /var/cache /var/tmp /var/log/libvirt {GUESTS}
ln -s /run /var/run
printf %s {shlex.quote(CONFIGURATION)} >/etc/libvirt/qemu.conf
printf %s {shlex.quote(SOCKETS)} >/etc/libvirt/libvirtd.conf
for each in passwd group; do cp /etc/$each /srv/; done
echo libvirt-qemu:x:64055:64055::/nonexistent:/usr/sbin/nologin >>/srv/passwd
echo libvirt-qemu:x:64055: >>/srv/group
echo '{PERSON}:*:64056:64056::/nonexistent:/bin/sh' >>/srv/passwd
echo {PERSON}:x:64056: >>/srv/group
[ ! -d /etc/sudoers.d ] || mount -t tmpfs -o mode=755 tmpfs /etc/sudoers.d
for each in passwd group; do mount --bind /srv/$each /etc/$each; done
cp "$(command -v virsh)" /srv/virsh
printf %s {shlex.quote(COUNTED)} >/srv/counted
chmod 755 /srv/counted
: >{CALLS}
chmod 666 {CALLS}
echo nothing >{MUTE}
echo nothing >{HELD}
mount --bind /srv/counted "$(command -v virsh)"
"""


def missing() -> tuple[str, ...]:
    """The programs that this machine lacks."""
    return tuple(each for each in PROGRAMS if shutil.which(each, path=PATH) is None)


def entering(pid: int) -> tuple[str, ...]:
    """The words before a program that is to run inside the namespaces of a process."""
    return ("nsenter", f"--target={pid}", "--mount", "--pid", "--net", f"--wdns={ROOT}", "--")


class Sandbox:
    """One libvirtd, and the programs that are run beside it."""

    def __init__(self, init: subprocess.Popen[str]) -> None:
        children = Path(f"/proc/{init.pid}/task/{init.pid}/children").read_text().split()
        self.pid = int(children[0])
        self._enter = entering(self.pid)
        self._storage: dict[str, None] = {}

    def path(self, inside: str) -> Path:
        """Where a file of the inside is seen from outside."""
        return Path(f"/proc/{self.pid}/root{inside}")

    def run(self, *argv: str, check: bool = True) -> str:
        """Run a program inside; returns what it prints."""
        done = subprocess.run(
            [*self._enter, *argv],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env={"PATH": PATH, "LC_ALL": "C.UTF-8"}, timeout=PATIENCE_S + 5, check=False,
        )  # fmt: skip
        assert not check or 0 == done.returncode, (argv, done.stdout, done.stderr)
        return done.stdout

    def virsh(self, *words: str, check: bool = True) -> str:
        """Run virsh, not counted among the console's calls."""
        return self.run("/srv/virsh", "-q", "-c", "qemu:///system", *words, check=check).strip()

    def start_libvirtd(self) -> None:
        """Start the daemon; it answers when this returns."""
        self.run("libvirtd", "-d", "-p", "/run/zconsole-libvirtd.pid")

    def signal_libvirtd(self, name: str) -> None:
        """Send the daemon a signal: KILL, STOP, CONT."""
        self.run("kill", "-s", name, self.path("/run/zconsole-libvirtd.pid").read_text().strip())

    def storage(self, name: str, size: str) -> str:
        """A file system of that size (`8m`) for guests; its folder inside."""
        folder = f"{GUESTS}/{name}"
        self.run("mkdir", "-p", folder)
        self.run("mount", "-t", "tmpfs", "-o", f"size={size}", name, folder)
        self._storage[folder] = None
        return folder

    def enlarge(self, folder: str) -> None:
        """Give a full one so much more that what a guest writes does not fill it again."""
        self.run("mount", "-o", "remount,size=1g", folder)

    def define(self, name: str, disk: str, *, writes: bool = False, is_deaf: bool = False) -> None:
        """Define a guest with a new qcow2 of 1 GiB at `disk`."""
        boot = self.put_boot(name, writes=writes, is_deaf=is_deaf)
        self.run("qemu-img", "create", "-q", "-f", "qcow2", disk, "1G")
        xml = f"{GUESTS}/{name}.xml"
        self.path(xml).write_text(definition(name, boot, disk))
        self.virsh("define", xml)

    def put_boot(self, name: str, *, writes: bool = False, is_deaf: bool = False) -> str:
        """Write the file that a guest boots from, as another host has to have it too; returns its path."""
        boot = f"{GUESTS}/{name}.boot"
        self.path(boot).write_bytes(boot_sector(writes=writes, is_deaf=is_deaf).ljust(1 << 20, b"\0"))
        return boot

    def until_state(self, name: str, state: str) -> None:
        """Wait until a guest is in a state (`paused (I/O error)`)."""
        self._until('[ "$(/srv/virsh -q -c qemu:///system domstate --reason "$1")" = "$2" ]', name, state)

    def until_grown(self, path: str, size_bytes: int) -> None:
        """Wait until a file has that size."""
        self._until('[ "$(stat -c %s "$1")" -ge "$2" ]', path, str(size_bytes))

    def until_called(self, words: str) -> None:
        """Wait until the console has started a virsh with these words."""
        self._until(f'grep -q -e "$1" {CALLS}', words)

    def until_called_again(self, words: str, times: int) -> None:
        """Wait until the console has started so many more virsh with these words than it had by now."""
        wanted = int(self.run("grep", "-c", "-e", words, CALLS, check=False)) + times
        self._until(f'[ "$(grep -c -e "$1" {CALLS})" -ge "$2" ]', words, str(wanted))

    def until_dead(self) -> None:
        """Wait until no libvirtd answers."""
        self._until("! /srv/virsh -q -c qemu:///system list >/dev/null 2>&1")

    def _until(self, condition: str, *words: str) -> None:
        self.run("timeout", f"{PATIENCE_S:g}", "sh", "-c", f"until {condition}; do :; done", "sh", *words)

    def calls(self) -> list[str]:
        """The arguments of each virsh that the console has started."""
        return self.path(CALLS).read_text().splitlines()

    def lose_answers(self, subcommand: str) -> None:
        """Let a virsh of the console end without libvirtd's answer, after libvirtd has obeyed."""
        self.path(MUTE).write_text(subcommand)

    def hold(self, subcommand: str) -> None:
        """Let a virsh of the console wait before it asks libvirtd, until another one is held (`nothing`)."""
        self.path(HELD).write_text(subcommand)

    def console(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a subcommand of the console inside."""
        return subprocess.run(
            [*self._enter, sys.executable, "-m", "zconsole", *words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S + 5, check=False,
        )  # fmt: skip

    def on_screen(self, *words: str, size: tuple[int, int] = (120, 40)) -> Tty:
        """The console inside, on a terminal; use it as a context."""
        return Tty("tests.libvirtd.enter", *self._enter, sys.executable, "-m", "zconsole", *words, size=size)

    def reset(self) -> None:
        """End and forget all guests and their storage. A libvirtd that a failed test left dead is started."""
        if "up" not in self.run("sh", "-c", "/srv/virsh -q -c qemu:///system list && echo up", check=False):
            self.start_libvirtd()
        for name in self.virsh("list", "--all", "--name").split():
            self.virsh("destroy", name, check=False)
            self.virsh("undefine", name)
        for folder in reversed(self._storage):
            self.run("umount", "--lazy", folder)
        self._storage.clear()
        self.path(CALLS).write_text("")
        self.lose_answers("nothing")
        self.hold("nothing")


@contextmanager
def sandbox() -> Iterator[Sandbox]:
    """A sandbox in which libvirtd answers. Needs root."""
    init = subprocess.Popen(
        [
            "unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc",
            sys.executable, "-c", INIT,
        ],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        _line(init.stdout)
        made = Sandbox(init)
        made.run("sh", "-c", FOLDERS)
        made.run("virtlogd", "-d")
        made.start_libvirtd()
        yield made
    finally:
        assert init.stdin is not None
        init.stdin.close()
        init.wait()
        assert init.stdout is not None
        init.stdout.close()


def _line(stream: IO[str] | None) -> None:
    assert stream is not None
    assert "\n" == stream.readline(), "the namespaces could not be made"


def definition(name: str, boot: str, disk: str) -> str:
    """A guest without a network that boots from one file and has a qcow2 beside it."""
    return f"""\
<domain type='qemu'>
  <name>{name}</name>
  <memory unit='MiB'>16</memory>
  <os><type machine='pc'>hvm</type></os>
  <features><acpi/></features>
  <devices>
    <disk type='file' device='disk'>
      <driver name='qemu' type='raw'/>
      <source file='{boot}'/>
      <target dev='vda' bus='virtio'/>
      <readonly/>
      <boot order='1'/>
    </disk>
    <disk type='file' device='disk'>
      <driver name='qemu' type='qcow2' error_policy='enospace'/>
      <source file='{disk}'/>
      <target dev='vdb' bus='virtio'/>
      <boot order='2'/>
    </disk>
    <memballoon model='none'/>
  </devices>
</domain>
"""
