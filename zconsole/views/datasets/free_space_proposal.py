"""Which snapshots to destroy to free so much, for a dialog: the answer, what goes, what is kept and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.snapshots.free_space import in_runs
from zconsole.analysis.snapshots.freed_space_text import DAYS, freed_words, kept_words, span_words
from zconsole.base.formatting import size
from zconsole.execution.facts.snapshot_space import Reclaim
from zconsole.views.layout.phrases import counted
from zconsole.views.layout.styled_text import EMPTY, Line, line

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
                first, _, last = run[len(chain.dataset.name) :].partition("%")
                yield line((f"    {first}" + (f" to @{last}" if last else ""), "dim"))
    if count and found.pool_saves_bytes is None:
        yield line(("Dedup may share blocks with other data: the pool may gain less.", "warn"))
    elif count and found.pool_saves_bytes:
        saves = size(found.pool_saves_bytes)
        yield line((f"Block cloning saves {saves} in the pool: it may gain that much less.", "warn"))
    if count:
        yield from (line((f"Note: {each}.", "warn")) for each in found.unseen)
    if found.kept and count:
        yield EMPTY
    for reason, names in kept_words(found.kept, MOST_NAMED):
        yield line((f"Kept, {reason}: ", "section"), (names, "dim"))


def _verdict(found: Reclaim, count: int) -> Iterator[tuple[str, str]]:
    if not count:
        yield "no snapshot that may go frees anything", "bad"
        return
    which = f"the oldest {count} snapshots" if found.wish.order == "oldest" and count > 1 else ""
    which = which or counted(count, "snapshot")
    frees = f"{which} {'free' if count > 1 else 'frees'} {freed_words(found.freed)}"
    if found.is_enough:
        yield frees, "ok"
    elif (
        found.choice.is_enough
    ):  # in the datasets; what their blocks share with others, the pool does not gain
        yield f"PERHAPS NOT ENOUGH, {frees}", "warn"
    else:
        every = (
            f"all {count} snapshots that may go free" if count > 1 else "the only snapshot that may go frees"
        )
        yield f"NOT ENOUGH, {every} {freed_words(found.freed)}", "bad"
    if found.is_enough and found.wish.order == "fewest":
        yield (", and fewer do not" if found.choice.is_fewest else ", the fewest that were found"), "dim"
