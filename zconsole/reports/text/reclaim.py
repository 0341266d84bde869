"""Which snapshots to destroy to free so much, in words that are read at night."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from zconsole.analysis.snapshots.free_space import in_runs
from zconsole.analysis.snapshots.freed_space_text import MINUTES, freed_words, kept_words, span_words
from zconsole.base.formatting import size
from zconsole.base.harmless_text import visible
from zconsole.execution.facts.snapshot_space import Reclaim

INDENT: Final = "  "
MOST_NAMED: Final = 5  # kept snapshots of a reason


def reclaim_lines(found: Reclaim, host: str, reached_by: str = "") -> Iterator[str]:
    """Yield what is proposed as lines that no terminal obeys.

    `reached_by` are the words that name the host to `zconsole plan`; without them nothing can be done there.
    """
    return map(visible, _lines(found, host, reached_by))


def _lines(found: Reclaim, host: str, reached_by: str) -> Iterator[str]:
    wish, choice = found.wish, found.choice
    chosen = [
        (chain, sorted(places), freed)
        for chain, places, freed in zip(found.chains, choice.places, choice.of_each, strict=True)
        if places
    ]
    count = sum(len(places) for _, places, _ in chosen)
    verdict = _verdict(found, count, len(chosen))
    yield f"{host}: {size(wish.need_bytes)} are needed in {wish.dataset}; {verdict}."
    for chain, places, freed in chosen:
        of = f"{_counted(len(places), 'snapshot')}, {span_words(chain, places, MINUTES)}"
        yield f"{chain.dataset.name}: {of}: {freed_words(freed)}."
        yield from (f"{INDENT}{run}" for run in in_runs(chain, places))
    if found.pool_saves_bytes is None:
        yield "Note: dedup may share blocks with other data: the pool may gain less than that."
    elif found.pool_saves_bytes:
        yield (
            f"Note: block cloning saves {size(found.pool_saves_bytes)} in the pool: "
            "it may gain that much less."
        )
    yield from (f"Note: {each}." for each in found.unseen)
    for reason, names in kept_words(found.kept, MOST_NAMED):
        yield f"Kept, {reason}: {names}."
    if chosen and reached_by:
        words = [run for chain, places, _ in chosen for run in in_runs(chain, places)]
        yield "Nothing has been destroyed. With the guard:"
        yield f"{INDENT}zconsole plan destroy {shlex.join(words)} {reached_by} -o plan.json"
    else:
        yield "Nothing has been destroyed."


def _verdict(found: Reclaim, count: int, datasets: int) -> str:
    wish, choice = found.wish, found.choice
    if not count:
        return "no snapshot that may go frees anything"
    of = f" of {datasets} datasets" if datasets > 1 else ""
    if found.is_enough:
        which = f"the oldest {count}" if wish.order == "oldest" else f"{count}"
        noun = "snapshot" if count == 1 else "snapshots"
        fewest = ""
        if wish.order == "fewest":
            fewest = ", and fewer do not" if choice.is_fewest else ", the fewest that were found"
        return f"{which} {noun}{of} that may go free {freed_words(found.freed)}{fewest}"
    if choice.is_enough:  # in the datasets; what their blocks share with others, the pool does not gain
        noun = "snapshot" if count == 1 else "snapshots"
        return f"PERHAPS NOT ENOUGH: {count} {noun}{of} that may go free {freed_words(found.freed)}"
    least = "surely " if not found.freed.is_exact else ""
    return (
        f"NOT ENOUGH: all {_counted(count, 'snapshot')}{of} that may go {least}free only "
        f"{size(found.freed.least_bytes)}"
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"
