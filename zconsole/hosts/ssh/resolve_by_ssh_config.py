"""Resolution of host names by ~/.ssh/config and known_hosts, without connecting."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from zconsole.base.errors import HostError, UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host_address import Local, parse_host
from zconsole.hosts.ssh.connection import read_settings
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.hosts.ssh.known_hosts_file import DEFAULT_PORT, read_known_hosts

RESOLVED_S: Final = 3.0  # a resolver that takes longer may still know the name


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Resolved host name. `way` is the route: names with equal host and way are one machine."""

    host: str  # lower case
    port: int
    way: tuple[str, ...] = ()  # jump hosts, or a ProxyCommand
    alias: str = ""  # HostKeyAlias
    keys: frozenset[str] = frozenset()  # SHA256:... of the host keys that known_hosts holds

    def leads_to(self, other: Whereabouts) -> bool:
        """Whether both resolve to the same address or share a HostKeyAlias."""
        is_one = (self.host, self.port, self.way) == (other.host, other.port, other.way)
        return is_one or bool(self.alias and self.alias == other.alias)


async def look_up(text: str, options: SshOptions | None = None) -> Whereabouts | None:
    """Resolve a user's address; None for this machine and for unknown names."""
    options = options or SshOptions()
    try:
        address = parse_host(text)
        if isinstance(address, Local):
            return None
        settings = await read_settings(address, options)
        files = (*settings.known_files, *map(Path, options.global_known_hosts))
        known = await asyncio.to_thread(read_known_hosts, files)
    except (HostError, UsageError):
        return None
    names = (settings.alias,) if settings.alias else (settings.host, address.host)
    port = None if settings.alias else settings.port
    return Whereabouts(
        settings.host.lower(),
        settings.port or DEFAULT_PORT,
        tuple(filter(None, (settings.jumps, settings.proxy_command))),
        settings.alias or "",
        frozenset(key.get_fingerprint("sha256") for name in names for key in known.trusted(name, port).keys),
    )


async def has_address(name: str) -> bool:
    """Whether the resolver of this machine knows the name, or does not answer in time."""
    try:
        async with asyncio.timeout(RESOLVED_S):
            await asyncio.get_running_loop().getaddrinfo(name, None)
    except TimeoutError:
        return True
    except OSError:
        return False
    return True
