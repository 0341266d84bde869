"""Results of a planning session, from its inputs and the existing pool. Pure; some ten milliseconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from zconsole.analysis.capacity.planner_inputs import Inputs, drive_text, sentence
from zconsole.analysis.capacity.storage_budget_factors import Budget, with_redundancy_of
from zconsole.analysis.capacity.vdevs_to_buy import Purchase, purchase
from zconsole.analysis.pool_growth.change_outcome import ChangeOutcome
from zconsole.analysis.pool_growth.live_pool import LivePool, LiveVdev
from zconsole.analysis.pool_growth.parse_change_and_compute_outcome import (
    Drives,
    PoolChange,
    outcome,
    parse_change,
)
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.layout import DATA, MIRROR, RAIDZ, STRIPE, Layout, PlannedVdev
from zconsole.analysis.pool_layouts.layout_comparison import Candidate, Costs, compare
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import both
from zconsole.model.pools.space_samples import DatasetUse

FULL: Final = 0.8  # of usable space; above it a pool counts as full
SERIOUS: Final = frozenset(
    {"no-redundancy", "weak-class", "one-parity", "mixed-redundancy", "mixed-media", "wide-raidz"}
)
_LARGER: Final = 1.05  # minimum size ratio at which a larger drive adds space by replacement
_KEPT: Final = 64  # cached comparisons: most keys do not change them


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """One what-if: its outcome, or the sentence why it is impossible."""

    name: str
    outcome: ChangeOutcome | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PlanningResults:
    """Results. `chosen` is the index of the advised candidate, `why` the reason, even if there is none."""

    inputs: Inputs
    raw_bytes: int  # drives needed by one system, at the general redundancy
    wanted_bytes: int  # required usable space of its pool
    candidates: tuple[Candidate, ...]
    chosen: int | None
    why: str
    taken: Candidate  # the advised candidate, or else the soundest with the most space
    own_budget: Budget | None  # with the redundancy of `taken`
    bought: Purchase | None  # the number of its data vdevs that hold the data; None when no number does
    bays_data_bytes: int  # present data that the drives in these bays can start with
    asked: tuple[WhatIfResult, ...]  # what-ifs entered by the user
    usual: tuple[WhatIfResult, ...]  # suggested what-ifs for this pool

    @property
    def pick(self) -> Candidate | None:
        """The advised candidate."""
        return None if self.chosen is None else self.candidates[self.chosen]

    def is_enough(self, candidate: Candidate) -> bool:
        """Whether it holds the data until the end of its growth."""
        return candidate.usable_bytes >= self.wanted_bytes

    @property
    def advised_purchase(self) -> Purchase | None:
        """What to buy where none in these bays is advised; None where one is, or nothing sound holds it."""
        return self.bought if self.pick is None and is_sound(self.taken) else None


def answers(inputs: Inputs, now: LivePool | None, uses: Sequence[DatasetUse] = ()) -> PlanningResults:
    """Compute all results; what-ifs only if there is a pool."""
    wanted = inputs.budget.usable_bytes(inputs.data_bytes)
    found = _compared(inputs.layouts, inputs.block_bytes, inputs.assumed, inputs.costs)
    candidates = tuple(sorted(found, key=lambda each: _order(each, wanted)))
    chosen, why = pick(candidates, wanted)
    taken = candidates[_soundest(candidates) if chosen is None else chosen]
    own = _own_budget(inputs.budget, taken)
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
        candidates,
        chosen,
        why,
        taken,
        own,
        _bought(inputs.budget, inputs.data_bytes, taken.layout.of_class(DATA)[0]),
        0 if own is None else own.data_bytes(inputs.bays * inputs.drive.size_bytes),
        asked,
        usual,
    )


def _order(candidate: Candidate, wanted_bytes: int) -> tuple[bool, int]:
    """The smallest that holds the data comes first; those that do not hold it follow, the largest first."""
    is_enough = candidate.usable_bytes >= wanted_bytes
    return not is_enough, candidate.usable_bytes if is_enough else -candidate.usable_bytes


def is_sound(candidate: Candidate) -> bool:
    """Whether nothing serious speaks against a layout."""
    return not any(each.id in SERIOUS for each in candidate.advice)


def pick(candidates: Sequence[Candidate], wanted_bytes: int) -> tuple[int | None, str]:
    """Index of the advised layout, and the reason: mirrors if they hold the data.

    Among those that hold it without a serious warning: mirrors of two, then the lowest cost per byte, which
    for equal drives means the most space.
    """
    enough = [at for at, each in enumerate(candidates) if each.usable_bytes >= wanted_bytes]
    if not enough:
        most = candidates[_most(candidates)]
        return None, (
            f"none of them holds {both(wanted_bytes)}: {most.layout.name} has most, "
            f"{both(most.usable_bytes)}; more bays, larger drives, or more of them"
        )
    sound = [at for at in enough if is_sound(candidates[at])]
    if not sound:
        return None, "those that hold it are advised against, for the reasons below"
    mirrors = [at for at in sound if _is_of(candidates[at].layout, MIRROR)]
    if mirrors:
        best = max(mirrors, key=lambda at: candidates[at].usable_bytes)
        return best, "mirrors hold it: most random I/O, a short resilver, and growth by two disks"
    best = min(sound, key=lambda at: (_cost(candidates[at]), -candidates[at].usable_bytes))
    return (
        best,
        "no mirrors hold it; of the layouts without serious objections, it has the most for its cost",
    )


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


@lru_cache(maxsize=_KEPT)
def _compared(
    layouts: tuple[Layout, ...], block_bytes: int, assumed: Assumptions, costs: Costs
) -> tuple[Candidate, ...]:
    return compare(layouts, block_bytes, assumed, costs)


def _most(candidates: Sequence[Candidate]) -> int:
    return max(range(len(candidates)), key=lambda at: candidates[at].usable_bytes)


def _soundest(candidates: Sequence[Candidate]) -> int:
    return max(
        range(len(candidates)),
        key=lambda at: (is_sound(candidates[at]), candidates[at].usable_bytes),
    )


@lru_cache(maxsize=_KEPT)
def _bought(general: Budget, data_bytes: int, vdev: PlannedVdev) -> Purchase | None:
    try:
        return purchase(general, data_bytes, Layout((vdev,)))
    except UsageError:
        return None


def _cost(candidate: Candidate) -> float:
    """Drives per usable byte, or their price if known."""
    price = candidate.price if candidate.price is not None else float(candidate.layout.drives)
    return price / max(1, candidate.usable_bytes)


def _is_of(layout: Layout, kind: str) -> bool:
    return all(vdev.shape.kind == kind for vdev in layout.of_class(DATA))
