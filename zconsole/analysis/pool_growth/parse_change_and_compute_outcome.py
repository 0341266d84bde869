"""Changes of a live pool in user syntax (`add mirror:2`, `replace raidz2-0`), and their outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from zconsole.analysis.pool_growth import effects_on_used_space as effects
from zconsole.analysis.pool_growth import migration, what_if
from zconsole.analysis.pool_growth.change_outcome import ChangeOutcome, outcome_of
from zconsole.analysis.pool_growth.live_pool import LivePool
from zconsole.analysis.pool_layouts.drive_size import Drive, parse_drive
from zconsole.analysis.pool_layouts.layout import DEFAULT_ASHIFT, Layout
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.analysis.pool_layouts.usable_space import DEFLATED_BLOCK
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import block_size, both, parse_block_size, parse_count, parse_number
from zconsole.model.pools.space_samples import DatasetUse

CHANGES: Final = {  # with their arguments; brackets mark optional ones
    "add": ("LAYOUT",),
    "replace": ("VDEV",),
    "attach": ("VDEV",),
    "remove": ("VDEV",),
    "move": ("LAYOUT",),
    "move-on-halves": ("LAYOUT",),
    "compression": ("BEFORE", "AFTER"),
    "recordsize": ("BEFORE", "AFTER"),
    "copies": ("BEFORE", "AFTER"),
    "dedup": ("RATIO",),
    "snapshots": ("[DATASET]",),
}
_NEEDS_DRIVE: Final = ("replace", "attach")


@dataclass(frozen=True, slots=True)
class Drives:
    """Drives used by a change."""

    drive: Drive | None = None
    ashift: int = DEFAULT_ASHIFT
    is_file: bool = False
    has_free_bay: bool = False  # the old disk stays connected during the replacement


@dataclass(frozen=True, slots=True)
class PoolChange:
    """Parsed change; the relevant values depend on its kind."""

    kind: str
    words: tuple[str, ...]
    layout: Layout | None = None
    drive: Drive | None = None
    numbers: tuple[Fraction, ...] = ()
    block_bytes: int = DEFLATED_BLOCK
    has_free_bay: bool = False

    @property
    def name(self) -> str:
        """The change in user syntax."""
        return " ".join((self.kind, *self.words))


def read_change(
    kind: str, words: Sequence[str], drives: Drives, *, block_bytes: int = DEFLATED_BLOCK
) -> PoolChange:
    """Parse a change of this kind with its arguments. Raises UsageError."""
    forms = CHANGES.get(kind)
    if forms is None:
        raise UsageError(f"{kind!r} is not a change", hint=f"One of: {', '.join(CHANGES)}.")
    least = sum(not form.startswith("[") for form in forms)
    if not least <= len(words) <= len(forms):
        raise UsageError(f"{kind} takes {' and '.join(forms)}", hint="Put a LAYOUT in quotes.")
    layout = None
    if forms == ("LAYOUT",):
        layout = parse_layout(words[0], drives.drive, ashift=drives.ashift, is_file=drives.is_file)
    return PoolChange(
        kind, tuple(words), layout, drives.drive, _numbers(kind, words), block_bytes, drives.has_free_bay
    )


def parse_change(text: str, drives: Drives, *, block_bytes: int = DEFLATED_BLOCK) -> PoolChange:
    """Parse one line: a LAYOUT extends to its end; a size after a VDEV is that of its new drives.

    Raises UsageError.
    """
    kind, _, rest = text.strip().partition(" ")
    words = rest.split()
    if CHANGES.get(kind) == ("LAYOUT",):
        words = [" ".join(words)] if words else []
    elif kind in _NEEDS_DRIVE and len(words) == 2:
        drives = replace(drives, drive=parse_drive(words[1], is_file=drives.is_file))
        found = read_change(kind, words[:1], drives, block_bytes=block_bytes)
        return replace(found, words=tuple(words))
    return read_change(kind, words, drives, block_bytes=block_bytes)


def outcome(
    change: PoolChange, now: LivePool, assumed: Assumptions, uses: Iterable[DatasetUse] = ()
) -> ChangeOutcome:
    """The outcome of a change; `uses` are the sizes of the pool's datasets, for snapshots, dedup and moves.

    Raises UsageError for an impossible one.
    """
    uses = tuple(uses)
    found = outcome_of(now, change.name, _result(change, now, assumed, uses))
    if change.kind != "dedup":
        return found
    return replace(found, notes=(*found.notes, _dedup_note(change, now, uses)))


def _dedup_note(change: PoolChange, now: LivePool, uses: Sequence[DatasetUse]) -> str:
    """Memory of the table: for the blocks of each dataset as it is, unless another size was asked for."""
    ratio = Fraction(change.numbers[0])
    known = [use for use in uses if use.block_bytes]
    if known and change.block_bytes == DEFLATED_BLOCK:
        table = sum(
            effects.dedup_table_bytes(
                use.live_bytes + (use.snapshots_bytes or 0), use.block_bytes or DEFLATED_BLOCK, ratio
            )
            for use in known
        )
        sizes = sorted({use.block_bytes for use in known if use.block_bytes})
        of = " to ".join(dict.fromkeys((block_size(sizes[0]), block_size(sizes[-1]))))
        least = "at least " if len(known) < len(uses) else ""
        return (
            f"its table takes {least}about {both(table)} of memory, for blocks of {of} as its datasets have "
            "them, and more where files are smaller than a record; fast dedup (2.3) less"
        )
    table = effects.dedup_table_bytes(
        (now.pool.usable_used_bytes or 0) - now.reserved_bytes, change.block_bytes, ratio
    )
    size = block_size(change.block_bytes)
    return f"its table takes about {both(table)} of memory, if all blocks are {size}; fast dedup (2.3) less"


def _result(
    change: PoolChange, now: LivePool, assumed: Assumptions, uses: Sequence[DatasetUse]
) -> what_if.WhatIf | effects.Tuned | migration.Migration:
    used, numbers = now.pool.usable_used_bytes or 0, change.numbers
    match change.kind:
        case "add":
            return what_if.add(now, _layout(change))
        case "replace":
            drive, has_bay = _drive(change), change.has_free_bay
            return what_if.replace_all(now, change.words[0], drive, assumed, has_free_bay=has_bay)
        case "attach":
            return what_if.attach(now, change.words[0], _drive(change), assumed)
        case "remove":
            return what_if.remove(now, change.words[0], assumed)
        case "move":
            return migration.beside(now, _layout(change), assumed, _moved(change, now, uses))
        case "move-on-halves":
            return migration.on_halves(now, _layout(change), assumed, _moved(change, now, uses))
        case "compression":
            return effects.compressed(now, used, *numbers)
        case "recordsize":
            return effects.with_block_size(now, used, *map(int, numbers))
        case "copies":
            return effects.with_copies(now, used, *map(int, numbers))
        case "snapshots":
            return effects.without_snapshots(now, uses, change.words[0] if change.words else now.pool.name)
        case _:
            return effects.deduplicated(now, used, *numbers)


def _moved(change: PoolChange, now: LivePool, uses: Sequence[DatasetUse]) -> migration.MovedData:
    return migration.moved_data(now, _layout(change), uses, block_bytes=change.block_bytes)


def _numbers(kind: str, words: Sequence[str]) -> tuple[Fraction, ...]:
    match kind:
        case "recordsize":
            return tuple(Fraction(parse_block_size(word)) for word in words)
        case "copies":
            return tuple(Fraction(parse_count(word)) for word in words)
        case "compression" | "dedup":
            return tuple(map(parse_number, words))
        case _:
            return ()


def _layout(change: PoolChange) -> Layout:
    if change.layout is None:
        raise UsageError(f"{change.kind}: which layout?", hint="As in 'raidz2:8'.")
    return change.layout


def _drive(change: PoolChange) -> Drive:
    if change.drive is None:
        raise UsageError(f"{change.kind}: how large is the drive?", hint="--disk 12TB")
    return change.drive
