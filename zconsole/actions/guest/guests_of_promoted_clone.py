"""Guests on a clone that is promoted, and on the dataset of its origin.

What is mounted and the devices of volumes stay as they are, so nothing changes for a guest, unless it names a
snapshot that moves: that has another path afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.plan import Dependent
from zconsole.analysis.dependencies.dataset_or_device_of_path import dataset_of_object, device_of_volume
from zconsole.analysis.dependencies.promotion_and_clones_to_promote import Promotion
from zconsole.analysis.dependencies.uses_by_containers import CONTAINER
from zconsole.analysis.dependencies.uses_by_guests import GUEST, OFF_GUESTS
from zconsole.base.escape_control_characters import visible
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import dataset_of, short_of
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts

_KINDS: Final = frozenset({GUEST, *OFF_GUESTS, CONTAINER})
_NAMED: Final = 5
_PARTITION: Final = "-part"


def tell_guests_of_promotion(draft: Draft, found: Promotion, facts: PlanFacts) -> None:
    """Guests for which nothing changes, as a note; refusals and warnings for those that name a snapshot."""
    if facts.uses is None:
        draft.warnings.append("which guests name a snapshot that moves is not known")
        return
    places = (found.clone, found.origin_dataset, *found.rebased)
    uses = [each for each in facts.uses if each.kind in _KINDS and _place(each) in places]
    moved = {each: paths for each in uses if (paths := _of_moved(each, found, facts)) is not None}
    for each, (before, after) in moved.items():
        _tell_moved(draft, each, visible(before), visible(after))
    _warn_of_history(draft, found, [each for each in uses if each not in moved])
    told = [words for place in places if (words := _at(place, [e for e in uses if e not in moved]))]
    if told:
        draft.notes.append(
            f"nothing changes for {'; '.join(told)}: mounts, devices and paths stay as they are"
        )


def _warn_of_history(draft: Draft, found: Promotion, uses: Sequence[OutsideUse]) -> None:
    """Snapshots of a dataset with guests that become those of the clone: its history leaves its name."""
    old = found.origin_dataset
    users = {use.name: use.kind in OFF_GUESTS for use in uses if _place(use) == old and use.is_written}
    moves = [before for before, _ in found.moves if dataset_of(before) == old]
    if not users or not moves:
        return
    listed = [f"{name} (off)" if is_off else name for name, is_off in sorted(users.items())]
    many = "a snapshot" if len(moves) == 1 else f"all {len(moves)} snapshots up to {found.origin}"
    draft.warnings.append(
        f"{many} of {old}, which {shortened(listed, _NAMED)} is on, {'goes' if len(moves) == 1 else 'go'} to "
        f"{found.clone}: {old} cannot be rolled back to them any more, programs that prune snapshots by name "
        f"find them there, and an incremental send of {old} has no base under its own name"
    )


def _place(use: OutsideUse) -> str:
    """The dataset that a use is of, also where it is of a mounted snapshot, or its device."""
    return dataset_of(dataset_of_object(use.object))


def _at(place: str, uses: Sequence[OutsideUse]) -> str:
    """`web01 and web02 (off) on tank/vm/web01`; empty where nobody is on it."""
    names = {use.name: use.kind in OFF_GUESTS for use in uses if _place(use) == place}
    listed = [f"{name} (off)" if is_off else name for name, is_off in sorted(names.items())]
    return f"{shortened(listed, _NAMED)} on {place}" if listed else ""


def _of_moved(use: OutsideUse, found: Promotion, facts: PlanFacts) -> tuple[str, str] | None:
    """The path by which a use names a snapshot that moves, now and then; None where it names none."""
    for path in filter(None, (use.path, use.real)):
        for before, after in _paths_of_moved(found, facts):
            rest = path.removeprefix(before)
            if path.startswith(before) and (not rest or rest.startswith(("/", _PARTITION))):
                return path, f"{after}{rest}"
    return None


def _paths_of_moved(found: Promotion, facts: PlanFacts) -> Iterator[tuple[str, str]]:
    """Devices and folders of the snapshots that move, now and then."""
    here, there = facts.dataset(found.origin_dataset), facts.dataset(found.clone)
    old = here.mountpoint if here is not None else None
    new = there.mountpoint if there is not None else None
    for before, after in found.moves:
        yield device_of_volume(before), device_of_volume(after)
        if old and old.startswith("/"):
            above = new if new and new.startswith("/") else f"the place of {found.clone}"
            yield f"{_folder(old)}{short_of(before)}", f"{_folder(above)}{short_of(after)}"


def _folder(mountpoint: str) -> str:
    return f"{mountpoint.rstrip('/')}/.zfs/snapshot/"


def _tell_moved(draft: Draft, use: OutsideUse, before: str, after: str) -> None:
    draft.dependents.append(Dependent(use.kind, use.name, f"names {before}, which becomes {after}"))
    draft.saw(f"{use.kind} {use.name}, path in a snapshot that moves", before)
    if use.kind in OFF_GUESTS:
        draft.warnings.append(
            f"{use.name}, which is off, names {before}: it does not start before its definition names {after}"
        )
        return
    draft.refuse(
        "in-use", f"{use.kind} {use.name} has {before} open, in a snapshot that moves: ZFS unmounts that, "
        f"and the path becomes {after}", f"{use.way_to_stop or f'shut {use.name} down'} first",
    )  # fmt: skip
