"""Flow of the read test of a new disk, with its result as a remark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from zconsole.base.errors import ZConsoleError
from zconsole.model.pools.read_test import ReadTestOutcome
from zconsole.ui.dialogs.please_wait import answer_of
from zconsole.views.repair.read_test_in_words import read_test_in_words

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp


class TestingScreen(Protocol):
    """Screen as seen by this flow."""

    @property
    def console(self) -> ConsoleApp:
        """The app."""

    def say(self, words: str, style: str = "info") -> None:
        """Show a remark that disappears by itself."""


async def run_read_test(screen: TestingScreen, host: str, disk: str) -> None:
    """Test a disk; the result stays with it in the state."""
    console = screen.console
    try:
        asked = console.queries.read_test(host, disk)
        test = await answer_of(console, asked, "reading the start, the middle and the end of the disk")
    except ZConsoleError as error:
        screen.say(error.message, "warn")
        return
    if test is not None:
        style = "ok" if test.outcome is ReadTestOutcome.PASSED else "warn"
        screen.say(read_test_in_words(test), style)
