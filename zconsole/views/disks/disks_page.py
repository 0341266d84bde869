"""Disks screen of a host: the list, the age of what it shows, and the selected disk in short."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.analysis.vdevs.host_disks import HostDisk, host_disks
from zconsole.model.host.host_state import LinkState
from zconsole.model.pools.smart_health import HealthRecord
from zconsole.views.disks.disk_list import disk_notes, disk_table, key_of, serves, summary, unread_health
from zconsole.views.disks.shelf_map import shelf_maps
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import BUSY, ago, counted, join, link_words
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Row, Table

NO_ROW: Final = Row("below the map", line=EMPTY, is_selectable=False)


def shown_disks(view: View, host: str) -> tuple[HostDisk, ...]:
    """The disks of a host, worst first; without the I/O of pools whose samples are late."""
    found = view.host(host)
    if found is None:
        return ()
    late = {pool.name for pool in found.state.pools if view.io_age(pool) is not None}
    return tuple(
        replace(each, io=None, busy=None) if each.pool is not None and each.pool.name in late else each
        for each in host_disks(found.state)
    )


def page(view: View, host: str, disks: tuple[HostDisk, ...], *, is_map_first: bool = False) -> Page:
    """The page of a host's disks, and the map of its shelves below the list or above it."""
    found = view.host(host)
    if found is None:
        return Page(line((host, "title")), EMPTY, EMPTY, Table((), ()))
    table = disk_table(disks)
    if not disks:
        words = found.state.inventory.problem or "The disks have not been read yet."
        table = Table(table.columns, (Row("none", line=line((words, "dim")), is_selectable=False),))
    inventory = found.state.inventory.value
    if inventory is not None and inventory.shelves.enclosures:
        maps = enumerate(shelf_maps(disks, inventory.shelves.enclosures))
        lines = tuple(Row(f"shelf {at}", line=each, is_selectable=False) for at, each in maps)
        rows = (*lines[1:], NO_ROW, *table.rows) if is_map_first else (*table.rows, *lines)
        table = Table(table.columns, rows)
    return Page(summary(found.name, disks), _age(view, found), _smart(view, found, disks), table)


def notes(disks: tuple[HostDisk, ...], key: str | None) -> Iterator[Line]:
    """The selected disk: what it serves and what is wrong with it."""
    disk = disk_at(disks, key)
    if disk is not None:
        yield join([line((disk.serial, "title")), line(serves(disk))])
        yield from disk_notes(disk)


def disk_at(disks: tuple[HostDisk, ...], key: str | None) -> HostDisk | None:
    """The disk of a row."""
    return next((each for each in disks if key_of(each) == key), None)


def _age(view: View, host: HostView) -> Line:
    """The age of the list of disks."""
    inventory = host.state.inventory
    age = inventory.age(view.monotonic)
    if age is None:
        return line(("reading", "dim"))
    is_late = bool(inventory.problem) or host.state.link.state is not LinkState.UP
    return line((f"disks read {ago(age)} ago", "warn" if is_late else "dim"))


def _smart(view: View, host: HostView, disks: tuple[HostDisk, ...]) -> Line:
    """What is being read, the age of the SMART data, and why there is none."""
    state = host.state
    awaited = state.smart_awaited
    return join(
        [
            link_words(host, view),
            line((state.inventory.problem, "warn")) if state.inventory.problem and disks else EMPTY,
            line((f"{BUSY} reading the SMART data of {counted(awaited, 'disk')}", "info"))
            if awaited
            else EMPTY,
            unread_health(disks) or smart_age(view.now, state.smart.value or ()),
            line((state.smart.problem, "warn")) if state.smart.problem else EMPTY,
            line(("kernel messages are not known", "dim")) if state.kernel.problem else EMPTY,
        ]
    )


def smart_age(now: float, records: tuple[HealthRecord, ...]) -> Line:
    """`SMART data 12 min old`; of the oldest where they differ."""
    ages = [now - each.known_at for each in records if each.known_at is not None]
    if not ages:
        return EMPTY
    youngest, oldest = ago(min(ages)), ago(max(ages))
    words = oldest if youngest == oldest else f"{youngest} to {oldest}"
    return line((f"SMART data {words} old", "dim"))
