"""`zconsole disks`: the list of disks, and the problems of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.analysis.vdevs.host_disks import HostDisk, Trouble
from zconsole.model.pools.shelf_and_disk_path import Enclosure
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.disks.disk_list import disk_notes, disk_table, summary, unread_health
from zconsole.views.disks.shelf_map import shelf_maps
from zconsole.views.layout.labelled_paragraph import ParagraphLabel
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import TableLines, header


def disk_report(
    host: str, disks: Sequence[HostDisk], cells: int, enclosures: Sequence[Enclosure] = ()
) -> Iterator[str]:
    """Yield the table in a width, the map of each shelf, then all problems of each disk in trouble."""
    return printed(_lines(host, disks, cells, enclosures), cells)


def _lines(
    host: str, disks: Sequence[HostDisk], cells: int, enclosures: Sequence[Enclosure]
) -> Iterator[Line]:
    yield summary(host, disks)
    if unread := unread_health(disks):
        yield unread
    table = TableLines(disk_table(disks), cells)
    yield header(table.placed)
    for at in range(len(table)):
        yield table.line(at)
    yield from shelf_maps(disks, enclosures)
    for each in disks:
        if each.trouble >= Trouble.WARNING:
            yield EMPTY
            yield line((each.serial, "title"))
            for note in disk_notes(each):
                yield (ParagraphLabel("  "), *note)
