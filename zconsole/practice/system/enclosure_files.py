"""/sys/class/enclosure: the slots of a SES enclosure, as the kernel's driver shows them."""

from __future__ import annotations

from typing import Final

from zconsole.practice.world.world import World

ENCLOSURE: Final = "/sys/class/enclosure"
_AT: Final = "0:0:24:0"  # of the enclosure's processor on the SCSI bus
_ID: Final = "0x500304801f3c85bd"
_HBA: Final = "../../../../../../devices/pci0000:00/0000:00:03.0/0000:03:00.0/host0/port-0:0/expander-0:0"


def files(world: World) -> dict[str, str]:
    """The files by path; none for a host without an enclosure."""
    if not world.bays:
        return {}
    at = f"{ENCLOSURE}/{_AT}"
    found = {
        f"{at}/components": f"{world.bays}\n",
        f"{at}/id": f"{_ID}\n",
        f"{at}/device/vendor": "LSI     \n",
        f"{at}/device/model": "SAS3x28         \n",
    }
    inside = {disk.bay: disk for disk in world.disks if disk.is_present and disk.bay is not None}
    for bay in range(1, world.bays + 1):
        slot, disk = f"{at}/Slot {bay:02}", inside.get(bay)
        found |= {
            f"{slot}/active": "0\n",
            f"{slot}/fault": "0\n",
            f"{slot}/locate": f"{int(disk is not None and disk.serial in world.lit)}\n",
            f"{slot}/power_status": "on\n",
            f"{slot}/slot": f"{bay}\n",
            f"{slot}/status": "OK\n" if disk is not None else "not installed\n",
            f"{slot}/type": "array device\n",
        }
    return found


def links(world: World) -> dict[str, str]:
    """The symbolic links by path: of a slot with a disk to the SCSI device."""
    if not world.bays:
        return {}
    return {
        f"{ENCLOSURE}/{_AT}/Slot {disk.bay:02}/device": f"{_HBA}/target0:0:{disk.bay}/{disk.hctl}"
        for disk in world.disks
        if disk.is_present and disk.bay is not None
    }


def listing(world: World, path: str) -> list[str]:
    """The names in a folder below /sys/class/enclosure, folders with a slash; raises FileNotFoundError."""
    below = path.rstrip("/") + "/"
    inside = [each.removeprefix(below) for each in (*files(world), *links(world)) if each.startswith(below)]
    if not inside:
        raise FileNotFoundError(path)
    return sorted({name + "/" * bool(rest) for name, rest, _ in (each.partition("/") for each in inside)})
