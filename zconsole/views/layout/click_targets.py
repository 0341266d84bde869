"""Targets of a click within a line: a pool, a disk on the wall, a finding."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.base.lazy_dataclass import dataclass, fast_dataclass
from zconsole.views.layout.styled_text import Line, Span, line_width


@dataclass(frozen=True, slots=True)
class ClickTarget:
    """What a click leads to: a finding or a disk where one is named, else the pool."""

    host: str
    pool: str = ""
    leaf: str = ""  # the key of a disk among the vdevs of the pool
    finding: str = ""  # the key of a finding in the list of findings


@fast_dataclass
class ClickableSpan(Span):
    """Span with one target, or with one for each of its characters."""

    targets: tuple[ClickTarget, ...] = ()

    def target(self, cell: int) -> ClickTarget:
        """The target at one of its cells."""
        return self.targets[min(cell, len(self.targets) - 1)]


def clickable(spans: Line, target: ClickTarget) -> Line:
    """The line with a target, which its first span carries."""
    if not spans:
        return spans
    return (ClickableSpan(spans[0].text, spans[0].style, (target,)), *spans[1:])


def blank_as(lead: Line) -> Line:
    """Blanks as wide as a line, with the same target."""
    blank, target = (Span(" " * line_width(lead)),), target_at(lead, 0)
    return blank if target is None else clickable(blank, target)


def target_at(spans: Iterable[Span], cell: int) -> ClickTarget | None:
    """The target under a cell of a line; beside all targets the first one of the line."""
    first: ClickTarget | None = None
    begins = 0
    for span in spans:
        if isinstance(span, ClickableSpan):
            if begins <= cell < begins + span.width:
                return span.target(cell - begins)
            first = first or span.targets[0]
        begins += span.width
    return first
