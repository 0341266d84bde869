"""Menu of what can be done with a sound vdev step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.actions.repair.healthy_vdev_procedures import no_procedure
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import Procedure, ProcedureKind
from zconsole.views.layout.styled_text import FixedLines, Line, line

REPAIR: Final = "repair"
REPLACE: Final = "replace"
TITLE_CELLS: Final = 24
WORDS: Final = {
    ProcedureKind.GROW: ("larger disks", "replace each disk with a larger one in turn, then expand the vdev"),
    ProcedureKind.MIRROR: ("mirror this disk", "attach a second disk with the same data"),
}


def procedure_heading(host: str, pool: str, vdev: str, colour: str) -> Line:
    """The vdev that the menu is of."""
    return line((host, colour), (" · ", "dim"), "step by step: ", (f"{pool} {vdev}", "title"))


def procedure_menu(asked: Iterable[Procedure], vdev: Vdev, *, needs_repair: bool) -> FixedLines:
    """A line for each procedure, with its kind as key; the repair that the pool needs comes first."""
    rows = dict(_rows(asked, vdev, needs_repair=needs_repair))
    return FixedLines(tuple(rows.values()), tuple(rows))


def _rows(asked: Iterable[Procedure], vdev: Vdev, *, needs_repair: bool) -> Iterator[tuple[str, Line]]:
    if needs_repair:
        yield REPAIR, _line("repair the pool", "another vdev needs a repair")
    if vdev.is_leaf and not no_procedure(ProcedureKind.GROW, vdev):
        yield REPLACE, _line("another disk", "replace this disk with another one")
    for each in asked:
        yield each.kind.value, _line(*WORDS[each.kind])


def _line(title: str, explained: str) -> Line:
    return line(f"{title:<{TITLE_CELLS}} ", (explained, "dim"))
