"""`qemu-img info`: the chain of images of a disk. With -U, because a running guest holds its lock."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

import msgspec

from zconsole.base.bounded_json import load_json
from zconsole.base.drop_wrongly_typed_json import prepared
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.guests.guest import Image

TOOL: Final = "qemu-img info"
RAW: Final = "raw"  # as libvirt takes an image of no named format
LONGEST_CHAIN: Final = 200


class _Snapshot(msgspec.Struct, frozen=True):
    name: str = ""


class _Extent(msgspec.Struct, frozen=True):
    filename: str = ""


class _Data(msgspec.Struct, frozen=True, kw_only=True):
    corrupt: bool = False
    data_file: str = msgspec.field(name="data-file", default="")
    extents: tuple[_Extent, ...] = ()


class _Specific(msgspec.Struct, frozen=True):
    data: _Data = _Data()


class _Info(msgspec.Struct, frozen=True, kw_only=True):
    filename: str
    format: str = ""
    virtual_size: int | None = msgspec.field(name="virtual-size", default=None)
    actual_size: int | None = msgspec.field(name="actual-size", default=None)
    cluster_size: int | None = msgspec.field(name="cluster-size", default=None)
    backing_filename: str = msgspec.field(name="backing-filename", default="")
    snapshots: tuple[_Snapshot, ...] = ()
    format_specific: _Specific = msgspec.field(name="format-specific", default=_Specific())


def image_chain(path: str, image_format: str) -> Command:
    """Print the image at an absolute path and all images below it.

    The format is the guest's definition's: what a guest writes to a raw image may look like another one.
    """
    return Command(
        (
            "qemu-img", "info", "-U", "--backing-chain", "--output=json",
            "-f", image_format or RAW,
            "--", path,
        )
    )  # fmt: skip


def parse_image_chain(text: str) -> tuple[Image, ...]:
    """The images, the uppermost first, each followed by its data in files of their own. Raises ParseError."""
    document = load_json(TOOL, text)
    prepared(_Info)
    try:
        found = msgspec.convert(document, tuple[_Info, ...])
    except msgspec.ValidationError as error:
        raise ParseError(TOOL, 1, text, str(error)) from error
    return tuple(islice(chain.from_iterable(map(_with_data_files, found)), LONGEST_CHAIN))


def _with_data_files(info: _Info) -> Iterator[Image]:
    """An image, then the external data file of a qcow2 and the extents of a VMDK."""
    data = info.format_specific.data
    yield Image(
        info.filename,
        info.format,
        info.virtual_size,
        info.actual_size,
        info.cluster_size,
        tuple(snapshot.name for snapshot in info.snapshots),
        data.corrupt,
        info.backing_filename,
    )
    folder = posixpath.dirname(info.filename)
    for name in dict.fromkeys((data.data_file, *(each.filename for each in data.extents))):
        path = posixpath.normpath(posixpath.join(folder, name))
        if name and path != info.filename:
            yield Image(path, RAW)
