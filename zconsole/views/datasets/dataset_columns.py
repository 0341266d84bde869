"""Columns of the dataset tree, in sets: cells and sort keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Final

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.dependencies.clone_space_and_pinned_snapshots import divergence
from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.analysis.search.dataset_query import DatasetField
from zconsole.base.fixed_width_formatting import MINUTE, moment, percent, size, zfs_size
from zconsole.base.lazy_dataclass import dataclass, fast_dataclass
from zconsole.model.datasets.dataset import Dataset
from zconsole.views.guests.guests_on_dataset import guests_cell
from zconsole.views.layout.state_age_and_link_phrases import ago, counted
from zconsole.views.layout.table import Cell, Column, ColumnSet

PARTS: Final = frozenset({"snapshot", "bookmark"})
UNKNOWN: Final = Cell("·", "dim")
Value = float | str | None
_AGE_CELLS: Final = 6
NO_GUESTS: Final = GuestsByDataset()


@dataclass(frozen=True, slots=True)
class CellContext:
    """Context of a cell, beside its dataset."""

    graph: Graph
    now: float  # epoch seconds
    guests: GuestsByDataset = NO_GUESTS


@fast_dataclass
class DatasetFacts:
    """Facts of a row in the tree: a dataset, its mark and name drawn."""

    dataset: Dataset
    where: CellContext
    mark: Cell = Cell()  # frozen
    name: Cell = Cell()


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetColumn(Column[DatasetFacts]):
    """Column whose sort keys exist before the rows are made."""

    value: Callable[[Dataset, CellContext], Value] = field(compare=False)
    show: Callable[[Value], Cell] = field(compare=False)


def _bytes(value: Value) -> Cell:
    return UNKNOWN if value is None or isinstance(value, str) else Cell(size(int(value)))


def _block(value: Value) -> Cell:
    return UNKNOWN if value is None or isinstance(value, str) else Cell(zfs_size(int(value)))


def _limit(value: Value) -> Cell:
    return Cell("none", "dim") if value == 0 else _bytes(value)


def _text(value: Value) -> Cell:
    return UNKNOWN if value is None else Cell(str(value))


def _dim(value: Value) -> Cell:
    return UNKNOWN if value is None else Cell(str(value), "dim")


def _number(value: Value) -> Cell:
    return UNKNOWN if value is None or isinstance(value, str) else Cell(f"{value:.0f}")


def _some(value: Value) -> Cell:
    return UNKNOWN if not value or isinstance(value, str) else Cell(f"{value:.0f}")


def _holds(value: Value) -> Cell:
    return UNKNOWN if not value or isinstance(value, str) else Cell(f"{value:.0f}", "warn")


def _age(value: Value) -> Cell:
    if value is None or isinstance(value, str):
        return UNKNOWN
    return Cell(ago(value), "dim")


def _ratio(value: Value) -> Cell:
    return UNKNOWN if value is None or isinstance(value, str) else Cell(f"{value:.2f}x", "dim")


def _date(value: Value) -> Cell:
    if value is None or isinstance(value, str):
        return UNKNOWN
    return Cell(f"{moment(value, MINUTE)}")


def _state(value: Value) -> Cell:
    words = str(value or "")
    is_heeded = any(each in words for each in ("held", "locked", "to be destroyed"))
    return Cell(words, "warn" if is_heeded else "dim")


def _of_datasets(get: Callable[[Dataset], Value]) -> Callable[[Dataset, CellContext], Value]:
    """Values that snapshots do not have."""
    return lambda dataset, _where: None if dataset.type in PARTS else get(dataset)


def _unique(dataset: Dataset, _where: CellContext) -> Value:
    return dataset.used_bytes if dataset.type == "snapshot" else dataset.used_by_dataset_bytes


def _aged(dataset: Dataset, where: CellContext) -> Value:
    return None if dataset.creation is None else where.now - dataset.creation


def _kept(dataset: Dataset, where: CellContext) -> Value:
    return None if dataset.type in PARTS else float(len(where.graph.snapshots.get(dataset.name, ())))


def _guests(dataset: Dataset, where: CellContext) -> Value:
    """Number of guests on it and below it; without any unknown, so that the others come first."""
    return None if dataset.type in PARTS else float(where.guests.count(dataset.name)) or None


def _yes_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def state_words(dataset: Dataset, where: CellContext) -> str:
    """Why a change of the dataset is blocked, and what depends on it."""
    words = []
    if dataset.holds:
        words.append("held")
    if dataset.is_destroy_deferred:
        words.append("to be destroyed")
    is_locked = dataset.keystatus == "unavailable"  # and so it is not mounted, either
    if is_locked:
        words.append("locked")
    clones = len(where.graph.clones.get(dataset.name, ()))
    if clones:
        words.append(counted(clones, "clone"))
    if dataset.origin:
        apart = divergence(where.graph, dataset.name) if dataset.name in where.graph.datasets else None
        own = " of" if apart is None else f" {percent(apart.percent)} own, of"
        words.append(f"clone{own} {dataset.origin}")
    if dataset.type == "volume":
        words.append("zvol")
    if dataset.type == "filesystem" and dataset.is_mounted is False and not is_locked:
        words.append("not mounted")
    return ", ".join(words)


def _field(  # noqa: PLR0913, PLR0917 - a line of the tables below
    column_id: str, title: str, width: int, need: int,
    value: Callable[[Dataset, CellContext], Value], show: Callable[[Value], Cell] = _bytes,
    *, is_right: bool = True, grows_to: int | None = None, narrow: int = 0,
) -> DatasetColumn:  # fmt: skip
    def cell(facts: DatasetFacts) -> Cell:
        return show(value(facts.dataset, facts.where))

    return DatasetColumn(
        column_id,
        title,
        width,
        cell,
        need=need,
        is_right=is_right,
        grows_to=grows_to,
        narrow=narrow,
        value=value,
        show=show,
    )


def _set(set_id: str, title: str, *columns: DatasetColumn) -> ColumnSet[DatasetFacts]:
    return ColumnSet(set_id, title, (MARK, NAME, *columns))


MARK: Final[Column[DatasetFacts]] = Column("mark", "", 1, lambda facts: facts.mark, need=101, is_right=False)
NAME: Final[Column[DatasetFacts]] = Column(
    "name",
    "DATASET",
    30,
    lambda facts: facts.name,
    need=100,
    is_right=False,
    grows_to=56,
    cuts_middle=True,
    narrow=16,
)
_USED: Final = _field("used", "USED", 8, 95, lambda dataset, _: dataset.used_bytes, narrow=8)
_AGE: Final = _field("age", "AGE", _AGE_CELLS, 78, _aged, _age)
_RATIO: Final = _field("ratio", "RATIO", 6, 45, lambda dataset, _: dataset.compress_ratio, _ratio)
_GUESTS: Final = DatasetColumn(
    "guests", "GUESTS", 9, lambda facts: guests_cell(facts.where.guests, facts.dataset.name), need=58,
    is_right=False, grows_to=20, value=_guests, show=_some,
)  # fmt: skip
_STATE: Final = _field("state", "STATE", 14, 85, state_words, _state, is_right=False, grows_to=60)

SETS: Final = {
    each.id: each
    for each in (
        _set("space", "space",
            _USED,
            _field("snapshots", "IN SNAPS", 8, 70, _of_datasets(lambda each: each.used_by_snapshots_bytes)),
            _field("unique", "UNIQUE", 8, 55, _unique),
            _field("refer", "REFER", 8, 80, lambda dataset, _: dataset.referenced_bytes),
            _field("written", "WRITTEN", 8, 65, lambda dataset, _: dataset.written_bytes),
            _RATIO,
            _field("kept", "SNAPS", 6, 60, _kept, _some),
            _AGE,
            _GUESTS,
            _STATE,
        ),
        _set("limits", "quotas and reservations",
            _USED,
            _field("avail", "AVAIL", 8, 90, _of_datasets(lambda each: each.available_bytes)),
            _field("quota", "QUOTA", 8, 85, _of_datasets(lambda each: each.quota_bytes), _limit),
            _field("refquota", "REFQUOTA", 8, 70, _of_datasets(lambda each: each.refquota_bytes), _limit),
            _field("reserv", "RESERV", 8, 65, _of_datasets(lambda each: each.reservation_bytes), _limit),
            _field("refreserv", "REFRESERV", 9, 75, _of_datasets(lambda each: each.refreservation_bytes),
                   _limit),
            _field("byrefreserv", "BY REFRESERV", 12, 50,
                   _of_datasets(lambda each: each.used_by_refreservation_bytes), _limit),
            _field("bychildren", "BELOW", 8, 40, _of_datasets(lambda each: each.used_by_children_bytes)),
        ),
        _set("mounts", "mounts, keys, compression",
            _field("mounted", "MOUNTED", 7, 90, lambda each, _: _yes_no(each.is_mounted), _text, narrow=7),
            _field("key", "KEY", 11, 80, _of_datasets(lambda each: each.keystatus), _text, is_right=False),
            _field("compression", "COMPRESS", 8, 70, _of_datasets(lambda each: each.compression), _text,
                   is_right=False),
            _RATIO,
            _field("block", "BLOCK", 8, 50,
                   _of_datasets(lambda each: each.volblocksize_bytes or each.recordsize_bytes), _block),
            _field("encryption", "ENCRYPTION", 11, 40, _of_datasets(lambda each: each.encryption), _dim,
                   is_right=False),
            _field("mountpoint", "MOUNTPOINT", 12, 85, _of_datasets(lambda each: each.mountpoint), _text,
                   is_right=False, grows_to=60),
        ),
        _set("identity", "age, holds, numbers",
            _AGE,
            _field("created", "CREATED, UTC", 16, 90, lambda each, _: each.creation, _date, narrow=16),
            _field("holds", "HOLDS", 5, 85, lambda each, _: each.holds, _holds),
            _field("txg", "TXG", 10, 60, lambda each, _: each.createtxg, _number),
            _field("guid", "GUID", 20, 50, lambda each, _: each.guid, _dim),
            _field("origin", "ORIGIN", 12, 70, lambda each, _: each.origin, _text, is_right=False,
                   grows_to=60),
        ),
    )
}  # fmt: skip


def shown_set(set_id: str, *, has_guests: bool) -> ColumnSet[DatasetFacts]:
    """A set of columns; that of the guests only where the pool has some."""
    found = SETS[set_id]
    if has_guests:
        return found
    return ColumnSet(found.id, found.title, tuple(each for each in found.columns if each is not _GUESTS))


def filter_fields(
    graph: Callable[[], Graph | None], guests: Callable[[], GuestsByDataset] = lambda: NO_GUESTS
) -> tuple[DatasetField, ...]:
    """All columns of all sets, for a filter; `graph` and `guests` return the current ones."""

    def reader(column: DatasetColumn) -> Callable[[Dataset, float], tuple[str, Value]]:
        def read(dataset: Dataset, now: float) -> tuple[str, Value]:
            known = graph()
            value = None if known is None else column.value(dataset, CellContext(known, now, guests()))
            return column.show(value).text, value

        return read

    every = {
        each.id: each for known in SETS.values() for each in known.columns if isinstance(each, DatasetColumn)
    }
    name = DatasetField(NAME.id, NAME.title, lambda dataset, _now: (dataset.name, dataset.name))
    return (name, *(DatasetField(key, each.title, reader(each)) for key, each in every.items()))


def sort_key(
    column_id: str, chosen: ColumnSet[DatasetFacts], where: CellContext, *, is_reverse: bool
) -> Callable[[str], tuple[bool, float | str]] | None:
    """Order of names by a column: numbers from the largest on, words from A on, unknown ones last.

    None for the natural order.
    """
    found = next((each for each in chosen.columns if each.id == column_id), None)
    datasets = where.graph.datasets
    if not isinstance(found, DatasetColumn):
        return (lambda name: (False, _backwards(name))) if column_id == "name" and is_reverse else None
    get = found.value

    def key(name: str) -> tuple[bool, float | str]:
        dataset = datasets.get(name)
        value = None if dataset is None else get(dataset, where)
        if value is None:
            return True, 0.0
        if isinstance(value, str):
            return False, _backwards(value) if is_reverse else value.lower()
        return False, value if is_reverse else -value

    return key


def _backwards(text: str) -> str:
    """Text with the reverse order."""
    return "".join(chr(0x10FFFF - ord(each)) for each in text.lower()) + chr(0x10FFFF)
