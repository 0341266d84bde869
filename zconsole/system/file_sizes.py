"""`find`: sizes and names of some files of file systems, within limits of time and number.

The script runs at the lowest priority, stays in one file system, and does not enter `.zfs`. It needs GNU
find and head; what this account may not read is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command

TOOL: Final = "find"
EACH_S: Final = 2  # for one file system
MOST_FILES: Final = 2000  # of one file system
TIMEOUT_S: Final = 60.0
BLOCK_BYTES: Final = 512  # in which find counts what a file takes
_PLACE: Final = "="
_ALL: Final = "all"  # find has ended by itself, and could read every folder
_END: Final = "."
SCRIPT: Final = (  # what stands before a mark may be the beginning of a file: find was ended while it wrote
    "most=$1 each=$2; shift 2; for place; do printf '\\0=\\0';"
    ' { nice -n 19 timeout -s KILL "$each" find "$place" -xdev -name .zfs -prune -o -type f'
    " -printf '%s %b %P\\0' 2>/dev/null && printf 'all\\0'; } | head -z -n \"$most\"; done; printf '\\0.\\0'"
)


@dataclass(frozen=True, slots=True)
class SizedFile:
    """File below the place that was asked for."""

    path: str  # relative
    size_bytes: int
    allocated_bytes: int  # without holes, and after compression


@dataclass(frozen=True, slots=True)
class SampledPlace:
    """Files of one mountpoint; `is_whole` where there are no others."""

    files: tuple[SizedFile, ...]
    is_whole: bool


def sample_files(mountpoints: Sequence[str]) -> Command:
    """Print size, blocks and name of at most `MOST_FILES` files below each mountpoint."""
    argv = ("sh", "-c", SCRIPT, "zconsole", str(MOST_FILES), str(EACH_S), *mountpoints)
    return Command(argv, timeout_s=TIMEOUT_S)


def parse_file_sample(text: str, places: int) -> tuple[SampledPlace, ...]:
    """Parse the output of `sample_files`, the files of each mountpoint in turn."""
    words = text.split("\0")
    if words.pop() or not words or words.pop() != _END or not words:
        raise ParseError(TOOL, len(words), text[-120:], "truncated")
    found: list[list[str]] = [[]]
    for word in words:
        if word == _PLACE:
            found.append([])
        else:
            found[-1].append(word)
    for each in found:
        if not each:
            raise ParseError(TOOL, len(words), text[:120], "a mark without an end before it")
        each.pop()
    if found.pop(0):
        raise ParseError(TOOL, 1, text[:120], "not the files of a place")
    if len(found) != places:
        raise ParseError(TOOL, len(words), text[-120:], f"expected {places} places, not {len(found)}")
    return tuple(map(_place, found))


def _place(words: list[str]) -> SampledPlace:
    is_whole = bool(words) and words[-1] == _ALL
    return SampledPlace(tuple(map(_file, words[:-1] if is_whole else words)), is_whole)


def _file(word: str) -> SizedFile:
    digits, _, rest = word.partition(" ")
    blocks, blank, path = rest.partition(" ")
    size_bytes, allocated = natural(digits), natural(blocks)
    if size_bytes is None or allocated is None or not blank:
        raise ParseError(TOOL, 1, word, "not the size and name of a file")
    return SizedFile(path, size_bytes, allocated * BLOCK_BYTES)
