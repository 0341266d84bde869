"""Factory of hosts from user input; modules that a local host does not need are imported late."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from zconsole.base.bounded_user_file import is_file
from zconsole.base.clock import Clock
from zconsole.base.errors import UsageError
from zconsole.hosts.host import Host
from zconsole.hosts.host_address import Address, Local, parse_host
from zconsole.hosts.import_asyncssh_with_empty_path import load_asyncssh
from zconsole.hosts.local.local_host import LocalHost
from zconsole.hosts.recorded.record_host_answers import ABOUT_FILE

if TYPE_CHECKING:
    from zconsole.hosts.recorded.recorded_host import RecordedHost
    from zconsole.hosts.ssh.connection_options import SshOptions


def open_host(
    text: str, *, names: Mapping[str, str] | None = None, options: SshOptions | None = None
) -> Host:
    """The host for a user's text, not yet connected. Raises UsageError.

    `names` maps the names of the user's configuration to addresses. Such a host is labelled with its name.
    """
    address = parse_host((names or {}).get(text, text))
    if isinstance(address, Local):
        return LocalHost(text)
    if names is not None and text in names:
        address = Address(address.host, address.user, address.port, text)
    load_asyncssh()
    from zconsole.hosts.ssh.ssh_host import SshHost  # noqa: PLC0415 - loads asyncssh and cryptography

    return SshHost(address, options)


def open_replay(folder: Path, clock: Clock | None = None, *, speed: float = 1.0) -> tuple[RecordedHost, ...]:
    """The recorded hosts: of the folder itself, or of each subfolder with a recording."""
    from zconsole.hosts.recorded.recorded_host import RecordedHost  # noqa: PLC0415  # --replay only

    if is_file(folder / ABOUT_FILE):
        return (RecordedHost(folder, clock, speed=speed),)
    try:
        inner = sorted(path.parent for path in folder.glob(f"*/{ABOUT_FILE}"))
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}") from error
    if not inner:
        raise UsageError(f"{folder} holds no recording", hint="zconsole record DIR makes one.")
    return tuple(RecordedHost(path, clock, speed=speed) for path in inner)
