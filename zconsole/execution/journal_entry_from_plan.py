"""Journal entry of a plan before its execution."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from zconsole.actions.plan import Plan, Step
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck, to_json
from zconsole.execution.run_context import RunContext
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import Run


def entry_of(
    run: Run, plan: Plan, context: RunContext, who: str, tellings: Sequence[Sequence[ConditionCheck]]
) -> Entry:
    """All intended steps, their user, and the conditions that show that they happened."""
    identity = plan.identity
    return Entry(
        id=run.id,
        started=run.started or 0.0,
        console=context.console,
        who=who,
        origin=context.origin,
        host=identity.label,
        hostname=identity.hostname,
        machine_id=identity.machine_id,
        host_key=identity.host_key,
        action=plan.intent.action,
        intent=_intent_json(plan),
        title=plan.title,
        target=plan.target,
        risk=plan.risk.value,
        fingerprint=plan.fingerprint,
        destroys=plan.destroys,
        undo=plan.undo,
        steps=tuple(
            StepEntry(step.argv, _why(step), _digest(step), to_json(told))
            for step, told in zip(plan.steps, tellings, strict=True)
        ),
    )


def _why(step: Step) -> str:
    """The step's effect, the other host that it changes, and its sender."""
    why = f"on {step.on}: {step.why}" if step.on else step.why
    if step.sender is None:
        return why
    where = f" on {step.sender.identity.label}" if step.sender.is_elsewhere else ""
    return f"{why}: {' '.join(step.sender.argv)}{where}"


def _digest(step: Step) -> str | None:
    """Digest of stdin; None for a secret, which could be guessed from it."""
    if step.stdin is None:
        return None
    return hashlib.sha256(step.stdin.encode("utf-8", "surrogateescape")).hexdigest()


def _intent_json(plan: Plan) -> str:
    wanted = plan.intent
    return json.dumps(
        {
            "action": wanted.action,
            "target": wanted.target,
            "arguments": wanted.arguments,
            "options": dict(wanted.options),
        }
    )
