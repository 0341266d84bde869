"""`ls`, `cat`, `grep`, `hostname`, `hostid`, `uname`, `id`, `date`, `logger` and `python3`."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from fnmatch import fnmatch
from typing import Final

from zconsole.practice.containers.cgroups_mounts_and_proxmox_files import IN_PROXMOX, proxmox_files
from zconsole.practice.getopt import BadOption, getopt
from zconsole.practice.libvirt.storage_of_images import is_there
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.system.mounts_and_processes import ZVOL, mounts, process_file, swaps, volume_links
from zconsole.practice.system.proc_sys_and_etc_files import listing, partitions, read_file
from zconsole.practice.world.drives import BY_ID
from zconsole.practice.world.host_world import KERNEL, KERNEL_BUILD, World

_UNAVAILABLE: Final = 3  # how a program ends that lacks a module
_BY_PATH: Final = "/dev/disk/by-path/"
_DISK: Final = "/dev/disk"
_UNAME: Final = "snrvm"

Links = list[tuple[str, str, float]]  # name, target, when made


def read(world: World, path: str) -> str:
    """The contents of a file; raises FileNotFoundError."""
    match path:
        case "/proc/mounts" | "/proc/self/mounts":
            return mounts(world)
        case "/proc/swaps":
            return swaps(world)
        case _ if path.startswith("/proc/") and path.endswith("/stat"):
            return process_file(world, path)
        case _:
            return read_file(world, path)


def cat(world: World, args: Sequence[str]) -> Reply:
    """Answer `cat FILE...`."""
    text = complaints = ""
    for path in (arg for arg in args if arg != "--"):
        try:
            text += read(world, path)
        except FileNotFoundError:
            complaints += f"cat: {path}: No such file or directory\n"
    return Reply(text, complaints, 1 if complaints else 0)


def _existing(world: World, paths: Sequence[str]) -> Reply:
    """Answer `ls -1dL -- PATH...` of images and devices of guests."""
    found = [path for path in paths if is_there(world, path) or _is_other_device(path)]
    complaints = [
        f"ls: cannot access '{path}': No such file or directory\n" for path in paths if path not in found
    ]
    return Reply("".join(f"{path}\n" for path in found), "".join(complaints), 2 if complaints else 0)


def _is_other_device(path: str) -> bool:
    return path.startswith("/dev/") and not path.startswith(f"{ZVOL}/")


def ls(world: World, args: Sequence[str]) -> Reply:
    """Answer `ls` of the folders of /dev/disk (-l) and of /proc/spl/kstat/zfs (-1p), and of images (-1dL)."""
    if tuple(args[:2]) == ("-1dL", "--"):
        return _existing(world, args[2:])
    try:
        options = getopt(args, "1AFRlnp")
    except BadOption as error:
        return Reply(stderr=f"ls: invalid option -- '{error.option}'\n", status=2)
    paths = [path.rstrip("/") for path in options.operands]
    if "R" in options and paths == [_DISK]:
        return Reply(_recursive(world))
    sections, complaints = [], ""
    for path in paths:
        try:
            if "R" in options and path == ZVOL:
                return Reply(volume_links(world))
            body = (
                _links_text(links(world, path))
                if "l" in options
                else "".join(f"{name}\n" for name in listing(world, path))
            )
        except FileNotFoundError:
            complaints += f"ls: cannot access '{path}': No such file or directory\n"
            continue
        sections.append(f"{path}:\n{body}" if len(paths) > 1 or "R" in options else body)
    return Reply("\n".join(sections), complaints, 2 if complaints else 0)


def _recursive(world: World) -> str:
    folders = ("by-id", "by-path")
    stamp = _moment(world.now - world.uptime)
    text = f"{_DISK}:\ntotal 0\n" + "".join(
        f"drwxr-xr-x 2 root root 1240 {stamp} {name}\n" for name in folders
    )
    for name in folders:
        text += f"\n{_DISK}/{name}:\n{_links_text(links(world, f'{_DISK}/{name}'))}"
    return text


def links(world: World, folder: str) -> Links:
    """The links of a folder of /dev/disk, by name; raises FileNotFoundError."""
    found: Links = []
    for disk in world.disks:
        if not disk.is_present:
            continue
        if folder + "/" == BY_ID:
            names = disk.links
        elif folder + "/" == _BY_PATH:
            names = (disk.phys_path,) if disk.phys_path else ()
        else:
            raise FileNotFoundError(folder)
        for name in names:
            found.append((name, f"../../{disk.kname}", world.now - world.uptime - world.elapsed))
            found += [
                (f"{name}-part{number}", f"../../{disk.kname}{disk.infix}{number}", disk.seconds_linked)
                for number in partitions(disk)
            ]
    return sorted(found)


def _links_text(found: Links) -> str:
    width = max((len(str(len(target))) for _, target, _ in found), default=1)
    return "total 0\n" + "".join(
        f"lrwxrwxrwx 1 root root {len(target):>{width}} {_moment(when)} {name} -> {target}\n"
        for name, target, when in found
    )


def _moment(epoch: float) -> str:
    return time.strftime("%b %e %H:%M", time.gmtime(epoch))


def grep(world: World, args: Sequence[str]) -> Reply:
    """Answer `grep -arhE --include=NAMES -e PATTERN FOLDER...`: lines of many files at once."""
    if args and args[0] == IN_PROXMOX:
        return proxmox_files(world, args)
    include = next((arg.partition("=")[2] for arg in args if arg.startswith("--include=")), "*")
    pattern = re.compile(args[args.index("-e") + 1] if "-e" in args else "")
    folders = [arg.rstrip("/") for arg in args if arg.startswith("/")]
    text = complaints = ""
    for folder in folders:
        try:
            names = [name for name in listing(world, folder) if fnmatch(name, include)]
        except FileNotFoundError:
            complaints += f"grep: {folder}: No such file or directory\n"
            continue
        lines = (line for name in names for line in read_file(world, f"{folder}/{name}").splitlines(True))
        text += "".join(line for line in lines if pattern.search(line))
    return Reply(text, complaints, 2 if complaints else 0 if text else 1)


def hostname(world: World, _args: Sequence[str]) -> Reply:
    """Answer `hostname`."""
    return Reply(world.hostname + "\n")


def uname(world: World, args: Sequence[str]) -> Reply:
    """Answer `uname`."""
    parts = {"s": "Linux", "n": world.hostname, "r": KERNEL, "v": KERNEL_BUILD, "m": "x86_64"}
    letters = "".join(args).replace("-", "") or "s"
    if "a" in letters:
        return Reply(" ".join([*parts.values(), "GNU/Linux"]) + "\n")
    return Reply(" ".join(parts[letter] for letter in _UNAME if letter in letters) + "\n")


def identity(world: World, args: Sequence[str]) -> Reply:
    """Answer `id`."""
    name = world.user_name
    if "-u" in args:
        return Reply(f"{world.user_id}\n")
    if "-un" in args:
        return Reply(f"{name}\n")
    number = world.user_id
    more = "".join(f",{100 + at}({group})" for at, group in enumerate(world.groups))
    return Reply(f"uid={number}({name}) gid={number}({name}) groups={number}({name}){more}\n")


def hostid(world: World, _args: Sequence[str]) -> Reply:
    """Answer `hostid`."""
    return Reply(f"{world.hostid:08x}\n")


def date(world: World, args: Sequence[str]) -> Reply:
    """Answer `date +%s`."""
    if tuple(args) != ("+%s",):
        raise Refusal("date: the practice host does not do this\n", 1)
    return Reply(f"{int(world.now)}\n")


def logger(_world: World, _args: Sequence[str]) -> Reply:
    """Answer `logger`, which keeps nothing."""
    return Reply("")


def python(_world: World, args: Sequence[str]) -> Reply:
    """Answer `python3` with libzfs_core, which is not installed."""
    if not any(word.endswith("/zfs/change/libzfs_core_child.py") for word in args):
        raise Refusal("python3: the practice host does not do this\n", 1)
    said = "libzfs_core does not work here: No module named 'libzfs_core'"
    errors = [{"name": None, "error": None, "errno": None, "said": said}]
    return Reply(f"{json.dumps({'done': False, 'errors': errors})}\n", f"{said}\n", _UNAVAILABLE)
