"""Details of the selected dataset, snapshot or clone: its space, what it pins, and what pins it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.actions.checks.dataset_property_table import Values, property_of
from zconsole.actions.checks.property_value_checks import is_quota_of
from zconsole.analysis.dependencies.clone_space_and_pinned_snapshots import divergence, origin_cost, pins
from zconsole.base.bounded_int import natural
from zconsole.base.durations_in_words import lasting
from zconsole.base.fixed_width_formatting import MINUTE, moment, size
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_details import DatasetDetails, PropertyValue
from zconsole.system.libvirt.frozen_snapshot_script import FROZEN_GUESTS
from zconsole.views.datasets.dataset_columns import PARTS
from zconsole.views.datasets.datasets_page import ShownDatasets
from zconsole.views.datasets.space_and_pin_phrases import clone_line, holds_line, snapshot_parts, space_parts
from zconsole.views.guests.guests_on_dataset import guest_lines
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.state_age_and_link_phrases import join
from zconsole.views.layout.styled_text import Line, line

_NAMED: Final = 5  # guests in a sentence
_SIZES: Final = frozenset(
    {Values.SIZE, Values.SIZE_OR_NONE, Values.RESERVATION, Values.POWER, Values.THRESHOLD}
)
_LEAST_BYTES: Final = 1024
_UNSAID: Final = frozenset({"mountpoint", "compressratio"})  # shown by other lines


def notes(
    about: ShownDatasets | None, name: str | None, view: View, look: DatasetDetails | None = None
) -> tuple[Line, ...]:
    """The full name, then the most important facts first. `look` is what was read of this dataset alone."""
    dataset = about.graph.datasets.get(name or "") if about is not None else None
    if about is None or dataset is None:
        return ()
    known = look if look is not None and look.name == dataset.name else None
    lines = (_head(dataset, view), *_lines(about, dataset, known))
    return tuple(each for each in lines if each)


def _head(dataset: Dataset, view: View) -> Line:
    when = ""
    if dataset.creation is not None:
        made = moment(dataset.creation, MINUTE)
        when = f", {lasting(view.now - dataset.creation)} old ({made} UTC)"
    return line((dataset.name, "title"), (f"  {dataset.type}{when}", "dim"))


def _lines(about: ShownDatasets, dataset: Dataset, look: DatasetDetails | None) -> Iterator[Line]:
    yield from guest_lines(about.guests, dataset.name)
    if dataset.origin:
        yield _clone(about, dataset, look)
    if dataset.type == "snapshot":
        yield _snapshot(about, dataset)
    else:
        yield _space(about, dataset)
    if look is not None and dataset.type == "snapshot":
        yield _frozen(look)
    yield join([*_keepers(about, dataset), *_mount(dataset)])
    if look is not None:
        yield _properties(look, is_snapshot=dataset.type == "snapshot")


def _clone(about: ShownDatasets, dataset: Dataset, look: DatasetDetails | None) -> Line:
    asked = {} if look is None or look.since_origin_bytes is None else {dataset.name: look.since_origin_bytes}
    origin = dataset.origin or ""
    cost = origin_cost(about.graph, origin, asked)
    apart = divergence(about.graph, dataset.name, asked)
    return clone_line(origin, apart, pins(about.graph, dataset.name), cost)


def _snapshot(about: ShownDatasets, dataset: Dataset) -> Line:
    cost = origin_cost(about.graph, dataset.name)
    if dataset.used_bytes is None and about.listing is not None and not cost.clones:
        return line(("what destroying it frees is being read ...", "dim"))
    words = list(snapshot_parts(dataset, cost))
    if dataset.written_bytes is not None:
        words.append(line((f"{size(dataset.written_bytes)} written since the one before", "dim")))
    return join(words)


def _space(about: ShownDatasets, dataset: Dataset) -> Line:
    words = list(space_parts(dataset))
    may_have_one = about.listing is not None or dataset.name in about.graph.snapshots
    if dataset.written_bytes is not None and may_have_one:
        words.append(line((f"{size(dataset.written_bytes)} written since its last snapshot", "dim")))
    return join(words) if dataset.type not in PARTS else ()


def _keepers(about: ShownDatasets, dataset: Dataset) -> Iterator[Line]:
    tags = sorted(hold.tag for hold in about.state.holds.value or () if hold.snapshot == dataset.name)
    yield holds_line(dataset, tags)
    if dataset.is_destroy_deferred:
        yield line(("destroyed with its last hold or clone", "warn"))


def _mount(dataset: Dataset) -> Iterator[Line]:
    if dataset.keystatus == "unavailable":
        yield line(("its key is not loaded", "warn"))
    if dataset.mountpoint and dataset.type == "filesystem":
        where = "mounted on" if dataset.is_mounted else "not mounted, would be on"
        yield line((f"{where} ", "dim"), dataset.mountpoint)
    if dataset.compress_ratio is not None and dataset.type not in PARTS:
        yield line((f"compressed {dataset.compress_ratio:.2f}x", "dim"))


def _is_mark(each: PropertyValue) -> bool:
    """Whether it was put on the snapshot itself, here or where it was sent from; a dataset hands it down."""
    return each.key == FROZEN_GUESTS and each.source in {"local", "received"}


def _frozen(look: DatasetDetails) -> Line:
    """The guests whose file systems were frozen while the snapshot was taken."""
    names = [name for each in look.properties if _is_mark(each) for name in each.value.split(",") if name]
    if not names:
        return ()
    verb = "was" if len(names) == 1 else "were"
    return line(("consistent: ", "ok"), f"{shortened(names, _NAMED)} {verb} frozen while it was taken")


def _properties(look: DatasetDetails, *, is_snapshot: bool) -> Line:
    """Properties with a local, received or inherited value; defaults are left out."""
    words: list[Line] = []
    for each in look.properties:
        if each.source in {"", "-", "default"} or each.key in _UNSAID or (is_snapshot and _is_mark(each)):
            continue
        source = each.source.removeprefix("inherited ")
        words.append(line(f"{each.key}={_in_units(each)}", (f" {source}", "dim")))
    return join(words)


def _in_units(each: PropertyValue) -> str:
    """A value as people write it: ZFS tells quotas and reservations in bytes."""
    known = property_of(each.key)
    is_size = is_quota_of(each.key) or (known is not None and known.values in _SIZES)
    number = natural(each.value) if is_size else None
    return each.value if number is None or number < _LEAST_BYTES else size(number)
