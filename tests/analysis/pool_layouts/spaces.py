"""Usable space of a layout as it is typed."""

from __future__ import annotations

from zconsole.analysis.pool_layouts.drive_size import Drive, parse_drive
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.usable_space import layout_space

TIB = 2**40


def space(text: str, drive: str | Drive, ashift: int = 12) -> tuple[int, int]:
    """SIZE and usable of a layout."""
    made = layout_space(
        parse_layout(text, parse_drive(drive) if isinstance(drive, str) else drive, ashift=ashift)
    )
    return made.size_bytes, made.usable_bytes
