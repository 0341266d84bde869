"""A host to connect to: keys made once, a server and a wire for each test, a home with a known_hosts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import asyncssh
import pytest

from tests.hosts.sshd import Sshd, Wire
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.hosts.ssh.ssh_host import SshHost

OPTIONS = SshOptions(system_config_file=None, global_known_hosts=())


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of hosts and of the user; making them takes time, so they are made once."""

    host: asyncssh.SSHKey = field(default_factory=lambda: _key("ssh-ed25519"))
    other: asyncssh.SSHKey = field(default_factory=lambda: _key("ssh-ed25519"))
    ecdsa: asyncssh.SSHKey = field(default_factory=lambda: _key("ecdsa-sha2-nistp256"))
    user: asyncssh.SSHKey = field(default_factory=lambda: _key("ssh-ed25519"))


def _key(kind: str) -> asyncssh.SSHKey:
    return asyncssh.generate_private_key(kind)


@pytest.fixture(scope="session")
def keys() -> Keys:
    return Keys()


@pytest.fixture
def ssh_folder(tmp_path: Path, keys: Keys) -> Path:
    """~/.ssh with the user's key."""
    folder = tmp_path / "home" / ".ssh"
    folder.mkdir(parents=True, mode=0o700)
    keys.user.write_private_key(folder / "id_ed25519")
    return folder


@dataclass
class Lan:
    """A server, the wire to it, and hosts that reach it."""

    sshd: Sshd
    wire: Wire
    ssh_folder: Path
    keys: Keys
    opened: list[SshHost] = field(default_factory=list)

    def trust(self, key: asyncssh.SSHKey, *, name: str | None = None) -> None:
        """Let known_hosts hold a key."""
        public = key.export_public_key().decode()
        with (self.ssh_folder / "known_hosts").open("a") as file:
            file.write(f"{name or f'[127.0.0.1]:{self.wire.port}'} {public}")

    def host(self, options: SshOptions = OPTIONS, address: Address | None = None) -> SshHost:
        host = SshHost(address or Address("127.0.0.1", "admin", self.wire.port, "nas1"), options)
        self.opened.append(host)
        return host

    async def connected(self, options: SshOptions = OPTIONS) -> SshHost:
        host = self.host(options)
        await host.connect()
        return host


@pytest.fixture
async def lan(keys: Keys, ssh_folder: Path) -> AsyncIterator[Lan]:
    """A server whose key is not known yet."""
    sshd = Sshd(keys.user)
    await sshd.start(keys.host)
    wire = Wire(sshd.port)
    await wire.start()
    lan = Lan(sshd, wire, ssh_folder, keys)
    yield lan
    wire.thaw()
    for host in lan.opened:
        await host.close()
    await wire.stop()
    await sshd.stop()


@pytest.fixture
def known(lan: Lan) -> Lan:
    """A server whose key is known."""
    lan.trust(lan.keys.host)
    return lan
