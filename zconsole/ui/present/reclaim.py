"""Which snapshots to destroy to free so much, for a dialog: the answer, what goes, what is kept and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.reclaim import in_runs
from zconsole.analysis.reclaim_words import DAYS, freed_words, kept_words, span_words
from zconsole.base.units import size
from zconsole.live.reclaim import Reclaim
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
            of = f"{counted(len(places), 'snapshot')}, {span_words(chain, sorted(places), DAYS)}"
            yield line((chain.dataset.name, "info"), f"  {of}, {freed_words(freed)}")
            for run in in_runs(chain, sorted(places)):
                yield line(("    " + run[len(chain.dataset.name) :], "dim"))
    if found.pool_saves_bytes is None:
        yield line(("Dedup may share blocks with other data: the pool may gain less.", "warn"))
    elif found.pool_saves_bytes:
        saves = size(found.pool_saves_bytes)
        yield line((f"Block cloning saves {saves} in the pool: it may gain that much less.", "warn"))
    if found.kept:
        yield EMPTY
    for reason, names in kept_words(found.kept, MOST_NAMED):
        yield line((f"Kept, {reason}: ", "section"), (names, "dim"))


def _verdict(found: Reclaim, count: int) -> Iterator[tuple[str, str]]:
    if not count:
        yield "no snapshot that may go frees anything", "bad"
        return
    if not found.is_enough:
        yield (
            f"NOT ENOUGH, all {counted(count, 'snapshot')} that may go free {freed_words(found.freed)}",
            "bad",
        )
        return
    which = f"the oldest {count} snapshots" if found.wish.order == "oldest" and count > 1 else ""
    which = which or counted(count, "snapshot")
    yield f"{which} {'free' if count > 1 else 'frees'} {freed_words(found.freed)}", "ok"
    if found.wish.order == "fewest":
        yield (", and fewer do not" if found.choice.is_fewest else ", the fewest that were found"), "dim"
