"""What a move of a guest's storage leaves at the old place, and how that is freed afterwards."""

from __future__ import annotations

import shlex

from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.expected_move_times import RemainingWork, tell_times
from zconsole.actions.guest.move.remaining_move_steps import PREFIX
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts


def tell_old_place(
    draft: Draft, source: Dataset, facts: PlanFacts, work: RemainingWork, *, first: str = ""
) -> None:
    """The expected times, the snapshots that stay, and the command that frees the old place.

    `first` is a command that comes before the destroy.
    """
    snapshots = snapshots_of(source.name, facts.datasets)
    tell_times(draft, source, snapshots, facts.taken_at, work)
    older = [each for each in snapshots if not short_of(each.name).startswith(PREFIX)]
    if older:
        are = "the older snapshot is" if len(older) == 1 else f"the {len(older)} older snapshots are"
        draft.notes.append(f"{are} not sent, and stay at {source.name} only")
    destroy = shlex.join(["zconsole", "plan", "destroy", source.name, "--recursive"])
    before = f"{first}, then " if first else ""
    draft.notes.append(f"to free the old place once the guest works at the new one: {before}{destroy}")
