"""Flow of a run that was left in the background: its dialog again, with the keys that stop it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from zconsole.model.run import Run
from zconsole.ui.dialogs.run import RunDialog

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp


def show_again(app: ConsoleApp, run: Run) -> None:
    """Show a run of this console that goes on; what was seen of it last stays after its end."""
    last = run

    def newest() -> Run:
        nonlocal last
        known = (each for state in app.states.newest() for each in state.runs)
        last = next((each for each in known if each.id == run.id), last)
        return last

    ending = app.changes.ending_of(run) or Future()
    app.gate.expect_dialog()
    app.push_screen(RunDialog(app.paint, ending, newest, app.states.now, app.operations.end_stream))
