"""systemd unit of `zconsole watch`, with little that it may do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.reports.systemd_timer import SYSTEM_FOLDER, USER_FOLDER, Job, unit_word

NAME: Final = "zconsole-watch.service"
_FOR_ALL: Final = (
    "UMask=0077",
    "LockPersonality=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallErrorNumber=EPERM",
)
_FOR_SYSTEM: Final = (  # what a manager of a user cannot set up everywhere
    "ProtectSystem=strict",
    "ProtectHome=read-only",
    "PrivateTmp=yes",
    "ProtectKernelTunables=yes",
    "ProtectKernelModules=yes",
    "ProtectControlGroups=yes",
    "ProtectHostname=yes",
    # CAP_SYS_ADMIN and CAP_SYS_RAWIO: zpool events, smartctl. /dev is needed for both.
    "CapabilityBoundingSet=CAP_SYS_ADMIN CAP_SYS_RAWIO CAP_DAC_READ_SEARCH CAP_DAC_OVERRIDE CAP_SYSLOG",
)


@dataclass(frozen=True, slots=True)
class WatchUnit:
    """The command, the folders that it writes to, and whether it starts a program that changes its group."""

    job: Job
    folders: Sequence[Path]
    uses_sendmail: bool = False


def watch_unit(unit: WatchUnit) -> str:
    """Return the unit, with its file name and the command that enables it as comments."""
    is_root = unit.job.is_root
    folder, user = (SYSTEM_FOLDER, "") if is_root else (USER_FOLDER, " --user")
    folders = " ".join(unit_word(str(each)) for each in unit.folders)
    # sendmail hands mail over with the rights of a group, which NoNewPrivileges denies
    limits = [*(() if unit.uses_sendmail else ("NoNewPrivileges=yes",)), *_FOR_ALL]
    if is_root:
        limits += [*_FOR_SYSTEM, f"ReadWritePaths={folders}"]
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
