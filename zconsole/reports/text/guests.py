"""`zconsole guests`: the list of guests, and each disk of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.model.guests.guest import Guest
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.guests.guest_list import disk_lines, guest_table, in_order, summary
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import TableLines, header


def guest_report(host: str, guests: Sequence[Guest], cells: int) -> Iterator[str]:
    """Yield the table in a width, then the disks of each guest that has some."""
    return printed(_lines(host, in_order(guests), cells))


def _lines(host: str, guests: Sequence[Guest], cells: int) -> Iterator[Line]:
    yield summary(host, guests)
    if not guests:
        return
    table = TableLines(guest_table(guests), cells)
    yield header(table.placed)
    for at in range(len(table)):
        yield table.line(at)
    if all(each.rates is None for guest in guests for each in guest.disks):
        yield line(("READ/s and WRITE/s are measured with --io 5s.", "dim"))
    for each in guests:
        if each.disks:
            yield EMPTY
            yield line((each.name, "title"))
            for note in disk_lines(each):
                yield (*line("  "), *note)
