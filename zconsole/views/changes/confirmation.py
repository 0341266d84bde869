"""Confirmation lines below a plan in its dialog: what must be typed, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.answers_to_change import AnswerToChange
from zconsole.actions.plan import Plan
from zconsole.actions.typed_confirmation_state_machine import YES, Guard, GuardStage
from zconsole.base.fixed_width_formatting import duration
from zconsole.views.layout.state_age_and_link_phrases import join
from zconsole.views.layout.styled_text import EMPTY, Line, line

_STEP_S: Final = 10.0  # of the age shown, so that an open dialog sends little
_FIRST: Final = f"   1 of 2, then {YES}"
_SECOND: Final = "   2 of 2"
_MINUTE_S: Final = 60.0


def question(
    plan: Plan, guard: Guard, now: float, *, is_cut: bool = False, answers: Sequence[AnswerToChange] = ()
) -> tuple[Line, ...]:
    """Return three lines: the prompt, the text typed so far, and the effect of the last key.

    Of a refused plan that `is_cut`, longer than there is room, the ways out in the place of the last two.
    """
    if plan.is_refused:
        names = (*(sentence for sentence, _ in plan.alternatives), *(each.words for each in answers))
        first, second = _ways_out(plan, names) if is_cut else (EMPTY, EMPTY)
        return (line((_no(names), "bad")), first, second)
    remark = line((guard.said, "warn"))
    match guard.stage:
        case GuardStage.COUNTING:
            left = max(1, round(guard.deadline - now + 0.5))
            return (line((f"Begins in {left} s.", "bad"), "  Any key stops it."), EMPTY, EMPTY)
        case GuardStage.GO:
            return (line(("Starting ...", "info")), EMPTY, EMPTY)
        case GuardStage.READY | GuardStage.PRESSED:
            right = ((f"✓ {guard.confirm}   ", "dim"),) if guard.confirm is not None else ()
            answer = YES if guard.stage is GuardStage.PRESSED else f"{guard.answer}_"
            return (
                line(*right, "To do it, type  ", (YES, "key")),
                line(("> ", "dim"), (answer, "input"), (_SECOND if right else "", "dim")),
                remark,
            )
        case _:
            if guard.confirm is None:
                return (EMPTY, EMPTY, EMPTY)
            return (
                line("To go on, type  ", (guard.confirm, "warn")),
                line(("> ", "dim"), (f"{guard.typed}_", "input"), ("" if guard.typed else _FIRST, "dim")),
                remark,
            )


def _no(ways_out: Sequence[str]) -> str:
    """That a refused plan stays refused; with a way out that only this way is."""
    if ways_out:
        return "It is refused in this way; no confirmation opens it."
    return "This cannot be done. No confirmation opens it."


def _ways_out(plan: Plan, names: Sequence[str]) -> tuple[Line, Line]:
    """What to do about a refusal in two lines, where its own lines may be below those that are visible."""
    if not names:
        has_more = any(each.instead or each.command for each in plan.refusals)
        return (
            line(("What ends each refusal stands with it, or under NEXT.", "dim")) if has_more else EMPTY
        ), EMPTY
    if len(names) == 1:
        begins, semicolon, goes_on = names[0].partition("; ")
        return line(("F1", "key"), f" {begins}{semicolon.strip()}"), line(
            f"   {goes_on}"
        ) if goes_on else EMPTY
    first = line(("F1", "key"), f" {names[0]}")
    if len(names) == 2:
        return first, line(("F2", "key"), f" {names[1]}")
    return first, line(
        ("F2", "key"), " to ", (f"F{len(names)}", "key"), (f" are {len(names) - 1} others: NEXT", "dim")
    )


def ways(plan: Plan, guard: Guard, age_s: float, *, answers: int = 0) -> Line:
    """Return the keys of the last line, "no" first, and the age of what the plan was made from.

    Each of the `answers` that the user can change has a key of a refused plan.
    """
    if plan.is_refused:
        back = line(("[ Enter  Go back ]", "cursor"))
        last = len(plan.alternatives) + answers
        again = line("   ", ("F5", "key"), (" read the host again", "dim"))
        if not last:
            return (*back, *again)
        keys = line(("F1", "key")) if last == 1 else line(("F1", "key"), " to ", (f"F{last}", "key"))
        return (*back, *line("   "), *keys, *line((" plan it another way", "dim")), *again)
    parts = [line(("[ Esc  No, go back ]", "cursor")), line(("↑↓", "key"), (" scroll", "dim"))]
    if guard.stage in {GuardStage.TYPING, GuardStage.READY}:
        parts.append(line(("F5", "key"), (" read the host again", "dim"), (_age(age_s), "dim")))
    return join(parts, "   ")


def _age(seconds: float) -> str:
    """How old the facts of the plan are: `, read 40s ago`; nothing while they are fresh."""
    if seconds < _STEP_S:
        return ""
    step = _STEP_S if seconds < _MINUTE_S else _MINUTE_S
    return f", read {duration(seconds // step * step).removesuffix('00s')} ago"
