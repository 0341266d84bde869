"""Events of all hosts, newest last, each in a line; and one event with every field that ZFS gave."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from zconsole.model.event import Event
from zconsole.model.host_state import LinkState
from zconsole.ui.present.cells import Line, line
from zconsole.ui.present.page import Page
from zconsole.ui.present.table import Cell, Column, Row, Table, without
from zconsole.ui.present.view import HostView, View
from zconsole.ui.present.words import ago, counted, join, link_words

COLUMNS: Final = (
    Column("at", "WHEN (UTC)", 15, need=90, is_right=False),
    Column("host", "HOST", 8, need=50, is_right=False, grows_to=16),
    Column("pool", "POOL", 8, need=80, is_right=False, grows_to=16, cuts_middle=True),
    Column("class", "CLASS", 22, need=95, is_right=False, grows_to=30),
    Column("words", "WHAT", 20, need=100, is_right=False, grows_to=200),
)
_VDEV_FIELDS: Final = ("vdev_path", "vdev_guid")
_TELLING: Final = (
    "vdev_state",
    "vdev_laststate",
    "history_internal_name",
    "history_dsname",
    "history_internal_str",
    "history_command",
    "zio_err",
    "vdev_read_errors",
    "vdev_write_errors",
    "vdev_cksum_errors",
    "vdev_delays",
    "zio_delay",
)


def page(view: View) -> Page:
    """All events that are kept."""
    found = list(_sorted(view))
    rows = tuple(_row(host, event, index) for host, index, event in found)
    problems = [host for host in view.hosts if host.state.events_problem]
    rows = (*(_problem(host) for host in problems), *rows)
    if not rows:
        rows = (Row("none", line=line(("No event has been reported yet.", "dim")), is_selectable=False),)
    name = view.hosts[0].name if len(view.hosts) == 1 else counted(len(view.hosts), "host")
    answer = join([line((name, "title")), line(counted(len(found), "event")), _newest(found, view)])
    errors = sum(1 for _, _, event in found if event.event_class.startswith("ereport"))
    numbers = line((f"{counted(errors, 'error report')} among them", "warn" if errors else "dim"))
    up = all(host.state.link.state is LinkState.UP for host in view.hosts)
    fresh = line(("live", "ok")) if up and not problems else line(("not live", "warn"))
    return Page(answer, fresh, numbers, without_host(Table(COLUMNS, rows), view))


def without_host(table: Table, view: View) -> Table:
    """The column of hosts says nothing where there is only one."""
    return table if len(view.hosts) > 1 else without(table, "host")


def event_of(view: View, key: str | None) -> tuple[HostView, Event] | None:
    """The event of a row."""
    for host, index, event in _sorted(view):
        if _key(host, event, index) == key:
            return host, event
    return None


def notes(view: View, key: str | None) -> tuple[Line, ...]:
    """The selected event in one line of its own."""
    found = event_of(view, key)
    if found is None:
        return tuple(
            link_words(host, view) for host in view.hosts if host.state.link.state is not LinkState.UP
        )
    host, event = found
    when = "" if event.at is None else f"{ago(view.now - event.at)} ago"
    return (
        join([line((event.event_class, "title")), line(host.name), line(event.pool or ""), line(when)]),
        line(_words(event)),
    )


def fields(event: Event) -> tuple[Line, ...]:
    """Every field, in the order and the words of ZFS."""
    head = [("class", event.event_class), ("time (UTC)", _time(event.at, "%Y-%m-%d %H:%M:%S"))]
    shown = [*head, *((name, value) for name, value in event.fields if name != "class")]
    room = min(32, max((len(name) for name, _ in shown), default=0))
    return tuple(line((f"{name:<{room}}  ", "dim"), value) for name, value in shown)


def style_of(event: Event) -> str:
    """What is a report of an error stands out; the rest is quiet."""
    if event.event_class.startswith("ereport"):
        return "warn"
    return "info" if event.event_class.startswith("resource") else "text"


def _sorted(view: View) -> Iterator[tuple[HostView, int, Event]]:
    """Every host's events, by time where there are several hosts."""
    found = [(host, index, event) for host in view.hosts for index, event in enumerate(host.state.events)]
    if len(view.hosts) > 1:
        found.sort(key=lambda item: item[2].at or 0.0)
    yield from found


def _key(host: HostView, event: Event, index: int) -> str:
    number = event.eid if event.eid is not None else f"#{index}"
    return f"{host.state.host}\0{event.at}\0{number}"


def _row(host: HostView, event: Event, index: int) -> Row:
    style = style_of(event)
    cells = (
        Cell(_time(event.at, "%b %d %H:%M:%S"), "dim", sort=event.at),
        Cell(host.name, "dim", sort=host.name),
        Cell(event.pool or "·", "text", sort=event.pool),
        Cell(event.short_class, style, sort=event.short_class),
        Cell(_words(event), "text"),
    )
    return Row(_key(host, event, index), cells)


def _problem(host: HostView) -> Row:
    words = line(("▲ ", "warn"), f"events of {host.name} cannot be read: {host.state.events_problem}")
    return Row(f"problem {host.state.host}", line=words, is_selectable=False)


def _newest(found: list[tuple[HostView, int, Event]], view: View) -> Line:
    if not found or found[-1][2].at is None:
        return ()
    return line((f"newest {ago(view.now - found[-1][2].at)} ago", "dim"))


def _words(event: Event) -> str:
    """The fields that tell most, in a line."""
    device = next((value for name in _VDEV_FIELDS if (value := event.field(name))), "")
    parts = [device.rpartition("/")[2]] if device else []
    before, after = event.field("vdev_laststate"), event.field("vdev_state")
    if before and after:
        parts.append(f"{before} -> {after}")
    parts += [
        value if name.startswith("history") else f"{name.removeprefix('vdev_').removeprefix('zio_')} {value}"
        for name in _TELLING
        if name not in {"vdev_state", "vdev_laststate"} and (value := event.field(name))
    ]
    return " ".join(parts)


def _time(at: float | None, form: str) -> str:
    if at is None:
        return "·"
    try:
        return datetime.fromtimestamp(at, UTC).strftime(form)
    except (OverflowError, OSError, ValueError):
        return "·"
