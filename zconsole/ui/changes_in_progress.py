"""Changes of this console that have been confirmed and have not ended."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zconsole.model.host.host_state import HostState
    from zconsole.model.run import Run


class ChangesInProgress:
    """Confirmed plans, from the confirmation to the end of their runs."""

    def __init__(self) -> None:
        self._confirmed: list[tuple[str, str, Future[Run]]] = []

    def confirmed(self, host: str, title: str, ending: Future[Run]) -> None:
        """Note a plan that was confirmed; its run may have to wait for another one on the host."""
        self._confirmed = [each for each in self._confirmed if not each[2].done()]
        self._confirmed.append((host, title, ending))

    def runs(self, states: Sequence[HostState]) -> tuple[Run, ...]:
        """Runs that have not ended."""
        return tuple(run for state in states for run in state.runs if not run.state.is_end)

    def ending_of(self, run: Run) -> Future[Run] | None:
        """The end of a run that was confirmed here and has not ended; None for no such run."""
        known = [ending for host, title, ending in self._confirmed if (host, title) == (run.host, run.title)]
        return next((each for each in known if not each.done()), None)

    def waiting(self, states: Sequence[HostState]) -> tuple[tuple[str, str], ...]:
        """Host and title of confirmed plans whose runs have not begun."""
        begun = [(run.host, run.title) for run in self.runs(states)]
        waiting: list[tuple[str, str]] = []
        for host, title, ending in self._confirmed:
            if ending.done():
                continue
            if (host, title) in begun:
                begun.remove((host, title))
            else:
                waiting.append((host, title))
        return tuple(waiting)
