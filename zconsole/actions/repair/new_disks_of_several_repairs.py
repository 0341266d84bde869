"""New disks of several repairs: each disk is for one of them, the most urgent first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.disk_choices import DiskChoice
from zconsole.actions.repair.repair_case import RepairCase
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import GOOD_COPIES
from zconsole.analysis.repair.data_at_stake.resilver_with_errors import RESILVER_ERRORS
from zconsole.analysis.repair.data_at_stake.unsound_siblings import UNSOUND_SIBLINGS
from zconsole.analysis.repair.reasons_not_to_replace import TURN_OF_OTHERS
from zconsole.analysis.vdevs.redundancy import is_vital
from zconsole.model.repair import RepairTrouble

KEPT: Final = "kept for "
_NEEDED_AFTER: Final = TURN_OF_OTHERS | {
    GOOD_COPIES,
    RESILVER_ERRORS,
    UNSOUND_SIBLINGS,
    "checkpoint",
    "vdevs-moving",
}  # the failed device of a vdev that holds data gets its new disk once these are out of the way


def one_disk_for_each(cases: Sequence[RepairCase]) -> Iterator[RepairCase]:
    """The cases of a host, the most urgent first, without the disks that an earlier one is to get."""
    kept: dict[str, str] = {}
    for case in cases:
        is_freed = case.freed is not None and case.freed.spare.name not in kept
        found = replace(
            case,
            choices=tuple(_unless_kept(each, kept) for each in case.choices),
            freed=case.freed if is_freed else None,
        )
        yield found
        if found.freed is not None:
            kept[found.freed.spare.name] = found.device.in_bay
        elif _will_replace(found) and found.fitting:
            kept[found.fitting[0].word] = found.device.in_bay


def _will_replace(case: RepairCase) -> bool:
    """Whether the case needs a new disk, now or when its turn comes."""
    ids = {each.id for each in case.not_now}
    is_needed = case.trouble is RepairTrouble.FAILED and is_vital(case.place.top) and ids <= _NEEDED_AFTER
    return (
        (ids <= TURN_OF_OTHERS or is_needed)
        and not case.others
        and not case.is_copying
        and not case.has_nothing_to_copy
    )


def _unless_kept(choice: DiskChoice, kept: dict[str, str]) -> DiskChoice:
    owner = kept.get(choice.word)
    if owner is None or choice.why_not:
        return choice
    words = f"{KEPT}{owner}"
    return replace(choice, words=words, why_not=f"it is {words}")
