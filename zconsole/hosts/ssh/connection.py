"""One SSH connection: how it is opened, when it is lost, and how many channels it may carry.

Never forwarded: agent, X11, Kerberos tickets. Never requested: a terminal, a password.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

import asyncssh

from zconsole.base.bounded_user_file import expanded, is_file
from zconsole.base.errors import HostError, HostKeyChanged, HostKeyUnknown, HostUnreachable, UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host_address import Address, parse_jumps
from zconsole.hosts.ssh.connection_errors import in_words, too_slow
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.hosts.ssh.known_hosts_file import KnownHosts, Matched, known_name, read_known_hosts, user_files
from zconsole.hosts.ssh.login_phase_recorder import FirstSession, LoginRecorder
from zconsole.hosts.ssh.ssh_config_size_checks import check_config_files
from zconsole.hosts.wait_with_timeout import within

MAX_JUMPS: Final = 8
CLOSE_WAIT_S: Final = 1.0
# Hardware-accelerated nearly everywhere and one call per packet: half the cost of chacha20-poly1305.
QUICK_CIPHERS: Final = "^aes128-gcm@openssh.com,aes256-gcm@openssh.com"

logger = logging.getLogger(__name__)
# Without a handler its warnings would be printed over the screen.
logging.getLogger("asyncssh").addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class PresentedKey:
    """Host key that was presented and is not trusted."""

    name: str  # name in known_hosts
    port: int | None
    key: asyncssh.SSHKey
    file: Path

    @property
    def fingerprint(self) -> str:
        """The fingerprint as `ssh-keygen -l` prints it."""
        return self.key.get_fingerprint("sha256")


class UntrustedKey(Exception):
    """Host key that known_hosts does not have; `error` is the message for the user."""

    def __init__(self, error: HostKeyUnknown, presented: PresentedKey) -> None:
        super().__init__(str(error))
        self.error = error
        self.presented = presented


@dataclass(slots=True)
class SshLink:
    """Open connection, with its jump hosts."""

    connection: asyncssh.SSHClientConnection
    lost: asyncio.Event
    channels: asyncio.Semaphore
    reserve: asyncio.Semaphore  # for urgent commands
    login: LoginRecorder
    options: SshOptions
    via: SshLink | None = None

    @property
    def is_up(self) -> bool:
        """Whether it is open, as far as known."""
        return not self.lost.is_set()

    def channels_for(self, *, is_urgent: bool) -> asyncio.Semaphore:
        """The channels to take one from: the reserve if it is urgent and all others are in use."""
        return self.reserve if is_urgent and self.channels.locked() else self.channels

    @property
    def host_key(self) -> str | None:
        """The fingerprint of the verified host key, as `ssh-keygen -l` prints it."""
        key = self.connection.get_server_host_key()
        return None if key is None else key.get_fingerprint("sha256")

    def first_session(self) -> FirstSession | None:
        """The progress of a session that is the first one; None for a later one.

        The link is watched from its opening on: before, PAM's session modules keep sshd from any answer.
        """
        return self.login.first_session(self.watch)

    def watch(self) -> None:
        """Send keepalives, and count the link as lost when they are not answered."""
        if self.is_up:
            self.connection.set_keepalive(self.options.keepalive_interval_s, self.options.keepalive_count)

    async def close(self) -> None:
        """Close it even when the server does not answer; immediately when the caller is cancelled."""
        self.connection.close()
        try:
            with suppress(TimeoutError):
                await within(CLOSE_WAIT_S, self.connection.wait_closed())
        finally:
            self.connection.abort()
        if self.via is not None:
            await self.via.close()

    def abort(self) -> None:
        """Drop it without notifying the server."""
        self.connection.abort()
        if self.via is not None:
            self.via.abort()


class _Client(asyncssh.SSHClient):
    """Client callbacks with details that asyncssh's errors lack."""

    def __init__(self, login: LoginRecorder) -> None:
        self.lost = asyncio.Event()
        self.login = login
        self.shown: tuple[str, int | None, asyncssh.SSHKey] | None = None
        self.methods: list[str] = []

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:  # noqa: ARG002 - as asyncssh calls it
        self.login.connected()

    def begin_auth(self, username: str) -> None:  # noqa: ARG002
        self.login.may_authenticate()

    def auth_completed(self) -> None:
        self.login.authenticated()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.lost.set()

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        """Called only for an untrusted key: keep it for the user's question, and reject it."""
        del addr
        self.shown = (host, port, key)
        return False

    def public_key_auth_requested(self) -> None:
        self._asks_for("publickey")

    def password_auth_requested(self) -> None:
        self._asks_for("password")

    def kbdint_auth_requested(self) -> None:
        self._asks_for("keyboard-interactive")

    def _asks_for(self, method: str) -> None:
        if method not in self.methods:
            self.methods.append(method)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of OpenSSH's configuration for a host."""

    config: tuple[str, ...]  # the files read
    host: str  # HostName
    port: int | None
    alias: str | None
    jumps: str | None
    proxy_command: str | None
    known_files: tuple[Path, ...]
    identities: tuple[str, ...] | None  # None: asyncssh's default
    has_ciphers: bool
    timeout_s: float


