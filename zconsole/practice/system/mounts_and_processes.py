"""Mounts, swaps, processes with their open files, and zvol links; `find`, which searches /proc for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.hosts.process_list_and_command_search import LIST_PROCESSES
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.system.file_programs import find_in
from zconsole.practice.system.proc_sys_and_etc_files import zvols
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.drives import PracticeDisk, Signature
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.property_values import mountpoint_of

ZVOL: Final = "/dev/zvol"
SWAP: Final = "[SWAP]"
_UNMANAGED: Final = frozenset({"none", "legacy"})
_FIRST_PROCESS: Final = 4100  # of those that hold something of a pool
_LISTENS: Final = 731  # the sshd that takes connections
_ALWAYS: Final = ((1, "/usr/lib/systemd/systemd", ()), (_LISTENS, "/usr/sbin/sshd", ("/run/sshd.pid",)))
SERVES: Final = "sshd: root@notty"
ASKING: Final = 4099
_KERNEL_FILES: Final = "proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0\n"
_PROXMOX_FILES: Final = "/dev/fuse /etc/pve fuse rw,nosuid,nodev,relatime,user_id=0,group_id=0 0 0\n"


def mounts(world: World) -> str:
    """/proc/mounts: the system's disk, and every mounted file system of the pools."""
    text = _KERNEL_FILES + (_PROXMOX_FILES if world.proxmox_files else "")
    for device, _, signature in _signatures(world):
        if signature.mountpoint.startswith("/"):
            text += f"{device} {_octal(signature.mountpoint)} {signature.fstype} rw,relatime 0 0\n"
        held = signature.holder
        if held is not None and held.mountpoint.startswith("/"):
            text += f"/dev/mapper/{held.name} {_octal(held.mountpoint)} {held.fstype} rw,relatime 0 0\n"
    for dataset, place in _mounted(world):
        text += f"{_octal(dataset.name)} {_octal(place)} zfs rw,relatime,xattr,posixacl,casesensitive 0 0\n"
    return text


def swaps(world: World) -> str:
    """/proc/swaps."""
    text = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
    for device, disk, signature in _signatures(world):
        if signature.mountpoint == SWAP:
            text += f"{device:<40}partition\t{disk.size >> 10}\t\t0\t\t-2\n"
    return text


def _signatures(world: World) -> Iterator[tuple[str, PracticeDisk, Signature]]:
    """Each signature on a present drive, with the path of its drive or partition."""
    for disk in world.disks:
        for signature in disk.signatures if disk.is_present else ():
            number = f"{disk.infix}{signature.number}" if signature.number else ""
            yield f"/dev/{disk.kname}{number}", disk, signature


def find(world: World, args: Sequence[str]) -> Reply:
    r"""Answer `find /proc ... -printf '%p\0%l\0'` over the links of processes, and what is in a folder."""
    if tuple(args[1:5]) == ("-mindepth", "1", "-maxdepth", "1"):
        return find_in(world, args)
    if not args or args[0] != "/proc" or r"%p\0%l\0" not in args:
        raise Refusal("find: the practice host does not do this\n", 1)
    text = ""
    for process, program, files in _processes(world):
        links = [("exe", program), *((f"fd/{number}", path) for number, path in enumerate(files, start=3))]
        text += "".join(f"/proc/{process}/{name}\0{path}\0" for name, path in links)
    return Reply(text)


def volume_links(world: World) -> str:
    """`ls -lR /dev/zvol`; raises FileNotFoundError where there is no volume."""
    folders: dict[str, list[str]] = {}
    for kname, dataset, _ in zvols(world):
        *above, name = dataset.name.replace(" ", "+").split("/")
        for depth in range(len(above) + 1):
            folders.setdefault("/".join([ZVOL, *above[:depth]]), [])
        up = "../" * (len(above) + 1)
        folders["/".join([ZVOL, *above])].append(
            f"lrwxrwxrwx 1 root root {len(up) + len(kname)} Nov 21 00:00 {name} -> {up}{kname}\n"
        )
    if not folders:
        raise FileNotFoundError(ZVOL)
    for folder in sorted(folders):
        parent, _, name = folder.rpartition("/")
        if parent in folders:
            folders[parent].append(f"drwxr-xr-x 2 root root 60 Nov 21 00:00 {name}\n")
    return "\n".join(f"{folder}:\ntotal 0\n{''.join(folders[folder])}" for folder in sorted(folders))


def processes(world: World, args: Sequence[str]) -> Reply:
    """Answer the script that lists /proc/*/stat and /proc/*/cmdline, NUL after each record."""
    if tuple(args) != LIST_PROCESSES.argv[1:]:
        raise Refusal("sh: command not found\n", 127)
    every = [(number, program) for number, program, _ in _processes(world)]
    every.append((world.connection, SERVES))
    stats = "".join(f"/proc/{number}/stat:{stat(number, program)}\0" for number, program in every)
    return Reply(stats + "".join(f"/proc/{number}/cmdline:{program}\0" for number, program in every))


def process_file(world: World, path: str) -> str:
    """/proc/PID/stat of the asking process and of its parent; raises FileNotFoundError."""
    match path:
        case "/proc/self/stat":
            return stat(ASKING, "cat", world.connection)
        case _ if path == f"/proc/{world.connection}/stat":
            return stat(world.connection, SERVES)
        case _:
            raise FileNotFoundError(path)


def stat(number: int, program: str, parent: int = 1) -> str:
    """A process that leads its own session, as /proc/PID/stat has it."""
    name = program.partition(":")[0].rpartition("/")[2][:15]
    parent = _LISTENS if program == SERVES else parent
    rest = " ".join(["0"] * 15)
    return f"{number} ({name}) S {parent} {number} {number} {rest} {100 * number} 0 0\n"


def _processes(world: World) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Number, program and open files of each process."""
    yield from _ALWAYS
    devices = {dataset.name: f"/dev/{kname}" for kname, dataset, _ in zvols(world)}
    process = _FIRST_PROCESS
    for pool, dataset in _datasets(world):
        if dataset.is_busy:
            path = devices.get(dataset.name) or f"{mountpoint_of(pool, dataset)[0].rstrip('/')}/file"
            program = "/usr/bin/qemu-system-x86_64" if dataset.name in devices else "/usr/sbin/smbd"
            yield process, program, (path,)
            process += 7


def _datasets(world: World) -> Iterator[tuple[PracticePool, PracticeDataset]]:
    for pool in world.pools.values():
        for dataset in pool.datasets.values():
            yield pool, dataset


def _mounted(world: World) -> Iterator[tuple[PracticeDataset, str]]:
    for pool, dataset in _datasets(world):
        place = mountpoint_of(pool, dataset)[0]
        if dataset.kind == "filesystem" and dataset.is_mounted and place not in _UNMANAGED:
            yield dataset, place


def _octal(text: str) -> str:
    """As the kernel writes blanks, tabs, line breaks and backslashes there."""
    return "".join(f"\\{ord(char):03o}" if char in " \t\n\\#" else char for char in text)
