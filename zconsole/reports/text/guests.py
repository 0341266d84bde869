"""`zconsole guests`: the list of guests, and each disk of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.guests.guest import Guest, guests_named
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.guests.guest_detail import GuestHost, guest_document, heading
from zconsole.views.guests.guest_list import RATES, disk_lines, guest_table, in_order, summary
from zconsole.views.guests.problems_of_guest import problems
from zconsole.views.layout.labelled_paragraph import wrapped
from zconsole.views.layout.styled_text import EMPTY, Line, line, plain
from zconsole.views.layout.table import TableLines, header, without


@dataclass(frozen=True, slots=True)
class ReportedHost:
    """Host by its label, and the words that select it in a command."""

    label: str
    words: str = ""
    is_long: bool = False  # of each guest its disks, and all that is wrong with it


def guest_report(
    host: ReportedHost,
    guests: Sequence[Guest],
    cells: int,
    *,
    named: str = "",
    on: GuestHost | None = None,
) -> Iterator[str]:
    """Yield the table in a width, then the worst that is wrong with each guest in a line.

    Of one that is `named` by its name or uuid its whole page in that width; `guests` are all of the host,
    and `on` is what is told of its pools there.
    """
    if not named:
        return printed(_lines(host, in_order(guests), cells))
    found = guests_named(named, guests)
    return printed(words for each in found for words in _page(host, each, guests, cells, on))


def _page(
    host: ReportedHost, guest: Guest, among: Sequence[Guest], cells: int, on: GuestHost | None
) -> Iterator[Line]:
    yield from (each for each in heading(host.label, guest) if plain(each))
    yield EMPTY
    for words in guest_document(guest, among, on=on, where=host.words):
        yield from wrapped(words, cells)


def _lines(host: ReportedHost, guests: Sequence[Guest], cells: int) -> Iterator[Line]:
    yield summary(host.label, guests)
    if not guests:
        return
    shown, is_measured = guest_table(guests), any(each.rates for guest in guests for each in guest.disks)
    for column in () if is_measured else RATES:
        shown = without(shown, column)
    table = TableLines(shown, cells)
    yield header(table.placed)
    for at in range(len(table)):
        yield table.line(at)
    if not is_measured:
        yield line(("Reads and writes are measured with --io 5s.", "dim"))
    if not host.is_long:
        yield from _worst_of_each(host, guests)
        yield line(("--long has the disks of each, zconsole guests GUEST all of one.", "dim"))
        return
    for each in guests:
        if each.disks or each.unread:
            yield EMPTY
            yield line((each.name, "title"))
            for note in (*problems(each, guests, where=host.words), *disk_lines(each)):
                yield (*line("  "), *note)


def _worst_of_each(host: ReportedHost, guests: Sequence[Guest]) -> Iterator[Line]:
    """A line for each guest with which something is wrong."""
    wrong = [(each, tuple(problems(each, guests, where=host.words))) for each in guests]
    told = [(each, found) for each, found in wrong if found]
    if told:
        yield EMPTY
    for each, found in told:
        more = f"  and {len(found) - 1} more" if len(found) > 1 else ""
        yield line((f"{each.name}: ", "title"), *found[0], (more, "dim"))
    if told:
        yield EMPTY
