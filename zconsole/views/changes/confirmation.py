"""Confirmation lines below a plan in its dialog: what must be typed, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.answers_to_change import AnswerToChange
from zconsole.actions.plan import Plan
from zconsole.actions.typed_confirmation_state_machine import YES, Guard, GuardStage
from zconsole.base.fixed_width_formatting import duration
from zconsole.views.changes.plan import ways_on
from zconsole.views.layout.screen_key_registry import WAYS_OUT, way_out_key
from zconsole.views.layout.state_age_and_link_phrases import join
from zconsole.views.layout.styled_text import EMPTY, Line, hang, line, wrap_end

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
        names = ways_on(plan, answers)
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
        return line((way_out_key(1), "key"), f" {begins}{semicolon.strip()}"), line(
            f"   {goes_on}"
        ) if goes_on else EMPTY
    first = line((way_out_key(1), "key"), f" {names[0]}")
    if len(names) == 2:
        return first, line((way_out_key(2), "key"), f" {names[1]}")
    return first, line(
        (way_out_key(2), "key"),
        " to ",
        (_last_key(len(names)), "key"),
        (f" are {len(names) - 1} others: NEXT", "dim"),
    )


def ways(
    plan: Plan, guard: Guard, age_s: float, *, answers: Sequence[AnswerToChange] = (), position: str = ""
) -> Line:
    """Return the keys of the last line, "no" first, and the age of what the plan was made from.

    Each of the `answers` that the user can change has a key of a refused plan. `position` is the range of
    visible lines, where nothing else tells it.
    """
    scroll = line(("↑↓", "key"), (f" {position or 'scroll'}", "dim"))
    if plan.is_refused:
        parts = [line(("[ Enter  Go back ]", "cursor"))]
        keys = _function_keys(plan, answers)
        if keys:
            is_of_plan = plan.alternatives or answers
            parts.append((*keys, *line((" plan it another way" if is_of_plan else " free space", "dim"))))
        parts += [scroll] if position else []
        return join([*parts, line(("F5", "key"), (" read the host again", "dim"))], "   ")
    parts = [line(("[ Esc  No, go back ]", "cursor")), scroll]
    if guard.stage in {GuardStage.TYPING, GuardStage.READY}:
        parts.append(line(("F5", "key"), (" read the host again", "dim"), (_age(age_s), "dim")))
    return join(parts, "   ")


def short_ways(plan: Plan, answers: Sequence[AnswerToChange], position: str) -> Line:
    """The keys of a low terminal: "no", those of the ways out, and the range of visible lines, whole."""
    back = line(("[ Enter  Go back ]" if plan.is_refused else "[ Esc  No, go back ]", "cursor"))
    keys = _function_keys(plan, answers) if plan.is_refused else EMPTY
    return join([each for each in (back, keys, line(("↑↓", "key"), (f" {position}", "dim"))) if each], " ")


def _function_keys(plan: Plan, answers: Sequence[AnswerToChange]) -> Line:
    """`F6`, or `F6 to F8`: the keys of the ways out of a refusal; empty for none."""
    last = len(ways_on(plan, answers))
    if last < 2:
        return line((way_out_key(1), "key")) if last else EMPTY
    return line((way_out_key(1), "key"), " to ", (_last_key(last), "key"))


def _last_key(number: int) -> str:
    """The key of the last of so many ways out that has one."""
    return way_out_key(min(number, len(WAYS_OUT)))


def on_low_terminal(asked: Line, typed: Line, cells: int) -> tuple[Line, ...]:
    """What is asked, whole, and the end of what is typed: the words before them in the line that has room."""
    whole = tuple(hang(asked, cells))
    bare = tuple(hang(asked[-1:], cells))
    if len(bare) < len(whole):
        whole, typed = bare, (*line(("type it ", "dim")), *typed)
    return (*whole, *(wrap_end(typed, cells, 1) or (EMPTY,)))


def _age(seconds: float) -> str:
    """How old the facts of the plan are: `, read 40s ago`; nothing while they are fresh."""
    if seconds < _STEP_S:
        return ""
    step = _STEP_S if seconds < _MINUTE_S else _MINUTE_S
    return f", read {duration(seconds // step * step).removesuffix('00s')} ago"
