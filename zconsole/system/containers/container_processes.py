"""Processes in containers, and the file systems in the mount namespace of one process of each.

/proc/PID/cgroup and /proc/PID/mountinfo of every process can be read by every user (unless /proc is mounted
with `hidepid`). Of the processes that are in no container nothing is printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.system.containers.cgroup_names import ContainerName, container_of

TIMEOUT_S: Final = 20.0
MOST_CONTAINERS: Final = 300  # whose mounts are read; more are told by the names of their datasets
_MARKS: Final = r"lxc|docker|libpod|machine|nspawn|qemu\.slice"
CGROUPS: Final = Command((
    "sh", "-c", 'grep -asHE -- "$1" /proc/[0-9]*/cgroup; exit 0',
    "zconsole", rf"^(0|1:name=systemd|[0-9]+:name=systemd):.*({_MARKS})",
), timeout_s=TIMEOUT_S)  # fmt: skip
_MOUNT_LINES: Final = r" - (zfs|overlay) | /dev/(zd|zvol/|incus |lxd )"
_CGROUP: Final = re.compile(r"/proc/(\d{1,10})/cgroup:\d+:[^:]*:(/.*)", re.ASCII)
_MOUNTED: Final = re.compile(r"/proc/(\d{1,10})/mountinfo:(.*)", re.ASCII)
_OCTAL: Final = re.compile(r"\\([0-7]{3})")
_LEAST_FIELDS: Final = 6  # before the optional fields
_SUPER_FIELDS: Final = 3  # behind the dash: type, source, options of the file system


@dataclass(frozen=True, slots=True)
class ContainerProcess:
    """Process in a container."""

    process: int
    container: ContainerName


@dataclass(frozen=True, slots=True)
class ContainerMount:
    """File system in the mount namespace of a process; `path` as the process sees it."""

    process: int
    path: str
    fstype: str
    source: str
    options: tuple[str, ...] = ()  # of the file system, such as the upperdir of an overlay


def parse_cgroups(text: str) -> tuple[ContainerProcess, ...]:
    """Parse the output of `CGROUPS`: processes of containers, in its order, each once."""
    found: dict[int, ContainerProcess] = {}
    for line_no, line in bounded_lines("grep cgroup", text):
        if not line:
            continue
        matched = _CGROUP.fullmatch(line)
        if matched is None:
            raise ParseError("grep cgroup", line_no, line, "not a control group of a process")
        process, container = int(matched[1]), container_of(matched[2])
        if container is not None:
            found.setdefault(process, ContainerProcess(process, container))
    return tuple(found.values())


def first_processes(processes: Iterable[ContainerProcess]) -> tuple[int, ...]:
    """One process of each container, its oldest by number; none of a container within a container.

    Other virtual machines run on the root of the host: their mounts tell nothing.
    """
    oldest: dict[tuple[str, str], int] = {}
    for each in processes:
        name = each.container
        if name.is_inner or name.kind.value != "container":
            continue
        key = (name.engine.value, name.name)
        oldest[key] = min(each.process, oldest.get(key, each.process))
    return tuple(sorted(oldest.values())[:MOST_CONTAINERS])


def list_mounts(processes: Sequence[int]) -> Command:
    """Print the mounts on ZFS, on volumes and on overlays in the namespaces of these processes.

    And /dev/incus and /dev/lxd, which tell the two apart: each mounts its own (driver_lxc.go of both).
    """
    paths = (f"/proc/{process}/mountinfo" for process in processes)
    script = 'pattern=$1; shift; grep -asHE -- "$pattern" "$@"; exit 0'
    return Command(("sh", "-c", script, "zconsole", _MOUNT_LINES, *paths),
                   timeout_s=TIMEOUT_S)  # fmt: skip


def parse_container_mounts(text: str) -> tuple[ContainerMount, ...]:
    """Parse the output of `list_mounts`."""
    return tuple(_mounts(text))


def _mounts(text: str) -> Iterator[ContainerMount]:
    for line_no, line in bounded_lines("grep mountinfo", text):
        if not line:
            continue
        matched = _MOUNTED.fullmatch(line)
        before, dash, behind = (matched[2] if matched is not None else "").partition(" - ")
        fields, of_file_system = before.split(" "), behind.split(" ")
        is_whole = len(fields) >= _LEAST_FIELDS and len(of_file_system) == _SUPER_FIELDS
        if matched is None or not dash or not is_whole:
            raise ParseError("grep mountinfo", line_no, line, "not a line of mountinfo")
        fstype, source, options = map(_plain, of_file_system)
        yield ContainerMount(int(matched[1]), _plain(fields[4]), fstype, source, tuple(options.split(",")))


def _plain(field: str) -> str:
    """The kernel escapes blanks, line breaks and backslashes in octal."""
    return _OCTAL.sub(lambda found: chr(int(found[1], 8)), field)
