"""The programs of the practice host by name, and the subcommands of `zpool` and `zfs`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of
from zconsole.practice.containers.cgroups_mounts_and_proxmox_files import container_processes
from zconsole.practice.getopt import BadOption, Options, getopt
from zconsole.practice.libvirt import guest_events
from zconsole.practice.libvirt.define import define
from zconsole.practice.libvirt.frozen_snapshot import frozen_snapshot
from zconsole.practice.libvirt.qemu_img import qemu_img
from zconsole.practice.libvirt.update_device import update_device
from zconsole.practice.libvirt.virsh import virsh
from zconsole.practice.program_reply import Refusal, Reply, Sending, Taking, Waiting, json_head, json_text
from zconsole.practice.system import coreutils, file_programs, mounts_and_processes, udevadm_monitor
from zconsole.practice.system import lsblk as lsblk_program
from zconsole.practice.system.dd import dd
from zconsole.practice.system.dmesg import dmesg
from zconsole.practice.system.enclosure_leds import ledctl
from zconsole.practice.system.enclosures import enclosures
from zconsole.practice.system.host_settings import module_settings
from zconsole.practice.system.smartctl import smartctl
from zconsole.practice.system.syncoid import syncoid
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs import list_get_holds as zfs_program
from zconsole.practice.zfs import usage_messages as zfs_usage
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs_change_commands import CHANGES as DATASET_CHANGES
from zconsole.practice.zpool import usage_and_arguments as zpool_usage
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, read
from zconsole.practice.zpool.zdb import zdb
from zconsole.practice.zpool_change_commands import CHANGES as POOL_CHANGES
from zconsole.practice.zpool_show import events_history, iostat, list_get, status
from zconsole.practice.zpool_show.get_vdev_properties import vdev_get
from zconsole.practice.zpool_vdevs.vdev_lookup import find

_AND_GUID: Final = (
    'pool=$1; shift; "$@"; echo; cat "/proc/spl/kstat/zfs/$pool/guid" 2>/dev/null'
    ' || zpool get -Hpo value guid "$pool"'
)
Program = Callable[[World, Sequence[str]], "Answer"]


@dataclass(frozen=True, slots=True)
class Samples:
    """A repeating `zpool iostat`: a sample every `interval_s`, `count` of them or without end."""

    printer: iostat.Printer
    interval_s: float
    count: int
    omits_first: bool
    complaints: str = ""


@dataclass(frozen=True, slots=True)
class Following:
    """A `zpool events -f`."""

    options: Options


@dataclass(frozen=True, slots=True)
class FollowingWorld:
    """A program that tells of what happens: a `udevadm monitor` of block devices, a `virsh event`."""

    news: Callable[[], str]  # what it prints of the time since the last call
    head: str = ""  # what it prints at once


Answer = Reply | Samples | Following | FollowingWorld | Waiting | Sending | Taking

_OF_NO_POOL: Final = frozenset({"clear", "create", "import", "labelclear"})  # a suspended one is no obstacle
_AS_ROOT: Final = "Can't run -c with root privileges unless ZPOOL_SCRIPTS_AS_ROOT is set.\n"


def answer(world: World, argv: Sequence[str], stdin: bytes = b"") -> Answer:
    """Run a program."""
    world.stdin = stdin
    name = argv[0].rpartition("/")[2]
    program = PROGRAMS.get(name)
    if program is None or name in world.lacking:
        return not_found(argv[0])
    try:
        return program(world, argv[1:])
    except Refusal as refusal:
        return refusal.reply


def not_found(program: str) -> Reply:
    """The answer of a shell for an unknown program."""
    return Reply(stderr=f"{program}: command not found\n", status=127)


def pools_touched(world: World, argv: Sequence[str]) -> list[PracticePool]:
    """The pools whose locks a command takes: those that it names, or all."""
    if argv[0].rpartition("/")[2] not in {"zpool", "zfs"} or (len(argv) > 1 and argv[1].endswith("version")):
        return []
    if argv[0].endswith("zpool") and len(argv) > 1 and argv[1] in _OF_NO_POOL:
        return []
    bases = {pool_of(word) for word in argv[2:]}
    named = [pool for pool in world.pools.values() if pool.name in bases]
    return named or list(world.pools.values())


def _pools(world: World, names: Sequence[str]) -> tuple[list[PracticePool], str]:
    if not names:
        return list(world.pools.values()), ""
    found = [world.pools[name] for name in dict.fromkeys(names) if name in world.pools]
    missing = [name for name in names if name not in world.pools]
    return found, "".join(f"cannot open '{name}': no such pool\n" for name in missing)


def _with(reply: Reply, complaints: str) -> Reply:
    if not complaints:
        return reply
    return Reply(reply.stdout, complaints + reply.stderr, 1)


def _zpool(world: World, args: Sequence[str]) -> Answer:
    if not args:
        raise Refusal("missing command\n" + _overview("zpool", zpool_usage.USAGE), 2)
    command, *rest = args
    reader = _ZPOOL.get(command)
    if reader is not None:
        return reader(world, rest)
    change = POOL_CHANGES.get(command)
    if change is not None:
        return change(world, rest)
    if command in {"ddtprune", "prefetch"}:
        raise Refusal(f"zpool {command}: the practice host does not do this\n", 1)
    raise Refusal(f"unrecognized command '{command}'\n{_overview('zpool', zpool_usage.USAGE)}", 2)


def _overview(program: str, usage: Mapping[str, str]) -> str:
    lines = "".join(usage.values())
    return f"usage: {program} command args ...\nwhere 'command' is one of the following:\n\n{lines}"


def _zpool_status(world: World, args: Sequence[str]) -> Answer:
    options = read("status", args, status.SHORT, status.LONGS)
    if "c" in options and world.user_id == 0:
        raise Refusal(_AS_ROOT)
    names, interval, _ = _interval(options.operands)
    pools, complaints = _pools(world, names)
    if complaints and not pools and "j" not in options:
        return Reply(stderr=complaints, status=1)
    if interval:
        return FollowingWorld(
            _again_each(world, interval, lambda: status.zpool_status(world, pools, options))
        )
    return _with(status.zpool_status(world, pools, options), complaints)


def _again_each(world: World, interval: float, run: Callable[[], Reply]) -> Callable[[], str]:
    """What a program prints that runs again each so many seconds, at first at once."""
    due = world.elapsed

    def news() -> str:
        nonlocal due
        if world.elapsed < due:
            return ""
        due = world.elapsed + interval
        return run().stdout

    return news


def _zpool_list(world: World, args: Sequence[str]) -> Answer:
    options = read("list", args, list_get.LIST_SHORT, list_get.LIST_LONGS)
    pools, complaints = _pools(world, options.operands)
    if complaints and not pools:
        return Reply(stderr=complaints, status=1)
    return _with(list_get.zpool_list(pools, options), complaints)


def _zpool_get(world: World, args: Sequence[str]) -> Answer:
    options = read("get", args, list_get.GET_SHORT, list_get.LIST_LONGS)
    properties, *names = operands("get", options, "missing property argument")
    if len(names) > 1 and names[0] in world.pools and any(name not in world.pools for name in names):
        return _vdev_get(world.pools[names[0]], options, properties, names[1:])
    pools, complaints = _pools(world, names)
    return _with(list_get.zpool_get(pools, options, properties), complaints)


def _vdev_get(pool: PracticePool, options: Options, properties: str, names: Sequence[str]) -> Answer:
    if list(names) == ["all-vdevs"]:
        every = [pool.root, *(vdev for top in pool.present for vdev in top.walk()), *pool.caches]
        return vdev_get(pool, every, options, properties)
    found = [find(pool, "root-0" if name == "root" else name) for name in names]
    unknown = [name for name, vdev in zip(names, found, strict=True) if vdev is None]
    if unknown:
        listed = "".join(f"\t{name}\n" for name in unknown)
        raise Refusal(f'Expected a list of vdevs in "{pool.name}", but got:\n{listed}\n', 2)
    vdevs = [each.vdev for each in found if each is not None]
    return vdev_get(pool, vdevs, options, properties, asked=names)


def _zpool_iostat(world: World, args: Sequence[str]) -> Answer:
    options = read("iostat", args, iostat.SHORT)
    if "c" in options and world.user_id == 0:
        raise Refusal(_AS_ROOT)
    if options.last("T") not in {None, "u", "d"} or "h" in options:
        raise misuse("iostat")
    names, interval, count = _interval(options.operands)
    pools, vdevs = _pools_and_vdevs(world, names)
    if {"r", "w"} & options.flags and {"l", "q", "c"} & options.flags:
        raise misuse("iostat", "[-r|-w] isn't allowed with [-c|-l|-q]")
    if {"r", "w"} <= options.flags:
        raise misuse("iostat", "Only one of [-r|-w] can be passed at a time")
    if not pools and not interval:
        raise Refusal("no pools available\n")
    printer = iostat.Printer(world, pools, vdevs, options)
    if not interval:
        return Reply(printer.skip() if "y" in options else printer.sample())
    return Samples(printer, interval, count, omits_first="y" in options)


def _interval(operands: Sequence[str]) -> tuple[list[str], float, int]:
    """Split the interval and the count off the end."""
    names = list(operands)
    numbers: list[float] = []
    while names and len(numbers) < 2 and _is_number(names[-1]):
        numbers.insert(0, float(names.pop()))
    if any(number == 0 for number in numbers):
        raise misuse("iostat", "interval cannot be zero")
    interval = numbers[0] if numbers else 0.0
    return names, interval, int(numbers[1]) if len(numbers) > 1 else 0


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).isdigit() and len(word) < 15  # a guid is longer


def _pools_and_vdevs(world: World, names: Sequence[str]) -> tuple[list[PracticePool], list[str]]:
    """Pools, or vdevs of any pool, or a pool and vdevs of it."""
    if all(name in world.pools for name in names):
        return _pools(world, names)[0], []
    if names[0] in world.pools:
        return [world.pools[names[0]]], list(names[1:])
    known = {
        word
        for pool in world.pools.values()
        for vdev in (*pool.root.walk(), *pool.caches)
        for word in (str(vdev.guid), vdev.path, vdev.path.rpartition("/")[2].removesuffix("-part1"))
    }
    if all(name in known for name in names):
        return list(world.pools.values()), list(names)
    raise Refusal("Unable to parse pools/vdevs list.\n\n", 1)


def _zpool_events(world: World, args: Sequence[str]) -> Answer:
    options = read("events", args, events_history.EVENTS_SHORT)
    if "c" in options:
        raise Refusal("zpool events -c: the practice host does not do this\n", 1)
    if "f" in options:
        return Following(options)
    return Reply(events_history.events_header(options) + events_history.events_text(world.events, options))


def _zpool_history(world: World, args: Sequence[str]) -> Answer:
    options = read("history", args, events_history.HISTORY_SHORT)
    pools, complaints = _pools(world, options.operands)
    if complaints and not pools:
        return Reply(stderr=complaints, status=1)
    return _with(events_history.zpool_history(world, pools, options), complaints)


def _version(command: str) -> Program:
    def version(world: World, args: Sequence[str]) -> Answer:
        options = read("version", args, "j")
        userland, kernel = f"zfs-{world.zfs_commands_version}", f"zfs-kmod-{world.zfs_version}"
        if "j" not in options:
            return Reply(f"{userland}\n{kernel}\n")
        document = json_head(f"{command} version")
        document["zfs_version"] = {"userland": userland, "kernel": kernel}
        return Reply(json_text(document))

    return version


def _zfs(world: World, args: Sequence[str]) -> Answer:
    if not args:
        raise Refusal("missing command\n" + _overview("zfs", zfs_usage.USAGE), 2)
    command, *rest = args
    if command in {"version", "--version", "-V"}:
        return _version("zfs")(world, rest)
    reader = _ZFS.get(command)
    if reader is not None:
        short, show = reader
        return show(world, RunningSubcommand(world, command, rest, short, zfs_program.LONGS).options)
    change = DATASET_CHANGES.get(command)
    if change is not None:
        return change(world, rest)
    if command in {"redact", "rewrite", "upgrade", "wait"}:
        raise Refusal(f"zfs {command}: the practice host does not do this\n", 1)
    raise Refusal(f"unrecognized command '{command}'\n{_overview('zfs', zfs_usage.USAGE)}", 2)


def _xargs(world: World, args: Sequence[str]) -> Answer:
    """Answer `xargs -0 [-I {}] PROGRAM...` with one command."""
    if not args or args[0] != "-0":
        raise Refusal("xargs: the practice host does not do this\n", 1)
    given = world.stdin.decode("utf-8", "surrogateescape").split("\0")[:-1]
    words = [*args[1:], *given]
    if tuple(args[1:3]) == ("-I", "{}"):
        words = [word.replace("{}", given[0]) for word in args[3:]]
    return answer(world, words)


def _sh(world: World, args: Sequence[str]) -> Answer:
    """The shell scripts of the console; one runs a program, and then prints the guid of a pool."""
    found = (
        enclosures(world, args)
        or update_device(world, args)
        or define(world, args)
        or module_settings(world, args)
        or container_processes(world, args)
        or frozen_snapshot(world, args)
    )
    if found is not None:
        return found
    if tuple(args[:2]) != ("-c", _AND_GUID) or len(args) < 5:  # a name for the script, a pool, a program
        return mounts_and_processes.processes(world, args)
    devices = answer(world, args[4:])
    pool = world.pools.get(args[3])
    no_pool = Reply("\n", f"cannot open '{args[3]}': no such pool\n", 1)
    guid = Reply(f"\n{pool.guid}\n") if pool is not None else no_pool
    if not isinstance(devices, Reply):
        raise Refusal("sh: the practice host does not do this\n", 1)
    return Reply(devices.stdout + guid.stdout, devices.stderr + guid.stderr, guid.status)


def _udevadm(world: World, args: Sequence[str]) -> Answer:
    if tuple(args) != ("monitor", "--udev", "--subsystem-match=block"):
        raise Refusal("udevadm: the practice host does not do this\n", 1)
    return FollowingWorld(udevadm_monitor.DiskEvents(world).news, udevadm_monitor.HEAD)


def _virsh(world: World, args: Sequence[str]) -> Answer:
    if tuple(args[-len(guest_events.ARGS) :]) == guest_events.ARGS:
        return FollowingWorld(guest_events.GuestEvents(world).news)
    return virsh(world, args)


def _lsblk(world: World, args: Sequence[str]) -> Answer:
    try:
        options = getopt(args, lsblk_program.SHORT, lsblk_program.LONGS)
    except BadOption as error:
        raise Refusal(f"lsblk: invalid option -- '{error.option}'\n", 1) from error
    return lsblk_program.lsblk(world, options)


_ZPOOL: Final[dict[str, Program]] = {
    "status": _zpool_status,
    "list": _zpool_list,
    "get": _zpool_get,
    "iostat": _zpool_iostat,
    "events": _zpool_events,
    "history": _zpool_history,
    "version": _version("zpool"),
    "--version": _version("zpool"),
}
_ZFS: Final[dict[str, tuple[str, Callable[[World, Options], Reply]]]] = {
    "list": (zfs_program.LIST_SHORT, zfs_program.zfs_list),
    "get": (zfs_program.GET_SHORT, zfs_program.zfs_get),
    "holds": (zfs_program.HOLDS_SHORT, zfs_program.zfs_holds),
}
PROGRAMS: Final[dict[str, Program]] = {
    "zpool": _zpool,
    "zfs": _zfs,
    "zdb": zdb,
    "lsblk": _lsblk,
    "smartctl": smartctl,
    "udevadm": _udevadm,
    "ledctl": ledctl,
    "dmesg": dmesg,
    "syncoid": syncoid,
    "dd": dd,
    "ls": coreutils.ls,
    "cat": coreutils.cat,
    "grep": coreutils.grep,
    "hostname": coreutils.hostname,
    "uname": coreutils.uname,
    "id": coreutils.identity,
    "hostid": coreutils.hostid,
    "date": coreutils.date,
    "sh": _sh,
    "find": mounts_and_processes.find,
    "stat": file_programs.stat,
    "realpath": file_programs.realpath,
    "du": file_programs.du,
    "cp": file_programs.cp,
    "mv": file_programs.mv,
    "xargs": _xargs,
    "virsh": _virsh,
    "qemu-img": qemu_img,
    "logger": coreutils.logger,
    "python3": coreutils.python,
}
