"""Stable disk names under /dev/disk, and their order of preference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.system.drop_serials_that_identify_no_disk import with_identifying_serials

TOOL: Final = "ls"
FOLDER: Final = "/dev/disk"
BY_ID: Final = Command(("ls", "-lR", FOLDER))

_FOLDER: Final = re.compile(r"(/[^\n]*):")
_TOTAL: Final = re.compile(r"total \S+")
_DATE: Final = r"(?:[A-Z][a-z]{2} [ \d]\d +(?:\d\d:\d\d|\d{4})|\d{4}-\d\d-\d\d \d\d:\d\d(?::[\d.]+)?)"
_ENTRY: Final = re.compile(
    rf"(?P<kind>[a-z-])[rwxsStT-]{{9}}[.+@]? +\d+ +\S+ +\S+ +(?:\d+, +)?\d+ {_DATE} (?P<name>.+)", re.ASCII
)
_RANKS: Final = (  # best first: assigned by a person, printed on the disk, machine-readable
    re.compile(r"by-vdev/"),
    re.compile(r"by-id/(?:ata|sata|usb|mmc|virtio|scsi-[S01]|nvme-(?!eui\.|nvme\.|uuid\.))"),
    re.compile(r"by-id/scsi-"),
    re.compile(r"by-id/(?:wwn-|nvme-)"),
    re.compile(r"by-id/dm-name-"),
    re.compile(r"by-id/"),
    re.compile(r"by-path/[^/]+\Z"),
    re.compile(r"by-partlabel/"),
    re.compile(r"by-partuuid/"),
    re.compile(r"by-uuid/"),
)


def parse_links(text: str) -> tuple[tuple[str, str], ...]:
    """Every link and its kernel name, sorted.

    Accepts the listing of several folders, or of /dev/disk/by-id alone.
    """
    return tuple(sorted(_links(text)))


def inventory(disks: Iterable[Disk], links: Iterable[tuple[str, str]]) -> Inventory:
    """The disks, each with its links, best first."""
    disks = with_identifying_serials(disks)
    known = dict(links)
    names: dict[str, list[str]] = {}
    for link in sorted(known, key=_rank):
        names.setdefault(known[link], []).append(link)
    for disk in disks:  # /dev/mapper/luks-tank is a link to dm-0 too
        for device in disk.walk():
            if device.path != f"/dev/{device.name}":
                known.setdefault(device.path, device.name)
    return Inventory(tuple(_with_links(disk, names) for disk in disks), tuple(sorted(known.items())))


def _links(text: str) -> Iterator[tuple[str, str]]:
    folder = f"{FOLDER}/by-id"
    for line_no, line in whole_lines(TOOL, text, reason="the output is truncated"):
        header = _FOLDER.fullmatch(line)
        entry = _ENTRY.fullmatch(line)
        if header:
            folder = header[1]
        elif entry and entry["kind"] == "l":
            name, arrow, target = entry["name"].rpartition(" -> ")
            if not arrow:
                raise ParseError(TOOL, line_no, line, "a link without target")
            yield f"{folder}/{name}", target.rpartition("/")[2]
        elif line and not entry and not _TOTAL.fullmatch(line):
            raise ParseError(TOOL, line_no, line, "neither a folder nor an entry")


def _rank(link: str) -> tuple[int, str]:
    below = link.removeprefix(f"{FOLDER}/")
    return next((rank for rank, pattern in enumerate(_RANKS) if pattern.match(below)), len(_RANKS)), link


def _with_links(disk: Disk, names: Mapping[str, list[str]]) -> Disk:
    return replace(
        disk,
        links=tuple(names.get(disk.name, ())),
        children=tuple(_with_links(child, names) for child in disk.children),
    )
