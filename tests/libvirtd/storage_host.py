"""An SSH server on loopback: ZFS is the practice host's, virsh and qemu-img are those of a sandbox.

`python -m tests.libvirtd.storage_host FOLDER PID` writes a home folder for OpenSSH's files to FOLDER, enters
the namespaces of PID for what is real, and serves from an empty line on stdout until its stdin is closed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import asyncssh

from tests.libvirtd.sandbox import GUESTS, entering
from tests.scenarios.faults.hostile_sshd import Process, Server, meant, serve
from zconsole.hosts.host import Command
from zconsole.practice import PracticeHost

NAME: Final = "nas1"
DATASET: Final = "tank/vm/files"
REAL: Final = frozenset({"virsh", "qemu-img"})
CHUNK: Final = 1 << 16


async def answer(process: Process, host: PracticeHost, pid: int) -> None:
    """Answer one command."""
    line = process.command or ""
    if meant(line)[:1] and meant(line)[0] in REAL:
        await _real(process, pid, line)
    else:
        await serve(process, host, None)


async def _real(process: Process, pid: int, line: str) -> None:
    """Run it inside until it ends or its channel is closed."""
    child = await asyncio.create_subprocess_exec(
        *(*entering(pid), "sh", "-c", line),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    copying = asyncio.gather(_copy(child.stdout, process.stdout), _copy(child.stderr, process.stderr))
    closing = asyncio.ensure_future(process.wait_closed())
    await asyncio.wait({copying, closing}, return_when=asyncio.FIRST_COMPLETED)
    closing.cancel()
    if not copying.done():
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    with suppress(asyncio.CancelledError):
        await copying
    status = await child.wait()
    process.exit(status if status >= 0 else 128 - status)


async def _copy(source: asyncio.StreamReader | None, target: asyncssh.SSHWriter[bytes]) -> None:
    assert source is not None
    while data := await source.read(CHUNK):
        with suppress(BrokenPipeError, ConnectionError, asyncssh.Error):
            target.write(data)
            await target.drain()


async def run(folder: Path, pid: int) -> None:
    """Serve until stdin is closed."""
    ssh = folder / "home" / ".ssh"
    ssh.mkdir(parents=True, mode=0o700)
    host = PracticeHost(NAME)
    await host.connect()
    made = await host.run(Command(("zfs", "create", "-o", f"mountpoint={GUESTS}/files", DATASET)))
    assert made.is_done, made.said
    key = asyncssh.generate_private_key("ssh-ed25519")
    acceptor = await asyncssh.create_server(
        Server,
        "127.0.0.1",
        0,
        server_host_keys=[key],
        process_factory=lambda process: answer(process, host, pid),
        encoding=None,
    )
    port = acceptor.sockets[0].getsockname()[1]
    (ssh / "known_hosts").write_text(f"[127.0.0.1]:{port} {key.export_public_key().decode().strip()}\n")
    (ssh / "config").write_text(f"Host {NAME}\n  HostName 127.0.0.1\n  Port {port}\n  User root\n")
    sys.stdout.write("\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), int(sys.argv[2])))
