"""/sys/class/enclosure and /sys/block: shelves with their bays (SES), and the way to each disk.

Any user may read them. Numbers and links of bays are in the kernel's memory; the LEDs and the state of a bay
are asked of the enclosure, so they are a command of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.pools.shelf_and_disk_path import Bay, BayLights, DiskPath, Enclosure, Shelves

TOOL: Final = "enclosures"
MOST_LINES: Final = 200_000  # some lines a disk and a bay; enough for ten thousand of each
SYSFS: Final = "/sys"
FOLDER: Final = "/sys/class/enclosure"
SCRIPT: Final = (
    'ls -l "$1/block" 2>/dev/null; cd "$1/class/enclosure" 2>/dev/null || exit 0;'
    ' grep -sH "" */id */device/vendor */device/model */*/slot */*/type;'
    " ls -ld */*/device 2>/dev/null; exit 0"
)
LIGHTS_SCRIPT: Final = (
    'cd "$1/class/enclosure" 2>/dev/null || exit 0; grep -sH "" */*/locate */*/fault */*/status; exit 0'
)
TIMEOUT_S: Final = 20.0  # an enclosure takes some ms for each bay
_HOLDS_DISKS: Final = frozenset({"device", "array device"})
_ADDRESS: Final = r"\d{1,5}:\d{1,5}:\d{1,5}:\d{1,20}"
_OF_ENCLOSURE: Final = re.compile(rf"({_ADDRESS})/(id|device/vendor|device/model):(.*)", re.ASCII)
_OF_BAY: Final = re.compile(rf"({_ADDRESS})/([^/]{{1,255}})/(slot|type|locate|fault|status):(.*)", re.ASCII)
_LINK: Final = re.compile(rf"l\S{{9,10}} .{{1,200}} ({_ADDRESS})/([^/]{{1,255}})/device -> (.+)", re.ASCII)
_DISK: Final = re.compile(r"l\S{9,10} .{1,200} ([\w!.-]{1,64}) -> (\S+)", re.ASCII)
_PCI: Final = re.compile(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", re.ASCII)
_HOST: Final = re.compile(r"host\d{1,5}", re.ASCII)
_ATA: Final = re.compile(r"ata\d{1,5}", re.ASCII)
_EXPANDER: Final = re.compile(r"expander-\d{1,5}:\d{1,5}", re.ASCII)
_SCSI: Final = re.compile(_ADDRESS, re.ASCII)


def read_shelves(sysfs: str = SYSFS) -> Command:
    """Enclosures with the disks in their bays, and the way to each disk."""
    return Command(("sh", "-c", SCRIPT, "zconsole", sysfs), timeout_s=TIMEOUT_S)


def read_lights(sysfs: str = SYSFS) -> Command:
    """LEDs and state of all bays; each is asked of its enclosure."""
    return Command(("sh", "-c", LIGHTS_SCRIPT, "zconsole", sysfs), timeout_s=TIMEOUT_S)


def locate(folder: str) -> tuple[str, ...]:
    """Write the locate LED of a bay; 1 or 0 on stdin. It requires root."""
    return "tee", f"{FOLDER}/{folder}/locate"


@dataclass(slots=True)
class _Found:
    """Lines of one bay."""

    slot: int | None = None
    kind: str = ""
    hctl: str = ""


@dataclass(slots=True)
class _Shelf:
    """Lines of one enclosure device."""

    facts: dict[str, str] = field(default_factory=dict)
    bays: dict[str, _Found] = field(default_factory=dict)


def parse_shelves(text: str) -> Shelves:
    """Enclosures in the order of their addresses, and paths; other lines are skipped. Raises ParseError."""
    if (count := text.count("\n")) > MOST_LINES:
        raise ParseError(TOOL, count, "", f"more than {MOST_LINES} lines")
    shelves: dict[str, _Shelf] = {}
    paths: dict[str, DiskPath] = {}
    for _, line in whole_lines(TOOL, text):
        if fact := _OF_ENCLOSURE.fullmatch(line):
            shelves.setdefault(fact[1], _Shelf()).facts[fact[2]] = fact[3].strip()
        elif one := _OF_BAY.fullmatch(line):
            bay = shelves.setdefault(one[1], _Shelf()).bays.setdefault(one[2], _Found())
            if one[3] == "slot":
                bay.slot = natural(one[4].strip())
            else:
                bay.kind = one[4].strip()
        elif link := _LINK.fullmatch(line):
            bay = shelves.setdefault(link[1], _Shelf()).bays.setdefault(link[2], _Found())
            address = link[3].rpartition("/")[2]
            bay.hctl = address if _SCSI.fullmatch(address) else ""
        elif (disk := _DISK.fullmatch(line)) and "/" in disk[2]:
            paths[disk[1]] = _path(disk[1], disk[2])
    return Shelves(_enclosures(shelves), tuple(paths[name] for name in sorted(paths)))


def parse_lights(text: str) -> dict[str, BayLights]:
    """Lights by the folder of the bay."""
    found: dict[str, BayLights] = {}
    for _, line in whole_lines(TOOL, text):
        one = _OF_BAY.fullmatch(line)
        if one is None:
            continue
        folder, value = f"{one[1]}/{one[2]}", one[4].strip()
        lights = found.get(folder, BayLights())
        match one[3]:
            case "locate":
                found[folder] = replace(lights, is_located=_flag(value))
            case "fault":
                found[folder] = replace(lights, is_faulted=_flag(value))
            case "status":
                found[folder] = replace(lights, status=value)
            case _:
                pass
    return found


def with_lights(enclosures: Iterable[Enclosure], lights: Mapping[str, BayLights]) -> tuple[Enclosure, ...]:
    """Enclosures with the lights of their bays."""
    return tuple(
        replace(
            each, bays=tuple(replace(bay, lights=lights.get(bay.folder, bay.lights)) for bay in each.bays)
        )
        for each in enclosures
    )


def _enclosures(shelves: Mapping[str, _Shelf]) -> tuple[Enclosure, ...]:
    """One enclosure for each logical identifier: a shelf with two paths has two devices."""
    found: dict[str, Enclosure] = {}
    for address in sorted(shelves, key=_numbers):
        shelf = shelves[address]
        bays = tuple(
            Bay(name, f"{address}/{name}", bay.slot, (bay.hctl,) if bay.hctl else ())
            for name, bay in sorted(
                shelf.bays.items(), key=lambda each: (each[1].slot is None, each[1].slot or 0, each[0])
            )
            if (bay.kind in _HOLDS_DISKS or bay.hctl) and name != "device"
        )
        if not bays:
            continue
        number = shelf.facts.get("id", "")
        known = found.get(number) if _is_number(number) else None
        if known is not None:
            found[number] = _merged(known, bays)
        else:
            vendor, model = (shelf.facts.get(f"device/{each}", "") for each in ("vendor", "model"))
            found[number if _is_number(number) else address] = Enclosure(address, bays, number, vendor, model)
    return tuple(found.values())


def _merged(known: Enclosure, bays: Iterable[Bay]) -> Enclosure:
    """The enclosure with the second path's addresses."""
    others = {(bay.number, bay.name): bay.hctls for bay in bays}
    merged = (
        replace(bay, hctls=tuple(dict.fromkeys((*bay.hctls, *others.get((bay.number, bay.name), ())))))
        for bay in known.bays
    )
    return replace(known, bays=tuple(merged))


def _is_number(number: str) -> bool:
    return bool(number.strip("0x"))


def _path(name: str, target: str) -> DiskPath:
    parts = target.split("/")
    pci = [each for each in parts if _PCI.fullmatch(each)]
    expanders = [each for each in parts if _EXPANDER.fullmatch(each)]
    return DiskPath(
        name,
        pci[-1] if pci else "",
        next((each for each in parts if _HOST.fullmatch(each)), ""),
        next((each for each in parts if _ATA.fullmatch(each)), ""),
        expanders[-1] if expanders else "",
    )


def _numbers(address: str) -> tuple[int, ...]:
    return tuple(int(each) for each in address.split(":"))


def _flag(value: str) -> bool | None:
    return {"0": False, "1": True}.get(value)
