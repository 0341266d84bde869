"""Runs of the journal that belong to a repair: who did what, and when."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.model.journal import Entry
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import RepairRun
from zconsole.model.run import RunState

ACTIONS: Final = frozenset(
    {"offline", "online", "locate", "replace", "attach", "detach", "clear", "scrub", "labelclear"}
)
BEFORE_S: Final = 86400.0  # a run this long before the known begin of the trouble may belong to it
NOTHING_RUN: Final = frozenset({RunState.STALE, RunState.REFUSED})
REACH_S: Final = 30 * 86400.0  # how far back runs are looked for where the begin is not known


def runs_of(
    entries: Iterable[Entry], pool: str, leaves: Iterable[Vdev], since: float | None, now: float
) -> tuple[RepairRun, ...]:
    """Runs on any of these devices, oldest first."""
    from_s = now - REACH_S if since is None else since - BEFORE_S
    words = {word for leaf in leaves for word in (leaf.name, leaf.path, str(leaf.guid or "")) if word}
    return tuple(
        run_of(entry)
        for entry in sorted(entries, key=lambda each: each.started)
        if entry.started >= from_s and _concerns(entry, pool, words)
    )


def runs_on(facts: PoolFacts, top: Vdev, entries: tuple[Entry, ...]) -> tuple[RepairRun, ...]:
    """Runs of the last weeks on any device of a vdev, oldest first."""
    return runs_of(entries, facts.pool.name, top.walk(), None, facts.now)


def is_led_on(runs: Iterable[RepairRun]) -> bool:
    """Whether the last run on the locate LED turned it on."""
    turned = [run.title for run in runs if run.is_done and "locate LED" in run.title]
    return bool(turned) and turned[-1].startswith("turn on")


def _concerns(entry: Entry, pool: str, words: set[str]) -> bool:
    if entry.problem or entry.action not in ACTIONS:
        return False
    target, arguments = intended(entry)
    if target != pool:
        return False
    return bool(words.intersection(arguments)) or any(word in words for word in entry.title.split())


def intended(entry: Entry) -> tuple[str, tuple[str, ...]]:
    """Target and arguments of an entry's intent; empty for one that cannot be read."""
    try:
        found = json.loads(entry.intent)
    except ValueError:
        return "", ()
    if not isinstance(found, dict):
        return "", ()
    arguments = found.get("arguments")
    words = tuple(map(str, arguments)) if isinstance(arguments, list) else ()
    return str(found.get("target", "")), words


def run_of(entry: Entry) -> RepairRun:
    """A run as a repair tells it: a plan that was not run has no commands."""
    is_nothing = entry.state in NOTHING_RUN
    outcome = entry.words or entry.state.value
    return RepairRun(
        entry.started,
        entry.who,
        entry.title,
        () if is_nothing else tuple(step.sent_argv or step.argv for step in entry.steps),
        f"{outcome}; nothing was run" if is_nothing else outcome,
        entry.ended,
        entry.state is RunState.DONE,
    )
