"""Stored definition of a guest among the facts, or the words of libvirt on why it was not read."""

from __future__ import annotations

from zconsole.actions.action_spec import Draft
from zconsole.model.guests.guest import Guest
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.model.host.plan_facts import PlanFacts


def stored_definition_of(guest: Guest, facts: PlanFacts) -> StoredDefinition | None:
    """What the next start of a guest uses; None where it was not read."""
    return next((each for each in facts.stored if each.address == guest.definition.address), None)


def why_unread(guest: Guest, facts: PlanFacts) -> str:
    """Why it was not read, in libvirt's words; empty where nobody tells."""
    address = guest.definition.address
    return next((each.said for each in facts.stored_unread if each.address == address), "")


def refuse_unread(draft: Draft, guest: Guest, facts: PlanFacts, where: str = "") -> None:
    """Refuse what rests on a definition that was not read; `where` names the host in a plan for two."""
    on, said = f" on {where}" if where else "", why_unread(guest, facts)
    words = f"the stored definition of {guest.name} could not be read{on}"
    draft.refuse("unread", f"{words}: {said}" if said else words)


def warn_of_unread(draft: Draft, guest: Guest, facts: PlanFacts) -> None:
    """A guest that is to be off, of which it is not known whether it is gone then."""
    if said := why_unread(guest, facts):
        draft.warnings.append(
            f"whether libvirt stores a definition of {guest.name} is not known: {said}. Without one it is "
            "gone once it is off"
        )
