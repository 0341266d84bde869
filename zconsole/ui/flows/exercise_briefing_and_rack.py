"""Flow of an exercise: the briefing, acts at the rack, and the debriefing so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from zconsole.model.exercise import ChangeCable, Exercise, ExerciseState, Handwork, Insert, Pull, RackBay
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog
from zconsole.views.exercise_and_rack_words import (
    PoolLeaf,
    bay_line,
    bay_to_look_at,
    briefing,
    by_hand,
    debriefing,
    disk_label,
    leaves_by_serial,
    rack_heading,
    table_heading,
    used_by,
)
from zconsole.views.layout.styled_text import FixedLines, Line, line

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

_DEBRIEFING: Final = "debriefing"
_CABLE: Final = "cable "


async def show_briefing(app: ConsoleApp, exercise: Exercise) -> None:
    """Show the trouble before anything else."""
    await app.push_screen_wait(TellDialog(app.paint, tuple(briefing(exercise.state()))))


async def at_the_rack(app: ConsoleApp, exercise: Exercise) -> None:
    """Let the learner do one thing at the rack."""
    start = ""
    while True:
        state, leaves = exercise.state(), leaves_by_serial(app.view())
        lines, explained = _rack_lines(state, leaves)
        start = start or bay_to_look_at(state, leaves)
        if not start and not state.on_table:  # no disk is at fault where none is on the table
            start = _DEBRIEFING
        chosen = await _choose(app, rack_heading(state), lines, explained, start=start)
        if chosen is None:
            return
        if chosen == _DEBRIEFING:
            await app.push_screen_wait(TellDialog(app.paint, tuple(debriefing(exercise.state()))))
            return
        work = await _work(app, state, chosen)
        if work is not None:
            break
        start = chosen
    exercise.do(work)
    app.states.refresh()
    front = app.front()
    if front is not None:
        front.say(by_hand(work))


def _rack_lines(state: ExerciseState, leaves: Mapping[str, PoolLeaf]) -> tuple[FixedLines, dict[str, Line]]:
    """The lines of the menu, and what each does."""
    lines = {str(bay.number): bay_line(bay) for bay in state.bays}
    explained = {str(bay.number): _does(bay, leaves) for bay in state.bays}
    for cable in dict.fromkeys(bay.cable for bay in state.bays):
        key = _CABLE + cable
        behind = [bay.number for bay in state.bays if bay.cable == cable]
        lines[key] = line((f"cable {cable} ", "key"), f"of bays {behind[0]} to {behind[-1]}")
        explained[key] = line(("Enter: change the cable; its disks disconnect for a moment", "dim"))
    lines[_DEBRIEFING] = line(("debriefing so far", "key"), ": done well, risky, left to do")
    return FixedLines(tuple(lines.values()), tuple(lines)), explained


def _does(bay: RackBay, leaves: Mapping[str, PoolLeaf]) -> Line:
    if bay.disk is None:
        return line((f"Enter: insert a disk from the table into bay {bay.number}", "dim"))
    used = used_by(bay.disk, leaves)
    return line((f"Enter: pull {bay.disk.serial} out of bay {bay.number}", "dim"), *used)


async def _work(app: ConsoleApp, state: ExerciseState, chosen: str) -> Handwork | None:
    if chosen.startswith(_CABLE):
        return ChangeCable(chosen.removeprefix(_CABLE))
    bay = next(bay for bay in state.bays if str(bay.number) == chosen)
    if bay.disk is not None:
        return Pull(bay.number)
    lines = FixedLines(
        tuple(line(disk_label(disk)) for disk in state.on_table),
        tuple(disk.serial for disk in state.on_table),
    )
    serial = await _choose(app, table_heading(bay), lines, {})
    return Insert(serial, bay.number) if serial is not None else None


async def _choose(
    app: ConsoleApp, heading: Line, lines: FixedLines, explained: dict[str, Line], *, start: str = ""
) -> str | None:
    """The chosen line; the cursor begins at `start`."""
    dialog = MenuDialog(
        app.paint, heading, lines, explained=explained, start=(start,) if start else (), numbers_take=False
    )
    chosen = await app.push_screen_wait(dialog)
    return chosen[0] if chosen else None
