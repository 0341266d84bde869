"""New disks of several repairs: each disk is for one of them, the most urgent first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.disk_choices import DiskChoice
from zconsole.actions.repair.repair_case import RepairCase
from zconsole.analysis.repair.reasons_not_to_replace import TURN_OF_OTHERS

KEPT: Final = "kept for "


def one_disk_for_each(cases: Sequence[RepairCase]) -> Iterator[RepairCase]:
    """The cases of a host, the most urgent first, without the disks that an earlier one is to get."""
    kept: dict[str, str] = {}
    for case in cases:
        found = replace(case, choices=tuple(_unless_kept(each, kept) for each in case.choices))
        yield found
        if _will_replace(found) and found.fitting:
            kept[found.fitting[0].word] = found.device.in_bay


def _will_replace(case: RepairCase) -> bool:
    """Whether the case needs a new disk, now or when its turn comes."""
    is_near = {each.id for each in case.not_now} <= TURN_OF_OTHERS
    return is_near and not case.others and not case.is_copying and not case.has_nothing_to_copy


def _unless_kept(choice: DiskChoice, kept: dict[str, str]) -> DiskChoice:
    owner = kept.get(choice.word)
    if owner is None or choice.why_not:
        return choice
    words = f"{KEPT}{owner}"
    return replace(choice, words=words, why_not=f"it is {words}")
