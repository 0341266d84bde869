"""What to do now in a repair, as one sentence."""

from __future__ import annotations

from typing import Final

from zconsole.model.repair import STOP, Repair, RepairStepKind, RepairStepState
from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.styled_text import EMPTY, Line, line

NOW: Final = "Now: "
_RESILVER: Final = "resilver "
_CLAUSE_ENDS: Final = ("; ", ", unless ", ", then ", ", and ", ": ")


def what_to_do_line(action: str) -> str:
    """`What to do now: pull nothing`; `What to do: Wait.` of what is not due now."""
    lead = "What to do now" if action.startswith(NOW) else "What to do"
    return f"{lead}: {action.removeprefix(NOW)}"


def due_in_words(repair: Repair) -> str:
    """`pull VLGX4P7Y (bay 18)`; empty when nothing is left to do."""
    step = repair.current
    if step is None:
        return ""
    if step.act:
        return step.act
    if step.state is RepairStepState.HELD:
        return next((each.instead for each in repair.not_now if each.instead), step.reason)
    if step.kind is RepairStepKind.TRIAGE and step.reason:
        return step.reason
    if step.kind is RepairStepKind.RESILVER:
        found = next(iter(step.found), "")
        progress = found.removeprefix(_RESILVER) if found.startswith(_RESILVER) else ""
        return "wait for the resilver" + (f" ({progress})" if progress else "")
    if step.offers:
        return step.offers[0].words
    return step.reason or next(iter(step.found), step.title)


def due_line(repair: Repair, cells: int | None = None) -> Line:
    """The sentence as a line; in a width that is too small for it, its first clause."""
    words = due_in_words(repair)
    if not words:
        return EMPTY
    stop = f"{STOP}: " if repair.is_stop else ""
    room = None if cells is None else cells - len(NOW) - len(stop)
    return line((NOW, "key"), (stop, "bad"), (words if room is None else _shortened(words, room), "title"))


def _shortened(words: str, cells: int) -> str:
    """The longest beginning of whole clauses that fits; all of it where none does."""
    if width(words) <= cells:
        return words
    ends = sorted(
        (at for end in _CLAUSE_ENDS for at in range(len(words)) if words.startswith(end, at)), reverse=True
    )
    return next((words[:at] for at in ends if width(words[:at]) <= cells), words)
