"""Common parts of the procedures that a user asks for: their runs, what needs no triage, their end."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.actions.repair.journal_runs_of_repair import runs_of
from zconsole.actions.repair.repair_case import RepairCase
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.pool_facts import PoolFacts
from zconsole.analysis.repair.reasons_not_to_replace import reasons_not_now
from zconsole.analysis.repair.remaining_redundancy_in_words import survives_in_words
from zconsole.model.journal import Entry
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import (
    Certainty,
    DeviceIdentity,
    Repair,
    RepairCause,
    RepairOffer,
    RepairRun,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)

BY_CHOICE: Final = CauseFound(RepairCause.ADMINISTRATOR, Certainty.SURE, "an administrator asked for it")


def as_asked(case: RepairCase) -> RepairCase:
    """The case with the user's wish as its cause."""
    against = reasons_not_now(case.facts, case.place, case.trouble, BY_CHOICE)
    return replace(case, cause=BY_CHOICE, not_now=against)


def runs_on(facts: PoolFacts, top: Vdev, entries: tuple[Entry, ...]) -> tuple[RepairRun, ...]:
    """Runs of the last weeks on any device of a vdev, oldest first."""
    return runs_of(entries, facts.pool.name, top.walk(), None, facts.now)


def all_done(
    facts: PoolFacts, top: Vdev, trouble: RepairTrouble, runs: tuple[RepairRun, ...], last: RepairStep
) -> Repair:
    """A procedure of which nothing but the last step is left."""
    done = (
        RepairStep(kind, RepairStepState.DONE)
        for kind in RepairStepKind
        if kind is not RepairStepKind.AFTER_CARE
    )
    return Repair(
        facts.state.host,
        facts.pool.name,
        top.name,
        DeviceIdentity(top.name, top.guid),
        trouble,
        RepairCause.ADMINISTRATOR,
        Certainty.SURE,
        (*done, last),
        survives=survives_in_words(facts),
        runs=runs,
    )


def scrub_left(facts: PoolFacts, words: str) -> RepairStep:
    """The last step, done but for a scrub where none has read everything since the resilver."""
    scan, kind = facts.pool.scan, RepairStepKind.AFTER_CARE
    if scan is None or scan.function != "resilver":
        return RepairStep(kind, RepairStepState.DONE, (words,))
    pool = facts.pool.name
    return RepairStep(
        kind,
        RepairStepState.NOW,
        (words, "no scrub has run since the resilver"),
        offers=(RepairOffer(f"scrub {pool}", "scrub", pool),),
    )
