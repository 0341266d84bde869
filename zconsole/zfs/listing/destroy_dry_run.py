"""`zfs destroy -nvp`: ZFS's dry run of a destroy. It destroys nothing.

With -R it omits clones and their space: `zfs_do_destroy` collects them only when it acts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.zfs.change.dataset_argv import Argv, snapshots_of

TOOL: Final = "zfs destroy -n"
MAX_BYTES: Final = 48 * 1024  # of ranges per command, far below the limit of one argument
_DRY_RUN: Final = "-nvp"
_DIGITS: Final = re.compile(r"\d{1,20}", re.ASCII)


@dataclass(frozen=True, slots=True)
class DestroyDryRun:
    """Objects listed by ZFS, in its order, and the bytes freed (None if not reported)."""

    destroys: tuple[str, ...]
    reclaims_bytes: int | None = None


def rehearse_destroy_dataset(name: str, *, recursive: bool = False, with_clones: bool = False) -> Argv:
    """Dry run of destroying a dataset."""
    return ("zfs", "destroy", _flags(recursive=recursive, with_clones=with_clones), name)


def rehearse_destroy_snapshots(
    dataset: str, snapshots: Sequence[str], *, recursive: bool = False, with_clones: bool = False
) -> Argv:
    """Dry run of destroying snapshots of one dataset, by their names after the @."""
    flags = _flags(recursive=recursive, with_clones=with_clones)
    return ("zfs", "destroy", flags, snapshots_of(dataset, snapshots))


def rehearse_destroy_ranges(dataset: str, ranges: Sequence[tuple[str, str]]) -> Iterator[Argv]:
    """Dry runs of destroying ranges of one dataset's snapshots, whole ranges per command.

    A range is its first and last name after the @ and contains other snapshots: `zfs` asks the kernel for
    each such range (`destroy_print_cb`) and adds up, which is exact.
    """
    batch: list[str] = []
    length = 0
    for first, last in ranges:
        snapshots_of(dataset, (first, last))  # rejects names that are not snapshots
        spec = first if first == last else f"{first}%{last}"
        if batch and length + len(spec) > MAX_BYTES:
            yield ("zfs", "destroy", _DRY_RUN, f"{dataset}@{','.join(batch)}")
            batch, length = [], 0
        batch.append(spec)
        length += len(spec) + 1
    if batch:
        yield ("zfs", "destroy", _DRY_RUN, f"{dataset}@{','.join(batch)}")


def is_destroy_dry_run(argv: Sequence[str]) -> bool:
    """Whether a command is one of these dry runs."""
    return tuple(argv[:2]) == ("zfs", "destroy") and len(argv) > 2 and argv[2].startswith(_DRY_RUN)


def parse_destroy_dry_run(text: str) -> DestroyDryRun:
    """Parse its stdout: lines of `destroy` and a name, then `reclaim` and bytes. Raises ParseError."""
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
