"""Guests of a host, those in trouble first: state, what their disks are on, and sizes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.dependencies.dataset_or_device_of_path import device_of_volume
from zconsole.analysis.guests.broken_chain_of_images import broken_chain
from zconsole.analysis.guests.disks_shared_by_guests import (
    disks_shared_by_guests,
)
from zconsole.analysis.guests.guests_not_looked_at import number_not_looked_at
from zconsole.base.fixed_width_formatting import UNKNOWN, size, zfs_size
from zconsole.base.name_lists import shortened
from zconsole.model.guests.guest import (
    PAUSED_BY_IO_ERROR,
    PAUSED_BY_USER,
    Guest,
    GuestState,
    SourceKind,
    StoredDisk,
    StoredImage,
)
from zconsole.views.guests.disk_io_rates import (
    rates_in_words,
    read_bytes_per_second,
    written_bytes_per_second,
)
from zconsole.views.guests.problems_of_guest import SHARED
from zconsole.views.layout.escape_measure_cut_text import ELLIPSIS
from zconsole.views.layout.labelled_paragraph import ParagraphLabel
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

_WORDS: Final = {
    GuestState.UNKNOWN: ("unknown", "dim"),
    GuestState.RUNNING: ("running", "ok"),
    GuestState.BLOCKED: ("running", "ok"),
    GuestState.PAUSED: ("paused", "warn"),
    GuestState.SHUTTING_DOWN: ("shutting down", "text"),
    GuestState.SHUT_OFF: ("shut off", "dim"),
    GuestState.CRASHED: ("crashed", "bad"),
    GuestState.SLEEPING: ("asleep", "text"),
}
KIND, PLACES, STATE = "kind", "disks", "state"  # ids of columns
RATES: Final = ("read", "written")  # and of those that need two readings
RAW: Final = "raw"
_NAMED: Final = 2  # datasets of a guest in its row
_PAUSED: Final = {PAUSED_BY_USER: "paused by its user", PAUSED_BY_IO_ERROR: "paused by an I/O error"}
_SHORTER: Final = {"paused by its user": "paused", "✗ paused by an I/O error": "✗ I/O error"}
INDENTED: Final = ParagraphLabel("  ", "dim")
BELOW: Final = ParagraphLabel("  └ ", "dim")  # before an image below the one above
_NEITHER, _OFF, _DAMAGED = range(3)  # of shared disks: none, of guests that do not both run, written by both


def state_in_words(guest: Guest) -> tuple[str, str]:
    """The state and its style."""
    state, reason = guest.status.state, guest.status.reason
    if state is GuestState.PAUSED:
        return _PAUSED.get(reason, "paused"), "bad" if reason == PAUSED_BY_IO_ERROR else "warn"
    return _WORDS[state]


def in_order(guests: Sequence[Guest]) -> tuple[Guest, ...]:
    """Guests by trouble, then active ones, then by name."""
    shared = _shared(guests)

    def rank(guest: Guest) -> tuple[bool, bool, bool, str]:
        state = guest.status.state
        failed = state is GuestState.CRASHED or guest.status.is_paused_by_io_error or bool(guest.missing)
        failed |= any(map(broken_chain, guest.disks))
        failed |= shared.get(guest.definition.address, _NEITHER) == _DAMAGED
        return not failed, state is not GuestState.PAUSED, not state.is_active, guest.name

    return tuple(sorted(guests, key=rank))


def summary(host: str, guests: Sequence[Guest], *, moving: int = 0) -> Line:
    """`nas1 · 1 being moved · 12 guests · 2 containers · 1 paused by an I/O error · 9 running`."""
    told = [state_in_words(guest) for guest in in_order(guests)]
    unread = number_not_looked_at(guests)
    return join(
        [
            line((host, "title")),
            line((f"{moving} being moved", "warn")) if moving else EMPTY,
            *map(line, counted_by_kind(guests)),
            line((f"{unread} not looked at", "warn")) if unread else EMPTY,
            *(line((f"{told.count(each)} {each[0]}", each[1])) for each in dict.fromkeys(told)),
        ]
    )


def counted_by_kind(guests: Sequence[Guest]) -> list[str]:
    """`3 guests`, `1 container`; of one kind only that."""
    containers = sum(each.definition.is_container for each in guests)
    machines = len(guests) - containers
    kinds = [counted(machines, "guest")] if machines or not containers else []
    return [*kinds, counted(containers, "container")] if containers else kinds


def guest_table(guests: Sequence[Guest], moving: Collection[str] = ()) -> Table:
    """One row a guest, in the order given; with their kinds where they are not all of libvirt.

    `moving` are the addresses of those that are being moved.
    """
    is_mixed = any(not each.is_of_libvirt for each in guests)
    columns = COLUMNS if is_mixed else tuple(each for each in COLUMNS if each.id != KIND)
    shared = _shared(guests)
    rows = (_row(each, columns, shared) for each in guests)
    return Table(
        columns,
        tuple(
            _as_moving(row, columns) if each.definition.address in moving else row
            for each, row in zip(guests, rows, strict=True)
        ),
    )


def _as_moving(row: Row, columns: Sequence[Column[Guest]]) -> Row:
    cells = (
        replace(cell, text=f"{cell.text}, being moved", style="warn", shorter="being moved")
        if column.id == STATE
        else cell
        for column, cell in zip(columns, row.cells, strict=True)
    )
    return replace(row, cells=tuple(cells), words=f"{row.words} being moved")


def _shared(guests: Sequence[Guest]) -> dict[str, int]:
    """How bad it is that a disk of a guest is one of another too, by the addresses of both."""
    found: dict[str, int] = {}
    for each in disks_shared_by_guests(guests):
        for guest in (each.guest, each.other):
            address = guest.definition.address
            found[address] = max(found.get(address, _NEITHER), _DAMAGED if each.is_running else _OFF)
    return found


def _row(guest: Guest, columns: Sequence[Column[Guest]], shared: Mapping[str, int]) -> Row:
    paths = (image.image.path for disk in guest.disks for image in disk.images)
    mark = shared.get(guest.definition.address, _NEITHER)
    words = " ".join((guest.definition.title, *guest.places, *paths, *(("shared",) if mark else ())))
    cells = cells_of(columns, guest)
    if mark:
        style = "bad" if mark == _DAMAGED else "warn"
        cells = tuple(
            replace(cell, lead=f"{SHARED} ", style=style) if column.id == PLACES else cell
            for column, cell in zip(columns, cells, strict=True)
        )
    return Row(row_key(guest), cells, words=words)


def row_key(guest: Guest) -> str:
    """The key of a guest's row: its uuid, or its name where that is not known."""
    return guest.definition.uuid or f"{guest.definition.connection} {guest.name}"


