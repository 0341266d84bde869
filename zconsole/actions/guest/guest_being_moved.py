"""A guest whose storage this console, or another one, is moving: nothing else changes its power, or moves it.

A move holds the lock of the host until its end: another console's is known by what the holder has written.
"""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.base.escape_control_characters import visible
from zconsole.model.guests.guest import Guest
from zconsole.model.host.plan_facts import PlanFacts

MOVES: Final = frozenset({"guest-move"})
_TITLES: Final = ("move the storage of guest ", "move guest ")  # as the plans of a move are called


def refuse_being_moved(draft: Draft, guest: Guest, facts: PlanFacts) -> None:
    """What a move does while it is under way rests on the guest's state and on its definition."""
    names = {guest.name, guest.definition.uuid}
    for run in facts.running:
        if run.action in MOVES and run.target in names:
            draft.refuse(
                "being-moved", f"this console is carrying out: {run.title}",
                "wait for its end, or stop it (x): its outcome says how the guest is left",
            )  # fmt: skip
    if facts.lock_holder is not None:
        _tell_other_console(draft, guest, facts.lock_holder)


def is_moved_by(guest: Guest, holder: str) -> bool:
    """Whether the holder of a host's lock has written that it moves this guest."""
    title, of = holder.partition(": ")[2], f" guest {visible(guest.name)} "
    return title.startswith(_TITLES) and title.partition(of)[2].startswith(("from ", "to "))


def _tell_other_console(draft: Draft, guest: Guest, holder: str) -> None:
    """Refuse while another console moves this guest; of any other plan it is said that it comes first."""
    who, _, title = holder.partition(": ")
    if is_moved_by(guest, holder):
        draft.refuse(
            "being-moved", f"another zconsole ({who}) is carrying out: {title}",
            "wait for its end; interrupted, it is planned again with the same words, and goes on",
        )  # fmt: skip
        return
    told = f" ({holder})" if holder else ""
    draft.warnings.append(
        f"another zconsole is carrying out a plan on this host{told}: until it ends no other is run, and "
        "what it changes makes this one stale"
    )
