"""Choice of one finding of a point of advice, by its object."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zconsole.model.finding import Finding
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.flows.silence_finding import silence
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.findings.advice_page import choices
from zconsole.views.host_states_with_findings import HostView
from zconsole.views.layout.styled_text import line


def with_one_of(
    screen: ConsoleScreen, of: Sequence[Finding], title: str, act: Callable[[Finding], object]
) -> None:
    """Act on the only finding, or on that which the user chooses by its object."""
    if len(of) == 1:
        act(of[0])
        return
    screen.console.gate.expect_dialog()
    screen.run_worker(_choose(screen, of, title, act), exclusive=True, group="choice")


def silence_one_of(screen: ConsoleScreen, host: HostView, of: Sequence[Finding]) -> None:
    """Ask for a silence of the only finding, or of that which the user chooses by its object."""

    def ask(finding: Finding) -> None:
        screen.console.gate.expect_dialog()
        screen.run_worker(silence(screen, host, finding), exclusive=True, group="silence")

    with_one_of(screen, of, "Silence", ask)


async def _choose(
    screen: ConsoleScreen, of: Sequence[Finding], title: str, act: Callable[[Finding], object]
) -> None:
    dialog = MenuDialog(screen.console.paint, line((title, "title")), choices(of))
    chosen = await screen.console.push_screen_wait(dialog)
    if chosen:
        act(of[int(chosen[0])])
