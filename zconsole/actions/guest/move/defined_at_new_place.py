"""A move whose disks are all defined at the new place: whether the old one was written since.

What was written there between the last snapshot and the definition is at the old place only. That place is
the dataset that has the newest snapshot of the new one, by its guid.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import Draft, Needs
from zconsole.actions.guest.freeze_guests_for_snapshot import written_places
from zconsole.actions.guest.move.move_progress import MoveProgress, settings_of
from zconsole.actions.guest.move.snapshots_of_moves import PREFIX
from zconsole.actions.guest.move.storage_to_move import StorageToMove
from zconsole.actions.intent import intent
from zconsole.actions.plan import Risk
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.base.bounded_int import natural
from zconsole.base.fixed_width_formatting import size
from zconsole.model.dataset_names import pool_of, short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.guests.guest import Guest, to_type
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
    draft.refuse(
        "half-moved", f"{where}; {target.name} was written too, and neither is sent over the other",
        f"compare what both have; guest-start starts {move.guest.name} as it is defined, without that",
    )  # fmt: skip
    draft.alternatives.append(
        (f"start {move.guest.name} without that", intent("guest-start", to_type(move.guest)))
    )
    return move, MoveProgress()


def needs_of_places(guest: Guest) -> Needs:
    """What tells whether a move has brought a guest's storage to where it is defined."""
    places = _places(guest)
    return Needs(
        datasets=tuple(dict.fromkeys(map(pool_of, places))),
        snapshots=tuple(SnapshotSelector(place, is_bare=True) for place in places),
    )


def needs_of_old_places(guest: Guest, facts: PlanFacts) -> Needs:
    """What tells where a move has brought it from: the other pools first, and with them the old places."""
    moved = [place for place in _places(guest) if _newest(place, facts)]
    if not moved:
        return Needs()
    unread = tuple(each.name for each in facts.pools if each.name not in facts.listed)
    asked = [needs_of_old_place(place, facts) for place in moved]
    return Needs(datasets=unread, properties=tuple(pair for each in asked for pair in each.properties))


def warn_of_newer_old_place(draft: Draft, guest: Guest, facts: PlanFacts) -> None:
    """A guest started without what was written at its old place behind the last snapshot of its move."""
    for place in _places(guest):
        target, short = facts.dataset(place), _newest(place, facts)
        old, written = next(_found(target, short, facts), (None, 0)) if target and short else (None, 0)
        if old is None or target is None:
            continue
        draft.saw(f"written to {old.name} since {short}", "something" if written else "nothing")
        if not written:
            continue
        draft.raise_risk(Risk.DESTRUCTIVE)
        lost = (
            f"{size(written)} was written to {old.name} since {old.name}@{short}, the last that {place} got: "
            f"{guest.name} starts without it"
        )
        if target.written_bytes == 0:
            lost += (
                f"; {shlex.join(('zconsole', 'plan', 'guest-move', to_type(guest), place))} sends it first"
            )
        draft.loses.append(lost)


def _places(guest: Guest) -> tuple[str, ...]:
    """The datasets and volumes that it writes to."""
    return tuple(each for each in written_places(guest) if each and not each.startswith("/"))


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
