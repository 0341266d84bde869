"""Which snapshots to destroy to free so much, for a dialog: the answer, what goes, what is kept and why."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from zconsole.analysis.keeping import Kept
from zconsole.analysis.reclaim import in_runs
from zconsole.analysis.space import Chain, Freed
from zconsole.base.units import size
from zconsole.live.reclaim import Reclaim
from zconsole.model.dataset import Dataset
from zconsole.ui.present.cells import EMPTY, Line, line
from zconsole.ui.present.words import counted

MOST_NAMED: Final = 3


def chosen(found: Reclaim) -> tuple[str, ...]:
    """The full names of the snapshots that are proposed, oldest first within a dataset."""
    return tuple(
        chain.snapshots[at].name
        for chain, places in zip(found.chains, found.choice.places, strict=True)
        for at in sorted(places)
    )


def reclaim_lines(found: Reclaim) -> Iterator[Line]:
    """The verdict first."""
    wish, count = found.wish, len(chosen(found))
    yield line((f"Free {size(wish.need_bytes)} in {wish.dataset}: ", "title"), *_verdict(found, count))
    yield EMPTY
    for chain, places, freed in zip(found.chains, found.choice.places, found.choice.of_each, strict=True):
        if places:
            yield line(
                (chain.dataset.name, "info"),
                f"  {counted(len(places), 'snapshot')}, {_span(chain, sorted(places))}, {_bytes(freed)}",
            )
            for run in in_runs(chain, sorted(places)):
                yield line(("    " + run[len(chain.dataset.name) :], "dim"))
    if found.pool_saves_bytes is None:
        yield line(("Dedup may share blocks with other data: the pool may gain less.", "warn"))
    elif found.pool_saves_bytes:
        saves = size(found.pool_saves_bytes)
        yield line((f"Block cloning saves {saves} in the pool: it may gain that much less.", "warn"))
    yield from _kept(found.kept)


def _verdict(found: Reclaim, count: int) -> Iterator[tuple[str, str]]:
    if not count:
        yield "no snapshot that may go frees anything", "bad"
        return
    if not found.is_enough:
        yield f"NOT ENOUGH, all {counted(count, 'snapshot')} that may go free {_bytes(found.freed)}", "bad"
        return
    which = f"the oldest {count} snapshots" if found.wish.order == "oldest" and count > 1 else ""
    which = which or counted(count, "snapshot")
    yield f"{which} {'free' if count > 1 else 'frees'} {_bytes(found.freed)}", "ok"
    if found.wish.order == "fewest":
        yield (", and fewer do not" if found.choice.is_fewest else ", the fewest that were found"), "dim"


def _bytes(freed: Freed) -> str:
    if freed.is_exact:
        return size(freed.least_bytes)
    return f"{size(freed.least_bytes)} to {size(freed.most_bytes)}"


def _span(chain: Chain, places: list[int]) -> str:
    first, last = chain.snapshots[places[0]], chain.snapshots[places[-1]]
    return _day(first) if len(places) == 1 else f"{_day(first)} to {_day(last)}"


def _day(snapshot: Dataset) -> str:
    if snapshot.creation is None:
        return "of unknown age"
    return f"{datetime.fromtimestamp(snapshot.creation, UTC):%Y-%m-%d}"


def _kept(kept: tuple[Kept, ...]) -> Iterator[Line]:
    by_reason: dict[str, list[Kept]] = {}
    for each in kept:
        by_reason.setdefault(each.reason, []).append(each)
    if by_reason:
        yield EMPTY
    for reason, several in by_reason.items():
        named = "; ".join(f"{each.name} ({each.detail})" for each in several[:MOST_NAMED])
        more = f"; and {len(several) - MOST_NAMED} more" if len(several) > MOST_NAMED else ""
        yield line((f"Kept, {reason}: ", "section"), (f"{named}{more}", "dim"))
