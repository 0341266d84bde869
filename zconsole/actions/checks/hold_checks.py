"""Refusal to destroy held snapshots."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.actions.action_spec import MOST_REFUSALS, Draft
from zconsole.actions.plan import Dependent
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts


def refuse_held(draft: Draft, snapshots: Sequence[Dataset], facts: PlanFacts) -> None:
    """Refuse held snapshots, naming the tags and the release command."""
    tags: dict[str, list[str]] = {}
    for hold in facts.holds or ():
        tags.setdefault(hold.snapshot, []).append(hold.tag)
    held = [each for each in snapshots if each.type == "snapshot" and (tags.get(each.name) or each.holds)]
    for each in held:
        draft.saw(f"holds on {each.name}", ", ".join(sorted(tags.get(each.name, ()))) or f"{each.holds}")
    for each in held[:MOST_REFUSALS]:
        names = sorted(tags.get(each.name, ()))
        by = ", ".join(names) if names else "a hold"
        for tag in names:
            draft.dependents.append(Dependent("hold", each.name, tag))
        draft.refuse(
            "held", f"{each.name} is held by {by}", f"release {each.name} {names[0] if names else 'TAG'}"
        )
    if len(held) > MOST_REFUSALS:
        draft.refuse("held", f"and {len(held) - MOST_REFUSALS} more are held")
