"""Hold: keep a snapshot from being destroyed."""

from __future__ import annotations

from typing import Final

from zconsole.actions.intent import Intent, Kind
from zconsole.actions.lookup import the_dataset
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.actions.spec import ActionSpec, Argument, Draft, Needs, Option
from zconsole.base.errors import UsageError
from zconsole.model.facts import Facts
from zconsole.zfs.change_dataset import hold


def plan_hold(intent: Intent, facts: Facts) -> Draft:
    """Routine: it only adds protection."""
    snapshot = the_dataset(intent.target, facts)
    tag = intent.argument(0)
    if snapshot.type != "snapshot":
        raise UsageError(f"{snapshot.name} is a {snapshot.type}", hint="Only snapshots can be held.")
    if not tag:
        raise UsageError("a hold needs a tag", hint="zconsole plan hold POOL/DATASET@SNAPSHOT TAG")
    draft = Draft(f"hold {snapshot.name} as {tag}", snapshot.name, Risk.ROUTINE, is_reversible=True)
    draft.undo = f"zfs release {tag} {snapshot.name}"
    draft.steps.append(
        Step(
            hold(tag, (snapshot.name,), recursive=intent.flag("recursive")),
            "keep it from being destroyed",
            settled_by=(Condition(ConditionKind.HOLD_THERE, snapshot.name, value=tag),),
            permission="hold",
            permission_on=snapshot.name,
        )
    )
    draft.saw(f"guid of {snapshot.name}", snapshot.guid)
    tags = sorted(each.tag for each in facts.holds or () if each.snapshot == snapshot.name)
    draft.saw(f"holds on {snapshot.name}", ", ".join(tags) or "none")
    if tag in tags:
        draft.refuse("held", f"{snapshot.name} is held as {tag} already")
    return draft


SPECS: Final = (
    ActionSpec(
        "hold", "Hold", "Keep a snapshot from being destroyed, under a tag.",
        frozenset({Kind.SNAPSHOT}), plan_hold,
        arguments=(Argument("TAG", "tag", "the name of the hold"),),
        options=(Option("recursive", "the snapshots of the same name below it too"),),
        needs=lambda intent: Needs(datasets=(intent.pool,), holds=True),
    ),
)  # fmt: skip
