"""Document of a dataset tree: space, pins, and findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from zconsole.analysis.dependencies.affected_objects import Graph, build_graph
from zconsole.analysis.dependencies.clone_space_and_pinned_snapshots import (
    divergence,
    independence,
    origin_cost,
    pins,
    promotion_effect,
)
from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.base.durations_in_words import lasting
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_tree import Tree, frozen_guests, systems
from zconsole.model.finding import Finding
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import Reading
from zconsole.views.datasets.space_and_pin_phrases import clone_line, holds_line, snapshot_parts, space_parts
from zconsole.views.guests.guests_on_dataset import guest_lines
from zconsole.views.layout.state_age_and_link_phrases import SEVERITY_STYLE, counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, Span, line, whole

_INDENT: Final = Span("  ")
_NAMED: Final = 5  # guests in a line
NO_GUESTS: Final[Reading[tuple[Guest, ...]]] = Reading()
MOST_WITH_WAYS_OUT: Final = 50  # clones: for each, the whole tree is examined as it would become


def tree_lines(  # noqa: PLR0913 - all of them are independent of each other
    tree: Tree,
    found: Sequence[Finding],
    *,
    host: str,
    now: float,
    root: str | None = None,
    with_snapshots: bool = False,
    guests: Reading[tuple[Guest, ...]] = NO_GUESTS,
) -> Iterator[Line]:
    """The tree, with the findings first.

    Snapshots that cannot be destroyed are listed, or all of them `with_snapshots`. A dataset is told with
    the guests on it and below it, as far as they are known.
    """
    graph = build_graph(tree.datasets)
    names = systems(tree, root)
    yield line((host, "title"), f": {_summary(graph, names)}.")
    for each in found:
        style = SEVERITY_STYLE[each.severity]
        yield line((f"{each.severity.word.capitalize()}: ", style), f"{each.subject} {each.summary}.")
    if guests.problem:
        yield line(("Guests: ", "warn"), f"not known: {guests.problem}.")
    clones = sum(graph.datasets[name].origin is not None for name in names)
    told = _TreeOptions(snapshots=with_snapshots, ways_out=clones <= MOST_WITH_WAYS_OUT)
    residents = GuestsByDataset(guests.value or ())
    for name in names:
        about = _about(name, graph, tree, now, told)
        yield from islice(about, 2)  # a blank line, and the dataset
        yield from ((_INDENT, *each) for each in guest_lines(residents, name))
        yield from about


@dataclass(frozen=True, slots=True)
class _TreeOptions:
    """Options: list every snapshot, and describe the effect of promoting or copying a clone."""

    snapshots: bool
    ways_out: bool


def _about(name: str, graph: Graph, tree: Tree, now: float, told: _TreeOptions) -> Iterator[Line]:
    """A dataset, its origin, and its dependents."""
    dataset = graph.datasets[name]
    yield EMPTY
    yield from _dataset(name, graph, now)
    if dataset.origin is not None:
        apart = divergence(graph, name, tree.since_origin)
        yield (_INDENT, *clone_line(dataset.origin, apart, pins(graph, name)))
        if told.ways_out:
            yield from (line(_INDENT, words) for words in _ways_out(name, graph))
    for each in graph.snapshots.get(name, ()):
        if told.snapshots or graph.clones.get(each) or graph.datasets[each].holds:
            yield _snapshot(each, graph, tree, now)
    marks = [f"#{short_of(each)}" for each in graph.bookmarks.get(name, ())]
    if marks:
        yield (_INDENT, *line(("bookmarks: ", "dim")), *whole(", ".join(marks)))


def _summary(graph: Graph, names: Sequence[str]) -> str:
    snapshots = sum(len(graph.snapshots.get(name, ())) for name in names)
    clones = sum(graph.datasets[name].origin is not None for name in names)
    return ", ".join((
        counted(len(names), "dataset"), counted(snapshots, "snapshot"), counted(clones, "clone"),
    ))  # fmt: skip


def _dataset(name: str, graph: Graph, now: float) -> Iterator[Line]:
    dataset = graph.datasets[name]
    kind = "volume " if dataset.type == "volume" else ""
    total = f"{size(dataset.used_bytes)} used, {size(dataset.referenced_bytes)} referenced"
    yield join([line((f"{kind}{name}", "title"), f"  {total}"), *space_parts(dataset)])
    snapshots = graph.snapshots.get(name, ())
    if snapshots:
        oldest, newest = (_age(graph.datasets[each], now) for each in (snapshots[0], snapshots[-1]))
        ages = f"{newest} old" if len(snapshots) == 1 else f"{oldest} to {newest} old"
        yield line(_INDENT, f"{counted(len(snapshots), 'snapshot')}, {ages}")


def _age(dataset: Dataset, now: float) -> str:
    return lasting(None if dataset.creation is None else now - dataset.creation)


def _snapshot(name: str, graph: Graph, tree: Tree, now: float) -> Line:
    snapshot = graph.datasets[name]
    head = line(_INDENT, (f"@{short_of(name)}", "info"), f"  {_age(snapshot, now)} old")
    referenced = line((f"{size(snapshot.referenced_bytes)} referenced", "dim"))
    cost = origin_cost(graph, name, tree.since_origin)
    guests = frozen_guests(tree, snapshot, graph.datasets)
    frozen = line(f"taken with {shortened(guests, _NAMED)} frozen") if guests else ()
    return join([head, holds_line(snapshot), *snapshot_parts(snapshot, cost), referenced, frozen])


def _ways_out(name: str, graph: Graph) -> Iterator[str]:
    """The actions that end the pin of a clone on its origin."""
    effect = promotion_effect(graph, name)
    if effect is not None:
        yield _promotion(effect.former, effect.moved_bytes, effect.change.is_possible)
    alone = independence(graph, name)
    if alone is not None:
        yield (
            f"a copy by zfs send | zfs receive needs {size(alone.needs_bytes)} "
            f"(up to {size(alone.needs_with_history_bytes)} with its snapshots); destroying the clone then "
            f"gives back {size(alone.returns_bytes)}"
            + (f", and lets {', '.join(alone.unpins)} go." if alone.unpins else ".")
        )


def _promotion(former: str, moved: int | None, is_possible: bool) -> str:
    if not is_possible:
        return "it cannot be promoted: some of its snapshots or bookmarks have the names of those that move."
    return (
        f"promoted, it pins nothing of {former}, which becomes its clone, and takes over {size(moved)} "
        f"with the snapshots."
    )
