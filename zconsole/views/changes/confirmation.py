"""Confirmation lines below a plan in its dialog: what must be typed, and the keys."""

from __future__ import annotations

from zconsole.actions.guard import YES, Guard, GuardStage
from zconsole.actions.plan import Plan
from zconsole.views.layout.phrases import join
from zconsole.views.layout.styled_text import EMPTY, TEXT, Line, line


def question(plan: Plan, guard: Guard, now: float) -> tuple[Line, ...]:
    """Return three lines: the prompt, the text typed so far, and the effect of the last key."""
    if plan.is_refused:
        return (line(("This cannot be done. No confirmation opens it.", "bad")), EMPTY, EMPTY)
    remark = line((guard.said, "warn"))
    match guard.stage:
        case GuardStage.COUNTING:
            left = max(1, round(guard.deadline - now + 0.5))
            return (line((f"Begins in {left} s.", "bad"), "  Any key stops it."), EMPTY, EMPTY)
        case GuardStage.GO:
            return (line(("Starting ...", "info")), EMPTY, EMPTY)
        case GuardStage.EXPIRED:
            return (line(("This plan has expired: the host may have changed.", "warn")), EMPTY, EMPTY)
        case GuardStage.READY | GuardStage.PRESSED:
            typed = f"{guard.typed}  " if guard.confirm is not None else ""
            answer = YES if guard.stage is GuardStage.PRESSED else f"{guard.answer}_"
            return (
                line("To do it, type  ", (YES, "key")),
                line(("> ", "dim"), (f"{typed}{answer}", "input")),
                remark,
            )
        case _:
            if guard.confirm is None:
                return (EMPTY, EMPTY, EMPTY)
            return (
                line("To go on, type  ", (guard.confirm, "warn")),
                line(("> ", "dim"), (f"{guard.typed}_", "input")),
                remark,
            )


def ways(plan: Plan, guard: Guard, now: float) -> Line:
    """Return the keys of the last line, "no" first, and how long the plan is valid."""
    if plan.is_refused:
        return line(("[ Enter  Go back ]", "cursor"))
    parts = [line(("[ Esc  No, go back ]", "cursor"))]
    if guard.stage is GuardStage.EXPIRED:
        parts.append(line(("F5", "key"), (" plan anew", TEXT)))
    else:
        parts.append(line(("↑↓", "key"), (" scroll", "dim")))
        if guard.expires and guard.stage not in {GuardStage.PRESSED, GuardStage.COUNTING}:
            parts.append(line((f"holds for {max(0, int(guard.expires - now))} s", "dim")))
    return join(parts, "   ")
