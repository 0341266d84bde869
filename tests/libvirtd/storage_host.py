"""An SSH server on loopback: ZFS is the practice host's; virsh, qemu-img and processes are a sandbox's.

The script that freezes guests runs there too, and its zfs asks the practice host through a socket. While
HOLD exists, a snapshot that it takes stands before its end, and HELD is there.

`python -m tests.libvirtd.storage_host FOLDER PID [USER]` writes a home folder for OpenSSH's files to FOLDER,
enters the namespaces of PID for what is real, and serves from an empty line on stdout until its stdin is
closed. A user other than root becomes root by the real sudo of the inside: ZFS is asked what that allows.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import asyncssh

from tests.libvirtd.sandbox import GUESTS, entering
from tests.scenarios.faults.hostile_sshd import Process, Server, meant, serve
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.practice import PracticeHost
from zconsole.system.libvirt.frozen_snapshot_script import FROZEN_GUESTS
from zconsole.system.libvirt.stored_definition import UPDATE_DISK
from zconsole.system.missing_paths import list_existing
from zconsole.system.open_files import OPEN_FILES

NAME: Final = "nas1"
DATASET: Final = "tank/vm/files"
REAL: Final = frozenset({"virsh", "qemu-img", "realpath"})
SUDO: Final = ("sudo", "-n")
COMMAND_LINE: Final = "/cmdline"  # of a process
CHUNK: Final = 1 << 16
SOCKET: Final = "/srv/zfs.socket"  # inside
HOLD, HELD = "/srv/zfs.hold", "/srv/zfs.held"
ZFS: Final = "/usr/local/sbin/zfs"  # where the console looks first
FORWARD: Final = f"""\
#!{sys.executable} -I
import json, os, socket, sys
if sys.argv[1] == "snapshot":
    while os.path.exists("{HOLD}"):
        open("{HELD}", "w").close()
