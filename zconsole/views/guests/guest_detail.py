"""One guest with all that is known of it: what is wrong, what it is, its disks, its I/O since it started."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.base.fixed_width_formatting import UNKNOWN, count, milliseconds, size
from zconsole.model.finding import Finding
from zconsole.model.guests.guest import SYSTEM, Guest, GuestDiskCounters
from zconsole.views.guests.guest_list import agent_in_words, disk_lines, other_lines, problems, state_in_words
from zconsole.views.guests.guests_of_filling_pool import filling_pool_lines
from zconsole.views.guests.image_storage_lines import image_storage_lines
from zconsole.views.layout.labelled_paragraph import ParagraphLabel
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line

LABEL_CELLS: Final = 16


def heading(host: str, guest: Guest) -> tuple[Line, Line]:
    """The two lines on top."""
    words, style = state_in_words(guest)
    first = join([line((host, "title")), line((guest.name, "title")), line((words, style))])
    return first, line((guest.definition.title, "dim"))


def guest_document(
    guest: Guest, among: Sequence[Guest] = (), *, findings: Iterable[Finding] = (), has_keys: bool = True
) -> Iterator[Line]:
    """All lines, not wrapped yet; `among` are all guests of its host, `has_keys` as in `problems`.

    `findings` are those of its host: by them it is told what a pool that fills will do to it.
    """
    yield line(("What is wrong", "section"))
    wrong = (*problems(guest, among, has_keys=has_keys), *filling_pool_lines((guest,), findings))
    yield from wrong or (line(("no known problem", "dim")),)
    yield EMPTY
    yield line(("Guest", "section"))
    definition = guest.definition
    if not guest.is_of_libvirt:
        yield _fact("engine", definition.connection)
        yield EMPTY
        yield line(("Datasets", "section"))
        yield from disk_lines(guest) if guest.disks else (line(("none that is known", "dim")),)
        return
    memory = size(definition.memory_bytes) if definition.memory_bytes is not None else UNKNOWN
    number = UNKNOWN if definition.processors is None else counted(definition.processors, "processor")
    yield _fact("has", f"{memory} of memory, {number}")
    yield _fact("guest agent", _agent(guest))
    yield _fact("uuid", definition.uuid)
    if definition.connection != SYSTEM:
        yield _fact("libvirt", definition.connection)
    yield EMPTY
    yield line(("Disks", "section"))
    yield from disk_lines(guest) if guest.disks else (line(("no disk", "dim")),)
    if guest.others:
        yield EMPTY
        yield line(("Other storage", "section"))
        yield from other_lines(guest)
    stored = tuple(image_storage_lines(guest, LABEL_CELLS))
    if stored:
        yield EMPTY
        yield line(("On ZFS", "section"))
        yield from stored
    measured = [each for each in guest.disks if each.counters is not None and each.counters.reads is not None]
    if measured:
        yield EMPTY
        yield line(("I/O since the guest started", "section"))
        for each in measured:
            if each.counters is not None:
                yield _fact(each.disk.target, _totals(each.counters))


def _agent(guest: Guest) -> str:
    if not guest.definition.has_agent_channel:
        return "has no channel"
    return agent_in_words(guest)[0]


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
