"""Options of SSH connections; an argument, so that tests need no home directory."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

SYSTEM_CONFIG: Final = Path("/etc/ssh/ssh_config")
GLOBAL_KNOWN_HOSTS: Final = ("/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2")


@dataclass(frozen=True, slots=True)
class SshOptions:
    """Options that are not left to OpenSSH's configuration, and its location."""

    config_file: Path | None = None  # the only file; by default ~/.ssh/config and the system's
    system_config_file: Path | None = SYSTEM_CONFIG
    user_known_hosts: tuple[str, ...] = ("~/.ssh/known_hosts", "~/.ssh/known_hosts2")
    global_known_hosts: tuple[str, ...] = GLOBAL_KNOWN_HOSTS
    connect_timeout_s: float = 15.0  # total for name lookup, TCP, keys and login
    keepalive_interval_s: float = 1.5  # not sent to a host that streams a sample per second
    keepalive_count: int = 2  # unanswered keepalives; a dead link is detected after (count + 1) intervals
    max_channels: int = 6  # sshd's MaxSessions defaults to 10, and counts sessions that are ending
    reserve_channels: int = 2  # for urgent commands when these are in use
    read_timeout_s: float = 10.0

    @classmethod
    def patient(cls, within_s: float) -> SshOptions:
        """Options for a single request that may take this long on a busy host."""
        default = cls()
        return cls(
            connect_timeout_s=max(default.connect_timeout_s, within_s / 2),
            keepalive_interval_s=within_s / (default.keepalive_count + 1),
            read_timeout_s=max(default.read_timeout_s, within_s / 3),
        )
