"""Guests screen of a host: the list, its age, and the selected guest in short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.analysis.guests.guests_and_containers import guests_and_containers
from zconsole.model.finding import Finding
from zconsole.model.guests.guest import SYSTEM, Guest
from zconsole.model.host.host_state import NO_LIBVIRT, HostState, LinkState
from zconsole.views.guests.guest_list import disk_lines, guest_table, in_order, row_key, summary
from zconsole.views.guests.guests_being_moved import (
    move_line,
    move_of_another_line,
    moved_by_another,
    moves_of,
)
from zconsole.views.guests.guests_of_filling_pool import filling_pool_lines
from zconsole.views.guests.libvirt_without_answer import (
    WHAT_TO_DO,
    is_of_system_libvirt,
    stands_for,
)
from zconsole.views.guests.problems_of_guest import problems
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import ago, join, link_words
from zconsole.views.layout.styled_text import EMPTY, Line, line, wrap
from zconsole.views.layout.table import Row, Table

OLD_S: Final = 150.0  # two readings were missed
LEAST_CELLS: Final = 78  # of a sentence in the list; what does not fit is on the next line
_SILENT: Final = "libvirt does not answer ▲"


def shown_guests(view: View, host: str) -> tuple[Guest, ...]:
    """The guests of a host, those in trouble first; none before libvirt was asked.

    Containers are known earlier, and the cursor would stay on the first of them.
    """
    found = view.host(host)
    if found is None or not (found.state.guests.value is not None or found.state.guests.problem):
        return ()
    return in_order(guests_and_containers(found.state))


def page(view: View, host: str, guests: tuple[Guest, ...], cells: int = LEAST_CELLS) -> Page:
    """The page of a host's guests; sentences in the list are as wide as the `cells` of a row."""
    found = view.host(host)
    if found is None:
        return Page(line((host, "title")), EMPTY, EMPTY, Table((), ()))
    moves = {*moves_of(guests, found.state.runs), *moved_by_another(guests, found.state.lock_holder)}
    reading, table = found.state.guests, guest_table(guests, moves)
    table = Table(table.columns, (*_explained(found, guests, view.monotonic, cells), *table.rows))
    are_known = reading.value is not None or bool(guests)
    answer = summary(found.name, guests, moving=len(moves)) if are_known else _unread(found)
    unseen = found.state.containers.problem
    numbers = join([
        link_words(found, view), *filling_pool_lines(guests, found.findings, is_brief=True),
        line((unseen, "warn")) if unseen else EMPTY,
        line((f"guests of {_libvirts(guests)}", "dim")) if guests else EMPTY,
    ])  # fmt: skip
    return Page(_with_problem(answer, reading.problem), _age(view, found), numbers, table)


def _with_problem(answer: Line, problem: str) -> Line:
    """The first line with what is wrong with libvirt, behind the name of the host and in short."""
    if problem.startswith(NO_LIBVIRT):
        words, style = "no libvirt here", "dim"
    elif is_of_system_libvirt(problem):
        words, style = _SILENT, "warn"
    else:
        return answer  # of the session of a user: the others are there
    host, *rest = answer
    return (*join([(host,), line((words, style))]), *rest)


def _explained(host: HostView, guests: tuple[Guest, ...], now: float, cells: int) -> Iterator[Row]:
    """Lines above the guests: why none is there, or what is wrong with libvirt and what to do."""
    reading = host.state.guests
    said = []
    if reading.problem:
        said.append((reading.problem, "dim" if reading.problem.startswith(NO_LIBVIRT) else "warn"))
        if is_of_system_libvirt(reading.problem):
            said += [(each, "warn") for each in (stands_for(reading.age(now)), WHAT_TO_DO)]
    elif not guests:
        is_read = reading.value is not None
        said.append(("libvirt has no guests here" if is_read else "the guests have not been read yet", "dim"))
    for words, style in said:
        for at, piece in enumerate(wrap(line((f"{_sentence(words)}.", style)), cells)):
            yield Row(f"{words} {at}", line=piece, is_selectable=False)


def notes(
    guests: tuple[Guest, ...],
    key: str | None,
    findings: Iterable[Finding] = (),
    state: HostState | None = None,
) -> Iterator[Line]:
    """The selected guest: what is wrong with it, what will be by findings on its pools, and its disks.

    `state` is that of its host: a run may move it, and its pool may have space again.
    """
    guest = guest_at(guests, key)
    if guest is not None:
        yield join([line((guest.name, "title")), line((guest.definition.title, "dim"))])
        yield from map(move_line, moves_of((guest,), () if state is None else state.runs).values())
        if another := move_of_another_line(guest, None if state is None else state.lock_holder):
            yield another
        yield from problems(guest, guests, state=state)
        yield from filling_pool_lines((guest,), findings)
        yield from disk_lines(guest)


def guest_at(guests: tuple[Guest, ...], key: str | None) -> Guest | None:
    """The guest of a row."""
    return next((each for each in guests if row_key(each) == key), None)


def _libvirts(guests: tuple[Guest, ...]) -> str:
    """Whose guests these are: `qemu:///system and qemu:///session`."""
    found = dict.fromkeys(each.definition.connection for each in guests if each.is_of_libvirt)
    engines = dict.fromkeys(each.definition.connection for each in guests if not each.is_of_libvirt)
    return ", ".join([*(sorted(found, reverse=True) or [SYSTEM]), *engines])


def _sentence(words: str) -> str:
    """With a capital, unless it begins with a command."""
    return words if words.startswith("virsh ") else f"{words[:1].upper()}{words[1:]}"


def _unread(host: HostView) -> Line:
    is_absent = host.state.guests.problem.startswith(NO_LIBVIRT)
    words = EMPTY if is_absent else line(("its guests are not known", "dim"))
    return join([line((host.name, "title")), words])


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
