"""Datasets of a pool as a tree, with their space; snapshots of expanded datasets, and their clones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.intent import Target, TargetKind
from zconsole.analysis.dependencies.affected_objects import Graph, build_graph
from zconsole.analysis.dependencies.snapshot_graph import Values, graph_of
from zconsole.analysis.findings.datasets.clone_rules import clone_findings
from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.base.fixed_width_formatting import count, percent, size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, last_part
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.views.datasets.dataset_columns import (
    MARK,
    NAME,
    NO_GUESTS,
    PARTS,
    UNKNOWN,
    CellContext,
    DatasetFacts,
)
from zconsole.views.datasets.tree_row_order_and_folding import Outline, TreeArrangement, TreeItem
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import SEVERITY_STYLE, ago, counted, join, link_words
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, ColumnSet, Row, RowsOnDemand, Table, cells_of

_KINDS: Final = {
    "filesystem": TargetKind.FILESYSTEM,
    "volume": TargetKind.VOLUME,
    "snapshot": TargetKind.SNAPSHOT,
    "bookmark": TargetKind.BOOKMARK,
}
MARKED: Final = "*"
LINK: Final = "→ "
MOST_MEASURED: Final = 500  # rows whose names are measured
_WHOLE: Final = 100


@dataclass(frozen=True, slots=True)
class Index:
    """Index of a pool's listing, made once for each listing."""

    graph: Graph
    datasets: int  # file systems and volumes
    snapshots: int
    bookmarks: int
    in_snapshots_bytes: int | None  # of all datasets; None while none reported it
    cloned: int  # snapshots with clones
    findings: tuple[Finding, ...]  # on clones


def index_listing(listing: Listing, values: Values, now: float, before: Index | None = None) -> Index:
    """Index a listing in columns; what the previous index holds is reused."""
    graph = graph_of(listing, values, None if before is None else before.graph)
    if before is not None and not listing.is_whole:
        findings = before.findings
    else:
        findings = clone_findings(graph, now) if listing.is_whole else ()
    bookmarks = sum(map(len, graph.bookmarks.values()))
    return Index(
        graph,
        len(listing.systems) - bookmarks,
        len(listing.table),
        bookmarks,
        _in_snapshots(listing.systems.values()),
        len(graph.clones),
        findings,
    )


def index(listed: Iterable[Dataset], now: float) -> Index:
    """Index a listing; takes seconds for a million. `now` is epoch seconds."""
    graph = build_graph(listed)
    snapshots = sum(map(len, graph.snapshots.values()))
    bookmarks = sum(map(len, graph.bookmarks.values()))
    return Index(
        graph,
        len(graph.datasets) - snapshots - bookmarks,
        snapshots,
        bookmarks,
        _in_snapshots(graph.datasets.values()),
        sum(each in graph.datasets for each in graph.clones),
        clone_findings(graph, now),
    )


def _in_snapshots(datasets: Iterable[Dataset]) -> int | None:
    told = [each.used_by_snapshots_bytes for each in datasets if each.used_by_snapshots_bytes is not None]
    return sum(told) if told else None


@dataclass(frozen=True, slots=True)
class ShownDatasets:
    """Datasets of a pool, and the moment of display."""

    host: HostView
    state: PoolState
    index: Index
    listing: Listing | None = None  # the listing it was made of, where it is in columns
    guests: GuestsByDataset = NO_GUESTS

    @property
    def graph(self) -> Graph:
        """The dependency graph."""
        return self.index.graph

    def target(self, name: str | None) -> Target | None:
        """An object, for its actions."""
        dataset = self.graph.datasets.get(name or "")
        kind = _KINDS.get(dataset.type) if dataset is not None else None
        if dataset is None or kind is None:
            return None
        return Target(kind, self.state.name, dataset.name, dataset.guid)


@dataclass(frozen=True, slots=True)
class DatasetsViewOptions:
    """View options that the user chose."""

    fields: ColumnSet[DatasetFacts]
    layout: TreeArrangement
    outline: Outline
    marked: Collection[str]


def page(about: ShownDatasets, view: View, looking: DatasetsViewOptions, numbers: Line = EMPTY) -> Page:
    """The page; `numbers` replaces the second line."""
    where = CellContext(about.graph, view.now, about.guests)
    outline = looking.outline
    rows = RowsOnDemand(len(outline), lambda at: row(outline[at], where, looking))
    return Page(
        _answer(about, view),
        _fresh(about, view),
        numbers or _remark(about) or _numbers(about),
        Table(_columns(about.graph, looking), rows),
    )


def _columns(graph: Graph, looking: DatasetsViewOptions) -> tuple[Column[DatasetFacts], ...]:
    """The columns; names take no more room from the others than the longest of them needs."""
    columns, outline = looking.fields.columns, looking.outline
    if len(outline) > MOST_MEASURED:
        return columns
    items = (outline[at] for at in range(len(outline)))
    names = (_name(item, graph.datasets.get(item.name), looking) for item in items)
    widest = max((width(each.lead) + width(each.text) + width(each.tail) for each in names), default=0)
    return tuple(
        replace(each, grows_to=max(each.width, min(each.grows_to or each.width, widest)))
        if each.id == NAME.id
        else each
        for each in columns
    )


