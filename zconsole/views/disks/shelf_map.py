"""Map of a shelf: its bays in their order, each with the worst fact of the disk in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.vdevs.host_disks import HostDisk, Trouble
from zconsole.model.pools.shelf_and_disk_path import Bay, Enclosure
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import EMPTY, Line, Span, line

BAYS_A_ROW: Final = 12  # of a shelf of two units, from the front; most others have rows of a divisor
IN_USE: Final = "▣"
UNUSED: Final = "▢"
UNKNOWN_DISK: Final = "?"
EMPTY_BAY: Final = "·"
LOCATED: Final = "L"
FAULTED: Final = "!"
LEGEND: Final = (
    f"{IN_USE} serves  {UNUSED} unused  ▲ warning  ✗ failed  {EMPTY_BAY} empty  "
    f"{LOCATED} locate LED  {FAULTED} fault LED"
)
_MARKS: Final = {
    Trouble.FAILED: ("✗", "bad"),
    Trouble.FAILING: ("✗", "bad"),
    Trouble.SLOW: ("▲", "warn"),
    Trouble.WARNING: ("▲", "warn"),
}


def shelf_maps(disks: Sequence[HostDisk], enclosures: Sequence[Enclosure]) -> Iterator[Line]:
    """Yield the lines of all shelves, with a legend; nothing without shelves."""
    for at, each in enumerate(enclosures):
        yield EMPTY
        yield _title(at, each, len(enclosures) == 1)
        placed = {
            disk.place.bay.folder: disk
            for disk in disks
            if disk.place is not None and disk.place.enclosure.address == each.address
        }
        wide = max(len(_number(bay)) for bay in each.bays)
        for start in range(0, len(each.bays), BAYS_A_ROW):
            spans: list[Span] = []
            for bay in each.bays[start : start + BAYS_A_ROW]:
                spans += _bay(bay, placed.get(bay.folder), wide)
            yield tuple(spans)
    if enclosures:
        yield line((LEGEND, "dim"))


def _title(at: int, shelf: Enclosure, is_only: bool) -> Line:
    name = " ".join(filter(None, (shelf.vendor, shelf.model))) or shelf.address
    taken = f"{sum(1 for bay in shelf.bays if bay.hctls)} of {counted(len(shelf.bays), 'bay')} taken"
    number = "shelf" if is_only else f"shelf {at}"
    return line((number, "section"), (f" · {name} · {taken}", "dim"))


def _bay(bay: Bay, disk: HostDisk | None, wide: int) -> Iterator[Span]:
    mark, style = _mark(bay, disk)
    lights = bay.lights
    yield Span(f" {_number(bay):>{wide}} ", "dim")
    yield Span(mark, style)
    if lights is not None and lights.is_located:
        yield Span(LOCATED, "info")
    elif lights is not None and lights.is_faulted:
        yield Span(FAULTED, "warn")
    else:
        yield Span(" ")


def _mark(bay: Bay, disk: HostDisk | None) -> tuple[str, str]:
    if disk is None:
        return (UNKNOWN_DISK, "warn") if bay.hctls else (EMPTY_BAY, "dim")
    return _MARKS.get(disk.trouble) or ((IN_USE, "ok") if disk.pool is not None else (UNUSED, "text"))


def _number(bay: Bay) -> str:
    return bay.name[-4:] if bay.number is None else f"{bay.number:02}"
