"""Actions that the object under the cursor has, by what is known to a screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_spec import DEPENDS, ActionSpec
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.capabilities import HostCapabilities
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.model.host.plan_facts import PlanFacts, Privileges

DELEGATED = frozenset(
    {TargetKind.POOL, TargetKind.FILESYSTEM, TargetKind.VOLUME, TargetKind.SNAPSHOT, TargetKind.BOOKMARK}
)  # objects with `zfs allow` permissions


@dataclass(frozen=True, slots=True)
class Offer:
    """Action of an object; `why_not` says why it is unavailable now, or is empty."""

    spec: ActionSpec
    why_not: str = ""


def offers(
    target: Target, state: HostState, facts: PlanFacts, means: HostCapabilities | None = None
) -> Iterator[Offer]:
    """All actions for this type of object, unavailable ones included.

    Without `means` privileges and programs are unknown and disable nothing.
    """
    if means is not None:
        properties = (*facts.properties, *means.properties)
        facts = replace(facts, missing_tools=means.missing_tools, properties=properties)
    kinds = {target.kind, TargetKind.DISK} if target.kind is TargetKind.HOST else {target.kind}
    for spec in SPECS:
        if kinds & spec.targets:
            lacking = "" if means is None else _lacking(spec, target, means.privileges)
            yield Offer(spec, _why_not(spec, target, state, facts) or lacking)


def still_to_ask(offered: Iterable[Offer]) -> tuple[str, ...]:
    """Target properties that would decide on more actions."""
    return tuple(dict.fromkeys(key for each in offered if not each.why_not for key in each.spec.asks))


def _why_not(spec: ActionSpec, target: Target, state: HostState, facts: PlanFacts) -> str:
    if state.link.state is not LinkState.UP:
        return f"no connection to {state.host}"
    if facts.policy.read_only and not spec.only_reads:
        return facts.policy.read_only
    pool = facts.pool(target.pool)
    if pool is not None and pool.is_suspended and not spec.works_suspended:
        return f"{pool.name} is suspended"
    return spec.why_not(target, facts)


def _lacking(spec: ActionSpec, target: Target, privileges: Privileges) -> str:
    """What a user without root lacks for it."""
    if privileges.is_root or (spec.permission == DEPENDS and target.kind not in spec.root_for):
        return ""
    user = privileges.user or "this user"
    if not spec.permission or target.kind in spec.root_for:
        return f"{user} is not root, and it cannot be delegated"
    base = re.split("[@#]", target.name, maxsplit=1)[0]
    if any(privileges.may(spec.permission, name) for name in (target.name, base)):
        return ""
    return f"{user} lacks the permission {spec.permission} on {base}"


def intent_of(spec: ActionSpec, target: Target) -> Intent:
    """The action on a target, with remaining words open: a vdev is named by its guid."""
    if spec.intent_for is not None:
        return spec.intent_for(target)
    if target.kind in {TargetKind.LEAF, TargetKind.VDEV}:
        return Intent(spec.id, target.pool, (str(target.guid) if target.guid is not None else target.name,))
    return Intent(spec.id, target.name)
