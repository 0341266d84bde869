"""Repair of a device as lines: where it stands, what was found, what is next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.repair.not_opened.online_or_detach_first import SPLIT_OFF
from zconsole.base.fixed_width_formatting import MINUTE, moment
from zconsole.model.repair import (
    Repair,
    RepairCause,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)
from zconsole.views.layout.labelled_paragraph import ParagraphLabel
from zconsole.views.layout.styled_text import EMPTY, Line, line, line_width

PUT_BACK: Final = "put-back"  # what a wrongly pulled disk is held for
STEPS: Final = len(RepairStepKind)
NAME_CELLS: Final = 14  # marker, number and the longest name of a step, with a space
FOUND_CELLS: Final = NAME_CELLS + 2  # before what was found
MARKS: Final = {
    RepairStepState.DONE: ("✓", "ok"),
    RepairStepState.NOW: ("→", "key"),
    RepairStepState.NEXT: (" ", "dim"),
    RepairStepState.NOT_NEEDED: ("-", "dim"),
    RepairStepState.HELD: ("✗", "warn"),
}
WORDS: Final = {
    RepairStepState.DONE: ("done", "ok"),
    RepairStepState.NOW: ("now", "key"),
    RepairStepState.NEXT: ("next", "dim"),
    RepairStepState.NOT_NEEDED: ("not needed", "dim"),
    RepairStepState.HELD: ("unavailable", "warn"),
}
TROUBLE_WORDS: Final = {
    RepairTrouble.FAILED: "has failed",
    RepairTrouble.NEW_DISK_FAILED: "is being replaced, and the new disk failed",
    RepairTrouble.FAILING: "is failing",
    RepairTrouble.OFFLINE: "is offline",
    RepairTrouble.REPLACING: "is being replaced",
    RepairTrouble.SLOW: "is slow",
    RepairTrouble.WARNED: "serves; SMART warns",
    RepairTrouble.SPARE_IN_USE: "is whole; its spare is in use",
    RepairTrouble.TOO_SMALL: "is to be replaced by a larger disk",
    RepairTrouble.UNMIRRORED: "is to be mirrored",
    RepairTrouble.AFTER_CARE: "was replaced",
}
_SHARED_WORDS: Final = {
    RepairCause.CABLE: "cable or controller",
    RepairCause.CONTROLLER: "controller or its cable",
    RepairCause.SHELF: "shelf or its cable",
}
_CALM: Final = {RepairTrouble.AFTER_CARE, RepairTrouble.TOO_SMALL, RepairTrouble.UNMIRRORED}
OF_VDEV: Final = {  # where the device is the vdev itself: all its disks are done
    RepairTrouble.TOO_SMALL: "has larger disks",
    RepairTrouble.UNMIRRORED: "is a mirror",
}


def headline(repair: Repair, cells: int | None = None, place: str = "") -> Line:
    """`repair vault mirror-0 · VLGX4P7Y (bay 18) has failed · step 4 of 7 · begun 02:14 by anna`.

    In a width the last parts that do not fit are left out. `place` is `1 of 2`, of the repairs of the pool.
    """
    # The after-care, and trouble that several disks share, are of the whole pool.
    is_of_pool = bool(repair.others) or repair.vdev in {repair.device.name, repair.pool}
    begun = repair.begun
    shown = _subject(repair, repair.pool if is_of_pool else f"{repair.pool} {repair.vdev}", place)
    if cells is not None and line_width(shown) > cells:
        shown = _subject(repair, repair.pool, place)
    for part in (
        line((f" · {step_words(repair)}", "text")),
        line((f" · begun {moment(begun.at, MINUTE)} by {begun.who}" if begun is not None else "", "dim")),
    ):
        if cells is None or line_width((*shown, *part)) <= cells:
            shown = (*shown, *part)
    return shown


def _subject(repair: Repair, where: str, place: str) -> Line:
    """`repair vault mirror-0 (1 of 2) · VLGX4P7Y (bay 18) has failed`."""
    return line(
        ("repair ", "dim"),
        (where, "title"),
        (f" ({place})" if place else "", "warn"),
        (" · ", "dim"),
        (f"{repair.named}{': ' if repair.others else ' '}{trouble_in_words(repair)}", _style(repair)),
    )


def trouble_in_words(repair: Repair) -> str:
    """What is wrong with the device, or what the user wants of it."""
    if repair.trouble is RepairTrouble.AFTER_CARE and repair.device.name == repair.pool:
        return "has been resilvered"  # of what became of which device the journal knows nothing
    if _is_of_vdev(repair):
        return OF_VDEV.get(repair.trouble, TROUBLE_WORDS[repair.trouble])
    reasons = {each.id for each in repair.not_now}
    if PUT_BACK in reasons:
        return "was sound, and is gone"
    if SPLIT_OFF in reasons:
        return "was split off"
    if repair.trouble is RepairTrouble.SPARE_IN_USE and not _is_spare_free(repair):
        return "is back, and may lack data; its spare stays"
    if repair.others:
        return _SHARED_WORDS.get(repair.cause, repair.cause.value)
    if repair.is_stop and repair.trouble is RepairTrouble.NEW_DISK_FAILED:
        return "is being replaced, and the new disk is gone"
    return TROUBLE_WORDS[repair.trouble]


def _is_spare_free(repair: Repair) -> bool:
    """Whether the spare of a device that is whole again is to be returned now."""
    return repair.step(RepairStepKind.AFTER_CARE).state is RepairStepState.NOW


def step_words(repair: Repair) -> str:
    """`step 4 of 7`; `step 5 of 7, unavailable` where it is held; `done` when nothing is left."""
    current = repair.current
    if current is None:
        return "done"
    number = list(RepairStepKind).index(current.kind) + 1
    held = ", unavailable" if current.state is RepairStepState.HELD else ""
    return f"step {number} of {STEPS}{held}"


def procedure_lines(repair: Repair) -> Iterator[Line]:
    """Everything that is to be said of a repair, without the offers."""
    if repair.alarm:
        yield (ParagraphLabel("✗ ", "bad"), *line((repair.alarm, "bad")))
        yield EMPTY
    for step in repair.steps:
        yield from step_lines(step)
    yield EMPTY
    yield from footing_lines(repair)


def step_lines(step: RepairStep) -> Iterator[Line]:
    """A step: its mark, number and name, then its state and what was found."""
    first, *others = step_state_lines(step)
    yield (*step_name(step), *first)
    for each in others:
        yield (ParagraphLabel(" " * FOUND_CELLS), *each)


def step_name(step: RepairStep) -> Line:
    """The mark, the number and the name of a step, as wide as all of them."""
    mark, style = MARKS[step.state]
    number = list(RepairStepKind).index(step.kind) + 1
    return line((f"{mark} ", style), (f"{f'{number} {step.title}':<{NAME_CELLS}}", _name_style(step)))


def footing_lines(repair: Repair) -> Iterator[Line]:
    """What is lost, and what the pool still survives."""
    if repair.safety:
        yield line((repair.safety, "text"))
    if repair.survives:
        yield line(("; ".join(repair.survives), "text"))


def repairs_summary(host: str, found: Sequence[Repair]) -> Line:
    """`storage1 · 2 repairs`, or that none is needed."""
    if not found:
        return line((host, "title"), (" · ", "dim"), ("no device needs a repair", "ok"))
    many = "1 repair" if len(found) == 1 else f"{len(found)} repairs, the most urgent first"
    return line((host, "title"), (" · ", "dim"), (many, "text"))


def step_state_lines(step: RepairStep) -> Iterator[Line]:
    """The state of a step in a word with what was found first, then the rest; one line at least."""
    style = "dim" if step.state in {RepairStepState.NEXT, RepairStepState.NOT_NEEDED} else "text"
    is_said = not step.reason or any(each.startswith(step.reason) for each in step.found)
    found = step.found if is_said else (step.reason, *step.found)
    word, look = WORDS[step.state]
    yield line((word, look), (f": {found[0]}" if found else "", style))
    for each in found[1:]:
        yield line((each, style))


def _is_of_vdev(repair: Repair) -> bool:
    """Whether every device of the vdev had its turn."""
    replaced = repair.step(RepairStepKind.RESILVER)
    return repair.device.name == repair.vdev and replaced.state is RepairStepState.DONE


def _name_style(step: RepairStep) -> str:
    return "title" if step.state is RepairStepState.NOW else "text"


def _style(repair: Repair) -> str:
    if repair.trouble in {RepairTrouble.FAILED, RepairTrouble.NEW_DISK_FAILED} or repair.alarm:
        return "bad"
    return "ok" if repair.trouble in _CALM else "warn"
