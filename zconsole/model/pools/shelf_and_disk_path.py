"""Shelves of a host and the way to each disk, as the kernel knows them."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class BayLights:
    """LEDs and state of a bay; None is unknown, or not kept by the enclosure."""

    is_located: bool | None = None
    is_faulted: bool | None = None
    status: str = ""  # OK, critical, not installed, ... as the enclosure says


@dataclass(frozen=True, slots=True)
class Bay:
    """Place of a disk in an enclosure. `hctls` are SCSI addresses of what is in it, by each path."""

    name: str  # as the enclosure calls it: `Slot 05`
    folder: str  # in sysfs: `6:0:12:0/Slot 05`
    number: int | None = None
    hctls: tuple[str, ...] = ()
    lights: BayLights | None = None  # None: not read


@dataclass(frozen=True, slots=True)
class Enclosure:
    """Shelf or backplane with bays, in their order. `address` is the SCSI address of its own device."""

    address: str
    bays: tuple[Bay, ...]
    number: str = ""  # its logical identifier, the same on each path
    vendor: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class DiskPath:
    """Way from the host to a disk; empty is unknown or not of its kind."""

    disk: str  # kernel name
    controller: str = ""  # PCI address
    host: str = ""  # `host2`: the SCSI host
    ata_port: str = ""  # `ata3`, as the kernel's messages call it
    expander: str = ""  # `expander-6:0`: the last one before the disk


@dataclass(frozen=True, slots=True)
class Shelves:
    """Enclosures of a host and the ways to its disks."""

    enclosures: tuple[Enclosure, ...] = ()
    paths: tuple[DiskPath, ...] = ()


NO_SHELVES: Final = Shelves()


def free_bays(shelves: Shelves) -> tuple[str, ...]:
    """Bays without a disk: `5`, or `1:5` of several shelves; an enclosure seen by two paths counts once."""
    ids = list(dict.fromkeys(each.number or each.address for each in shelves.enclosures))
    known: dict[tuple[str, str], str] = {}
    filled = set()
    for each in shelves.enclosures:
        shelf = each.number or each.address
        for bay in each.bays:
            name = bay.name if bay.number is None else str(bay.number)
            known.setdefault((shelf, bay.name), name if len(ids) == 1 else f"{ids.index(shelf)}:{name}")
            if bay.hctls:
                filled.add((shelf, bay.name))
    return tuple(name for key, name in known.items() if key not in filled)
