"""What a move of a guest's storage leaves at the old place, and how that is freed afterwards."""

from __future__ import annotations

import shlex

from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.expected_move_times import tell_times
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts


def tell_old_place(
    draft: Draft, source: Dataset, facts: PlanFacts, *, within_s: float | None, first: str = ""
) -> None:
    """The expected times, the snapshots that stay, and the command that frees the old place.

    `within_s` is the deadline of the shutdown, None for a guest that is off; `first` is an action that comes
    before the destroy.
    """
    snapshots = snapshots_of(source.name, facts.datasets)
    tell_times(draft, source, snapshots, facts.taken_at, shutdown_s=within_s)
    if snapshots:
        are = "the older snapshot is" if len(snapshots) == 1 else f"the {len(snapshots)} older snapshots are"
        draft.notes.append(f"{are} not sent, and stay at {source.name} only")
    destroy = shlex.join(["zconsole", "plan", "destroy", source.name, "--recursive"])
    before = f"zconsole plan {first}, then " if first else ""
    draft.notes.append(f"to free the old place once the guest works at the new one: {before}{destroy}")
