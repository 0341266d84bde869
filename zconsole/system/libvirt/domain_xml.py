"""libvirt's XML of a domain (`virsh dumpxml`): the parts about disks and the guest agent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from zconsole.base.bounded_int import natural
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.guests.guest import GuestDefinition, GuestDisk, SourceKind
from zconsole.system.libvirt.domain_storage_beside_disks import storage_beside_disks

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

TOOL: Final = "virsh dumpxml"
LARGEST: Final = 4 << 20  # characters; a guest with a hundred disks has 100 kB
LONGEST_CHAIN: Final = 200  # images: libvirt refuses more
AGENT: Final = "org.qemu.guest_agent.0"
UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SOURCES: Final = {
    SourceKind.FILE: ("file",),
    SourceKind.BLOCK: ("dev",),
    SourceKind.POOL_VOLUME: ("pool", "volume"),
    SourceKind.NETWORK: ("protocol", "name"),
    SourceKind.DIR: ("dir",),
    SourceKind.VHOST_USER: ("path",),
}
REMOVABLE: Final = frozenset({"cdrom", "floppy"})
_UNITS: Final = {
    "b": 1, "bytes": 1, "KB": 1000, "KiB": 1 << 10, "k": 1 << 10, "MB": 10**6, "MiB": 1 << 20, "M": 1 << 20,
    "GB": 10**9, "GiB": 1 << 30, "G": 1 << 30, "TB": 10**12, "TiB": 1 << 40, "T": 1 << 40,
}  # fmt: skip


def dump_xml(connection: str, uuid: str) -> Command:
    """Print the definition of a guest, of its present state if it runs."""
    return Command(("virsh", "-r", "-q", "-c", connection, "dumpxml", uuid))


def parse_domain(text: str) -> GuestDefinition:
    """The definition of a guest. Raises ParseError for what is no domain."""
    from xml.etree.ElementTree import ParseError as NotXml  # noqa: PLC0415  # 10 ms, for hosts with guests only
    from xml.etree.ElementTree import fromstring  # noqa: PLC0415

    if len(text) > LARGEST:
        raise ParseError(TOOL, 1, text, f"longer than {LARGEST} characters")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ParseError(TOOL, 1, text, "libvirt declares no entities")
    try:
        root = fromstring(text)  # noqa: S314  # without a document type it can declare nothing
    except (NotXml, ValueError, RecursionError) as error:
        raise ParseError(TOOL, 1, text, f"not XML: {error}") from error
    uuid, name = _text(root, "uuid"), root.findtext("name") or ""  # which may end with a blank
    if root.tag != "domain" or not UUID.fullmatch(uuid) or not name:
        raise ParseError(TOOL, 1, text, "not a domain with a name and a uuid")
    channels = [target for target in root.iterfind("devices/channel/target") if target.get("name") == AGENT]
    states = {"connected": True, "disconnected": False}
    memory = root.find("memory")
    return GuestDefinition(
        uuid=uuid,
        name=name,
        title=_text(root, "title"),
        disks=tuple(_disks(root)),
        others=tuple(storage_beside_disks(root, uuid)),
        has_agent_channel=bool(channels),
        is_agent_connected=states.get(channels[0].get("state", "")) if channels else None,
        memory_bytes=_bytes(memory),
        processors=natural(_text(root, "vcpu")),
    )


def _disks(root: Element) -> Iterator[GuestDisk]:
    for disk in root.iterfind("devices/disk"):
        target = disk.find("target")
        name = target.get("dev", "") if target is not None else ""
        kind = _kind(disk.get("type", ""))
        device = disk.get("device", "disk")
        source = _source(disk.find("source"), kind)
        if not source and device not in REMOVABLE:
            source = disk.get("type", "")  # of a kind that is not known here
        if not name or not source:
            continue  # an empty drive
        driver = disk.find("driver")
        words = driver.attrib if driver is not None else {}
        yield GuestDisk(
            target=name,
            source=source,
            kind=kind,
            device=device,
            format=words.get("type", ""),
            cache=words.get("cache", ""),
            io=words.get("io", ""),
            discard=words.get("discard", ""),
            error_policy=words.get("error_policy", ""),
            is_read_only=disk.find("readonly") is not None,
            is_shareable=disk.find("shareable") is not None,
            startup_policy=_startup_policy(disk.find("source")),
            backing=tuple(_backing(disk)),
        )


def _startup_policy(source: Element | None) -> str:
    return "" if source is None else source.get("startupPolicy", "")


def _backing(disk: Element) -> Iterator[str]:
    """Sources of the images below, as far as libvirt lists them."""
    below = disk.find("backingStore")
    for _ in range(LONGEST_CHAIN):
        if below is None:
            return
        path = _source(below.find("source"), _kind(below.get("type", "")))
        if path:
            yield path
        below = below.find("backingStore")


def _kind(word: str) -> SourceKind:
    try:
        return SourceKind(word)
    except ValueError:
        return SourceKind.OTHER


def _source(source: Element | None, kind: SourceKind) -> str:
    if source is None:
        return ""
    if kind is SourceKind.NVME:
        return _nvme(source)
    words = [source.get(name, "") for name in _SOURCES.get(kind, ("file", "dev", "dir", "path"))]
    return "/".join(word for word in words if word) if kind in _SOURCES else next(filter(None, words), "")


def _nvme(source: Element) -> str:
    """`PCI 0000:01:00.0 namespace 1`."""
    address = source.find("address")
    words = address.attrib if address is not None else {}
    parts = [words.get(key, "0x0").removeprefix("0x") for key in ("domain", "bus", "slot", "function")]
    domain, bus, slot, function = parts
    where = f"{domain:0>4}:{bus:0>2}:{slot:0>2}.{function}"
    return f"PCI {where} namespace {source.get('namespace', '1')}"


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


def _bytes(element: Element | None) -> int | None:
    if element is None:
        return None
    value, unit = natural((element.text or "").strip()), _UNITS.get(element.get("unit", "KiB"))
    return value * unit if value is not None and unit is not None else None
