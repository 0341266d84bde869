"""After-care: redundancy verified, spares returned, counters cleared, the scrub."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.actions.repair.repair_case import RepairCase, word_of
from zconsole.analysis.repair.device_trouble import is_dead
from zconsole.analysis.vdevs.redundancy import has_all_data
from zconsole.base.name_lists import joined_by_and
from zconsole.model.repair import (
    RepairOffer,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)


def after_care_step(case: RepairCase) -> RepairStep:
    """What follows the resilver; now only where a spare is to be returned."""
    kind = RepairStepKind.AFTER_CARE
    if case.trouble is RepairTrouble.SPARE_IN_USE and case.spare_stays:
        words = "the spare stays until a resilver or a scrub ended without an error; ZED may return it then"
        return RepairStep(kind, RepairStepState.NEXT, (words,), offers=tuple(case.offer_of_scrub()))
    if case.trouble is RepairTrouble.SPARE_IN_USE:
        return RepairStep(
            kind, RepairStepState.NOW, tuple(_of_spare(case)), offers=tuple(_spare_offers(case))
        )
    return RepairStep(kind, RepairStepState.NEXT, (", ".join(_to_come(case)),))


def _of_spare(case: RepairCase) -> Iterator[str]:
    spare = case.place.spare
    if spare is not None:
        label = case.facts.identity(spare).label
        yield f"{case.device.label} has all its data again: the spare {label} can be returned"


def _spare_offers(case: RepairCase) -> Iterator[RepairOffer]:
    spare = case.place.spare
    if spare is None:
        return
    label = case.facts.identity(spare).label
    yield case.offer(f"return the spare {label}", "detach", word_of(spare))
    if spare.type != "dspare" and has_all_data(spare):
        yield case.offer(f"keep the spare {label}: detach {case.device.in_bay}", "detach", case.word)


def _to_come(case: RepairCase) -> Iterator[str]:
    if back := [case.facts.identity(each).label for each in case.spares if not is_dead(each)]:
        yield f"return of the spare{'s' if len(back) > 1 else ''} {joined_by_and(back)}"
    if case.place.member.has_errors or any(leaf.has_errors for leaf in case.place.top.leaves()):
        yield "clear"
    if case.boot is not None:
        yield "boot loader"
    yield "scrub"
    yield "report"
