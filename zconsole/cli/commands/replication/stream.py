"""`zconsole stream`: read a folder of send streams and print a restore plan."""

from __future__ import annotations

import bz2
import gzip
import lzma
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

from zconsole.analysis.replication.restore_from_streams import restoration
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.cli.json_output import print_document
from zconsole.cli.options import Parser, add_json
from zconsole.cli.subcommand import Subcommand
from zconsole.model.datasets.send_stream import StreamFault, StreamFile, StreamProblem
from zconsole.reports.json.restore_from_streams import stream_document
from zconsole.reports.text.restore_from_streams import stream_lines
from zconsole.zfs.stream.stream_snapshots_and_damage import read_streams


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """`zconsole stream`: a folder of send streams, or one file."""

    folder: Path
    is_json: bool = False
    verifies: bool = False


LACKING: Final = 1
_MAGICS: Final = (
    (b"\x1f\x8b", "gzip"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bzip2"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x04\x22\x4d\x18", "lz4"),
)
_UNPACKED_BY_HAND: Final = frozenset({"zstd", "lz4"})  # the standard library has neither


def run_stream(asked: StreamRequest) -> int:
    """Print the restore plan; 1 when a stream in the folder cannot be restored, else 0."""
    files = tuple(_read(path, asked) for path in _files(asked.folder))
    found = restoration(files)
    if asked.is_json:
        print_document(stream_document(str(asked.folder), files, found))
    else:
        for line in stream_lines(str(asked.folder), files, found):
            print(line)
    is_faulty = any(file.problem and file.problem.fault is not StreamFault.NO_STREAM for file in files)
    return LACKING if is_faulty or found.unrestorable or not found.receives else 0


def _files(folder: Path) -> list[Path]:
    """Files of a folder, or of its whole subtree, by name; a file stands for itself."""
    try:
        if not folder.is_dir():
            if not folder.exists():
                raise UsageError(f"{folder} is not there")
            return [folder]
        return sorted(path for path in folder.rglob("*") if _is_file(path))
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror or error}") from error


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)  # no links: a target outside was not requested
    except OSError:
        return False


def _read(path: Path, asked: StreamRequest) -> StreamFile:
    name = str(path.relative_to(asked.folder)) if path != asked.folder else path.name
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(8)
            compression = next((word for magic, word in _MAGICS if head.startswith(magic)), "")
            if compression in _UNPACKED_BY_HAND:
                reason = f"it is compressed with {compression}; unpack it first: {compression} -d {name}"
                return StreamFile(
                    name, size, compression, problem=StreamProblem(StreamFault.UNREADABLE, 0, reason)
                )
            file.seek(0)
            with _unpacked(file, compression) as plain:
                plain_size = None if compression else size
                streams, problem = read_streams(plain, size_bytes=plain_size, verify=asked.verifies)
    except OSError as error:
        reason = f"it cannot be opened: {error.strerror or error}"
        return StreamFile(name, 0, problem=StreamProblem(StreamFault.UNREADABLE, 0, reason))
    return StreamFile(name, size, compression, streams, problem)


@contextmanager
def _unpacked(file: BinaryIO, compression: str) -> Iterator[BinaryIO]:
    match compression:
        case "gzip":
            with gzip.open(file, "rb") as plain:
                yield cast("BinaryIO", plain)
        case "xz":
            with lzma.open(file, "rb") as plain:
                yield cast("BinaryIO", plain)
        case "bzip2":
            with bz2.open(file, "rb") as plain:
                yield cast("BinaryIO", plain)
        case _:
            yield file


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder on this machine, or one file")
    add_json(parser, "one object")
    parser.add_argument("--verify", action="store_true", help="read everything and compare the checksums")


SUBCOMMAND: Final = Subcommand(
    "stream",
    "Read the ZFS send streams in a folder: which snapshots can be restored, which links are missing, "
    "and the commands in their order; exit 0 all, 1 not all.",
    _add_arguments,
    lambda found: StreamRequest(found.folder, found.json, found.verify),
    lambda asked, _config: run_stream(asked),
)
