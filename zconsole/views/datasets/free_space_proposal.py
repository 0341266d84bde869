"""Reclaim proposal: the verdict, the snapshots to destroy, and the kept ones with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.actions.intent import Intent
from zconsole.analysis.snapshots.amount_to_free import SpaceGoal
from zconsole.analysis.snapshots.freed_space import Chain, Freed
from zconsole.analysis.snapshots.snapshots_to_free_space import in_runs
from zconsole.analysis.snapshots.snapshots_to_keep import LockedSnapshot
from zconsole.base.fixed_width_formatting import MINUTE, moment, size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.execution.facts.snapshots_to_free_space import Reclaim
from zconsole.views.datasets.what_else_holds_space import what_else_lines
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import EMPTY, Line, line

MOST_NAMED: Final = 3  # kept snapshots shown for a reason; the JSON has all


@dataclass(frozen=True, slots=True)
class ReclaimAnswer:
    """Snapshots to mark, and whether to plan their destruction at once; or another action to plan."""

    snapshots: Sequence[str] = ()
    is_to_plan: bool = False
    instead: Intent | None = None


def chosen(found: Reclaim) -> tuple[str, ...]:
    """Full names of the proposed snapshots, oldest first within a dataset."""
    return tuple(chain.snapshots[at].name for chain, places, _ in _by_dataset(found) for at in places)


def chosen_runs(found: Reclaim) -> tuple[str, ...]:
    """The proposed snapshots in the notation of `zfs destroy`: `tank@a%c` for neighbours."""
    return tuple(run for chain, places, _ in _by_dataset(found) for run in in_runs(chain, places))


def amount_lines(goals: Sequence[SpaceGoal]) -> Iterator[Line]:
    """What amounts get a pool or a quota below the levels that it exceeds."""
    if goals:
        first, *others = goals
        more = "".join(f", {size(each.need_bytes)} to {each.percent}%" for each in others)
        yield EMPTY
        yield line(f"{first.limit.in_words}: {_brings(first)}{more}.")


def reclaim_lines(found: Reclaim) -> Iterator[Line]:
    """The verdict first."""
    wish, several = found.wish, tuple(_by_dataset(found))
    count = sum(len(places) for _, places, _ in several)
    verdict = _verdict(found, count, len(several))
    yield line((f"Free {size(found.need_bytes)} in {wish.dataset}: ", "title"), *verdict)
    if found.goal is not None:
        yield line((f"{found.goal.limit.in_words}; {_brings(found.goal)}.", "dim"))
    yield EMPTY
    if not found.choice.is_enough and found.datasets:
        yield from what_else_lines(found)
        yield EMPTY
    for chain, places, freed in several:
        of = f"{counted(len(places), 'snapshot')}, {_span(chain, places)}"
        yield line((chain.dataset.name, "info"), f"  {of}, {freed_words(freed)}")
        for run in in_runs(chain, places):
            first, _, last = run[len(chain.dataset.name) :].partition("%")
            yield line((f"    {first}" + (f" to @{last}" if last else ""), "dim"))
    if count:
        yield from _notes(found)
    if found.kept and count:
        yield EMPTY
    for reason, names in _kept(found.kept):
        yield line((f"Kept, {reason}: ", "section"), (names, "dim"))


def _brings(goal: SpaceGoal) -> str:
    return f"freeing {size(goal.need_bytes)} brings it to {goal.percent}%"


def freed_words(freed: Freed) -> str:
    """The space that becomes free: a size, or a range."""
    if freed.is_exact:
        return size(freed.least_bytes)
    return f"{size(freed.least_bytes)} to {size(freed.most_bytes)}"


def _by_dataset(found: Reclaim) -> Iterator[tuple[Chain, list[int], Freed]]:
    """The proposal for each dataset: the positions of its snapshots, and the space that they free."""
    for chain, places, freed in zip(found.chains, found.choice.places, found.choice.of_each, strict=True):
        if places:
            yield chain, sorted(places), freed


def _verdict(found: Reclaim, count: int, datasets: int) -> Iterator[tuple[str, str]]:
    if not count:
        yield "no snapshot that may be destroyed frees anything", "bad"
        return
    order, freed = found.wish.order, freed_words(found.freed)
    of = f" of {datasets} datasets" if datasets > 1 else ""
    snapshots = f"{counted(count, 'snapshot')}{of}"
    oldest = "the oldest " if order == "oldest" and count > 1 else ""
    frees = f"{oldest}{snapshots} {'free' if count > 1 else 'frees'} {freed}"
    if found.is_enough:
        yield frees, "ok"
        if order == "fewest":
            yield (", and fewer do not" if found.choice.is_fewest else ", the fewest that were found"), "dim"
    elif found.choice.is_enough:  # in the datasets: the pool gains nothing from blocks that they share
        yield f"PERHAPS NOT ENOUGH, {frees}", "warn"
    else:
        every = (
            f"all {snapshots} that may be destroyed free"
            if count > 1
            else "the only snapshot that may be destroyed frees"
        )
        yield f"NOT ENOUGH, {every} {freed}", "bad"


def _notes(found: Reclaim) -> Iterator[Line]:
    """Why the pool may gain another amount than the datasets free."""
    if found.pool_saves_bytes is None:
        yield line(("Dedup may share blocks with other data: the pool may gain less.", "warn"))
    elif found.pool_saves_bytes:
        saves = size(found.pool_saves_bytes)
        yield line((f"Block cloning saves {saves} in the pool: it may gain that much less.", "warn"))
    yield from (line((f"Note: {each}.", "warn")) for each in found.unseen)


def _span(chain: Chain, places: Sequence[int]) -> str:
    """The first and last date of a dataset's snapshots, in UTC."""

    def taken(place: int) -> str:
        at = chain.snapshots[place].creation
        return "of unknown age" if at is None else moment(at, MINUTE)

    first, last = places[0], places[-1]
    return taken(first) if first == last else f"{taken(first)} to {taken(last)}"


def _kept(kept: Iterable[LockedSnapshot]) -> Iterator[tuple[str, str]]:
    """Each reason with the snapshots that it keeps; the first of them by name."""
    by_reason: dict[str, list[LockedSnapshot]] = {}
    for each in kept:
        by_reason.setdefault(each.reason, []).append(each)
    for reason, several in by_reason.items():
        named = "; ".join(f"{each.name} ({each.detail})" for each in several[:MOST_NAMED])
        left = len(several) - MOST_NAMED
        yield reason, f"{named}; and {left} more" if left > 0 else named
