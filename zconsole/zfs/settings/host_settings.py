"""Module parameters, hostid, limit of the ARC and event daemon of a host: one short script, and its output.

It needs no root. Values of zed.rc, which may be passwords, stay on the host: only names of its variables
are read.
"""

from __future__ import annotations

from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.host.host_settings import HostSettings
from zconsole.zfs.settings.parameter_defaults import PARAMETERS
from zconsole.zfs.zfs_numbers_and_dates import exact_number

TOOL: Final = "settings of ZFS"
ARC_MAX: Final = "zfs_arc_max"
READ: Final = (*(each.name for each in PARAMETERS), ARC_MAX)
TIMEOUT_S: Final = 20.0
SCRIPT: Final = (
    "{ cd /sys/module/zfs/parameters && for name; do"
    ' [ -r "$name" ] && read -r value <"$name" && echo "parameter $name $value"; done;'
    ' read -r value </sys/module/spl/parameters/spl_hostid && echo "spl_hostid $value";'
    " if [ -e /etc/hostid ]; then echo etc_hostid $(od -An -N4 -tx4 /etc/hostid);"
    " else echo etc_hostid; fi;"
    " while read -r name type value; do case $name in"
    ' c_max|memory_all_bytes) echo "arc $name $value";; esac; done </proc/spl/kstat/zfs/arcstats;'
    " if [ -e /run/systemd/container ] || [ ! -r /proc/1/comm ]; then echo zed unknown;"
    " elif grep -qsx zed /proc/[0-9]*/comm; then echo zed runs; else echo zed none; fi;"
    " rc=/etc/zfs/zed.d/zed.rc; if [ -r $rc ]; then echo zedrc;"
    ' sed -n "s/^[[:space:]]*\\(ZED_[A-Z_]*\\)=[\\"\']\\{0,1\\}[^\\"\'[:space:]].*/set \\1/p" $rc;'
    ' mailer=$(sed -n "s/^[[:space:]]*ZED_EMAIL_PROG=//p" $rc | tr -d "\\"\'");'
    ' if command -v "${mailer:-mail}" >/dev/null; then echo mailer yes; else echo mailer no; fi; fi;'
    " } 2>/dev/null; exit 0"
)
_HEX_DIGITS: Final = 8
_MOST_LETTERS: Final = 64


def read_host_settings() -> Command:
    """Print them, a line each."""
    return Command(("sh", "-c", SCRIPT, "zconsole", *READ), timeout_s=TIMEOUT_S)


def parse_host_settings(text: str) -> HostSettings:
    """Parse the output of `read_host_settings`; lines that are missing are unknown values."""
    found: dict[str, str] = {}
    parameters: list[tuple[str, str]] = []
    zed_set: list[str] = []
    for line_no, line in whole_lines(TOOL, text):
        match line.split(" "):
            case ["parameter", name, *words] if name in READ:
                parameters.append((name, " ".join(words)))
            case ["set", name] if len(name) <= _MOST_LETTERS:
                zed_set.append(name)
            case ["arc", name, value]:
                found[name] = value
            case [("spl_hostid" | "etc_hostid" | "zed" | "zedrc" | "mailer") as name, *words]:
                found[name] = " ".join(words)
            case _:
                raise ParseError(TOOL, line_no, line, "not a line of the script")
    try:
        return HostSettings(
            tuple(parameters),
            hostid=_hostid(found),
            arc_max_bytes=_count(found.get("c_max")),
            memory_bytes=_count(found.get("memory_all_bytes")),
            is_zed_running={"runs": True, "none": False}.get(found.get("zed", "")),
            zed_set=tuple(zed_set) if "zedrc" in found else None,
            has_mailer={"yes": True, "no": False}.get(found.get("mailer", "")),
        )
    except ValueError as error:
        raise ParseError(TOOL, 1, text.partition("\n")[0], str(error)) from error


def _hostid(found: dict[str, str]) -> int | None:
    """The parameter of the module comes before the file; without both it is 0."""
    if "spl_hostid" not in found or "etc_hostid" not in found:
        return None
    of_module, of_file = exact_number(found["spl_hostid"]), found["etc_hostid"]
    if of_module or not of_file:
        return of_module
    if len(of_file) != _HEX_DIGITS or not of_file.isalnum() or not of_file.isascii():
        raise ValueError("not a hostid")
    return int(of_file, 16)


def _count(text: str | None) -> int | None:
    return None if text is None else exact_number(text)
