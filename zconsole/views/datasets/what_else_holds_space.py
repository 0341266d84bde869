"""What else holds space where snapshots do not free enough: live data, reservations, kept snapshots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.actions.intent import Intent
from zconsole.base.fixed_width_formatting import size
from zconsole.execution.facts.snapshots_to_free_space import Reclaim
from zconsole.model.datasets.dataset import Dataset
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import Line, line

MOST_NAMED: Final = 5  # of each kind
NEXT_BYTES: Final = 100 << 30
LEAST_BYTES: Final = 1 << 20  # less is not worth a line


def what_else_lines(found: Reclaim) -> Iterator[Line]:
    """Each holder of space with its size, the largest first, and what the next 100 GiB would cost."""
    datasets = found.datasets
    yield line(("What else holds space in ", "section"), (found.wish.dataset, "section"))
    yield from _named("live data", [(each.used_by_dataset_bytes, each.name, "") for each in datasets])
    yield from _named("reserved, unused", [(*_reserved(each), "") for each in datasets])
    kept = _in_kept_bytes(found)
    if found.kept and kept >= LEAST_BYTES:
        yield line(
            ("  kept snapshots    ", "dim"), f"at most {size(kept)} in {counted(len(found.kept), 'snapshot')}"
        )
    clones = [(each.used_bytes, each.name, f"of {each.origin}") for each in datasets if each.origin]
    yield from _named("clones", clones)
    limits = [(each.quota_bytes or each.refquota_bytes, each.name, "") for each in datasets]
    yield from _named("limited by quota", limits)
    yield line((f"The next {size(NEXT_BYTES)} would cost: ", "section"), *_next(found, datasets, kept))


def _reserved(dataset: Dataset) -> tuple[int | None, str]:
    return dataset.used_by_refreservation_bytes, dataset.name


def _named(title: str, sized: Sequence[tuple[int | None, str, str]]) -> Iterator[Line]:
    known = sorted(
        ((held, name, of) for held, name, of in sized if held is not None and held >= LEAST_BYTES),
        key=lambda each: (-each[0], each[1]),
    )
    if not known:
        return
    told = ", ".join(f"{name} {size(held)}{f' {of}' if of else ''}" for held, name, of in known[:MOST_NAMED])
    more = f", and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    yield line((f"  {title:<18}", "dim"), f"{told}{more}")


def _in_kept_bytes(found: Reclaim) -> int:
    """The most that kept snapshots can hold alone: what all snapshots hold, less what the others free."""
    held = sum(each.used_by_snapshots_bytes or 0 for each in found.datasets)
    return max(0, held - found.most.least_bytes)


def plan_of_next(found: Reclaim) -> Intent | None:
    """The action that frees the next 100 GiB at the least cost; None where only data would free it."""
    name = _least_reserved(found.datasets)
    return None if name is None else Intent("set", name, ("refreservation=none",))


def _least_reserved(datasets: Sequence[Dataset]) -> str | None:
    """The dataset with the smallest unused reservation that is enough."""
    reserved = [
        (each.used_by_refreservation_bytes, each.name)
        for each in datasets
        if (each.used_by_refreservation_bytes or 0) >= NEXT_BYTES
    ]
    return min((held or 0, name) for held, name in reserved)[1] if reserved else None


def _next(found: Reclaim, datasets: Sequence[Dataset], kept: int) -> Iterator[tuple[str, str]]:
    """The cheapest holder of that much: nothing of data, then kept snapshots, then live data."""
    name = _least_reserved(datasets)
    if name is not None:
        yield (
            f"no data: refreservation=none on {name}; its writes can fail then when the pool is full",
            "text",
        )
        return
    if kept >= NEXT_BYTES:
        reasons = ", ".join(dict.fromkeys(each.reason for each in found.kept))
        yield f"kept snapshots, at least in part ({reasons})", "warn"
        return
    live = sorted((each.used_by_dataset_bytes or 0, each.name) for each in datasets)
    enough = next((each for each in live if each[0] >= NEXT_BYTES), None)
    if enough is not None:
        yield f"live data; the smallest dataset with so much of it is {enough[1]}, {size(enough[0])}", "bad"
        return
    count, total = 0, 0
    for held, _ in reversed(live):
        count, total = count + 1, total + held
        if total >= NEXT_BYTES:
            yield f"the live data of {counted(count, 'dataset')}", "bad"
            return
    yield f"more than there is: all live data is {size(total)}", "bad"
