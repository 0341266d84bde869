"""One guest with all that is known of it: what is wrong, what it is, its disks, its I/O since it started."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.fixed_width_formatting import UNKNOWN, count, milliseconds, size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Finding
from zconsole.model.guests.guest import SYSTEM, Guest, GuestDiskCounters
from zconsole.model.host.host_state import HostState
from zconsole.views.guests.guest_list import agent_in_words, disk_lines, other_lines, state_in_words
from zconsole.views.guests.guests_being_moved import move_line, move_of_another_line, moves_of
from zconsole.views.guests.guests_of_filling_pool import filling_pool_lines
from zconsole.views.guests.image_storage_lines import image_storage_lines
from zconsole.views.guests.pools_and_copies_of_guest import copy_lines, live_io_lines, pool_lines
from zconsole.views.guests.problems_of_guest import problems
from zconsole.views.layout.labelled_paragraph import ParagraphLabel
from zconsole.views.layout.screen_key_registry import key_of
from zconsole.views.layout.state_age_and_link_phrases import advice_words, counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line

LABEL_CELLS: Final = 16
_FIRST: Final = "What is wrong"


@dataclass(frozen=True, slots=True)
class GuestHost:
    """Host of a guest as it was read, with the findings on it, at a moment in epoch seconds."""

    state: HostState
    findings: tuple[Finding, ...]
    now: float


def heading(host: str, guest: Guest) -> tuple[Line, Line]:
    """The two lines on top."""
    words, style = state_in_words(guest)
    first = join([line((host, "title")), line((guest.name, "title")), line((words, style))])
    return first, line((guest.definition.title, "dim"))


def guest_document(
    guest: Guest, among: Sequence[Guest] = (), *, on: GuestHost | None = None, where: str | None = None
) -> Iterator[Line]:
    """All lines, not wrapped yet; `among` are all guests of its host, `where` as in `problems`.

    Without `on`, its host as it was read, nothing is told of its pools.
    """
    filling = () if on is None else filling_pool_lines((guest,), on.findings)
    wrong = (*problems(guest, among, where=where, state=None if on is None else on.state), *filling)
    pools = () if on is None else tuple(pool_lines(guest, on.state, LABEL_CELLS))
    for run in moves_of((guest,), () if on is None else on.state.runs).values():
        yield from (line(("Being moved", "section")), move_line(run), EMPTY)
    if another := move_of_another_line(guest, None if on is None else on.state.lock_holder):
        yield from (line(("Being moved", "section")), another, EMPTY)
    yield from _section(
        _FIRST, wrong or (_nothing_wrong(pools, () if on is None else on.findings, guest, where),)
    )
    if on is not None:
        copies = copy_lines(guest, on.state, on.now, LABEL_CELLS)
        yield from _section("Pools", (*pools, *copies))
    disks, none = ("Disks", "no disk") if guest.is_of_libvirt else ("Datasets", "none that is known")
    yield from _section(disks, tuple(disk_lines(guest, has_rates=False)) or (line((none, "dim")),))
    yield from _section("Other storage", tuple(other_lines(guest)) if guest.others else ())
    now = live_io_lines(guest, None if on is None else on.state, LABEL_CELLS)
    yield from _section("I/O now, of each disk and of its dataset", tuple(now))
    yield from _section("On ZFS", tuple(image_storage_lines(guest, LABEL_CELLS)))
    yield from _section("Guest", tuple(_facts(guest)))
    yield from _section("I/O since the guest started", tuple(_totals_of_disks(guest)))


def _nothing_wrong(
    pools: Sequence[Line], findings: Sequence[Finding], guest: Guest, where: str | None
) -> Line:
    """That nothing is wrong, with what is told elsewhere: warnings of its pools below, and advice."""
    is_warned = any(span.style in {"warn", "bad"} for words in pools for span in words)
    number = sum(each.advised is not None and _is_on(each, guest) for each in findings)
    first = "no known problem of the guest itself; see Pools below" if is_warned else "no known problem"
    if where is not None:
        told = f"advice: {' '.join(filter(None, ('zconsole advise', where)))}"
    else:
        told = f"{advice_words(number)}: {key_of('advice')}" if number else ""
    return line(("; ".join(filter(None, (first, told))), "warn" if is_warned else "dim"))


def _is_on(finding: Finding, guest: Guest) -> bool:
    """Whether a finding is of a guest, or of a dataset that it is on."""
    of, places = finding.evidence, {*guest.all_places}
    return guest.name == of.get("guest") or finding.subject in places or of.get("dataset") in places


def _section(title: str, lines: Sequence[Line]) -> Iterator[Line]:
    """A heading with its lines and an empty line before; nothing without lines."""
    if not lines:
        return
    if title != _FIRST:
        yield EMPTY
    yield line((title, "section"))
    yield from lines


def _facts(guest: Guest) -> Iterator[Line]:
    definition = guest.definition
    if not guest.is_of_libvirt:
        yield _fact("engine", definition.connection)
        return
    memory = size(definition.memory_bytes) if definition.memory_bytes is not None else UNKNOWN
    number = UNKNOWN if definition.processors is None else counted(definition.processors, "processor")
    yield _fact("has", f"{memory} of memory, {number}")
    yield _fact("guest agent", _agent(guest))
    yield _fact("uuid", definition.uuid or UNKNOWN)
    if definition.connection != SYSTEM:
        yield _fact("libvirt", definition.connection)


def _totals_of_disks(guest: Guest) -> Iterator[Line]:
    for each in guest.disks:
        if each.counters is not None and each.counters.reads is not None:
            yield _fact(each.disk.target, _totals(each.counters))


def _agent(guest: Guest) -> str:
    """The word of the list, with what it means where that is not plain."""
    word = agent_in_words(guest)[0]
    if not guest.definition.has_agent_channel:
        return f"{word}: its definition has no channel org.qemu.guest_agent.0"
    return word if guest.status.state.is_active else "known only while it runs"


def _totals(counters: GuestDiskCounters) -> str:
    kinds = (
        ("reads", counters.reads, counters.read_bytes, counters.read_ns),
        ("writes", counters.writes, counters.written_bytes, counters.write_ns),
        ("flushes", counters.flushes, None, counters.flush_ns),
    )
    return ", ".join(_total(*kind) for kind in kinds if kind[1] is not None)


def _total(kind: str, number: int | None, bytes_: int | None, took_ns: int | None) -> str:
    amount = f" of {size(bytes_)}" if bytes_ is not None else ""
    mean = f", {milliseconds(took_ns / number)} ms each" if number and took_ns is not None else ""
    return f"{count(number)} {kind}{amount}{mean}"


def _fact(label: str, words: str) -> Line:
    return (ParagraphLabel(f"{label:<{LABEL_CELLS}}", "dim"), *line(words))
