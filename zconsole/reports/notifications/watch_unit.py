"""systemd unit of `zconsole watch`, with little that it may do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.reports.systemd_timer import SYSTEM_FOLDER, USER_FOLDER, Job, unit_word

NAME: Final = "zconsole-watch.service"
_UMASK: Final = "UMask=0077"
_BY_SECCOMP: Final = (  # a manager of a user sets NoNewPrivileges with any of them
    "NoNewPrivileges=yes",
    "LockPersonality=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallErrorNumber=EPERM",
)
_AGAINST_SENDMAIL: Final = frozenset({"NoNewPrivileges=yes", "RestrictSUIDSGID=yes"})
_FOR_SYSTEM: Final = (  # what a manager of a user cannot set up everywhere
    "ProtectSystem=strict",
    "ProtectHome=read-only",
    "PrivateTmp=yes",
    "ProtectKernelTunables=yes",
    "ProtectKernelModules=yes",
    "ProtectControlGroups=yes",
    "ProtectHostname=yes",
)
# CAP_SYS_ADMIN and CAP_SYS_RAWIO: zpool events, smartctl. /dev is needed for both.
_CAPABILITIES: Final = "CAP_SYS_ADMIN CAP_SYS_RAWIO CAP_DAC_READ_SEARCH CAP_DAC_OVERRIDE CAP_SYSLOG"
# What mail programs do: become another user, write to their spool and their log.
_OF_SENDMAIL: Final = "CAP_SETUID CAP_SETGID CAP_CHOWN CAP_FOWNER CAP_KILL"
_FOLDERS_OF_SENDMAIL: Final = "-/var/spool -/var/mail -/var/log -/var/lib"


@dataclass(frozen=True, slots=True)
class WatchUnit:
    """The command, the folders that it writes to, and which programs it starts that change user or group."""

    job: Job
    folders: Sequence[Path]
    uses_sendmail: bool = False
    uses_sudo: bool = False  # where it is not root, and reads this machine


def watch_unit(unit: WatchUnit) -> str:
    """Return the unit, with its file name and the command that enables it as comments."""
    is_root = unit.job.is_root
    folder, user = (SYSTEM_FOLDER, "") if is_root else (USER_FOLDER, " --user")
    folders = " ".join(unit_word(str(each)) for each in unit.folders)
    limits = _limits_of_system(unit, folders) if is_root else _limits_of_user(unit)
    stay = "" if is_root else "# So that it goes on while you are logged out: loginctl enable-linger\n"
    begin = f"mkdir -p {folders} && systemctl{user} daemon-reload && systemctl{user} enable --now {NAME}"
    return "\n".join(
        (
            f"# {folder}/{NAME}",
            f"# To begin: {begin}",
            f"{stay}[Unit]",
            "Description=Messages on ZFS pools: zconsole watch",
            "Documentation=https://github.com/zconsole/zconsole/blob/main/docs/monitoring.md",
            "Wants=network-online.target",
            "After=network-online.target zfs.target",
            "StartLimitIntervalSec=0",
            "",
            "[Service]",
            "Type=exec",
            f"ExecStart={' '.join(map(unit_word, unit.job.argv))}",
            "Restart=always",
            "RestartSec=30",
            "RestartPreventExitStatus=2",
            "Nice=5",
            *limits,
            "",
            "[Install]",
            f"WantedBy={'multi-user.target' if is_root else 'default.target'}",
            "",
        )
    )


def _limits_of_system(unit: WatchUnit, folders: str) -> list[str]:
    capabilities = f"{_CAPABILITIES} {_OF_SENDMAIL}" if unit.uses_sendmail else _CAPABILITIES
    writable = f"{folders} {_FOLDERS_OF_SENDMAIL}" if unit.uses_sendmail else folders
    by_seccomp = [each for each in _BY_SECCOMP if not (unit.uses_sendmail and each in _AGAINST_SENDMAIL)]
    own = [f"CapabilityBoundingSet={capabilities}", f"ReadWritePaths={writable}"]
    return [_UMASK, *by_seccomp, *_FOR_SYSTEM, *own]


def _limits_of_user(unit: WatchUnit) -> list[str]:
    """Nothing that denies sudo and sendmail the rights of another user or group, where they are used."""
    if unit.uses_sendmail or unit.uses_sudo:
        return [_UMASK]
    return [_UMASK, *_BY_SECCOMP]