asked = socket.socket(socket.AF_UNIX)
asked.connect("{SOCKET}")
asked.sendall(json.dumps(["zfs", *sys.argv[1:]]).encode() + b"\\n")
status, out, error = json.loads(asked.makefile().read())
sys.stdout.write(out)
sys.stderr.write(error)
sys.exit(status)
"""


@dataclass(frozen=True, slots=True)
class Inside:
    """The inside of a sandbox, as a user sees it."""

    pid: int
    user: str = "root"

    def runs(self, line: str) -> tuple[str, ...]:
        """Words that run a line of shell there."""
        if self.user == "root":
            return (*entering(self.pid), "sh", "-c", line)
        person = (f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups")
        return (*entering(self.pid), "setpriv", *person, "sh", "-c", line)

    def is_real(self, argv: tuple[str, ...]) -> bool:
        """Whether a command is run there, and not told by the practice host."""
        if self.user != "root" and (argv[:1] == ("id",) or {"-l", "-v"} & set(argv[2:4])):
            return True
        program = argv[len(SUDO) :][:1] if argv[: len(SUDO)] == SUDO else argv[:1]
        is_of_images = argv[:2] == list_existing(()).argv[:2] or argv[:2] == OPEN_FILES.argv[:2]
        is_of_images = is_of_images or COMMAND_LINE in " ".join(argv)
        is_script = program == ("sh",) and bool({FROZEN_GUESTS, UPDATE_DISK} & set(argv))
        return is_of_images or is_script or bool(REAL & set(program))


class AllowedHost:
    """The practice host for a user who is not root: sudo decides what is asked of it as root."""

    def __init__(self, host: PracticeHost, inside: Inside) -> None:
        self._host = host
        self._inside = inside

    def __getattr__(self, name: str) -> object:
        return getattr(self._host, name)

    async def run(self, command: Command) -> Completed:
        if command.argv[: len(SUDO)] != SUDO:
            return await self._host.run(command)
        wanted = command.argv[len(SUDO) :]
        line = shlex.join((*SUDO, "-l", *wanted))
        asked = await asyncio.create_subprocess_exec(
            *self._inside.runs(line), stdout=asyncio.subprocess.DEVNULL
        )
        if await asked.wait():
            return Completed(command, Outcome.FAILED, 1, b"", b"sudo: a password is required\n")
        return await self._host.run(replace(command, argv=wanted))


async def answer(process: Process, host: PracticeHost, inside: Inside) -> None:
    """Answer one command."""
    line = process.command or ""
    argv = meant(line)
    if argv and inside.is_real(argv):
        await _real(process, inside.runs(line))
    else:
        await serve(process, host if inside.user == "root" else AllowedHost(host, inside), None)


async def _real(process: Process, argv: tuple[str, ...]) -> None:
    """Run it inside until it ends or its channel is closed."""
    child = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    given = asyncio.ensure_future(_give(process, child.stdin))
    copying = asyncio.gather(_copy(child.stdout, process.stdout), _copy(child.stderr, process.stderr))
    closing = asyncio.ensure_future(process.wait_closed())
    await asyncio.wait({copying, closing}, return_when=asyncio.FIRST_COMPLETED)
    closing.cancel()
    if not copying.done():
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    with suppress(asyncio.CancelledError):
        await copying
    given.cancel()
    status = await child.wait()
    process.exit(status if status >= 0 else 128 - status)


async def _copy(source: asyncio.StreamReader | None, target: asyncssh.SSHWriter[bytes]) -> None:
    assert source is not None
    while data := await source.read(CHUNK):
        with suppress(BrokenPipeError, ConnectionError, asyncssh.Error):
            target.write(data)
            await target.drain()


async def _give(process: Process, target: asyncio.StreamWriter | None) -> None:
    assert target is not None
    with suppress(BrokenPipeError, ConnectionError, asyncssh.Error):
        while data := await process.stdin.read(CHUNK):
            target.write(data)
            await target.drain()
    target.close()


async def forward(host: PracticeHost, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one command of the zfs inside."""
    done = await host.run(Command(tuple(json.loads(await reader.readline()))))
    said = [done.status, done.stdout.decode(), done.stderr.decode()]
    writer.write(json.dumps(said).encode())
    writer.close()


def put_zfs_inside(pid: int) -> Path:
    """Put the forwarding zfs where the console looks; returns the root folder of the inside."""
    inside = Path(f"/proc/{pid}/root")
    program = inside / ZFS.lstrip("/")
    if not program.exists():
        mount = [*entering(pid), "mount", "-t", "tmpfs", "tmpfs", str(Path(ZFS).parent)]
        subprocess.run(mount, check=True)
    program.write_text(FORWARD)
    program.chmod(0o755)
    (inside / SOCKET.lstrip("/")).unlink(missing_ok=True)
    return inside


async def run(folder: Path, inside: Inside) -> None:
    """Serve until stdin is closed."""
    ssh = folder / "home" / ".ssh"
    ssh.mkdir(parents=True, mode=0o700)
    host = PracticeHost(NAME)
    await host.connect()
    made = await host.run(Command(("zfs", "create", "-o", f"mountpoint={GUESTS}/files", DATASET)))
    assert made.is_done, made.said
    root = put_zfs_inside(inside.pid)
    await asyncio.start_unix_server(partial(forward, host), root / SOCKET.lstrip("/"))
    key = asyncssh.generate_private_key("ssh-ed25519")
    acceptor = await asyncssh.create_server(
        Server,
        "127.0.0.1",
        0,
        server_host_keys=[key],
        process_factory=lambda process: answer(process, host, inside),
        encoding=None,
    )
    port = acceptor.sockets[0].getsockname()[1]
    (ssh / "known_hosts").write_text(f"[127.0.0.1]:{port} {key.export_public_key().decode().strip()}\n")
    (ssh / "config").write_text(f"Host {NAME}\n  HostName 127.0.0.1\n  Port {port}\n  User root\n")
    sys.stdout.write("\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), Inside(int(sys.argv[2]), *sys.argv[3:])))