async def open_link(
    address: Address,
    options: SshOptions,
    *,
    depth: int = 0,
    via: SshLink | None = None,
    login: LoginRecorder | None = None,
) -> SshLink:
    """Connect and log in, directly, through the configured jump hosts, or through `via`.

    `login` records the time of each phase. Raises HostError, and UntrustedKey for a key not in known_hosts.
    On an error `via` is closed too.
    """
    login = login or LoginRecorder(address.label)
    try:
        settings = await read_settings(address, options)
        if via is None and settings.jumps:
            via = await _open_jumps(address, settings.jumps, options, depth, login)
        files = (*settings.known_files, *map(Path, options.global_known_hosts))
        known = await asyncio.to_thread(read_known_hosts, files)
        return await _open(_Attempt(address, options, settings, known, via, login))
    except BaseException:
        if via is not None:
            await via.close()
        raise


@dataclass(frozen=True, slots=True)
class _Attempt:
    """Parameters of one connection attempt."""

    address: Address
    options: SshOptions
    settings: Settings
    known: KnownHosts
    via: SshLink | None
    login: LoginRecorder

    def trusted(self, name: str, port: int | None) -> Matched:
        """The trusted keys for this name."""
        return self.known.trusted(name, self.port(port))

    def port(self, port: int | None) -> int | None:
        """The port for known_hosts: None with a HostKeyAlias, as in OpenSSH."""
        return None if self.settings.alias else port


async def _open(attempt: _Attempt) -> SshLink:
    client = _Client(attempt.login)
    try:
        connection = await within(attempt.settings.timeout_s, _connect(attempt, client))
    except TimeoutError:
        raise too_slow(attempt.address, attempt.settings.timeout_s, attempt.login.running) from None
    except asyncssh.HostKeyNotVerifiable as error:
        raise _not_verified(attempt, client, error) from error
    except (OSError, ValueError, asyncssh.Error) as error:
        raise in_words(attempt.address, error, client.methods) from error
    channels = asyncio.Semaphore(attempt.options.max_channels)
    reserve = asyncio.Semaphore(attempt.options.reserve_channels)
    if attempt.via is not None:
        attempt.via.watch()  # it has opened a connection: its sshd answers
    return SshLink(connection, client.lost, channels, reserve, attempt.login, attempt.options, attempt.via)


async def _connect(attempt: _Attempt, client: _Client) -> asyncssh.SSHClientConnection:
    """Connect; if the host has no key of a known type, find out which key it has."""
    try:
        attempt.login.connecting()
        return await asyncssh.connect(**_arguments(attempt, client))
    except asyncssh.KeyExchangeFailed:
        if client.shown is not None:
            raise
        attempt.login.connecting()
        return await asyncssh.connect(**_arguments(attempt, client), server_host_key_algs="default")


def _arguments(attempt: _Attempt, client: _Client) -> dict[str, Any]:
    """Arguments for asyncssh; the rest is left to OpenSSH's configuration."""
    address = attempt.address

    def known_hosts(name: str, _: str, port: int | None) -> Any:
        found = attempt.trusted(name, port)
        return found.keys, found.authorities, found.revoked

    arguments = _whom(address, attempt.settings.config) | {
        "tunnel": attempt.via.connection if attempt.via else None,
        "client_factory": lambda: client,
        "known_hosts": known_hosts,
        "x509_trusted_certs": None,  # only known_hosts decides
        "keepalive_interval": 0,  # see `SshLink.watch`
        "login_timeout": 0,  # the surrounding timeout applies
        "agent_forwarding": False,
        "x11_forwarding": False,
        "gss_kex": False,  # it would replace the host key check by Kerberos
        "gss_delegate_creds": False,
        "request_pty": False,
        "command": None,  # a RemoteCommand is for interactive logins
        "env": None,
        "send_env": None,
        "encoding": None,
    }
    if attempt.settings.identities is not None:
        arguments |= {"client_keys": list(attempt.settings.identities), "ignore_encrypted": True}
    if not attempt.settings.has_ciphers:
        arguments |= {"encryption_algs": QUICK_CIPHERS}
    return arguments


def _whom(address: Address, config: Sequence[str]) -> dict[str, Any]:
    whom: dict[str, Any] = {"host": address.host, "config": list(config)}
    if address.user is not None:
        whom["username"] = address.user
    if address.port is not None:
        whom["port"] = address.port
    return whom


