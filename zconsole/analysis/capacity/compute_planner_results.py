"""Results of a planning session, from its inputs and the existing pool. Pure; some ten milliseconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.capacity.planner_inputs import Inputs, bays_taken, drive_text, sentence
from zconsole.analysis.capacity.smallest_addition_to_pool import PoolAddition, smallest_addition
from zconsole.analysis.capacity.smallest_layout_for_data import (
    LayoutDemand,
    compared_for_data,
    proposed,
    why_proposed,
)
from zconsole.analysis.capacity.storage_budget_factors import Budget, with_redundancy_of
from zconsole.analysis.capacity.vdevs_to_buy import Purchase, of_layout
from zconsole.analysis.pool_growth.change_outcome import ChangeOutcome
from zconsole.analysis.pool_growth.live_pool import LivePool, LiveVdev
from zconsole.analysis.pool_growth.parse_change_and_compute_outcome import (
    Drives,
    PoolChange,
    outcome,
    parse_change,
)
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.layout import DATA, RAIDZ, STRIPE
from zconsole.analysis.pool_layouts.layout_comparison import Candidate
from zconsole.analysis.pool_layouts.performance import speed_of
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.space_samples import DatasetUse

FULL: Final = 0.8  # of usable space; above it a pool counts as full
_LARGER: Final = 1.05  # minimum size ratio at which a larger drive adds space by replacement


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """One what-if: its outcome, or the sentence why it is impossible."""

    name: str
    outcome: ChangeOutcome | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PlanningResults:
    """Results. `proposal` is the smallest advised layout that holds the data; `why` tells it, or why none."""

    inputs: Inputs
    raw_bytes: int  # drives needed by one system, at the general redundancy
    wanted_bytes: int  # required usable space of its pool
    now_usable_bytes: int | None  # of the existing pool
    addition: PoolAddition | None  # with which the existing pool holds it, of fewer drives than the proposal
    candidates: tuple[Candidate, ...]  # the proposal first
    proposal: Candidate | None
    why: str
    taken: Candidate  # the proposal, or else the soundest with the most space
    own_budget: Budget | None  # with the redundancy of `taken`
    bought: Purchase | None  # the proposal, and how full the data makes it
    bays_data_bytes: int  # present data that the drives in these bays can start with
    asked: tuple[WhatIfResult, ...]  # what-ifs entered by the user
    usual: tuple[WhatIfResult, ...]  # suggested what-ifs for this pool
    slower: str = ""  # what the proposal does less of than the existing pool
    bays_taken: int = 0  # by the existing pool

    @property
    def is_held_already(self) -> bool | None:
        """Whether the existing pool holds the data until the end of its growth; None is unknown."""
        return None if self.now_usable_bytes is None else self.now_usable_bytes >= self.wanted_bytes

    @property
    def bays_lacking(self) -> int:
        """By how many drives the proposal exceeds the bays."""
        return 0 if self.proposal is None else max(0, self.proposal.layout.drives - self.inputs.bays)

    @property
    def bays_lacking_to_add(self) -> int:
        """By how many drives what is added to the existing pool exceeds the bays that it leaves free."""
        if self.addition is None:
            return 0
        return max(0, self.bays_taken + self.addition.layout.drives - self.inputs.bays)

    def is_enough(self, candidate: Candidate) -> bool:
        """Whether it holds the data until the end of its growth."""
        return candidate.held_bytes >= self.wanted_bytes


def answers(inputs: Inputs, now: LivePool | None, uses: Sequence[DatasetUse] = ()) -> PlanningResults:
    """Compute all results; what-ifs only if there is a pool."""
    wanted = inputs.budget.usable_bytes(inputs.data_bytes)
    demand = LayoutDemand(wanted, inputs.drive, inputs.bays, inputs.block_bytes)
    candidates = compared_for_data(demand, inputs.assumed, inputs.costs, inputs.layouts)
    proposal = proposed(candidates, wanted)
    taken = proposal or max(candidates, key=lambda each: (each.is_sound, each.usable_bytes))
    own = _own_budget(inputs.budget, taken)
    slower = "" if now is None or proposal is None else _slower_than_now(now, proposal)
    asked: tuple[WhatIfResult, ...] = ()
    usual: tuple[WhatIfResult, ...] = ()
    if now is not None:
        asked = tuple(_told(change, now, inputs.assumed, uses) for change in inputs.changes)
        named = {each.name for each in asked}
        usual = tuple(
            told
            for change in usual_changes(now, inputs, has_uses=bool(uses))
            if change.name not in named
            and (told := _told(change, now, inputs.assumed, uses)).outcome is not None
        )
    return PlanningResults(
        inputs,
        inputs.budget.raw_bytes(inputs.data_bytes),
        wanted,
        None if now is None else now.pool.usable_bytes,
        _addition(now, demand, proposal),
        candidates,
        proposal,
        why_proposed(candidates, wanted, inputs.bays) + (f"; the proposal has {slower}" if slower else ""),
        taken,
        own,
        None if proposal is None else of_layout(inputs.budget, inputs.data_bytes, proposal.layout),
        0 if own is None else own.data_bytes(inputs.bays * inputs.drive.size_bytes),
        asked,
        usual,
        slower,
        0 if now is None else bays_taken(now),
    )


def _slower_than_now(now: LivePool, proposal: Candidate) -> str:
    """`less random I/O than tank (2x reads and 2x writes of one disk, tank 8x and 4x)`.

    A disk of the proposal is taken as one of the pool.
    """
    shapes = [each.shape for each in now.vdevs if each.vdev.vdev_class == DATA]
    reads = sum(speed_of(each).random_reads for each in shapes)
    writes = sum(speed_of(each).random_writes for each in shapes)
    new = proposal.speed
    if new.random_reads >= reads and new.random_writes >= writes:
        return ""
    return (
        f"less random I/O than {now.pool.name} ({new.random_reads:g}x reads and {new.random_writes:g}x "
        f"writes of one disk, {now.pool.name} {reads:g}x and {writes:g}x)"
    )


def _addition(now: LivePool | None, demand: LayoutDemand, proposal: Candidate | None) -> PoolAddition | None:
    found = None if now is None else smallest_addition(now, demand)
    is_less = found is not None and (proposal is None or found.layout.drives < proposal.layout.drives)
    return found if is_less else None


def usual_changes(now: LivePool, inputs: Inputs, *, has_uses: bool) -> Iterator[PoolChange]:
    """Suggested changes for a pool."""
    drives = Drives(inputs.drive)
    seen: set[object] = set()
    for each in now.vdevs:
        if each.vdev.vdev_class != DATA or each.shape in seen:
            continue
        seen.add(each.shape)
        for text in _texts(each, inputs.drive):
            try:
                yield parse_change(text, drives, block_bytes=inputs.block_bytes)
            except UsageError:
                continue
    if has_uses:
        yield parse_change("snapshots", drives)


def full_in_days(found: ChangeOutcome, bytes_per_day: float, full: float = FULL) -> float | None:
    """Days until a pool is full after a change, at a constant rate; None if it does not grow."""
    left = full * found.usable_after - found.used_after
    if left <= 0:
        return 0.0
    return left / bytes_per_day if bytes_per_day > 0 else None


def _own_budget(general: Budget, taken: Candidate) -> Budget | None:
    """The budget with a layout's own redundancy; None when hardly any of its drives is usable."""
    if not taken.usable_bytes:
        return None
    try:
        return with_redundancy_of(general, taken.layout.raw_bytes, taken.usable_bytes, taken.layout.name)
    except UsageError:
        return None


def _texts(live: LiveVdev, drive: Drive) -> Iterator[str]:
    shape = live.shape
    yield f"add {'stripe:1' if shape.kind == STRIPE else shape.name}"
    if shape.kind == RAIDZ:
        yield f"attach {live.name}"
    is_larger = live.device_bytes is not None and drive.device_bytes > _LARGER * live.device_bytes
    yield f"replace {live.name}" if is_larger else f"replace {live.name} {_twice(drive)}"
    yield f"remove {live.name}"


def _twice(drive: Drive) -> str:
    """A drive of twice the size, in nominal units."""
    return drive_text(2 * drive.size_bytes)


def _told(
    change: PoolChange, now: LivePool, assumed: Assumptions, uses: Sequence[DatasetUse]
) -> WhatIfResult:
    try:
        return WhatIfResult(change.name, outcome(change, now, assumed, uses))
    except UsageError as error:
        return WhatIfResult(change.name, problem=sentence(error))
