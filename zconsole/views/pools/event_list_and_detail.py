"""Events of all hosts, newest last, one a line; and one event with every field from ZFS."""

from __future__ import annotations

from dataclasses import replace
from operator import is_
from typing import Final

from zconsole.base.durations_in_words import lasting
from zconsole.base.fixed_width_formatting import DAY_AND_MINUTE, SECOND, moment
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import LinkState
from zconsole.model.pools.event import Event
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import ago, counted, join, link_words
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of, without
from zconsole.views.pools.event_numbers_in_words import field_words, number_words

HostEvent = tuple[HostView, Event]
_NONE: Final = Row("none", line=line(("No event has been reported yet.", "dim")), is_selectable=False)
_VDEV_FIELDS: Final = ("vdev_path", "vdev_guid")
_HISTORY_FIELDS: Final = (
    "history_internal_name",
    "history_dsname",
    "history_internal_str",
    "history_command",
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """Event with its host and its row."""

    host: str  # its name in states
    event: Event
    row: Row


class EventList:
    """Event list that grows: rows of earlier events are not made again."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[tuple[Event, ...], str, tuple[_Entry, ...]]] = {}
        self._seen: tuple[tuple[Event, ...], ...] = ()
        self._entries: tuple[_Entry, ...] = ()
        self._by_key: dict[str, _Entry] = {}
        self.errors = 0  # error reports among them
        self.table = Table(COLUMNS, ())

    def take_in(self, view: View) -> None:
        """Read new events from the newest states."""
        seen = tuple(host.state.events for host in view.hosts)
        if len(seen) == len(self._seen) and all(map(is_, seen, self._seen)):
            return
        self._seen = seen
        entries = [entry for host in view.hosts for entry in self._host(host)]
        if len(view.hosts) > 1:
            entries.sort(key=lambda entry: entry.event.at or 0.0)
        self._entries = tuple(entries)
        self._by_key = {entry.row.key: entry for entry in entries}
        self.errors = sum(entry.event.event_class.startswith("ereport") for entry in entries)
        self.table = without_host(Table(COLUMNS, tuple(entry.row for entry in entries)), view)

    def _host(self, host: HostView) -> tuple[_Entry, ...]:
        events, name = host.state.events, host.name
        before = self._of.get(host.state.host)
        if before is not None and before[0] is events and before[1] == name:
            return before[2]
        known = {id(entry.event): entry for entry in before[2]} if before is not None else {}
        entries = tuple(
            known.get(id(event)) or _Entry(host.state.host, event, _row(host, event, index))
            for index, event in enumerate(events)
        )
        self._of[host.state.host] = (events, name, entries)
        return entries

    @property
    def entries(self) -> tuple[_Entry, ...]:
        """All events, oldest first."""
        return self._entries

    def find(self, view: View, key: str | None) -> tuple[HostView, Event] | None:
        """The event of a row."""
        entry = self._by_key.get(key or "")
        host = view.host(entry.host) if entry is not None else None
        return None if entry is None or host is None else (host, entry.event)


def page(view: View, known: EventList) -> Page:
    """The page of all kept events."""
    known.take_in(view)
    problems = [host for host in view.hosts if host.state.events_problem]
    table = known.table
    if problems:
        table = replace(table, rows=(*map(_problem, problems), *table.rows))
    elif not table.rows:
        table = replace(table, rows=(_NONE,))
    name = view.hosts[0].name if len(view.hosts) == 1 else counted(len(view.hosts), "host")
    count = len(known.entries)
    answer = join([line((name, "title")), line(counted(count, "event")), _newest(known, view)])
    errors = counted(known.errors, "error report")
    numbers = line((f"{errors} among them", "warn" if known.errors else "dim"))
    up = all(host.state.link.state is LinkState.UP for host in view.hosts)
    fresh = line(("live", "ok")) if up and not problems else line(("not live", "warn"))
    return Page(answer, fresh, numbers, table)


def without_host(table: Table, view: View) -> Table:
    """The table without the column of hosts, for a single host."""
    return table if len(view.hosts) > 1 else without(table, "host")


def notes(view: View, found: tuple[HostView, Event] | None) -> tuple[Line, ...]:
    """The selected event in several lines."""
    if found is None:
        return tuple(
            link_words(host, view) for host in view.hosts if host.state.link.state is not LinkState.UP
        )
    host, event = found
    when = "" if event.at is None else f"{lasting(view.now - event.at)} ago"
    return (
        join([line((event.event_class, "title")), line(host.name), line(event.pool or ""), line(when)]),
        line(event_words(event)),
    )


def fields(event: Event) -> tuple[Line, ...]:
    """Every field, in the order and the words of ZFS, and what the numbers of errors and times mean."""
    head = [("class", event.event_class), ("time (UTC)", _time(event.at, SECOND))]
    shown = [*head, *((name, value) for name, value in event.fields if name != "class")]
    room = min(32, max((len(name) for name, _ in shown), default=0))
    return tuple(
        line((f"{name:<{room}}  ", "dim"), value, (f"  {words}" if words else "", "dim"))
        for name, value in shown
        for words in (field_words(name, value),)
    )


def style_of(event: Event) -> str:
    """The style of an event: error reports are highlighted."""
    if event.event_class.startswith("ereport"):
        return "warn"
    return "info" if event.event_class.startswith("resource") else "text"


def _key(host: HostView, event: Event, index: int) -> str:
    number = event.eid if event.eid is not None else f"#{index}"
    return f"{host.state.host}\0{event.at}\0{number}"


def _row(host: HostView, event: Event, index: int) -> Row:
    return Row(_key(host, event, index), cells_of(COLUMNS, (host, event)))


def _problem(host: HostView) -> Row:
    words = line(("▲ ", "warn"), f"events of {host.name} cannot be read: {host.state.events_problem}")
    return Row(f"problem {host.state.host}", line=words, is_selectable=False)


def _newest(known: EventList, view: View) -> Line:
    at = known.entries[-1].event.at if known.entries else None
    return () if at is None else line((f"newest {ago(view.now - at)} ago", "dim"))


def event_words(event: Event) -> str:
    """The most informative fields, in a line."""
    device = next((value for name in _VDEV_FIELDS if (value := event.field(name))), "")
    parts = [device.rpartition("/")[2]] if device else []
    before, after = event.field("vdev_laststate"), event.field("vdev_state")
    if before and after:
        parts.append(f"{before} -> {after}")
    parts += [value for name in _HISTORY_FIELDS if (value := event.field(name))]
    if numbers := ", ".join(number_words(event)):
        parts.append(numbers)
    return " ".join(parts)


def _time(at: float | None, form: str) -> str:
    return moment(at, form)


COLUMNS: Final[tuple[Column[HostEvent], ...]] = (
    Column("at", "WHEN (UTC)", 19,
           lambda each: Cell(_time(each[1].at, SECOND), "dim", sort=each[1].at,
                             shorter=_time(each[1].at, DAY_AND_MINUTE)),
           need=90, is_right=False, mark=8, short_title="UTC"),
    Column("host", "HOST", 8, lambda each: Cell(each[0].name, "dim", sort=each[0].name),
           need=50, is_right=False, grows_to=16),
    Column("pool", "POOL", 8, lambda each: Cell(each[1].pool or "·", sort=each[1].pool),
           need=80, is_right=False, grows_to=16, cuts_middle=True),
    Column("class", "CLASS", 22,
           lambda each: Cell(each[1].short_class, style_of(each[1]), sort=each[1].short_class),
           need=95, is_right=False, grows_to=30, mark=11),
    Column("words", "WHAT", 20, lambda each: Cell(event_words(each[1])),
           need=100, is_right=False, grows_to=200, narrow=18),
)  # fmt: skip
