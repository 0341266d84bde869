"""Guests screen of a host: the list, its age, and the selected guest in short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.guests.guests_and_containers import guests_and_containers
from zconsole.model.guests.guest import SYSTEM, Guest
from zconsole.model.host.host_state import LinkState
from zconsole.views.guests.guest_list import disk_lines, guest_table, in_order, problems, summary
from zconsole.views.guests.libvirt_without_answer import (
    WHAT_TO_DO,
    is_of_system_libvirt,
    stands_for,
)
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import ago, join, link_words
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Row, Table

OLD_S: Final = 150.0  # two readings were missed


def shown_guests(view: View, host: str) -> tuple[Guest, ...]:
    """The guests of a host, those in trouble first."""
    found = view.host(host)
    return in_order(guests_and_containers(found.state)) if found is not None else ()


def page(view: View, host: str, guests: tuple[Guest, ...]) -> Page:
    """The page of a host's guests."""
    found = view.host(host)
    if found is None:
        return Page(line((host, "title")), EMPTY, EMPTY, Table((), ()))
    reading = found.state.guests
    table = guest_table(guests)
    if not guests:
        unread = (
            "libvirt has no guests here."
            if reading.value is not None
            else "The guests have not been read yet."
        )
        words = line((reading.problem or unread, "dim"))
        table = Table(table.columns, (Row("none", line=words, is_selectable=False),))
    if is_of_system_libvirt(reading.problem):
        said = (stands_for(reading.age(view.monotonic)), WHAT_TO_DO)
        rows = (
            Row(each, line=line((f"{each}.", "warn")), is_selectable=False) for each in map(_sentence, said)
        )
        table = Table(table.columns, (*rows, *table.rows))
    are_known = reading.value is not None or found.state.containers.value
    answer = summary(found.name, guests) if are_known else _unread(found)
    problem = line((reading.problem, "warn")) if reading.problem and guests else EMPTY
    unseen = found.state.containers.problem
    numbers = join([
        link_words(found, view), problem, line((unseen, "warn")) if unseen else EMPTY,
        line((f"guests of {_libvirts(guests)}", "dim")),
    ])  # fmt: skip
    return Page(answer, _age(view, found), numbers, table)


def notes(guests: tuple[Guest, ...], key: str | None) -> Iterator[Line]:
    """The selected guest: what is wrong with it, and its disks."""
    guest = guest_at(guests, key)
    if guest is not None:
        yield join([line((guest.name, "title")), line((guest.definition.title, "dim"))])
        yield from problems(guest)
        yield from disk_lines(guest)


def guest_at(guests: tuple[Guest, ...], key: str | None) -> Guest | None:
    """The guest of a row."""
    return next((each for each in guests if each.definition.uuid == key), None)


def _libvirts(guests: tuple[Guest, ...]) -> str:
    """Whose guests these are: `qemu:///system and qemu:///session`."""
    found = dict.fromkeys(each.definition.connection for each in guests if each.is_of_libvirt)
    engines = dict.fromkeys(each.definition.connection for each in guests if not each.is_of_libvirt)
    return ", ".join([*(sorted(found, reverse=True) or [SYSTEM]), *engines])


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _unread(host: HostView) -> Line:
    return join([line((host.name, "title")), line(("its guests are not known", "dim"))])


def _age(view: View, host: HostView) -> Line:
    """The age of the list."""
    guests = host.state.guests
    age = guests.age(view.monotonic)
    if age is None:
        return EMPTY if guests.problem else line(("reading", "dim"))
    is_late = (
        bool(guests.problem) or host.state.link.state is not LinkState.UP or age > OLD_S * host.state.slack
    )
    return line((f"guests read {ago(age)} ago", "warn" if is_late else "dim"))