def absent(view: View, host_name: str, pool: str) -> Page:
    """The message while the datasets are not known."""
    state = view.pool(host_name, pool)
    host = view.host(host_name)
    words = line(("Reading the datasets ...", "dim"))
    if state is None:
        words = line((f"There is no pool {pool} on {host_name} any more.", "warn"))
    elif state.datasets.problem or state.listing.problem:
        problem = state.datasets.problem or state.listing.problem
        words = line((f"The datasets cannot be listed: {problem}", "warn"))
    elif host is not None and host.state.link.state is not LinkState.UP:
        words = link_words(host, view)
    elif state.datasets.value is not None:
        words = line((f"Laying out {count(len(state.datasets.value))} datasets and snapshots ...", "dim"))
    head = line((host_name, "title"), (" · ", "dim"), (pool, "title"), (" datasets", "dim"))
    return Page(head, (), (), Table((), (Row("absent", line=words, is_selectable=False),)))


def _answer(about: ShownDatasets, view: View) -> Line:
    """The most important fact: a problem of the connection or a clone, else the space of the snapshots."""
    head = line((about.host.name, "title"), (" · ", "dim"), (about.state.name, "title"))
    trouble = link_words(about.host, view)
    if trouble:
        return join([head, trouble])
    if about.index.findings:
        first = about.index.findings[0]
        return join([head, line((_trouble(first), SEVERITY_STYLE[first.severity]))])
    held = about.index.in_snapshots_bytes
    if held is None:
        return head
    root = about.graph.datasets.get(about.state.name)
    used = None if root is None else root.used_bytes
    share = f" ({percent(_WHOLE * held / used)} of what is used)" if used else ""
    return join([head, line(f"{size(held)} only in snapshots{share}")])


def _trouble(finding: Finding) -> str:
    """A finding on clones with the amount first, which stays visible on a narrow terminal."""
    idle = finding.evidence.get("idle_least_bytes")
    if isinstance(idle, int):
        return f"{size(idle)} unused, kept by {finding.subject} ({finding.evidence['origin']})"
    kept = finding.evidence.get("origin_alone_bytes")
    if isinstance(kept, int):
        return f"{size(kept)} kept by {finding.subject} only for old clones"
    return f"{finding.subject} {finding.summary}"


def _fresh(about: ShownDatasets, view: View) -> Line:
    is_down = about.host.state.link.state is not LinkState.UP
    if about.listing is not None:
        style = "warn" if is_down or about.state.listing.problem else "dim"
        return line((_age_of(about.listing, view.now), style))
    age = about.state.datasets.age(view.monotonic)
    return line((f"read {ago(age)} ago", "warn" if is_down or about.state.datasets.problem else "dim"))


def _age_of(listing: Listing, now: float) -> str:
    """The age of the listing, and the progress of reading it again."""
    age = "" if listing.as_of is None else ago(now - listing.as_of)
    if listing.is_whole and age:
        return f"read {age} ago"
    every = len(listing.table.datasets)
    done = f"reading, {every - listing.waiting} of {every} done"
    return f"as of {age} ago, {done}" if age else done


def _remark(about: ShownDatasets) -> Line:
    """Why the last known state is missing."""
    remark = "" if about.listing is None else about.listing.remark
    return line((f"{remark}; everything is read again", "warn")) if remark else EMPTY


def _numbers(about: ShownDatasets) -> Line:
    root, known = about.graph.datasets.get(about.state.name), about.index
    cloned = f", {known.cloned} cloned" if known.cloned else ""
    parts = [line(counted(known.datasets, "dataset")), line(_many(known.snapshots, "snapshot") + cloned)]
    if known.bookmarks:
        parts.append(line(_many(known.bookmarks, "bookmark")))
    if root is not None:
        parts.append(line(f"{size(root.used_bytes)} used, {size(root.available_bytes)} free"))
    return join(parts)


def _many(number: int, noun: str) -> str:
    return counted(number, noun) if number < 1000 else f"{count(number)} {noun}s"


# Rows


def row(item: TreeItem, where: CellContext, looking: DatasetsViewOptions) -> Row:
    """One row of the tree."""
    dataset = where.graph.datasets.get(item.name)
    columns = looking.fields.columns
    if dataset is None:  # a clone that a receive is still creating: ZFS names it and does not list it
        cells = (Cell(), _name(item, None, looking), *(UNKNOWN for _ in columns[2:]))
        return Row(item.key, cells, depth=item.depth)
    is_marked = item.name in looking.marked and not item.is_link
    mark, name = Cell(MARKED if is_marked else "", "mark"), _name(item, dataset, looking, is_marked=is_marked)
    cells = cells_of(columns, DatasetFacts(dataset, where, mark, name))
    return Row(item.key, cells, depth=item.depth, words=item.name)


def _name(
    item: TreeItem, dataset: Dataset | None, looking: DatasetsViewOptions, *, is_marked: bool = False
) -> Cell:
    branches = "  " * item.depth
    if item.is_link:
        return Cell(item.name, "info", lead=f"{branches}{LINK}")
    if dataset is not None and dataset.type in PARTS:
        short = item.name[len(dataset_of(item.name)) :]
        style = "title" if is_marked else "info" if dataset.type == "snapshot" else "dim"
        return Cell(short, style, lead=f"{branches}  ", keeps_end=True)
    layout = looking.layout
    has_parts = item.name in layout.graph.snapshots or item.name in layout.graph.bookmarks
    is_open = has_parts and bool(layout.shown_parts(item.name))
    sign = "- " if is_open else "+ " if has_parts else "  "
    below = layout.graph.children.get(item.name) if item.name in layout.folded else None
    tail = f" … {len(below)}" if below and layout.sieve is None else ""
    return Cell(last_part(item.name), lead=f"{branches}{sign}", tail=tail)


def shown_columns(fields: ColumnSet[DatasetFacts]) -> Sequence[str]:
    """The ids of the columns that can be sorted, in their order."""
    return [each.id for each in fields.columns if each.id != MARK.id]
