"""/sys/block and /sys/class/enclosure of a host with one shelf, as the console's two scripts print them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.practice.program_reply import Reply
from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.host_world import World

SHELVES: Final = (
    'ls -l "$1/block" 2>/dev/null; cd "$1/class/enclosure" 2>/dev/null || exit 0;'
    ' grep -sH "" */id */device/vendor */device/model */*/slot */*/type;'
    " ls -ld */*/device 2>/dev/null; exit 0"
)
LIGHTS: Final = (
    'cd "$1/class/enclosure" 2>/dev/null || exit 0; grep -sH "" */*/locate */*/fault */*/status; exit 0'
)
_ADDRESS: Final = "9:0:0:0"
_LINK: Final = "lrwxrwxrwx 1 root root 0 Nov 20 06:00"
_DEVICES: Final = "../devices/pci0000:00"


def enclosures(world: World, args: Sequence[str]) -> Reply | None:
    """Answer of one of the two scripts; None for another one."""
    if tuple(args[:2]) == ("-c", SHELVES):
        lines = (*_block(world), *(_shelf(world) if world.bays else ()))
    elif tuple(args[:2]) == ("-c", LIGHTS):
        lines = tuple(_lights(world))
    else:
        return None
    return Reply("".join(f"{line}\n" for line in lines))


def _block(world: World) -> Iterator[str]:
    yield "total 0"
    for disk in sorted((disk for disk in world.disks if disk.is_present), key=lambda disk: disk.kname):
        yield f"{_LINK} {disk.kname} -> {_DEVICES}/{_way(disk)}/block/{disk.kname}"


def _way(disk: PracticeDisk) -> str:
    controller = disk.phys_path.split("-")[1] if disk.phys_path.startswith("pci-") else "0000:00:1f.2"
    if disk.hctl is None:
        return f"{controller}/nvme/{disk.kname.rpartition('n')[0]}"
    host = disk.hctl.partition(":")[0]
    return f"{controller}/host{host}/target{disk.hctl.rpartition(':')[0]}/{disk.hctl}"


def _shelf(world: World) -> Iterator[str]:
    yield f"{_ADDRESS}/id:0x500304801e8b5abf"
    yield f"{_ADDRESS}/device/vendor:LSI     "
    yield f"{_ADDRESS}/device/model:SAS3x28         "
    for name, number in _slots(world):
        yield f"{name}/slot:{number}"
    for name, _ in _slots(world):
        yield f"{name}/type:array device"
    in_bays = _in_bays(world)
    for name, number in _slots(world):
        if (disk := in_bays.get(number)) is not None and disk.hctl is not None:
            yield f"{_LINK} {name}/device -> ../../../{_way(disk)}"


def _lights(world: World) -> Iterator[str]:
    in_bays = _in_bays(world)
    for name, number in _slots(world):
        disk = in_bays.get(number)
        yield f"{name}/locate:{int(disk is not None and disk.serial in world.lit)}"
    for name, _ in _slots(world):
        yield f"{name}/fault:0"
    for name, number in _slots(world):
        yield f"{name}/status:{'OK' if number in in_bays else 'not installed'}"


def _slots(world: World) -> Iterator[tuple[str, int]]:
    return ((f"{_ADDRESS}/Slot {number:02}", number) for number in range(1, world.bays + 1))


def _in_bays(world: World) -> dict[int, PracticeDisk]:
    return {disk.bay: disk for disk in world.disks if disk.is_present and disk.bay is not None}
