"""Protocol of a running exercise, as its host uses it."""

from __future__ import annotations

from typing import Any, Protocol

from zconsole.model.exercise import ExerciseState, Handwork


class RunningExercise(Protocol):
    """Exercise on a practice host; `look` and `note` are called before and behind each command."""

    def state(self) -> ExerciseState:
        """The exercise now."""

    def do(self, work: Handwork) -> None:
        """Do something at the rack."""

    def look(self) -> Any:
        """What a command may change, before it."""

    def note(self, before: Any) -> None:
        """Note what the command has changed since."""

    def catch_up(self) -> bool:
        """Carry out what was ordered; returns whether anything was."""
