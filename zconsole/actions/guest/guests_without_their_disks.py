"""Guests whose disks a plan destroys or takes away: what is lost, and that they cannot start after it."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft
from zconsole.actions.intent import Intent
from zconsole.analysis.dependencies.dataset_or_device_of_path import dataset_of_object
from zconsole.analysis.dependencies.uses_by_containers import CONTAINER, CONTAINER_DATA
from zconsole.analysis.dependencies.uses_by_guests import GUEST, OFF_GUESTS
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts

_NAMED: Final = 5
_OF_CONTAINERS: Final = frozenset({CONTAINER, CONTAINER_DATA})


def tell_lost_disks(draft: Draft, facts: PlanFacts) -> None:
    """What a plan destroys of guests and containers, before all else that it loses."""
    gone = {name for name in draft.destroys if "@" not in name and "#" not in name}
    lost = [use for use in facts.uses or () if dataset_of_object(use.object) in gone and _owner(use)]
    by_place: dict[str, dict[str, None]] = {}
    for use in lost:
        by_place.setdefault(dataset_of_object(use.object), {})[f"{_owner(use)} {use.name}"] = None
    told = []
    for place, owners in sorted(by_place.items()):
        dataset = facts.dataset(place)
        held = (
            ""
            if dataset is None or dataset.referenced_bytes is None
            else f", {size(dataset.referenced_bytes)}"
        )
        told.append(f"what {shortened(list(owners), _NAMED)} has on {place}{held}")
    draft.loses[:0] = told if len(told) <= _NAMED else [
        *told[:_NAMED], f"what guests and containers have on {len(told) - _NAMED} more",
    ]  # fmt: skip


def _owner(use: OutsideUse) -> str:
    """`guest`, `container`, or nothing for other uses."""
    if use.kind == GUEST or use.kind in OFF_GUESTS:
        return "guest"
    return "container" if use.kind in _OF_CONTAINERS else ""


def warn_of_guests_that_stay_off(draft: Draft, intent: Intent, known: ActionSpec) -> None:
    """Guests that are off, and do not find their disks once the plan is done."""
    why = known.why_no_start(intent)
    off = sorted({each.name for each in draft.dependents if each.kind in OFF_GUESTS})
    if why and off:
        draft.warnings.append(
            f"{shortened(off, _NAMED)}, off at present, cannot be started after this: {why}"
        )
