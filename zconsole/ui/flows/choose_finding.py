"""Choice of one finding of a point of advice, by its object."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from zconsole.model.finding import Finding
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.flows.silence_finding import silence
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.findings.advice_page import choices
from zconsole.views.host_states_with_findings import HostView
from zconsole.views.layout.styled_text import line

Act = Callable[[Finding], Awaitable[bool]]  # False where the user goes back to the choice


def with_one_of(screen: ConsoleScreen, of: Sequence[Finding], title: str, act: Act) -> None:
    """Act on the only finding, or on that which the user chooses by its object."""
    screen.console.gate.expect_dialog()
    screen.run_worker(_choose(screen, of, title, act), exclusive=True, group="choice")


def silence_one_of(screen: ConsoleScreen, host: HostView, of: Sequence[Finding]) -> None:
    """Ask for a silence of the only finding, or of that which the user chooses by its object."""
    with_one_of(screen, of, "Silence", lambda finding: silence(screen, host, finding))


async def _choose(screen: ConsoleScreen, of: Sequence[Finding], title: str, act: Act) -> None:
    if len(of) == 1:
        await act(of[0])
        return
    former: tuple[str, ...] = ()
    while chosen := await screen.console.push_screen_wait(
        MenuDialog(screen.console.paint, line((title, "title")), choices(of), start=former)
    ):
        former = chosen
        if await act(of[int(chosen[0])]):
            return
