"""Control groups and mounts of processes in containers, and files of Proxmox."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.host_world import World

CGROUPS: Final = 'grep -asHE -- "$1" /proc/[0-9]*/cgroup; exit 0'
MOUNTS: Final = 'pattern=$1; shift; grep -asHE -- "$pattern" "$@"; exit 0'
IN_PROXMOX: Final = "-arsHE"  # options of the search in its files
_PVE: Final = "/etc/pve/"
_FIRST: Final = 3  # argument behind -c, the script and its name


def container_processes(world: World, args: Sequence[str]) -> Reply | None:
    """Answer the scripts that search /proc/PID/cgroup and /proc/PID/mountinfo; None for another."""
    if len(args) <= _FIRST or args[0] != "-c":
        return None
    if args[1] == CGROUPS:
        return Reply("".join(_matching(_cgroups(world), args[_FIRST])))
    if args[1] == MOUNTS:
        return Reply("".join(_matching(_mounts(world, args[_FIRST + 1 :]), args[_FIRST])))
    return None


def proxmox_files(world: World, args: Sequence[str]) -> Reply:
    """Answer `grep -arsHE -- PATTERN /etc/pve/...`; status 1 without a line."""
    options, dashes, pattern, *folders = args if len(args) > _FIRST else ("", "", "", "")
    if (options, dashes) != (IN_PROXMOX, "--") or not all(each.startswith(_PVE) for each in folders):
        raise Refusal("grep: the practice host does not do this\n", 2)
    files = (
        (path, text)
        for path, text in world.proxmox_files.items()
        if any(path == each or path.startswith(f"{each}/") for each in folders)
    )
    lines = ((path, line) for path, text in files for line in text.splitlines())
    found = "".join(_matching(lines, pattern.replace("[[:space:]]", r"\s")))
    return Reply(found, status=0 if found else 1)


def _matching(lines: Iterator[tuple[str, str]], pattern: str) -> Iterator[str]:
    wanted = re.compile(pattern)
    return (f"{path}:{line}\n" for path, line in lines if wanted.search(line))


def _cgroups(world: World) -> Iterator[tuple[str, str]]:
    yield "/proc/1/cgroup", "0::/init.scope"
    for each in world.containers:
        yield f"/proc/{each.process}/cgroup", f"0::{each.cgroup}"


def _mounts(world: World, paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    for each in world.containers:
        path = f"/proc/{each.process}/mountinfo"
        for at, (place, fstype, source, options) in enumerate(each.mounts if path in paths else ()):
            yield path, f"{900 + at} 899 0:{60 + at} / {place} rw,relatime - {fstype} {source} {options}"
