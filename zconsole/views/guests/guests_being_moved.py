"""Guests that this console is moving, and how far each move is; and those that another console moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.actions.guest.guest_being_moved import is_moved_by
from zconsole.analysis.replication.transfer_eta import in_words
from zconsole.model.guests.guest import Guest
from zconsole.model.run import Run
from zconsole.views.changes.command_as_typed_in_shell import typed
from zconsole.views.layout.styled_text import EMPTY, Line, line

MOVE: Final = "guest-move"


def moves_of(guests: Iterable[Guest], runs: Sequence[Run]) -> dict[str, Run]:
    """The move of each guest that is under way, by its address."""
    moves = {run.target: run for run in runs if run.action == MOVE and not run.state.is_end}
    found = (
        (each.definition.address, moves.get(each.name) or moves.get(each.definition.uuid)) for each in guests
    )
    return {address: run for address, run in found if run is not None}


def moved_by_another(guests: Iterable[Guest], holder: str | None) -> frozenset[str]:
    """Addresses of the guests that the holder of the host's lock, another console, says that it moves."""
    return frozenset(each.definition.address for each in guests if holder and is_moved_by(each, holder))


def move_of_another_line(guest: Guest, holder: str | None) -> Line:
    """`⇢ another zconsole (root@desk, process 4711): move the storage of guest web01 ...`; else empty."""
    if not holder or not is_moved_by(guest, holder):
        return EMPTY
    who, _, title = holder.partition(": ")
    return line((f"⇢ another zconsole ({who}): {title}", "warn"))


def move_line(run: Run) -> Line:
    """`⇢ move the storage of guest web01 ...: step 2 of 7: 1.2 GiB of 9.9 GiB`."""
    step = next((each for each in run.steps if each.state == "running"), None)
    told: Line = line((f": {run.state.value}", "info"))
    if step is not None:
        of = f": step {run.steps.index(step) + 1} of {len(run.steps)}: "
        how = line((in_words(step.moved), "info")) if step.moved is not None else typed(step.argv)
        told = (*line((of, "info")), *how)
    return (*line((f"⇢ {run.title}", "warn")), *told)
