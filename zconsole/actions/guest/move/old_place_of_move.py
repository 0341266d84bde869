"""What a move of a guest's storage leaves at the old place, and how that is freed afterwards."""

from __future__ import annotations

import shlex
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.snapshots_of_moves import PREFIX, begun_with, is_of_running_guest
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.host.plan_facts import PlanFacts

NAMED: Final = 4
CONDITION_OF_RETURN: Final = (
    "with what was written since, as long as both places have a snapshot of this move; snapshots that {} "
    "gets meanwhile are rolled back first, which that plan offers"
)


def tell_old_place(draft: Draft, source: Dataset, facts: PlanFacts, *, first: str = "") -> None:
    """The snapshots that stay, and what frees the old place, unless the move is refused.

    A file system with datasets below it is not destroyed: these are not moved. `first` is a command that
    comes before.
    """
    snapshots = snapshots_of(source.name, facts.datasets)
    older = [each.name for each in snapshots if not short_of(each.name).startswith(PREFIX)]
    if older:
        many = f"the {len(older)} older snapshots of {source.name} are"
        are = f"{older[0]} is" if len(older) == 1 else many
        draft.stays.append(f"{are} not sent, and kept at the old place only")
    if draft.refusals:
        return
    before = f"{first}, then " if first else ""
    clones = [each.name for each in facts.datasets if (each.origin or "").startswith(f"{source.name}@")]
    if clones:
        named = shortened(clones, NAMED)
        are = "is a clone" if len(clones) == 1 else "are clones"
        draft.stays.append(
            f"the old place cannot be freed while {named} {are} of snapshots there: a promoted clone takes "
            "them over, or destroy the clones first"
        )
        return
    if datasets_below(source, facts):
        way = "delete the guest's files there, and destroy its snapshots by name: the datasets below it stay"
    else:
        way = shlex.join(["zconsole", "plan", "destroy", source.name, "--recursive"])
    draft.stays.append(f"to free the old place once the guest works at the new one: {before}{way}")


def warn_of_begun_move(draft: Draft, source: Dataset, facts: PlanFacts, *, is_active: bool) -> None:
    """A new place, although an earlier move from here was begun: the snapshots of that are still here.

    Of a guest that runs again a move has ended here, or was given up, that has come as far as its shutdown.
    """
    begun = begun_with(source, facts.datasets)
    if begun is None or (is_active and not is_of_running_guest(short_of(begun[1]))):
        return
    first, newest = begun
    until = f", got as far as {newest}" if first != newest else ""
    draft.warnings.append(
        f"an earlier move was begun with {first}{until}, and has not ended: planned to the place that it "
        "went to it goes on, if that is there still, and this one sends everything again; what it has left "
        "there stays, and so do its snapshots here"
    )


def datasets_below(source: Dataset, facts: PlanFacts) -> list[str]:
    """Names of the file systems and volumes below a dataset."""
    return [
        each.name
        for each in facts.datasets
        if each.type in FILESYSTEMS_AND_VOLUMES and each.name.startswith(f"{source.name}/")
    ]
