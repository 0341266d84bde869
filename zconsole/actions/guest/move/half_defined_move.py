"""A move that ended between the definitions of two disks: each place has disks that the guest uses.

A guest that was started since has written to both places, and a stream of one would take away what is on the
other. What is left is done only where one of them was not written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.move_progress import MoveProgress, settings_of, written_since
from zconsole.actions.guest.move.storage_to_move import StorageToMove
from zconsole.actions.intent import intent
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import to_type
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt.disk_definition_text import DiskText

_NAMED: Final = 4


def progress_of_half_defined(
    draft: Draft, move: StorageToMove, source: Dataset, target: Dataset, facts: PlanFacts
) -> MoveProgress:
    """What is there of the move. Refuses it where each place has data that the other lacks."""
    saw_datasets(draft, (target,))
    here, there = (snapshots_of(each.name, facts.datasets) for each in (source, target))
    guids = {each.guid for each in there}
    common = next((each for each in reversed(here) if each.guid in guids), None)
    if common is None:
        draft.refuse(
            "exists", f"{target.name} has {_disks(move.moved)} of {move.guest.name}, and is no copy of "
            f"{source.name}",
            "choose another name; or, to go on with a move of other disks, give the --of that it was planned "
            "with",
        )  # fmt: skip
        return MoveProgress()
    draft.saw("what it builds on", f"guid {common.guid}")
    short = short_of(common.name)
    at_source = written_since(source, short, here)
    newest = next(each for each in there if each.guid == common.guid)
    at_target = written_since(target, short_of(newest.name), there)
    for dataset, since in ((source, at_source), (target, at_target)):
        draft.saw(f"written to {dataset.name} since {short}", "nothing" if since == 0 else "something")
    if move.guest.status.state.is_active:
        both = "and writes to both: neither is sent over the other"
        _refuse(draft, move, source, f"{move.guest.name} runs with {_where(move, source)}, {both}")
        return MoveProgress(short)
    settings = settings_of(source, facts)
    if at_source == 0:
        draft.notes.append(
            f"{target.name} has all that {source.name} has: nothing was written there since {common.name}"
        )
        return MoveProgress(short, settings=settings, has_all=True)
    if at_target == 0 and newest == there[-1]:
        draft.notes.append(f"{target.name} has what {common.name} had: only the rest is sent")
        return MoveProgress(short, settings=settings)
    when = f"since {common.name}, the last that both have"
    written = f"{_bytes(at_source)} was written to the latter and {_bytes(at_target)} to the former {when}"
    _refuse(draft, move, source, f"{move.guest.name} is half moved, with {_where(move, source)}: {written}, "
            "and neither is sent over the other")  # fmt: skip
    return MoveProgress(short)


def _refuse(draft: Draft, move: StorageToMove, source: Dataset, words: str) -> None:
    """A place of its own for the disks that are left takes all that they have."""
    left = [each.disk for each in move.to_move]
    draft.refuse("half-moved", words, f"move {_disks(left)} to a place of its own with --of {source.name}")
    if left:
        own = f"{move.target_name}-{left[0].target}"
        wanted = intent("guest-move", to_type(move.guest), own, options={"of": source.name})
        draft.alternatives.append((f"move {_disks(left)} to {own}", wanted))


def _where(move: StorageToMove, source: Dataset) -> str:
    left = [*(each.disk for each in move.to_move), *move.unnamed]
    return f"{_disks(move.moved)} at {move.target_name} and {_disks(left)} at {source.name}"


def _disks(disks: Sequence[DiskText]) -> str:
    return shortened([each.target for each in disks], _NAMED)


def _bytes(written: int | None) -> str:
    return "unknown what" if written is None else size(written)
