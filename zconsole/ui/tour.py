"""Tour of the console: it waits for the key of each step, and ends with Esc."""

from __future__ import annotations

from zconsole.views.layout.styled_text import EMPTY, Line
from zconsole.views.tour_steps import STEPS, offer, step_line


class Tour:
    """The tour as it stands; first it is only offered."""

    def __init__(self, *, is_offered: bool = False) -> None:
        self.is_offered = is_offered
        self._number = 0
        self.is_over = False

    def line(self, place: str) -> Line:
        """The line that a screen shows."""
        if self.is_offered:
            return offer() if place == STEPS[0].place else EMPTY
        return step_line(self._number, place)

    def did(self, action: str, place: str) -> None:
        """Go on where the step's action was done on its screen; an offer is over once something else is."""
        if self.is_offered:
            self.is_over = self.is_over or place != STEPS[0].place
        elif self._number >= len(STEPS):
            self.is_over = True
        elif place == STEPS[self._number].place and action in STEPS[self._number].actions:
            self._number += 1
