"""A move whose disks are all defined at the new place: whether the old one was written since.

What was written there between the last snapshot and the definition is at the old place only. That place is
the dataset that has the newest snapshot of the new one, by its guid.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import Draft, Needs
from zconsole.actions.guest.move.move_progress import MoveProgress, settings_of
from zconsole.actions.guest.move.snapshots_of_moves import PREFIX
from zconsole.actions.guest.move.storage_to_move import StorageToMove
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.base.bounded_int import natural
from zconsole.base.fixed_width_formatting import size
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.listing.dataset_get import written_since

MOST_ASKED: Final = 500  # datasets, those of the same last name first: all are in one command
_GUID: Final = "guid"


def needs_of_old_place(target_name: str, facts: PlanFacts) -> Needs:
    """What tells the old place, once all pools are listed; nothing where no move has come this far."""
    target = facts.dataset(target_name)
    short = _newest(target_name, facts)
    if target is None or not short:
        return Needs()
    same = [each.name for each in facts.datasets if each.type == target.type and each.name != target_name]
    last = target_name.rpartition("/")[2]
    asked = sorted(same, key=lambda name: (name.rpartition("/")[2] != last, name))[:MOST_ASKED]
    return Needs(
        properties=tuple(
            pair for name in asked for pair in ((f"{name}@{short}", _GUID), (name, written_since(short)))
        )
    )


def with_old_place(
    draft: Draft, move: StorageToMove, target: Dataset, facts: PlanFacts
) -> tuple[StorageToMove, MoveProgress]:
    """The move from the place that it came from, with what is left to send; as it is where none is known."""
    short = _newest(target.name, facts)
    old, written = next(_found(target, short, facts), (None, 0))
    if old is None:
        return move, MoveProgress()
    draft.saw(f"written to {old.name} since {short}", "something" if written else "nothing")
    draft.saw(f"written to {target.name} since {short}", target.written_bytes)
    progress = MoveProgress(short, settings=settings_of(old, facts), has_all=True)
    if not written:
        return replace(move, source=old), progress
    where = f"{size(written)} was written to {old.name} since {old.name}@{short}, the last that was sent"
    if target.written_bytes == 0:
        draft.notes.append(f"{where}: that is sent first")
        return replace(move, source=old), replace(progress, has_all=False)
    draft.warnings.append(f"{where}; {target.name} was written too, and gets nothing of that")
    return move, MoveProgress()


def _newest(name: str, facts: PlanFacts) -> str:
    """Short name of the newest snapshot of a move that a dataset has."""
    shorts = [short_of(each.name) for each in snapshots_of(name, facts.datasets)]
    return next((each for each in reversed(shorts) if each.startswith(PREFIX)), "")


def _found(target: Dataset, short: str, facts: PlanFacts) -> Iterator[tuple[Dataset, int]]:
    """The datasets that have the target's snapshot, with what was written to them since."""
    own = facts.dataset(f"{target.name}@{short}")
    if own is None or own.guid is None:
        return
    values = {(name, key): value for name, key, value, _ in facts.properties}
    for dataset in facts.datasets:
        written = natural(values.get((dataset.name, written_since(short)), ""))
        is_same = values.get((f"{dataset.name}@{short}", _GUID)) == str(own.guid)
        if is_same and written is not None and dataset.name != target.name:
            yield dataset, written


def is_off_at(target: str, sources: Collection[str], *, is_active: bool) -> bool:
    """Whether a guest may be one whose disks are all defined at the target, and which is not started yet."""
    return bool(target) and not sources and not is_active
