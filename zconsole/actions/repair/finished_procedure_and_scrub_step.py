"""Procedure on a vdev whose resilver is over: nothing left but the last step, and perhaps a scrub."""

from __future__ import annotations

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.redundancy_and_data_safety_in_words import survives_in_words
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