def disk_lines(guest: Guest, *, has_rates: bool = True) -> Iterator[Line]:
    """Each disk with its images, the uppermost first: `vda  qcow2  8 GiB  tank/vms  /tank/vms/a.qcow2`.

    Of a container its datasets, and what tells that they are its own. `has_rates`: with the I/O of each.
    """
    if not guest.is_of_libvirt:
        for each in guest.disks:
            for image in each.images:
                yield line((f"{each.disk.target}  ", "dim"), image.place, (f"  {image.image.path}", "dim"))
        return
    for each in guest.disks:
        alone = _of_sound_volume(each)
        yield line((each.disk.target, "title"), *((f"  {alone}",) if alone else ()), f"  {_about(each)}")
        if has_rates and each.rates is not None:
            yield (INDENTED, *line((rates_in_words(each.rates), "dim")))
        for at, image in enumerate(() if alone else each.images):
            held = _held(image.places, image.unknown, image.elsewhere)
            words = line(
                *((("missing", "bad"),) if image.is_missing else held),
                (f"  {image.image.path}", "dim"),
                (f"  {_image(image)}", "dim") if image.image.format else "",
            )
            yield (BELOW if at else INDENTED, *words)
        if each.problem:
            yield line((f"  backing files are not known: {each.problem}", "warn"))


def _of_sound_volume(each: StoredDisk) -> str:
    """The volume of a disk that is just that, by its usual path: it says all of the image."""
    if len(each.images) != 1:
        return ""
    (image,) = each.images
    is_plain = image.is_volume and not (image.is_missing or image.also or image.unknown)
    is_usual = image.image.path == device_of_volume(image.place)
    return image.place if is_plain and is_usual and image.image.format in {"", RAW} else ""


def other_lines(guest: Guest) -> Iterator[Line]:
    """Each storage beside the disks: `UEFI variables  tank/vms  /tank/vms/web01_VARS.fd`."""
    for each in guest.others:
        yield line(
            (each.storage.role, "title"), "  ", *_held(each.places, each.unknown, each.elsewhere),
            (f"  {each.storage.path}", "dim") if each.storage.path else "",
        )  # fmt: skip


def _held(places: Sequence[str], unknown: str, elsewhere: str) -> Iterator[str | tuple[str, str]]:
    """The datasets and devices that hold something, or that it is not known, or not on ZFS."""
    if places:
        yield (", ".join(places), "text")
    if unknown:
        yield (f"{', in part ' if places else ''}not known: {unknown}", "warn")
    elif not places:
        yield (f"not on ZFS ({elsewhere})" if elsewhere else "not on ZFS", "dim")


def _about(each: StoredDisk) -> str:
    modes = (("cache", each.disk.cache), ("io", each.disk.io), ("discard", each.disk.discard))
    told = [f"{name} {value}" for name, value in modes if value]
    return ", ".join([each.disk.format or "format not told", _sizes(each), *told])


def _sizes(each: StoredDisk) -> str:
    capacity, used = _capacity(each), used_bytes(each)
    if capacity is None:
        return "size not known"
    return size(capacity) if used is None else f"{size(used)} of {size(capacity)}"


