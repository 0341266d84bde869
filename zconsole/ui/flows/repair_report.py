"""Flow of writing the report of a repair to a new file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from zconsole.base.errors import ZConsoleError
from zconsole.base.fixed_width_formatting import DAY, moment
from zconsole.storage.capacity_scenarios import write_new
from zconsole.storage.run_in_thread import patiently
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog, TextDialog
from zconsole.ui.flows.saved_scenarios import as_file_name, path_of
from zconsole.views.layout.styled_text import EMPTY, line
from zconsole.views.repair.markdown_report import ticket

if TYPE_CHECKING:
    from zconsole.model.repair import Repair
    from zconsole.ui.app_protocol import ConsoleApp


class ReportingScreen(Protocol):
    """Screen as seen by this flow."""

    @property
    def console(self) -> ConsoleApp:
        """The app."""

    def say(self, words: str, style: str = "info") -> None:
        """Show a remark that disappears by itself."""


async def write_report(screen: ReportingScreen, repair: Repair) -> None:
    """Ask for a new file until one can be written or the user leaves."""
    console = screen.console
    now = console.states.now()
    day = moment(now, DAY)
    wanted = f"~/repair-{as_file_name(repair.pool)}-{as_file_name(repair.device.label)}-{day}.md"
    while True:
        words = (
            line((repair.host, console.host_colour(repair.host)), (" · report of the repair", "title")),
            EMPTY,
            line(("Markdown for the ticket, with serial numbers and names in it. A new file:", "dim")),
        )
        typed = await console.push_screen_wait(TextDialog(console.paint, words, wanted))
        if typed is None:
            return
        wanted, path = typed, path_of(typed)
        try:
            await patiently(write_new, path, "\n".join((*ticket(repair, repair.host, now), "")))
        except ZConsoleError as error:
            told = (line((error.message, "warn")), line((error.hint, "dim")))
            await console.push_screen_wait(TellDialog(console.paint, [each for each in told if each]))
        else:
            screen.say(f"written to {path}")
            return
