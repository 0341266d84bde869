"""Bar of a pool's usable space: used, in snapshots, free, and the mark at 80 %."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from zconsole.views.layout.styled_text import STRIP, Line, Span

USED: Final = "█"
IN_SNAPSHOTS: Final = "▓"
FREE: Final = "░"
MARK: Final = "│"
MARKED_AT: Final = 0.8  # of usable space: from here on ZFS writes slower, and the planner advises to buy


def capacity_bar(used: float, in_snapshots: float, cells: int, style: str = STRIP) -> Line:
    """The bar of a pool in `cells` cells; shares from 0 to 1 of usable space, snapshots a part of used.

    Something is never drawn as nothing: a used share has at least one cell, and a free one too.
    """
    taken = _cells(used, cells)
    held = min(taken, round(min(in_snapshots, used) * cells))
    mark = round(MARKED_AT * cells)
    looks = [_look(at, taken, held, mark, style) for at in range(cells)]
    return tuple(
        Span("".join(glyph for glyph, _ in run), of) for of, run in groupby(looks, lambda look: look[1])
    )


def _cells(share: float, cells: int) -> int:
    if share <= 0:
        return 0
    return cells if share >= 1 else min(max(1, round(share * cells)), cells - 1)


def _look(at: int, taken: int, held: int, mark: int, style: str) -> tuple[str, str]:
    if at < taken - held:
        return USED, style
    if at < taken:
        return IN_SNAPSHOTS, style
    return (MARK, "text") if at == mark else (FREE, "dim")
