"""What a guest depends on: its pools, what a full one does to it, its copies, and the I/O of its datasets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.forecast.forecast_sentences import full_words
from zconsole.analysis.guests.full_pool_sentences import full_of_one
from zconsole.analysis.guests.guests_of_a_full_pool import guests_when_full
from zconsole.base.fixed_width_formatting import bandwidth, count, size
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.dataset_io import DatasetIo
from zconsole.views.guests.disk_io_rates import rates_in_words
from zconsole.views.layout.labelled_paragraph import ParagraphLabel
from zconsole.views.layout.state_age_and_link_phrases import ago
from zconsole.views.layout.styled_text import TEXT, Line, line
from zconsole.views.pools.pool_condition_phrases import free, used

_ROUNDING_BYTES: Final = 64 << 20  # what is read of a pool and of its datasets is not of one moment
_LITTLE_BYTES: Final = 10 << 30
_SOUND: Final = "ONLINE"
_NO_COPY: Final = "dataset-no-copy"


def pool_lines(guest: Guest, host: HostState, label_cells: int) -> Iterator[Line]:
    """A pool with its state and what is left in it, when it is full, and what that does to the guest."""
    for name in dict.fromkeys(map(pool_of, datasets_of(guest))):
        state = host.pool(name)
        if state is None:
            continue
        first, *rest = (*_pool_words(guest, state), *_quota_words(guest, state))
        yield (_label(name, label_cells), *first)
        for words in rest:
            yield (_label("", label_cells), *words)


def copy_lines(guest: Guest, host: HostState, now: float, label_cells: int) -> Iterator[Line]:
    """Each dataset of the guest with what is known of its copies elsewhere; `now` in epoch seconds."""
    label = _label("copies", label_cells)
    seen, datasets = host.replication.value, datasets_of(guest)
    if seen is None:
        if datasets:
            yield (label, *line(("not compared with other pools yet; `zconsole replicas` does that", "dim")))
        return
    for name in datasets:
        for words in _copies_of(name, seen, now):
            yield (label, *line((f"{name}: ", "dim")), *words)
            label = _label("", label_cells)


def live_io_lines(guest: Guest, host: HostState | None, label_cells: int) -> Iterator[Line]:
    """The I/O of each disk as libvirt counts it, and beneath it that of its dataset as ZFS counts it."""
    for disk in guest.disks:
        place = disk.images[0].place if disk.images else ""
        of_dataset = None if place.startswith("/") else _io_of(host, place)
        if disk.rates is not None:
            yield (_label(disk.disk.target, label_cells), *line(rates_in_words(disk.rates)))
        if of_dataset is not None:
            label = _label("" if disk.rates is not None else disk.disk.target, label_cells)
            yield (label, *line((f"{place}: ", "dim"), _in_words(of_dataset)))


def datasets_of(guest: Guest) -> tuple[str, ...]:
    """Datasets and volumes that the guest's disks are on, without devices that no pool holds."""
    return tuple(place for place in guest.all_places if place and not place.startswith("/"))


def _pool_words(guest: Guest, state: PoolState) -> Iterator[Line]:
    pool = state.pool.value
    space = ", ".join(filter(None, (used(pool), free(pool)))) if pool is not None else "not read yet"
    yield line((state.state, "ok" if state.state == _SOUND else "bad"), f", {space}")
    forecast = state.forecast.value
    if forecast is not None and forecast.trend is not None:
        yield line(full_words(forecast.trend))
    for each in guests_when_full((guest,), state.name):
        yield line(f"when it is full: {full_of_one(each)}")


def _quota_words(guest: Guest, state: PoolState) -> Iterator[Line]:
    """Where a quota, of the dataset or above it, leaves a disk less than the pool has.

    ZFS gives EDQUOT there, at which QEMU pauses a guest only where its policy stops it at any error.
    """
    left = state.pool.value.usable_available_bytes if state.pool.value is not None else None
    if left is None or not guest.status.state.is_active:
        return
    for disk in guest.disks:
        top = disk.images[0] if disk.images and disk.is_written else None
        dataset = top.dataset if top is not None and pool_of(top.place) == state.name else None
        available = dataset.available_bytes if dataset is not None else None
        if top is None or available is None or available >= left - _ROUNDING_BYTES:
            continue
        then = "QEMU pauses it there" if disk.disk.error_policy == "stop" else "there its writes fail"
        style = "warn" if available < _LITTLE_BYTES else TEXT
        yield line((f"a quota leaves {size(available)} for {top.place} ({disk.disk.target}): {then}", style))


def _copies_of(dataset: str, seen: ReplicationSeen, now: float) -> Iterator[Line]:
    wrong = [each for each in seen.findings if each.subject == dataset and each.id != _NO_COPY]
    for each in wrong:
        yield line((each.summary, "warn"))
    when = f"compared {ago(now - seen.seen_at)} ago"
    if dataset in seen.sent and not wrong:
        yield line(f"has a copy; {when}")
    elif not wrong:
        yield line(("no copy in a pool that was compared", "warn"), f"; {when}")


def _io_of(host: HostState | None, dataset: str) -> DatasetIo | None:
    pool = host.pool(pool_of(dataset)) if dataset and host is not None else None
    sample = pool.dataset_io.value if pool is not None else None
    return None if sample is None else next((each for each in sample.rows if each.name == dataset), None)


def _in_words(io: DatasetIo) -> str:
    read = f"read {count(io.read_ops)}/s {bandwidth(io.read_bytes)}"
    return f"{read} · write {count(io.write_ops)}/s {bandwidth(io.write_bytes)}"


def _label(words: str, cells: int) -> ParagraphLabel:
    return ParagraphLabel(f"{words:<{cells - 1}} ", "dim")
