"""A pool's datasets as a tree, with their space; the snapshots of those that are opened."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from zconsole.actions.intent import Kind, Target
from zconsole.base.units import count, size
from zconsole.model.dataset import Dataset
from zconsole.model.host_state import LinkState, PoolState
from zconsole.ui.present.cells import Line, line
from zconsole.ui.present.page import Page
from zconsole.ui.present.table import Cell, Column, Row, Table
from zconsole.ui.present.view import HostView, View
from zconsole.ui.present.words import ago, counted, join, link_words

COLUMNS: Final = (
    Column("name", "DATASET", 38, need=100, is_right=False, grows_to=56, cuts_middle=True),
    Column("used", "USED", 8, need=95),
    Column("snapshots", "IN SNAPS", 8, need=70),
    Column("refer", "REFER", 8, need=80),
    Column("avail", "AVAIL", 8, need=60),
    Column("kept", "SNAPS", 5, need=75),
    Column("age", "AGE", 8, need=50),
    Column("state", "STATE", 12, need=85, is_right=False, grows_to=60),
)
_KINDS: Final = {
    "filesystem": Kind.FILESYSTEM,
    "volume": Kind.VOLUME,
    "snapshot": Kind.SNAPSHOT,
    "bookmark": Kind.BOOKMARK,
}
_PARTS: Final = frozenset({"snapshot", "bookmark"})


@dataclass(frozen=True, slots=True)
class Subject:
    """A pool's datasets, found by name, and the snapshots and bookmarks of each."""

    host: HostView
    state: PoolState
    datasets: Mapping[str, Dataset]
    parts: Mapping[str, tuple[Dataset, ...]]

    def target(self, key: str | None) -> Target | None:
        """The object of a row, for its actions."""
        dataset = self.datasets.get(key or "")
        kind = _KINDS.get(dataset.type) if dataset is not None else None
        if dataset is None or kind is None:
            return None
        return Target(kind, self.state.name, dataset.name, dataset.guid)


def subject(view: View, host_name: str, pool: str, before: Subject | None = None) -> Subject | None:
    """The datasets as they are now; None when the pool is not there, or they were not read yet."""
    host, state = view.host(host_name), view.pool(host_name, pool)
    if host is None or state is None or state.datasets.value is None:
        return None
    if before is not None and before.state.datasets.value is state.datasets.value:
        return Subject(host, state, before.datasets, before.parts)
    parts: dict[str, list[Dataset]] = {}
    for each in state.datasets.value:
        if each.type in _PARTS:
            parts.setdefault(_base(each.name), []).append(each)
    ordered = {name: tuple(sorted(of, key=lambda d: d.createtxg or 0)) for name, of in parts.items()}
    return Subject(host, state, {each.name: each for each in state.datasets.value}, ordered)


def _base(name: str) -> str:
    return name.partition("@")[0].partition("#")[0]


def page(about: Subject, view: View, opened: Collection[str]) -> Page:
    """What the screen says now; `opened` names the datasets whose snapshots are shown."""
    trees = sorted(
        (each for each in about.datasets.values() if each.type not in _PARTS),
        key=lambda dataset: dataset.name.split("/"),
    )
    rows = tuple(row for each in trees for row in _rows(about, each, view, is_open=each.name in opened))
    return Page(_answer(about, view), _fresh(about, view), _numbers(about, trees), Table(COLUMNS, rows))


def absent(view: View, host_name: str, pool: str) -> Page:
    """What stands there before the datasets are known."""
    state = view.pool(host_name, pool)
    host = view.host(host_name)
    words = line(("Reading the datasets ...", "dim"))
    if state is None:
        words = line((f"There is no pool {pool} on {host_name} any more.", "warn"))
    elif state.datasets.problem:
        words = line((f"The datasets cannot be listed: {state.datasets.problem}", "warn"))
    elif host is not None and host.state.link.state is not LinkState.UP:
        words = link_words(host, view)
    head = line((host_name, "title"), (" · ", "dim"), (pool, "title"), (" datasets", "dim"))
    return Page(head, (), (), Table((), (Row("absent", line=words, is_selectable=False),)))


def notes(about: Subject | None, key: str | None, view: View) -> tuple[Line, ...]:
    """The selected object in words: its whole name, where it comes from, what hangs on it."""
    dataset = about.datasets.get(key or "") if about is not None else None
    if about is None or dataset is None:
        return ()
    return tuple(_notes(about, dataset, view))


