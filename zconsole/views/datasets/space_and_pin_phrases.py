"""Phrases on a dataset's space, a clone's sharing and a snapshot's pins, for tree and screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.dependencies.clone_space_and_pinned_snapshots import Divergence, OriginCost
from zconsole.base.fixed_width_formatting import percent, size
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset import Dataset
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import Line, line

MOST_NAMED: Final = 4


def space_parts(dataset: Dataset) -> Iterator[Line]:
    """Parts of the used space; parts of size zero are left out."""
    shares = (
        (dataset.used_by_dataset_bytes, "live data" if dataset.type == "filesystem" else "live"),
        (dataset.used_by_snapshots_bytes, "only in snapshots"),
        (dataset.used_by_children_bytes, "below"),
        (dataset.used_by_refreservation_bytes, "refreservation"),
    )
    yield from (line(f"{size(amount)} {what}") for amount, what in shares if amount)


def clone_line(
    origin: str, apart: Divergence | None, pinned: Sequence[str], cost: OriginCost | None = None
) -> Line:
    """The origin of a clone, the space it pins, the divergence, and what else the clone pins."""
    words = [line(("clone of ", "dim"), (origin, "info"))]
    if cost is not None and cost.alone_bytes:
        others = len(cost.clones) - 1
        whose = "this clone" if not others else f"this clone and {others} more"
        words.append(
            line(
                (f"{size(cost.alone_bytes)} stay only because of {whose}", "warn"),
                (_idle(cost), "dim"),
            )
        )
    if apart is not None:
        left = "" if apart.left_bytes is None else f", {size(apart.left_bytes)} of it only in the origin"
        own = f"{size(apart.own_bytes)} its own ({percent(apart.percent)})"
        words.append(line(f"{own}, {size(apart.shared_bytes)} shared{left}"))
    further = [each for each in pinned if each != origin]
    if further:
        words.append(line(("pins too: ", "dim"), named(further)))
    return join(words)


def snapshot_parts(dataset: Dataset, cost: OriginCost) -> Iterator[Line]:
    """What keeps a snapshot, or the space that its destruction frees."""
    clones = cost.clones
    if clones:
        these = f"it has {len(clones)} clones: " if len(clones) > 1 else "it has a clone: "
        yield line(("cannot be destroyed alone, ", "warn"), (these, "dim"), (named(clones), "warn"))
        yield line(
            (f"keeps {size(dataset.used_bytes)} that its own dataset does not need{_idle(cost)}", "dim")
        )
    elif dataset.holds:
        yield line(
            ("cannot be destroyed while it is held", "warn"), f", would free {size(dataset.used_bytes)}"
        )
    else:
        yield line(f"destroying it alone frees {size(dataset.used_bytes)}")


def holds_line(dataset: Dataset, tags: Sequence[str] = ()) -> Line:
    """Tags of the holds, or their number where the tags are not known."""
    if tags:
        return line(("held by ", "dim"), (named(tags), "warn"))
    return line((counted(dataset.holds, "hold"), "warn")) if dataset.holds else ()


def named(names: Sequence[str]) -> str:
    """The first of several names, and the number of the others."""
    return shortened(names, MOST_NAMED)


def _idle(cost: OriginCost) -> str:
    """The part of an origin that no clone references."""
    least, most = cost.idle_least_bytes, cost.idle_most_bytes
    if least is None or most is None or not most:
        return ""
    amount = size(least) if least == most else f"{size(least)} to {size(most)}"
    return f", {amount} of it used by no clone"
