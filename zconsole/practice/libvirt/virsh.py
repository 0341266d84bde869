"""`virsh` of the practice host: lists, definitions and statistics of guests; their power state changed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from zconsole.model.guests.xml_text import escaped, quoted
from zconsole.practice.libvirt.change_power_state import CHANGES, change
from zconsole.practice.libvirt.guest_agent import AGENT, agent
from zconsole.practice.libvirt.guests import (
    PAUSED,
    PracticeGuest,
    PracticeGuestDisk,
    PracticeImage,
    chain,
    volume_at,
)
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool

READ_NS, WRITE_NS, FLUSH_NS = 300_000, 200_000, 900_000  # means of a request, as of flash below ZFS
FLUSHES = 0.04  # of the writes
_UNAUTHENTICATED = (
    "error: failed to connect to the hypervisor\n"
    "error: authentication unavailable: no polkit agent available to authenticate action "
    "'org.libvirt.unix.manage'\n"
)


def virsh(world: World, args: Sequence[str]) -> Reply:
    """Answer `virsh [-r] [-q] [-c URI] SUBCOMMAND`."""
    words = list(args)
    is_read_only = is_quiet = False
    while words and words[0].startswith("-"):
        is_read_only = is_read_only or words[0] == "-r"
        is_quiet = is_quiet or words[0] == "-q"
        del words[: 2 if words[0] == "-c" else 1]
    if not words:
        raise Refusal("error: no command\n")
    if len(words) == 1 and not words[0].replace("-", "").isalnum():
        flags = args[: len(args) - 1]
        return _one_behind_the_other(world, flags, words[0], is_quiet=is_quiet)
    for each in world.guests:
        each.pass_time(world.now)
    world.guests[:] = [each for each in world.guests if each.is_persistent or each.is_active]
    command, *rest = words
    if not is_read_only and world.user_id and "libvirt" not in world.groups:
        raise Refusal(_UNAUTHENTICATED)
    options = {word for word in rest if word.startswith("--")}
    names = [word for word in rest if not word.startswith("--")]
    match command:
        case "list":
            listed = (each for each in _in_order(world) if each.is_active or "--all" in options)
            chosen = [each for each in listed if all(_is_listed(each, word) for word in options)]
            return Reply("".join(f"{each.uuid}\n" for each in chosen) + "\n")
        case "domstats":
            chosen = [_named(world, names)] if names else _in_order(world)
            return Reply("".join(_stats(world, each) for each in chosen) or "\n")
        case "echo":
            return Reply(" ".join(rest) + ("" if is_quiet else "\n"))
        case "uri":
            return Reply("qemu:///system\n\n")
        case _ if command in CHANGES:
            return change(world, command, _named(world, names), is_read_only=is_read_only)
        case _ if command in AGENT:
            told = agent(command, rest, _named(world, _without_timeout(rest)), is_read_only=is_read_only)
            return Reply() if is_quiet and command in {"domfsfreeze", "domfsthaw"} else told
        case "autostart":
            _named(world, names).is_started_at_boot = "--disable" not in options
            return Reply("\n")
        case "undefine":
            guest = _named(world, names)
            if guest.is_active:
                raise Refusal("error: the practice host undefines no active guest\n")
            world.guests.remove(guest)
            return Reply(f"Domain '{guest.name}' has been undefined\n\n")
        case "net-list":
            return Reply("".join(f"{name}\n" for name in world.guest_networks) + "\n")
        case "domcapabilities":
            return Reply("<domainCapabilities/>\n\n")
        case "dumpxml":
            guest = _named(world, names)
            if guest.definition_error and "--inactive" in options:
                raise Refusal(f"error: {guest.definition_error}\n")
            is_stored = "--inactive" in options
            images = world.images if guest.is_active and not is_stored else {}
            return Reply(_xml(guest, images, is_stored=is_stored))
        case "domname":
            return Reply(f"{_named(world, names).name}\n\n")
        case "domblkerror":
            failed = [each for each in _named(world, names).disks if each.error]
            return Reply("".join(f"{each.target}: {each.error}\n" for each in failed) or "No errors found\n")
        case "domblklist":
            return Reply("".join(_listed(each) for each in _named(world, names).disks) + "\n")
    raise Refusal(f"error: unknown command: '{command}'\n")


def _one_behind_the_other(world: World, flags: Sequence[str], line: str, *, is_quiet: bool) -> Reply:
    """The commands of one line: each is run, whatever became of those before, and the last one tells."""
    stdout = stderr = ""
    reply = Reply()
    for each in line.split(";"):
        try:
            reply = virsh(world, (*flags, *shlex.split(each)))
        except Refusal as refusal:
            reply = refusal.reply
        stdout += (
            reply.stdout.removesuffix("\n") if is_quiet and reply.stdout.endswith("\n\n") else reply.stdout
        )
        stderr += reply.stderr
    return Reply(stdout, stderr, reply.status)


def _without_timeout(rest: Sequence[str]) -> list[str]:
    """The words of a subcommand without `--timeout SECONDS`."""
    words = list(rest)
    if "--timeout" in words:
        at = words.index("--timeout")
        del words[at : at + 2]
    return [word for word in words if not word.startswith("--")]


def _is_listed(guest: PracticeGuest, option: str) -> bool:
    match option:
        case "--persistent":
            return guest.is_persistent
        case "--with-managed-save":
            return guest.has_saved_memory
        case "--with-snapshot":
            return guest.has_snapshots
        case "--autostart":
            return guest.is_started_at_boot
        case "--state-paused":
            return guest.state == PAUSED
    return True


def _in_order(world: World) -> list[PracticeGuest]:
    """Active guests first, as libvirt lists them."""
    return sorted(world.guests, key=lambda guest: not guest.is_active)


def _named(world: World, names: Sequence[str]) -> PracticeGuest:
    for key in ("uuid", "name"):  # virsh looks for a uuid before it looks for a name
        for each in world.guests:
            if names and names[0] == getattr(each, key):
                return each
    raise Refusal(f"error: failed to get domain '{names[0] if names else ''}'\n")


def _stats(world: World, guest: PracticeGuest) -> str:
    return "".join(f"{each}\n" for each in _stat_lines(world, guest))


def _stat_lines(world: World, guest: PracticeGuest) -> Iterator[str]:
    yield f"Domain: '{guest.name}'"
    yield f"  state.state={guest.state}"
    yield f"  state.reason={guest.reason}"
    yield f"  block.count={len(guest.disks)}"
    for at, disk in enumerate(guest.disks):
        yield f"  block.{at}.name={disk.target}"
        yield f"  block.{at}.path={disk.source}"
        if guest.is_active:
            yield f"  block.{at}.backingIndex=1"
            counters = tuple(_counters(world, disk))
            if guest.state == PAUSED:  # it reads and writes nothing
                counters = guest.counted.setdefault(disk.target, counters)
            else:
                guest.counted[disk.target] = counters
            yield from (f"  block.{at}.{key}={value}" for key, value in counters)
        image = world.images.get(disk.source)
        taken = _size(world, disk) if image is None else image.allocated_bytes
        yield f"  block.{at}.allocation={taken}"
        yield f"  block.{at}.capacity={_size(world, disk)}"
        yield f"  block.{at}.physical={taken}"
    yield ""


def _counters(world: World, disk: PracticeGuestDisk) -> Iterator[tuple[str, int]]:
    """Totals of a disk: what its volume, or the file system of its image, was asked for."""
    pool, dataset = _place(world, disk)
    if pool is None or dataset is None:
        return
    of_reads, of_writes = dataset.share
    reads, writes = int(pool.logical_reads * of_reads), int(pool.logical_writes * of_writes)
    flushes = int(writes * FLUSHES)
    yield from (
        ("rd.reqs", reads),
        ("rd.bytes", int(pool.logical_read_bytes * of_reads)),
        ("rd.times", reads * READ_NS),
        ("wr.reqs", writes),
        ("wr.bytes", int(pool.logical_write_bytes * of_writes)),
        ("wr.times", writes * WRITE_NS),
        ("fl.reqs", flushes),
        ("fl.times", flushes * FLUSH_NS),
    )


def _place(world: World, disk: PracticeGuestDisk) -> tuple[PracticePool | None, PracticeDataset | None]:
    """The volume of a disk, or the file system with the nearest mount point above its image."""
    name = volume_at(disk.source) if disk.is_device else disk.source.rpartition("/")[0].lstrip("/")
    pool = world.pools.get(name.partition("/")[0])
    while pool is not None and name and name not in pool.datasets and not disk.is_device:
        name = name.rpartition("/")[0]
    return pool, None if pool is None else pool.datasets.get(name)


def _size(world: World, disk: PracticeGuestDisk) -> int:
    """Bytes that the guest sees; 0 where the image or device is missing."""
    if disk.source in world.images:
        return world.images[disk.source].virtual_bytes
    name = volume_at(disk.source)
    pool = world.pools.get(name.partition("/")[0])
    return (pool.datasets[name].volsize or 0) if pool is not None and name in pool.datasets else 0


def _listed(disk: PracticeGuestDisk) -> str:
    return f" {'block' if disk.is_device else 'file':<7} disk     {disk.target:<7} {disk.source}\n"


def _xml(guest: PracticeGuest, images: Mapping[str, PracticeImage], *, is_stored: bool) -> str:
    """The definition; of a guest that runs with the images below its own, which libvirt lists.

    The stored one does not tell whether the agent is connected.
    """
    disks = "".join(_disk_xml(disk, tuple(chain(images, disk.source))[1:]) for disk in guest.disks)
    state = (
        f" state='{'connected' if guest.is_active and guest.is_agent_connected else 'disconnected'}'"
        if not is_stored
        else ""
    )
    agent = (
        "    <channel type='unix'>\n"
        f"      <target type='virtio' name='org.qemu.guest_agent.0'{state}/>\n    </channel>\n"
        if guest.has_agent
        else ""
    )
    return (
        f"<domain type='kvm'>\n  <name>{escaped(guest.name)}</name>\n  <uuid>{guest.uuid}</uuid>\n"
        f"  <memory unit='KiB'>{guest.memory_kib}</memory>\n  <vcpu>{guest.processors}</vcpu>\n"
        f"  <devices>\n{disks}{agent}  </devices>\n</domain>\n\n"
    )


def _disk_xml(disk: PracticeGuestDisk, below: Sequence[PracticeImage]) -> str:
    kind, key = ("block", "dev") if disk.is_device else ("file", "file")
    told = {"cache": disk.cache, "io": disk.io, "discard": disk.discard, "error_policy": disk.error_policy}
    modes = "".join(f" {name}='{value}'" for name, value in told.items() if value)
    backing = ""
    for image in reversed(below):
        backing = (
            f"      <backingStore type='file'>\n        <format type='{image.format}'/>\n"
            f"        <source file={quoted(image.path)}/>\n{backing}      </backingStore>\n"
        )
    return (
        f"    <disk type='{kind}' device='disk'>\n"
        f"      <driver name='qemu' type='{disk.format}'{modes}/>\n"
        f"      <source {key}={quoted(disk.source)}/>\n{backing}"
        f"      <target dev='{disk.target}' bus='virtio'/>\n    </disk>\n"
    )
