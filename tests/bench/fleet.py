"""A hundred busy hosts for a benchmark: SSH servers in one process, and the collecting side alone in another.

Every vdev of every host reads and writes, and no number is the same as a second ago; the disks are healthy:
their latencies differ by chance, as those of alike disks under one load do.

`python -m tests.bench.fleet serve FOLDER` prints its port; `collect FOLDER PORT HOSTS` prints what it took,
in percent of a core: to collect, to judge the disks, and to keep the last hour; and bytes of memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import shlex
import sys
import time
from collections.abc import Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Final, Self

import asyncssh

from tests.bench.hour import resident
from tests.doubles.iostat_outputs import since_boot
from zconsole.base.gc_tuning import freeze_loaded
from zconsole.collect.slow_disk_detectors import Verdicts
from zconsole.history.host_timeline import HostPast
from zconsole.hosts.host import Command
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.hosts.ssh.shell_quoting_and_output_marker import MARK
from zconsole.hosts.ssh.ssh_host import SshHost
from zconsole.practice import PracticeHost, create_world
from zconsole.service.collecting_thread import Engine

SECONDS: Final = 30  # of different samples; then they come again
SETTLING_S: Final = 15.0
MEASURED_S: Final = 60.0
LOCALE: Final = "LC_ALL=C.UTF-8"
LAYOUT: Final = (
    "mirror 0 1 mirror 2 3 mirror 4 5 mirror 6 7 mirror 8 9 mirror 10 11 mirror 12 13 mirror 14 15"
)
DISKS: Final = 24
MORE: Final = " mirror 16 17 mirror 18 19 mirror 20 21 spare 22"


class Spent:
    """The processor time that a method takes, of all objects together."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @classmethod
    def of(cls, kind: type, name: str) -> Self:
        """Begin to count; from now on, as long as the process lives."""
        spent, method = cls(), getattr(kind, name)

        @wraps(method)
        def counted(*args: object, **options: object) -> object:
            began = time.thread_time()
            try:
                return method(*args, **options)
            finally:
                spent.seconds += time.thread_time() - began

        setattr(kind, name, counted)
        return spent


class Files(asyncssh.SFTPServer):
    """This machine's files, and the kernel's word on the pool, which the machine may not have."""

    def __init__(self, channel: asyncssh.SSHServerChannel[bytes], state: Path) -> None:
        super().__init__(channel)
        self._state = os.fsencode(state)

    def map_path(self, path: bytes) -> bytes:
        """Where a file is."""
        return self._state if path.startswith(b"/proc/spl/") else super().map_path(path)


class Server(asyncssh.SSHServer):
    """Lets in who has the key."""

    def begin_auth(self, username: str) -> bool:
        del username
        return True


async def busy_samples(host: PracticeHost) -> tuple[bytes, ...]:
    """What `zpool iostat -Hpvlq` says of a pool that works."""
    dice = random.Random(1)  # noqa: S311 - numbers to be printed, not secrets
    idle = await host.run(since_boot())

    def row(line: bytes) -> bytes:
        name, alloc, free = line.split(b"\t")[:3]
        rates = [dice.randrange(1, 500), dice.randrange(1, 500), *(dice.randrange(10**8) for _ in "rw")]
        waits = [b"%d" % (8e6 * 2 ** dice.gauss(0, 0.25)) for _ in range(8)] + [b"-"] * 3
        queues = [dice.randrange(4) for _ in range(8)] + [0] * 6
        numbers = [b"%d" % number for number in rates], waits, [b"%d" % number for number in queues]
        return b"\t".join((name, alloc, free, *itertools.chain(*numbers)))

    lines = [line for line in idle.stdout.split(b"\n") if b"\t" in line]
    return tuple(b"\n".join([*map(row, lines), b""]) for _ in range(SECONDS))


async def print_samples(process: asyncssh.SSHServerProcess[bytes], samples: Sequence[bytes]) -> None:
    """One a second, until the channel is closed."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    for sample in itertools.cycle(samples):
        process.stdout.write(b"%d\n" % time.time() + sample)
        due += 1
        await asyncio.sleep(due - loop.time())


async def answer(
    process: asyncssh.SSHServerProcess[bytes], host: PracticeHost, samples: Sequence[bytes]
) -> None:
    """Run a command on the practice host."""
    words = shlex.split(process.command or "")
    argv = tuple(words[words.index(LOCALE) + 1 :])
    process.stdout.write(MARK + b"\n")
    if "iostat" in argv:
        with contextlib.suppress(BrokenPipeError, ConnectionError, asyncssh.Error):
            await print_samples(process, samples)
        return
    if "-f" in argv:
        async with host.stream(Command(argv)) as chunks:
            with contextlib.suppress(BrokenPipeError, ConnectionError, asyncssh.Error):
                async for chunk in chunks:
                    process.stdout.write(chunk)
        return
    completed = await host.run(Command(argv))
    process.stdout.write(completed.stdout)
    process.stderr.write(completed.stderr)
    process.exit(completed.status or 0)


async def serve(folder: Path) -> None:
    """Be all the hosts."""
    host = PracticeHost(world=create_world(LAYOUT + MORE, disks=DISKS, now=time.time(), seed=1))
    await host.connect()
    samples = await busy_samples(host)
    state = folder / "state"
    state.write_text("ONLINE\n")
    host_key, user_key = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    acceptor = await asyncssh.create_server(
        Server,
        "127.0.0.1",
        0,
        server_host_keys=[host_key],
        authorized_client_keys=asyncssh.import_authorized_keys(user_key.export_public_key().decode()),
        process_factory=lambda process: answer(process, host, samples),
        sftp_factory=partial(Files, state=state),
        encoding=None,
    )
    port = acceptor.sockets[0].getsockname()[1]
    user_key.write_private_key(folder / "key")
    (folder / "key").chmod(0o600)
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {host_key.export_public_key().decode()}")
    (folder / "config").write_text(
        f"Host *\n  User root\n  IdentityFile {folder / 'key'}\n"
        f"  UserKnownHostsFile {folder / 'known_hosts'}\n"
    )
    print(port, flush=True)
    await asyncio.Event().wait()


def collect(folder: Path, port: int, hosts: int) -> None:
    """Collect from all of them, without a screen; says when every one has sent a sample."""
    options = SshOptions(config_file=folder / "config")
    addresses = [Address("127.0.0.1", port=port, text=f"nas{number}") for number in range(hosts)]
    engine = Engine([SshHost(address, options) for address in addresses])
    engine.start()
    while not all(state.pools and state.pools[0].samples for state in engine.newest()):
        time.sleep(0.2)
    freeze_loaded()  # as the console does once it shows them
    time.sleep(SETTLING_S)
    judging, keeping, before = Spent.of(Verdicts, "feed"), Spent.of(HostPast, "take_in"), time.process_time()
    time.sleep(MEASURED_S)
    judged, kept, spent = judging.seconds, keeping.seconds, time.process_time() - before
    shares = [100 * each / MEASURED_S for each in (spent - judged - kept, judged, kept)]
    print(*shares, resident(), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        asyncio.run(serve(Path(sys.argv[2])))
    else:
        collect(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
