"""Text of the disks in libvirt's XML of a domain, byte for byte; and with another source, the rest kept."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.guests.xml_text import quoted
from zconsole.system.libvirt.domain_xml import LARGEST, TOOL

_WHERE: Final = ["domain", "devices", "disk"]  # of the elements that define a disk
_SOURCE: Final = re.compile(r"""(\s)(file|dev)(\s*=\s*)(?:"[^"]*"|'[^']*')""")


@dataclass(frozen=True, slots=True)
class DiskText:
    """Element `<disk>` as libvirt prints it."""

    target: str  # vda
    source: str  # path of the file or device; empty for others
    text: str
    source_tag: tuple[int, int] = (0, 0)  # where the tag `<source ...>` begins and ends in the text
    has_backing_file: bool = False  # the definition itself names an image below

    def with_source(self, path: str) -> str:
        """The element with another path. Raises ValueError for a disk without a file or device."""
        begin, end = self.source_tag
        value = quoted(path)
        tag, changed = _SOURCE.subn(
            lambda found: f"{found[1]}{found[2]}{found[3]}{value}", self.text[begin:end], count=1
        )
        if not self.source or not changed:
            raise ValueError(f"{self.target} is on no file or device")
        return self.text[:begin] + tag + self.text[end:]


@dataclass(slots=True)
class _Found:
    """Disk under construction; positions in bytes of the whole text."""

    begin: int
    target: str = ""
    source: str = ""
    tag: tuple[int, int] = (0, 0)
    has_backing_file: bool = False


@dataclass(slots=True)
class _Reading:
    """Elements open at present, and the disks found."""

    data: bytes
    path: list[str] = field(default_factory=list)
    disks: list[DiskText] = field(default_factory=list)
    disk: _Found | None = None

    def begins(self, name: str, attributes: dict[str, str], at: int) -> None:
        self.path.append(name)
        if self.path == _WHERE:
            self.disk = _Found(at)
        elif self.disk is None:
            return
        elif self.path == [*_WHERE, "target"]:
            self.disk.target = attributes.get("dev", "")
        elif self.path == [*_WHERE, "source"]:
            self.disk.source = next((attributes[key] for key in ("file", "dev") if key in attributes), "")
            self.disk.tag = (at, _end_of_tag(self.data, at))
        elif self.path == [*_WHERE, "backingStore", "source"]:
            self.disk.has_backing_file = True

    def ends(self, at: int) -> None:
        if self.path == _WHERE and self.disk is not None:
            found, end = self.disk, _end_of_tag(self.data, at)
            text = self.data[found.begin : end].decode()
            begin, tag_end = (
                len(self.data[found.begin : max(each, found.begin)].decode()) for each in found.tag
            )
            self.disks.append(
                DiskText(found.target, found.source, text, (begin, tag_end), found.has_backing_file)
            )
            self.disk = None
        self.path.pop()


def parse_disk_texts(text: str) -> tuple[DiskText, ...]:
    """The disks in the XML of a domain. Raises ParseError."""
    from xml.parsers.expat import ExpatError, ParserCreate  # noqa: PLC0415  # for hosts with guests only

    if len(text) > LARGEST:
        raise ParseError(TOOL, 1, text, f"longer than {LARGEST} characters")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ParseError(TOOL, 1, text, "libvirt declares no entities")
    try:
        data = text.encode()
        parser = ParserCreate("utf-8")
        reading = _Reading(data)
        parser.StartElementHandler = lambda name, attributes: reading.begins(
            name, attributes, parser.CurrentByteIndex
        )
        parser.EndElementHandler = lambda _name: reading.ends(parser.CurrentByteIndex)
        parser.Parse(data, True)
    except (ExpatError, ValueError) as error:
        raise ParseError(TOOL, 1, text, f"not XML: {error}") from error
    return tuple(reading.disks)


def _end_of_tag(data: bytes, at: int) -> int:
    """Where the tag that begins here ends; a `>` in an attribute's value is part of that."""
    quote = 0
    for index in range(at, len(data)):
        byte = data[index]
        if quote:
            quote = 0 if byte == quote else quote
        elif byte in b"'\"":
            quote = byte
        elif byte == ord(">"):
            return index + 1
    raise ValueError("a tag without an end")
