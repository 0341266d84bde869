"""Folder listings, file states and sizes: `find`, `stat`, `realpath`, `du`.

All output records end with NUL, which no name contains. Paths are absolute, so none can be an option. A path
with a line break, which no remote command line can contain, is passed to xargs on stdin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.datasets.snapshot_contents import FileState, FileType

Argv = tuple[str, ...]

FIND: Final = "find"
STAT: Final = "stat"
REALPATH: Final = "realpath"
DU: Final = "du"
XARGS: Final = ("xargs", "-0")
TIMEOUT_S: Final = 30.0
DU_TIMEOUT_S: Final = 120.0  # it reads every file below
AT_ONCE: Final = 200  # paths per command
_FIND_FIELDS: Final = r"%y\0%D\0%i\0%s\0%T@\0%f\0%l\0"
_STAT_FIELDS: Final = r"%f\0%d\0%i\0%s\0%.9Y\0%n\0"
_TYPES: Final = {
    "f": FileType.FILE, "d": FileType.FOLDER, "l": FileType.LINK, "p": FileType.FIFO,
    "s": FileType.SOCKET, "b": FileType.BLOCK, "c": FileType.CHARACTER,
}  # fmt: skip
_MODES: Final = {
    0o100000: FileType.FILE, 0o040000: FileType.FOLDER, 0o120000: FileType.LINK, 0o010000: FileType.FIFO,
    0o140000: FileType.SOCKET, 0o060000: FileType.BLOCK, 0o020000: FileType.CHARACTER,
}  # fmt: skip
_FORMAT_MASK: Final = 0o170000
_MOMENT: Final = re.compile(r"(-?)([0-9]{1,19})[.,]([0-9]{9})[0-9]?")
_NUMBER: Final = re.compile(r"[0-9]{1,20}")
LONGEST_ENTRY: Final = 64 * 1024  # bytes: a name, a link target, and numbers
_PER_ENTRY: Final = 7
_PER_PATH: Final = 6


def list_folder(path: str) -> Command:
    """List a folder; for `Host.stream`. The `/.` triggers the automount of a snapshot."""
    fields = ("-mindepth", "1", "-maxdepth", "1", "-printf", _FIND_FIELDS)
    if "\n" in _checked(path):
        return Command((*XARGS, "-I", "{}", FIND, "{}/.", *fields), timeout_s=TIMEOUT_S, stdin=_input([path]))
    return Command((FIND, f"{path}/.", *fields), timeout_s=TIMEOUT_S)


class FolderReader:
    """Incremental parser of `list_folder` output."""

    def __init__(self, path: str) -> None:
        self._path = path.rstrip("/")
        self._rest = b""
        self._count = 0

    def feed(self, chunk: bytes) -> Iterator[FileState]:
        """The entries completed by this chunk. Raises ParseError."""
        *fields, self._rest = (self._rest + chunk).split(b"\0")
        whole = len(fields) // _PER_ENTRY * _PER_ENTRY
        if whole < len(fields):
            self._rest = b"\0".join([*fields[whole:], self._rest])
        for at in range(0, whole, _PER_ENTRY):
            self._count += 1
            yield self._entry(fields[at : at + _PER_ENTRY])
        if len(self._rest) > LONGEST_ENTRY:
            raise ParseError(FIND, self._count + 1, _text(self._rest[:256]), "the entry does not end")

    def end(self) -> None:
        """End of the output. Raises ParseError when the last entry is truncated."""
        if self._rest:
            raise ParseError(FIND, self._count + 1, _text(self._rest), "truncated")

    def _entry(self, fields: Sequence[bytes]) -> FileState:
        letter, device, inode, size, moment, name, target = map(_text, fields)
        if not name or "/" in name:
            raise ParseError(FIND, self._count, name, "not a name")
        try:
            return FileState(
                f"{self._path}/{name}",
                _TYPES.get(letter, FileType.OTHER),
                _number(device),
                _number(inode),
                _number(size),
                _nanoseconds(moment, is_added=True),
                target,
            )
        except ValueError as error:
            raise ParseError(FIND, self._count, name, str(error)) from error


def stat_files(paths: Sequence[str]) -> Command:
    """Attributes of the files at these paths; missing ones are omitted and make the command fail."""
    return _about((STAT, "--printf", _STAT_FIELDS), paths, TIMEOUT_S)


def parse_stat_files(data: bytes) -> tuple[FileState, ...]:
    """Parse the output of `stat_files`. Raises ParseError."""
    *fields, last = data.split(b"\0")
    if last or len(fields) % _PER_PATH:
        raise ParseError(STAT, len(fields) // _PER_PATH + 1, _text(last), "truncated")
    return tuple(
        _state(fields[at : at + _PER_PATH], at // _PER_PATH + 1) for at in range(0, len(fields), _PER_PATH)
    )


def resolve(path: str) -> Command:
    """Resolve the symbolic links of an existing path."""
    return _about((REALPATH, "-ez"), [path], TIMEOUT_S)


def parse_resolved(data: bytes) -> str:
    """The path in the output of `resolve`. Raises ParseError."""
    path, end, more = data.partition(b"\0")
    if not end or more or not path.startswith(b"/"):
        raise ParseError(REALPATH, 1, _text(data), "expected one absolute path")
    return _text(path)


def resolve_missing(paths: Sequence[str]) -> Command:
    """Resolve the symbolic links of paths, as far as they exist."""
    return _about((REALPATH, "-mz"), paths, TIMEOUT_S)


def parse_all_resolved(data: bytes) -> tuple[str, ...]:
    """The paths in the output of `resolve_missing`, in requested order. Raises ParseError."""
    *paths, last = data.split(b"\0")
    if last or not all(path.startswith(b"/") for path in paths):
        raise ParseError(REALPATH, len(paths), _text(last), "expected absolute paths")
    return tuple(map(_text, paths))


def measure(path: str) -> Command:
    """Apparent size of a file, or of a folder with its contents on one file system."""
    return _about((DU, "-sx0", "--apparent-size", "-B1"), [path], DU_TIMEOUT_S)


def measure_allocated(path: str) -> Command:
    """Allocated size of the same."""
    return _about((DU, "-sx0", "-B1"), [path], DU_TIMEOUT_S)


def count_inodes(path: str) -> Command:
    """Number of inodes of the same."""
    return _about((DU, "-sx0", "--inodes"), [path], DU_TIMEOUT_S)


def parse_measured(data: bytes) -> int:
    """The number printed by du for one path. Raises ParseError."""
    number, _, path = _text(data).partition("\t")
    if not path.endswith("\0") or path.count("\0") != 1:
        raise ParseError(DU, 1, _text(data), "expected one number and one path")
    try:
        return _number(number)
    except ValueError as error:
        raise ParseError(DU, 1, _text(data), str(error)) from error


def copy_new(source: str, target: str) -> tuple[Argv, str | None]:
    """Copy recursively with owner, times and ACLs, to a name that must not exist; with its stdin.

    `-T` prevents copying into an existing folder, `-n` prevents overwriting.
    """
    return _step(("cp", "-anT"), source, target)


def put_in_place(source: str, target: str) -> tuple[Argv, str | None]:
    """Rename a file over another one atomically (rename(2)); with its stdin."""
    return _step(("mv", "-fT"), source, target)


def _step(program: Argv, source: str, target: str) -> tuple[Argv, str | None]:
    words = (*program, "--")
    paths = [_checked(source), _checked(target)]
    if any("\n" in path for path in paths):
        return (*XARGS, *words), "".join(f"{path}\0" for path in paths)
    return (*words, *paths), None


def _about(program: Argv, paths: Sequence[str], timeout_s: float) -> Command:
    words = (*program, "--")
    if any("\n" in _checked(path) for path in paths):
        return Command((*XARGS, *words), timeout_s=timeout_s, stdin=_input(paths))
    return Command((*words, *paths), timeout_s=timeout_s)


def _input(paths: Sequence[str]) -> bytes:
    return b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)


def _state(fields: Sequence[bytes], place: int) -> FileState:
    mode, device, inode, size, moment, path = map(_text, fields)
    try:
        kind = _MODES.get(int(mode, 16) & _FORMAT_MASK, FileType.OTHER)
        return FileState(path, kind, _number(device), _number(inode), _number(size), _nanoseconds(moment))
    except ValueError as error:
        raise ParseError(STAT, place, path, str(error)) from error


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"not a number: {text!r}")
    return int(text)


def _nanoseconds(text: str, *, is_added: bool = False) -> int:
    """Before 1970 stat prints a negative number, find whole seconds with a positive fraction."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError(f"not a time: {text!r}")
    whole, fraction = int(found[2]) * 1_000_000_000, int(found[3])
    if not found[1]:
        return whole + fraction
    return fraction - whole if is_added else -whole - fraction


def _checked(path: str) -> str:
    """The path if it is absolute. Raises ValueError."""
    if not path.startswith("/") or "\0" in path:
        raise ValueError(f"not an absolute path: {path!r}")
    return path


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
