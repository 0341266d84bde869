"""How connections to other hosts are made; an argument, so that tests need no home directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

SYSTEM_CONFIG: Final = Path("/etc/ssh/ssh_config")
GLOBAL_KNOWN_HOSTS: Final = ("/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2")


@dataclass(frozen=True, slots=True)
class SshOptions:
    """What is not left to OpenSSH's configuration, and where that is."""

    config_file: Path | None = None  # the only one; unless given ~/.ssh/config, and then the system's
    system_config_file: Path | None = SYSTEM_CONFIG
    user_known_hosts: tuple[str, ...] = ("~/.ssh/known_hosts", "~/.ssh/known_hosts2")
    global_known_hosts: tuple[str, ...] = GLOBAL_KNOWN_HOSTS
    connect_timeout_s: float = 15.0  # the whole of it: name, TCP, keys, login
    keepalive_interval_s: float = 1.5  # a host that sends a sample a second is not asked whether it lives
    keepalive_count: int = 2  # unanswered ones: a dead link is noticed after (count + 1) intervals
    max_channels: int = 6  # sshd's MaxSessions is 10 by default; the user may be logged in through the same
    read_timeout_s: float = 10.0

    @classmethod
    def patient(cls, within_s: float) -> SshOptions:
        """For who asks once and waits so long for everything: meanwhile a busy host may be silent."""
        default = cls()
        return cls(
            connect_timeout_s=max(default.connect_timeout_s, within_s / 2),
            keepalive_interval_s=within_s / (default.keepalive_count + 1),
            read_timeout_s=max(default.read_timeout_s, within_s / 3),
        )
