"""Guests of a dataset or pool in words: whose storage is on it, and on what is below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.guests.guests_by_dataset import GuestOnDataset, GuestsByDataset
from zconsole.base.name_lists import shortened
from zconsole.model.guests.guest import Guest
from zconsole.views.guests.disk_io_rates import rates_in_words
from zconsole.views.guests.guest_list import counted_by_kind, state_in_words
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.layout.table import Cell

MOST_NAMED: Final = 8
NONE: Final = Cell("·", "dim")


def guests_cell(known: GuestsByDataset, dataset: str) -> Cell:
    """The guest on a dataset by name; of several, or of those below it, the number."""
    number = known.count(dataset)
    on = known.on(dataset)
    if not number:
        return NONE
    if number == 1 == len(on):
        return Cell(on[0].guest.name, _style(on[0].guest), sort=1.0)
    return Cell(counted(number, "guest"), "text" if on else "dim", sort=float(number))


def own_guests_cell(known: GuestsByDataset, dataset: str) -> Cell:
    """The guest on a dataset itself by name; of several the number."""
    on = known.on(dataset)
    if not on:
        return NONE
    if len(on) == 1:
        return Cell(on[0].guest.name, _style(on[0].guest), sort=on[0].guest.name)
    return Cell(counted(len(on), "guest"), sort=str(len(on)))


def guest_lines(known: GuestsByDataset, dataset: str) -> Iterator[Line]:
    """The guests with storage on a dataset, then those on the datasets below it; nothing without any."""
    on = known.on(dataset)
    if on:
        yield line(("guests: ", "dim"), *_named(on))
    names = {each.guest.definition.uuid for each in on}
    below = [each for each in known.within(dataset) if each.definition.uuid not in names]
    if below:
        yield line(("below it: ", "dim"), counted_guests(below))


def load_lines(known: GuestsByDataset, dataset: str) -> Iterator[Line]:
    """The guests on a dataset, with the I/O of their disks there as libvirt counts it, where it is known.

    Nobody counts the I/O of a container apart: it is a part of what ZFS counts of its dataset.
    """
    for each in known.on(dataset)[:MOST_NAMED]:
        if each.guest.definition.is_container and each.guest.status.state.is_running:
            words = f"container {each.guest.name} ({', '.join(each.disks)}): "
            yield line((words, "dim"), "its I/O is a part of what is counted here")
        for disk in each.guest.disks:
            if disk.disk.target in each.disks and disk.rates is not None:
                head = f"guest {each.guest.name} {disk.disk.target}: "
                yield line((head, "dim"), rates_in_words(disk.rates))


def running_and_others(guests: Sequence[Guest], pool: str) -> str:
    """The guests with a disk on a pool in one clause; empty without any."""
    here = GuestsByDataset(guests).within(pool)
    return counted_guests(here) if here else ""


def counted_guests(guests: Sequence[Guest]) -> str:
    """`3 guests and 1 container, 2 running: db01, web01, web02, shop`."""
    running = sum(each.status.state.is_running for each in guests)
    of = "" if running == len(guests) else f", {running} running" if running else ", none running"
    return f"{in_numbers(guests)}{of}: {shortened([each.name for each in guests], MOST_NAMED)}"


def in_numbers(guests: Sequence[Guest]) -> str:
    """`3 guests and 1 container`; of one kind only that."""
    return " and ".join(counted_by_kind(guests))


def _named(on: Sequence[GuestOnDataset]) -> Iterator[tuple[str, str]]:
    for at, each in enumerate(on[:MOST_NAMED]):
        yield (", " if at else "", "text")
        yield (each.guest.name, _style(each.guest))
        yield (_about(each), "dim")
    if len(on) > MOST_NAMED:
        yield (f" and {len(on) - MOST_NAMED} more", "text")


def _about(each: GuestOnDataset) -> str:
    """What of a guest is here: ` vda, shut off`, ` a backing file of vda`."""
    parts = [" ".join(each.disks)] if each.disks else []
    if each.disks_below:
        parts.append(f"a backing file of {' '.join(each.disks_below)}")
    parts += each.others
    if not each.guest.status.state.is_running:
        parts.append(state_in_words(each.guest)[0])
    return f" ({', '.join(parts)})"


def _style(guest: Guest) -> str:
    """Of a guest in trouble its colour; dim for one that has no process."""
    style = state_in_words(guest)[1]
    return "text" if style == "ok" else style
