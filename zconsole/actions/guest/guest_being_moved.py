"""A guest whose storage this console is moving: nothing else may change its power, or move it."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.model.guests.guest import Guest
from zconsole.model.host.plan_facts import PlanFacts

MOVES: Final = frozenset({"guest-move"})


def refuse_being_moved(draft: Draft, guest: Guest, facts: PlanFacts) -> None:
    """What a move does while it is under way rests on the guest's state and on its definition."""
    names = {guest.name, guest.definition.uuid}
    for run in facts.running:
        if run.action in MOVES and run.target in names:
            draft.refuse(
                "being-moved", f"this console is carrying out: {run.title}",
                "wait for its end, or stop it (x): its outcome says how the guest is left",
            )  # fmt: skip
