"""`zfs destroy -nvp`: what ZFS itself says that a destruction would take. It destroys nothing.

With -R it leaves out the clones and their space: `zfs_do_destroy` collects them only when it acts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.zfs.change.dataset_argv import Argv, snapshots_of

TOOL: Final = "zfs destroy -n"
MAX_BYTES: Final = 48 * 1024  # of ranges a command, far below what one argument can carry
_DRY_RUN: Final = "-nvp"
_DIGITS: Final = re.compile(r"\d{1,20}", re.ASCII)


@dataclass(frozen=True, slots=True)
class DestroyDryRun:
    """What ZFS listed, in its order, and the bytes that it says come free (None where it does not say)."""

    destroys: tuple[str, ...]
    reclaims_bytes: int | None = None


def rehearse_destroy_dataset(name: str, *, recursive: bool = False, with_clones: bool = False) -> Argv:
    """The dry run of destroying a dataset."""
    return ("zfs", "destroy", _flags(recursive=recursive, with_clones=with_clones), name)


def rehearse_destroy_snapshots(
    dataset: str, snapshots: Sequence[str], *, recursive: bool = False, with_clones: bool = False
) -> Argv:
    """The dry run of destroying snapshots of one dataset, by their names behind the @."""
    flags = _flags(recursive=recursive, with_clones=with_clones)
    return ("zfs", "destroy", flags, snapshots_of(dataset, snapshots))


def rehearse_destroy_ranges(dataset: str, ranges: Sequence[tuple[str, str]]) -> Iterator[Argv]:
    """The dry runs of destroying ranges of one dataset's snapshots, whole ranges a command.

    Ranges are the first and last name behind the @, and have other snapshots between them: `zfs` asks the
    kernel for each such range (`destroy_print_cb`), and adds up, which is exact.
    """
    batch: list[str] = []
    length = 0
    for first, last in ranges:
        snapshots_of(dataset, (first, last))  # refuses what would not name snapshots
        spec = first if first == last else f"{first}%{last}"
        if batch and length + len(spec) > MAX_BYTES:
            yield ("zfs", "destroy", _DRY_RUN, f"{dataset}@{','.join(batch)}")
            batch, length = [], 0
        batch.append(spec)
        length += len(spec) + 1
    if batch:
        yield ("zfs", "destroy", _DRY_RUN, f"{dataset}@{','.join(batch)}")


def is_destroy_dry_run(argv: Sequence[str]) -> bool:
    """Whether a command is one of these."""
    return tuple(argv[:2]) == ("zfs", "destroy") and len(argv) > 2 and argv[2].startswith(_DRY_RUN)


def parse_destroy_dry_run(text: str) -> DestroyDryRun:
    """Read its stdout: lines of `destroy` and a name, at the end `reclaim` and bytes. Raises ParseError."""
    destroys: list[str] = []
    reclaims: int | None = None
    for line_no, line in whole_lines(TOOL, text):
        word, tab, rest = line.partition("\t")
        if word == "destroy" and tab and rest and reclaims is None:
            destroys.append(rest)
        elif word == "reclaim" and _DIGITS.fullmatch(rest) and reclaims is None:
            reclaims = int(rest)
        else:
            raise ParseError(TOOL, line_no, line, "expected destroy and a name, or reclaim and bytes")
    return DestroyDryRun(tuple(destroys), reclaims)


def _flags(*, recursive: bool, with_clones: bool) -> str:
    return _DRY_RUN + ("R" if with_clones else "r" if recursive else "")
