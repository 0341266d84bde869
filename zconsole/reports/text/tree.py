"""`zconsole tree` in words: what takes the space, what is pinned by what, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from zconsole.analysis.dependencies.clones import (
    divergence,
    independence,
    origin_cost,
    pins,
    promotion_effect,
)
from zconsole.analysis.dependencies.closure import Graph, graph
from zconsole.base.formatting import duration, size
from zconsole.base.harmless_text import visible
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_tree import Tree
from zconsole.model.finding import Finding
from zconsole.model.names import short_of
from zconsole.reports.json.tree import systems

INDENT: Final = "  "
MOST_WITH_WAYS_OUT: Final = 50  # clones: each takes a look at the whole tree as it would be then


def tree_lines(  # noqa: PLR0913 - all of them are independent of each other
    tree: Tree,
    found: Sequence[Finding],
    *,
    host: str,
    now: float,
    root: str | None = None,
    with_snapshots: bool = False,
) -> Iterator[str]:
    """Yield a tree as lines that no terminal obeys.

    Of the snapshots those are told that cannot go, or all of them `with_snapshots`.
    """
    hung = graph(tree.datasets)
    names = systems(tree, root)
    head = [f"{host}: {_summary(hung, names)}."]
    head += [f"{each.severity.word.capitalize()}: {each.subject} {each.summary}." for each in found]
    clones = sum(hung.datasets[name].origin is not None for name in names)
    told = _Told(snapshots=with_snapshots, ways_out=clones <= MOST_WITH_WAYS_OUT)
    return map(visible, chain(head, *(_about(name, hung, tree, now, told) for name in names)))


@dataclass(frozen=True, slots=True)
class _Told:
    """What is said besides: of every snapshot, and of what a promotion or a copy of a clone would do."""

    snapshots: bool
    ways_out: bool


def _about(name: str, hung: Graph, tree: Tree, now: float, told: _Told) -> Iterator[str]:
    """A dataset, what it is a clone of, and what hangs on it."""
    yield ""
    yield from _dataset(name, hung, now)
    if hung.datasets[name].origin is not None:
        yield from (f"{INDENT}{line}" for line in _clone(name, hung, tree))
        if told.ways_out:
            yield from (f"{INDENT}{line}" for line in _ways_out(name, hung))
    for each in hung.snapshots.get(name, ()):
        if told.snapshots or hung.clones.get(each) or hung.datasets[each].holds:
            yield f"{INDENT}@{short_of(each)}: {_snapshot(each, hung, tree, now)}."
    marks = [f"#{short_of(each)}" for each in hung.bookmarks.get(name, ())]
    if marks:
        yield f"{INDENT}bookmarks: {', '.join(marks)}."


def _summary(hung: Graph, names: Sequence[str]) -> str:
    snapshots = sum(len(hung.snapshots.get(name, ())) for name in names)
    clones = sum(hung.datasets[name].origin is not None for name in names)
    return ", ".join((
        _counted(len(names), "dataset"), _counted(snapshots, "snapshot"), _counted(clones, "clone"),
    ))  # fmt: skip


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _dataset(name: str, hung: Graph, now: float) -> Iterator[str]:
    dataset = hung.datasets[name]
    kind = "volume " if dataset.type == "volume" else ""
    parts = [
        f"{size(amount)} {words}"
        for amount, words in (
            (dataset.used_by_dataset_bytes, "data"),
            (dataset.used_by_snapshots_bytes, "only in snapshots"),
            (dataset.used_by_children_bytes, "below it"),
            (dataset.used_by_refreservation_bytes, "reserved"),
        )
        if amount is None or amount
    ]
    yield (
        f"{kind}{name}: {size(dataset.used_bytes)} used ({', '.join(parts) or 'nothing'}), "
        f"{size(dataset.referenced_bytes)} referenced."
    )
    snapshots = hung.snapshots.get(name, ())
    if snapshots:
        oldest, newest = (_age(hung.datasets[each], now) for each in (snapshots[0], snapshots[-1]))
        ages = f"{newest} old" if len(snapshots) == 1 else f"{oldest} to {newest} old"
        yield f"{INDENT}{_counted(len(snapshots), 'snapshot')}, {ages}."


def _age(dataset: Dataset, now: float) -> str:
    return duration(None if dataset.creation is None else now - dataset.creation)


def _snapshot(name: str, hung: Graph, tree: Tree, now: float) -> str:
    snapshot = hung.datasets[name]
    words = [
        f"{_age(snapshot, now)} old",
        f"{size(snapshot.used_bytes)} in no other",
        f"{size(snapshot.referenced_bytes)} referenced",
    ]
    if snapshot.holds:
        words.append(_counted(snapshot.holds, "hold"))
    cost = origin_cost(hung, name, tree.since_origin)
    if cost.clones:
        words.append(f"kept by its clones {', '.join(cost.clones)}")
        if cost.idle_least_bytes:
            words.append(f"of which at least {size(cost.idle_least_bytes)} serve nobody any more")
    return ", ".join(words)


def _clone(name: str, hung: Graph, tree: Tree) -> Iterator[str]:
    origin = hung.datasets[name].origin or ""
    apart = divergence(hung, name, tree.since_origin)
    if apart is None:
        yield f"clone of {origin}."
    else:
        yield (
            f"clone of {origin}: {size(apart.shared_bytes)} still shared, {size(apart.own_bytes)} its own "
            f"({apart.percent:.0f} % diverged)."
        )
    yield f"it pins {', '.join(pins(hung, name))}."


def _ways_out(name: str, hung: Graph) -> Iterator[str]:
    """How the clone would stop to pin what it pins."""
    effect = promotion_effect(hung, name)
    if effect is not None:
        yield _promotion(effect.former, effect.moved_bytes, effect.change.is_possible)
    alone = independence(hung, name)
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