def _image(stored: StoredImage) -> str:
    image = stored.image
    cluster = f", {zfs_size(image.cluster_bytes)} clusters" if image.cluster_bytes else ""
    inside = (
        f", {counted(len(image.internal_snapshots), 'snapshot')} inside" if image.internal_snapshots else ""
    )
    return f"{image.format}{cluster}{inside}"


def _capacity(each: StoredDisk) -> int | None:
    if each.counters is not None and each.counters.capacity_bytes is not None:
        return each.counters.capacity_bytes
    return each.images[0].image.virtual_bytes if each.images else None


def used_bytes(each: StoredDisk) -> int | None:
    """Bytes that the images take, as their file system counts them; of a volume its data, by ZFS."""
    if each.images and each.images[0].is_volume and each.images[0].dataset is not None:
        return each.images[0].dataset.referenced_bytes
    if each.disk.kind is SourceKind.BLOCK:
        return None
    taken = [stored.image.allocated_bytes for stored in each.images]
    known = [bytes_ for bytes_ in taken if bytes_ is not None]
    if known:
        return sum(known)
    return each.counters.allocation_bytes if each.counters is not None else None


def _total(values: Iterator[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _name(guest: Guest) -> Cell:
    return Cell(guest.name, sort=guest.name)


def _state(guest: Guest) -> Cell:
    words, style = state_in_words(guest)
    shown = f"✗ {words}" if style == "bad" else words
    return Cell(shown, style, sort=words, shorter=_SHORTER.get(shown, ""))


def kind_in_words(guest: Guest) -> str:
    """`QEMU`, `container of Incus`."""
    if guest.is_of_libvirt:
        return "QEMU"
    return guest.definition.connection


def _kind(guest: Guest) -> Cell:
    words = kind_in_words(guest)
    return Cell(words, "dim" if guest.is_of_libvirt else "text", sort=words)


def _places(guest: Guest) -> Cell:
    is_known = not any(image.unknown for disk in guest.disks for image in disk.images)
    if guest.missing:
        return Cell(", ".join(("✗ disk missing", *guest.places)), "bad")
    if guest.unread:
        return Cell("not looked at", "warn")
    if not guest.places:
        if not guest.disks:
            return Cell("no disk", "dim")
        return Cell("no disk on ZFS", "dim") if is_known else Cell("not known", "warn")
    also = "" if is_known else ", not known"
    return Cell(shortened(guest.places, _NAMED) + also, shorter=_ends_of(guest.places) + also)


def _ends_of(places: Sequence[str]) -> str:
    """`…/db02, …/vm, +1`: guests differ in the ends of the names."""
    ends = [f"{ELLIPSIS}/{each.rpartition('/')[2]}" if "/" in each else each for each in places]
    more = len(ends) - _NAMED
    return ", ".join((*ends[:_NAMED], *((f"+{more}",) if more > 0 else ())))


def _capacity_cell(guest: Guest) -> Cell:
    total = _total(_capacity(each) for each in guest.disks)
    return Cell(size(total) if total is not None else UNKNOWN, sort=total)


def _used_cell(guest: Guest) -> Cell:
    total = _total(used_bytes(each) for each in guest.disks)
    return Cell(size(total) if total is not None else UNKNOWN, sort=total)


def agent_in_words(guest: Guest) -> tuple[str, str]:
    """What is known of the agent, and its style; that of a guest that is off is not known.

    A container has none to be told of.
    """
    if not guest.is_of_libvirt:
        return UNKNOWN, "dim"
    if not guest.definition.has_agent_channel:
        return "none", "dim"
    if not guest.status.state.is_active:
        return UNKNOWN, "dim"
    return {
        True: ("answers", "text"),
        False: ("not connected", "warn"),
        None: (UNKNOWN, "dim"),
    }[guest.definition.is_agent_connected]


def _agent_cell(guest: Guest) -> Cell:
    words, style = agent_in_words(guest)
    return Cell(words, style, sort=words)


def _read_cell(guest: Guest) -> Cell:
    return _rate_cell(read_bytes_per_second(guest))


def _written_cell(guest: Guest) -> Cell:
    return _rate_cell(written_bytes_per_second(guest))


def _rate_cell(bytes_per_s: float | None) -> Cell:
    return Cell(UNKNOWN if bytes_per_s is None else size(round(bytes_per_s)), sort=bytes_per_s)


COLUMNS: Final[tuple[Column[Guest], ...]] = (
    Column("guest", "GUEST", 12, _name, need=100, is_right=False, grows_to=32, narrow=10),
    Column(STATE, "STATE", 13, _state, need=90, is_right=False, grows_to=24, mark=11),
    Column(KIND, "KIND", 6, _kind, need=65, is_right=False, grows_to=14),
    Column("agent", "AGENT", 13, _agent_cell, need=40, is_right=False),
    Column(PLACES, "DISKS ON", 16, _places, need=95, is_right=False, grows_to=40),
    Column("size", "SIZE", 8, _capacity_cell, need=50),
    Column("used", "USED", 8, _used_cell, need=60),
    Column("read", "READ/s", 8, _read_cell, need=70),
    Column("written", "WRITE/s", 8, _written_cell, need=70),
)