def _configurations(options: SshOptions) -> tuple[tuple[str, ...], ...]:
    """The configuration files to read, highest priority first; the first value found applies, as in OpenSSH.

    The system's file is skipped when asyncssh cannot use it: the user may be unable to correct it.
    """
    if options.config_file is not None:
        return ((str(options.config_file),),)
    files = (expanded("~/.ssh/config"), options.system_config_file)
    ours, system = (() if file is None or not os.access(file, os.R_OK) else (str(file),) for file in files)
    return ((*ours, *system), ours) if system else (ours,)


async def read_settings(address: Address, options: SshOptions) -> Settings:
    """Read the configuration, without any key. Raises HostUnreachable when it is unusable."""
    construct = cast(
        "Callable[..., Awaitable[asyncssh.SSHClientConnectionOptions]]",
        asyncssh.SSHClientConnectionOptions.construct,
    )
    problem: Exception | None = None
    for files in _configurations(options):
        try:
            await asyncio.to_thread(check_config_files, files)
            found = await construct(None, client_keys=None, known_hosts=b"", **_whom(address, files))
            if found.config.has_match_final():  # read twice, as asyncssh does when it connects
                found.update(host=address.host, reload=True, final=True)
            break
        except (OSError, ValueError, IndexError, RuntimeError, asyncssh.Error) as error:
            problem = error
    else:
        raise HostUnreachable(
            f"{address.label}: the ssh configuration cannot be used: {problem}", hint="See ~/.ssh/config."
        ) from problem
    if problem is not None:
        logger.warning("%s is skipped: %s", options.system_config_file, problem)
    config = found.config
    configured = config.get("UserKnownHostsFile", None)
    identities = cast("list[str] | None", config.get("IdentityFile", None))
    seconds = cast("int | None", config.get("ConnectTimeout", None))
    return Settings(
        config=files,
        host=found.host or address.host,
        port=found.port or None,
        alias=found.host_key_alias,
        jumps=found.tunnel if isinstance(found.tunnel, str) else None,
        proxy_command=_as_text(found.proxy_command),
        known_files=user_files(cast("list[str] | None", configured), options.user_known_hosts),
        identities=_existing(identities),
        has_ciphers=config.get("Ciphers", None) is not None,
        timeout_s=float(seconds) if seconds else options.connect_timeout_s,
    )


def _as_text(command: object) -> str | None:
    """A ProxyCommand as one string; None without one."""
    words = [command] if isinstance(command, str) else command
    return " ".join(map(str, words)) if isinstance(words, list | tuple) and words else None


def _existing(identities: list[str] | None) -> tuple[str, ...] | None:
    """The key files that exist; OpenSSH too skips missing ones."""
    if not identities:
        return None
    there = tuple(name for name in identities if is_file(expanded(name)))
    return None if len(there) == len(identities) else there


async def _open_jumps(
    address: Address, jumps: str, options: SshOptions, depth: int, login: LoginRecorder
) -> SshLink | None:
    """Connect to the jump hosts, each through the previous one and checked equally strictly."""
    if jumps.lower() == "none":
        return None
    if depth >= MAX_JUMPS:
        raise HostUnreachable(f"{address.label}: its ProxyJump is circular", hint="See ~/.ssh/config.")
    try:
        hops = parse_jumps(jumps)
    except UsageError as error:
        raise HostUnreachable(f"{address.label}: its ProxyJump cannot be used: {error.message}") from error
    link: SshLink | None = None
    for hop in hops:
        link = await open_link(hop, options, depth=depth + 1, via=link, login=login.jump(hop.label))
    return link


def _not_verified(
    attempt: _Attempt, client: _Client, error: asyncssh.HostKeyNotVerifiable
) -> HostError | UntrustedKey:
    """The error for an unverified key: unknown (the user is asked) or changed (refused)."""
    label = attempt.address.label
    if client.shown is None:
        return HostKeyChanged(
            f"the host key of {label} is refused: {error.reason}",
            hint="Its administrator revoked the key, or the key does not match its certificate.",
        )
    name, shown_port, key = client.shown
    port = attempt.port(shown_port)
    presented = PresentedKey(name, port, key, attempt.settings.known_files[0])
    held = attempt.known.match(name, port)
    if held.keys:
        known = ", ".join(held_key.get_fingerprint("sha256") for held_key in held.keys)
        held_as = known_name(name, port)
        return HostKeyChanged(
            f"the host key of {label} has CHANGED: it shows {presented.fingerprint}, known is {known}",
            hint="Somebody may be in between. If the host was reinstalled, ask who did it,"
            f" then remove the old key yourself: ssh-keygen -R '{held_as}'",
        )
    unknown = HostKeyUnknown(
        label,
        presented.fingerprint,
        hint="Compare it with the host's own (there: cat /etc/ssh/ssh_host_*.pub | ssh-keygen -lf -)."
        f" To trust it: zconsole trust {label} {presented.fingerprint}",
    )
    return UntrustedKey(unknown, presented)
