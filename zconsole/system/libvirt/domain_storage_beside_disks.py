"""Storage beside the disks in libvirt's XML of a domain: firmware, TPM, kernel, shared folders, memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from zconsole.model.guests.guest import OtherStorage

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

TPM_STATES: Final = "/var/lib/libvirt/swtpm"  # a folder for each guest, by its uuid
MEMORY_FILES: Final = "/var/lib/libvirt/qemu/ram"  # memory_backing_dir of qemu.conf unless it is set
MOST: Final = 500  # of one guest
_BOOT: Final = (
    ("os/loader", "firmware"),
    ("os/kernel", "kernel"),
    ("os/initrd", "initrd"),
    ("os/dtb", "device tree"),
    ("os/shim", "shim"),
    ("os/acpi/table", "ACPI table"),
)
_ARGUMENTS: Final = "{http://libvirt.org/schemas/domain/qemu/1.0}commandline"
_ARGUMENT: Final = "{http://libvirt.org/schemas/domain/qemu/1.0}arg"
_PATH: Final = re.compile(r"(?:^|[=,:])(/[^,]+)")
_CHARACTERS: Final = ("serial", "console", "parallel", "channel")
_KEYS: Final = ("file", "dev", "dir", "path")


def storage_beside_disks(root: Element, uuid: str) -> Iterator[OtherStorage]:
    """Each once, in the order of the definition, at most MOST."""
    found = dict.fromkeys(_all(root, uuid))
    yield from tuple(found)[:MOST]


def _all(root: Element, uuid: str) -> Iterator[OtherStorage]:
    for path, role in _BOOT:
        for each in root.iterfind(path):
            is_read_only = each.get("readonly") != "no"  # of firmware in flash memory
            yield from _at(role, each.text or "", is_read_only=is_read_only)
    yield from _variables(root)
    yield from _of_disks(root)
    for each in root.iterfind("devices/filesystem"):
        yield from _shared(each)
    for each in root.iterfind("devices/tpm/backend"):
        yield from _tpm(each, uuid)
    yield from _memory(root)
    for kind in _CHARACTERS:
        for each in root.iterfind(f"devices/{kind}"):
            yield from _output(each, kind)
    for each in root.iterfind("devices/hostdev/source/block"):
        yield from _at("block device", each.text or "")
    for each in root.iterfind("devices/pstore/path"):
        yield from _at("pstore", each.text or "")
    for each in root.iterfind(f"{_ARGUMENTS}/{_ARGUMENT}"):
        for path in _PATH.findall(each.get("value", "")):
            yield OtherStorage("argument of QEMU", path)


def _variables(root: Element) -> Iterator[OtherStorage]:
    role = "UEFI variables"
    for each in root.iterfind("os/nvram"):
        source = each.find("source")
        if source is None:
            yield from _at(role, each.text or "")
        else:
            yield _sourced(role, each.get("type", "file"), source)


def _of_disks(root: Element) -> Iterator[OtherStorage]:
    """Data files of images, and what a job copies disks to."""
    for disk in root.iterfind("devices/disk"):
        target = disk.find("target")
        name = target.get("dev", "disk") if target is not None else "disk"
        for each in disk.iterfind("source/dataStore"):
            yield _sourced(f"data file of {name}", each.get("type", "file"), each.find("source"))
        for each in disk.iterfind("mirror"):
            if each.get("file"):
                yield from _at(f"copy of {name}", each.get("file", ""))
            else:
                yield _sourced(f"copy of {name}", each.get("type", "file"), each.find("source"))


def _shared(folder: Element) -> Iterator[OtherStorage]:
    target, source = folder.find("target"), folder.find("source")
    tag = target.get("dir", "") if target is not None else ""
    role = f"shared folder {tag}".rstrip()
    if folder.get("type") == "ram":
        return  # a file system in memory
    if source is not None and source.get("socket"):
        yield OtherStorage(role, unknown=f"a virtiofsd of its own serves it at {source.get('socket')}")
    else:
        is_read_only = folder.find("readonly") is not None
        yield replace(_sourced(role, folder.get("type", "mount"), source), is_read_only=is_read_only)


def _tpm(backend: Element, uuid: str) -> Iterator[OtherStorage]:
    role, source = "TPM state", backend.find("source")
    match backend.get("type"):
        case "emulator" if source is not None:
            yield _sourced(role, source.get("type", "file"), source)
        case "emulator":
            yield OtherStorage(role, f"{TPM_STATES}/{uuid}", is_default=True)
        case "external":
            yield OtherStorage(role, unknown="a swtpm that libvirt did not start keeps it")
        case _:
            return  # a TPM of the host


def _memory(root: Element) -> Iterator[OtherStorage]:
    source = root.find("memoryBacking/source")
    if source is not None and source.get("type") == "file":
        yield OtherStorage("memory file", MEMORY_FILES, is_default=True)
    for each in root.iterfind("devices/memory/source/path"):
        yield from _at("memory device", each.text or "")


def _output(device: Element, kind: str) -> Iterator[OtherStorage]:
    source, log = device.find("source"), device.find("log")
    if device.get("type") == "file" and source is not None:
        yield from _at(f"output of {kind}", source.get("path", ""))
    if log is not None:
        yield from _at(f"log of {kind}", log.get("file", ""))


def _sourced(role: str, kind: str, source: Element | None) -> OtherStorage:
    if source is None:
        return OtherStorage(role, unknown="its definition names no source")
    if kind == "volume":
        words = f"{source.get('pool', '')}/{source.get('volume', '')}"
        return OtherStorage(role, unknown=f"volume {words} of a storage pool of libvirt")
    if kind == "network":
        return OtherStorage(role, unknown=f"it is reached over the network ({source.get('protocol', '')})")
    path = next((path for key in _KEYS if (path := source.get(key, "")).startswith("/")), "")
    return OtherStorage(role, path) if path else OtherStorage(role, unknown=f"a source of type {kind}")


def _at(role: str, path: str, *, is_read_only: bool = False) -> Iterator[OtherStorage]:
    """Storage at an absolute path; nothing without one."""
    if path.startswith("/"):
        yield OtherStorage(role, path, is_read_only=is_read_only)
