"""Cases of one cause on the way to the disks, a cable, a controller or a shelf, joined into one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.repair.repair_case import RepairCase
from zconsole.analysis.repair.common_cause.controller_or_shelf_failure import way_of
from zconsole.analysis.repair.disk_or_cable import SHARED_CAUSES, WAY_PARTS, CauseFound
from zconsole.analysis.repair.reasons_not_to_replace import reasons_not_now
from zconsole.model.repair import Certainty, RepairCause, RepairRun, bay_order, bays_of

_SURENESS: Final = (Certainty.SURE, Certainty.LIKELY, Certainty.UNCLEAR)
_Key = tuple[RepairCause, str]


def joined_cases(cases: Sequence[RepairCase]) -> Iterator[RepairCase]:
    """The cases of a pool, the most urgent first, with those of one cause joined into its first."""
    groups: dict[_Key, list[RepairCase]] = {}
    for case in cases:
        key = _key(case)
        if key is not None:
            groups.setdefault(key, []).append(case)
    for case in cases:
        key = _key(case)
        group = groups[key] if key is not None else [case]
        if len(group) == 1:
            yield case
        elif case is group[0]:
            yield _joined(group)


def _key(case: RepairCase) -> _Key | None:
    """What the cause of a case is common to; None where it is the device's own."""
    if case.cause.cause not in SHARED_CAUSES or not case.is_of_the_way or case.is_copying:
        return None
    disk = case.facts.of_leaf(case.place.member).disk
    return case.cause.cause, way_of(case.facts, disk) if disk is not None else ""


def _joined(group: Sequence[RepairCase]) -> RepairCase:
    first = group[0]
    cause = _common_cause(group)
    others = sorted(
        (each.place for each in group[1:]), key=lambda each: bay_order(first.facts.identity(each.member))
    )
    runs: dict[tuple[float, str], RepairRun] = {
        (run.at, run.title): run for each in group for run in each.runs
    }
    return replace(
        first,
        others=tuple(others),
        joined=tuple(group),
        cause=cause,
        not_now=reasons_not_now(first.facts, first.place, first.trouble, cause),
        runs=tuple(runs[key] for key in sorted(runs)),
    )


def _common_cause(group: Sequence[RepairCase]) -> CauseFound:
    first, devices = group[0].cause, [each.device for each in group]
    surest = min((each.cause.certainty for each in group), key=_SURENESS.index)
    bays = bays_of(devices)
    if first.cause is not RepairCause.CABLE:
        shared = f"{first.cause.value}{f' ({bays})' if bays else ''}"
        return replace(first, certainty=surest, shared=shared)
    certainty = Certainty.SURE if surest is Certainty.SURE else Certainty.LIKELY
    came_back = all(each.cause.returned is not None for each in group)
    what = "all are there again" if came_back else "no problem of the disks themselves is known"
    shared = f"what {bays or f'the {len(devices)} disks'} share {WAY_PARTS}"
    is_one_judgement = len({each.cause.words for each in group}) == 1
    words = first.words if is_one_judgement else f"{shared}; {what}"
    return CauseFound(RepairCause.CABLE, certainty, words, first.returned if came_back else None, shared)