def _notes(about: Subject, dataset: Dataset, view: View) -> Iterator[Line]:
    age = "" if dataset.creation is None else f", {ago(view.now - dataset.creation)} old"
    yield line((dataset.name, "title"), (f"  {dataset.type}{age}", "dim"))
    parts = []
    if dataset.origin:
        parts.append(line(("clone of ", "dim"), dataset.origin))
    if dataset.clones:
        parts.append(line(("clones: ", "dim"), (", ".join(dataset.clones), "warn")))
    tags = [hold.tag for hold in about.state.holds.value or () if hold.snapshot == dataset.name]
    if tags:
        parts.append(line(("held by ", "dim"), (", ".join(tags), "warn")))
    if dataset.mountpoint and dataset.type == "filesystem":
        where = "mounted on" if dataset.is_mounted else "not mounted, would be on"
        parts.append(line((f"{where} ", "dim"), dataset.mountpoint))
    if dataset.compress_ratio is not None:
        parts.append(line((f"compressed {dataset.compress_ratio:.2f}x", "dim")))
    if dataset.written_bytes is not None and dataset.type not in _PARTS:
        parts.append(line((f"{size(dataset.written_bytes)} written since its last snapshot", "dim")))
    if parts:
        yield join(parts)


def _answer(about: Subject, view: View) -> Line:
    head = line((about.host.name, "title"), (" · ", "dim"), (about.state.name, "title"), (" datasets", "dim"))
    return join([head, link_words(about.host, view)])


def _fresh(about: Subject, view: View) -> Line:
    age = about.state.datasets.age(view.monotonic)
    is_old = bool(about.state.datasets.problem) or about.host.state.link.state is not LinkState.UP
    return line((f"read {ago(age)} ago", "warn" if is_old else "dim"))


def _numbers(about: Subject, trees: Sequence[Dataset]) -> Line:
    root = about.datasets.get(about.state.name)
    kept = sum(len(parts) for parts in about.parts.values())
    in_snapshots = sum(each.used_by_snapshots_bytes or 0 for each in trees)
    parts = [
        line(counted(len(trees), "dataset")),
        line(f"{count(kept)} snapshots and bookmarks"),
        line(f"{size(in_snapshots)} in snapshots"),
    ]
    if root is not None:
        parts.append(line(f"{size(root.used_bytes)} used, {size(root.available_bytes)} available"))
    return join(parts)


def _rows(about: Subject, dataset: Dataset, view: View, *, is_open: bool) -> Iterator[Row]:
    depth = dataset.name.count("/")
    parts = about.parts.get(dataset.name, ())
    name = dataset.name.rpartition("/")[2]
    mark = ("- " if is_open else "+ ") if parts else "  "
    yield Row(
        dataset.name,
        (
            Cell(name, sort=dataset.name, lead="  " * depth + mark),
            _size(dataset.used_bytes),
            _size(dataset.used_by_snapshots_bytes),
            _size(dataset.referenced_bytes),
            _size(dataset.available_bytes),
            Cell(str(len(parts)) if parts else "·", "text" if parts else "dim", sort=float(len(parts))),
            _age(dataset, view),
            _state(dataset),
        ),
        depth=depth,
        words=dataset.name,
    )
    if is_open:
        for part in parts:
            yield _part(part, view, depth)


def _part(part: Dataset, view: View, depth: int) -> Row:
    name = part.name.removeprefix(_base(part.name))
    return Row(
        part.name,
        (
            Cell(name, "info" if part.type == "snapshot" else "dim", sort=part.name, lead="  " * (depth + 2)),
            _size(part.used_bytes),
            Cell("·", "dim"),
            _size(part.referenced_bytes),
            Cell("·", "dim"),
            Cell("·", "dim"),
            _age(part, view),
            _state(part),
        ),
        depth=depth + 1,
        words=part.name,
    )


def _size(value: int | None) -> Cell:
    return Cell("·", "dim") if value is None else Cell(size(value), sort=value)


def _age(dataset: Dataset, view: View) -> Cell:
    if dataset.creation is None:
        return Cell("·", "dim")
    age = view.now - dataset.creation
    return Cell(ago(age), "dim", sort=age)


def _state(dataset: Dataset) -> Cell:
    words = []
    if dataset.origin:
        words.append("clone")
    if dataset.clones:
        words.append(counted(len(dataset.clones), "clone"))
    if dataset.holds:
        words.append("held")
    if dataset.is_destroy_deferred:
        words.append("to be destroyed")
    if dataset.keystatus == "unavailable":
        words.append("locked")
    if dataset.type == "volume":
        words.append("zvol")
    if dataset.type == "filesystem" and dataset.is_mounted is False:
        words.append("not mounted")
    return Cell(", ".join(words), "warn" if {"held", "locked", "to be destroyed"} & set(words) else "dim")
