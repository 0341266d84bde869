"""The selected dataset, snapshot or clone in words: what it costs, what it keeps alive, what keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.dependencies.clones import Divergence, divergence, origin_cost, pins
from zconsole.base.formatting import moment, percent, size
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_details import DatasetDetails
from zconsole.views.datasets.dataset_columns import PARTS
from zconsole.views.datasets.datasets import ShownDatasets
from zconsole.views.layout.console_state import View
from zconsole.views.layout.phrases import ago, join
from zconsole.views.layout.styled_text import Line, line

MOST_NAMED: Final = 4
_UNSAID: Final = frozenset({"mountpoint", "compressratio"})  # what other lines say


def notes(
    about: ShownDatasets | None, name: str | None, view: View, look: DatasetDetails | None = None
) -> tuple[Line, ...]:
    """Its whole name, then what matters most first. `look` is what was read of it alone."""
    dataset = about.hung.datasets.get(name or "") if about is not None else None
    if about is None or dataset is None:
        return ()
    known = look if look is not None and look.name == dataset.name else None
    lines = (_head(dataset, view), *_lines(about, dataset, known))
    return tuple(each for each in lines if each)


def _head(dataset: Dataset, view: View) -> Line:
    when = ""
    if dataset.creation is not None:
        made = moment(dataset.creation, "%Y-%m-%d %H:%M")
        when = f", {ago(view.now - dataset.creation)} old ({made} UTC)"
    return line((dataset.name, "title"), (f"  {dataset.type}{when}", "dim"))


def _lines(about: ShownDatasets, dataset: Dataset, look: DatasetDetails | None) -> Iterator[Line]:
    if dataset.origin:
        yield _clone(about, dataset, look)
    if dataset.type == "snapshot":
        yield _snapshot(about, dataset)
    else:
        yield _space(about, dataset)
    yield join([*_keepers(about, dataset), *_mount(dataset)])
    if look is not None:
        yield _properties(look)


def _clone(about: ShownDatasets, dataset: Dataset, look: DatasetDetails | None) -> Line:
    asked = {} if look is None or look.since_origin_bytes is None else {dataset.name: look.since_origin_bytes}
    apart = divergence(about.hung, dataset.name, asked)
    words = [line(("clone of ", "dim"), (dataset.origin or "", "info"))]
    cost = origin_cost(about.hung, dataset.origin or "", asked)
    if cost.alone_bytes:
        others = len(cost.clones) - 1
        whose = "this clone" if not others else f"this clone and {others} more"
        idle = _between(cost.idle_least_bytes, cost.idle_most_bytes)
        words.append(
            line(
                (f"{size(cost.alone_bytes)} stay only because of {whose}", "warn"),
                (f", {idle} of it used by none of them" if idle else "", "dim"),
            )
        )
    if apart is not None:
        words.append(_apart(apart))
    further = [each for each in pins(about.hung, dataset.name) if each != dataset.origin]
    if further:
        words.append(line(("pins too: ", "dim"), _named(further)))
    return join(words)


def _apart(apart: Divergence) -> Line:
    left = "" if apart.left_bytes is None else f", {size(apart.left_bytes)} of it left behind"
    return line(
        f"{size(apart.own_bytes)} its own ({percent(apart.percent)}), {size(apart.shared_bytes)} shared{left}"
    )


def _snapshot(about: ShownDatasets, dataset: Dataset) -> Line:
    clones = about.hung.clones.get(dataset.name, ())
    if clones:
        these = f"{len(clones)} clones stand on it: " if len(clones) > 1 else "a clone stands on it: "
        words = [
            line(("cannot go alone, ", "warn"), (these, "dim"), (_named(clones), "warn")),
            line((f"keeps {size(dataset.used_bytes)} that its own dataset does not need", "dim")),
        ]
    elif dataset.used_bytes is None and about.listing is not None:
        return line(("what destroying it frees is being read ...", "dim"))
    elif dataset.holds:
        words = [line(("cannot go while it is held", "warn"), f", would free {size(dataset.used_bytes)}")]
    else:
        words = [line(f"destroying it alone frees {size(dataset.used_bytes)}")]
    if dataset.written_bytes is not None:
        words.append(line((f"{size(dataset.written_bytes)} written since the one before", "dim")))
    return join(words)


def _space(about: ShownDatasets, dataset: Dataset) -> Line:
    shares = (
        (dataset.used_by_dataset_bytes, "in files as they are" if dataset.type == "filesystem" else "live"),
        (dataset.used_by_snapshots_bytes, "only in snapshots"),
        (dataset.used_by_children_bytes, "below"),
        (dataset.used_by_refreservation_bytes, "refreservation"),
    )
    words = [line(f"{size(amount)} {what}") for amount, what in shares if amount]
    may_have_one = about.listing is not None or dataset.name in about.hung.snapshots
    if dataset.written_bytes is not None and may_have_one:
        words.append(line((f"{size(dataset.written_bytes)} written since its last snapshot", "dim")))
    return join(words) if dataset.type not in PARTS else ()


def _keepers(about: ShownDatasets, dataset: Dataset) -> Iterator[Line]:
    tags = sorted(hold.tag for hold in about.state.holds.value or () if hold.snapshot == dataset.name)
    if tags:
        yield line(("held by ", "dim"), (_named(tags), "warn"))
    elif dataset.holds:
        yield line((f"{dataset.holds} holds", "warn"))
    if dataset.is_destroy_deferred:
        yield line(("goes with its last hold or clone", "warn"))


def _mount(dataset: Dataset) -> Iterator[Line]:
    if dataset.keystatus == "unavailable":
        yield line(("its key is not loaded", "warn"))
    if dataset.mountpoint and dataset.type == "filesystem":
        where = "mounted on" if dataset.is_mounted else "not mounted, would be on"
        yield line((f"{where} ", "dim"), dataset.mountpoint)
    if dataset.compress_ratio is not None and dataset.type not in PARTS:
        yield line((f"compressed {dataset.compress_ratio:.2f}x", "dim"))


def _properties(look: DatasetDetails) -> Line:
    """What was set here, received, or comes from above; defaults are not worth a word."""
    words: list[Line] = []
    for each in look.properties:
        if each.source in {"", "-", "default"} or each.key in _UNSAID:
            continue
        source = each.source.removeprefix("inherited ")
        words.append(line(f"{each.key}={each.value}", (f" {source}", "dim")))
    return join(words)


def _between(least: int | None, most: int | None) -> str:
    if least is None or most is None or not most:
        return ""
    return size(least) if least == most else f"{size(least)} to {size(most)}"


def _named(names: list[str] | tuple[str, ...]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
