"""systemd units that take a sample each hour."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass

NAME: Final = "zconsole-sample"
SYSTEM_FOLDER: Final = "/etc/systemd/system"
USER_FOLDER: Final = "~/.config/systemd/user"
_NEEDS_QUOTES: Final = frozenset(" \t;#'\"\\")


@dataclass(frozen=True, slots=True)
class Job:
    """Command to run and its owner: units of root belong to the system, units of others to that user."""

    argv: tuple[str, ...]
    is_root: bool


def timer_units(job: Job, unit: str = "both") -> str:
    """Return a unit (`service`, `timer`), or both with their file names and the command that enables them."""
    if unit == "service":
        return _service(job)
    if unit == "timer":
        return _timer()
    folder = SYSTEM_FOLDER if job.is_root else USER_FOLDER
    user = "" if job.is_root else " --user"
    begin = f"systemctl{user} daemon-reload && systemctl{user} enable --now {NAME}.timer"
    stay = "" if job.is_root else "# So that it goes on while you are logged out: loginctl enable-linger\n"
    return (
        f"# {folder}/{NAME}.service\n{_service(job)}\n"
        f"# {folder}/{NAME}.timer\n{_timer()}\n"
        f"# Each alone: zconsole sample --print-timer service, ... timer\n# To begin: {begin}\n{stay}"
    )


def _service(job: Job) -> str:

    return (
        f"[Unit]\nDescription=Sample of how full ZFS pools are, for zconsole forecast\n\n"
        "[Service]\nType=oneshot\n"
        f"ExecStart={' '.join(map(unit_word, job.argv))}\n"
        "Nice=10\nIOSchedulingClass=idle\nTimeoutStartSec=300\nStandardOutput=null\n"
    )


def _timer() -> str:
    return (
        "[Unit]\nDescription=Sample of how full ZFS pools are, each hour\n\n"
        "[Timer]\nOnCalendar=hourly\nRandomizedDelaySec=300\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )


def unit_word(word: str) -> str:
    """Quote a word for a unit file: systemd's specifiers, variables and quotes are escaped."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if not word or _NEEDS_QUOTES & set(word) else escaped
