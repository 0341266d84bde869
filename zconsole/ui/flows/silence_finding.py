"""Silence a finding until a day, with a reason; the entry is shown before it is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from math import ceil
from typing import TYPE_CHECKING, Protocol

from zconsole.analysis.findings.silenced_findings import day_of, why_not_silenced
from zconsole.base.errors import ConfigError, UsageError
from zconsole.base.notifications.silences import LONGEST_REASON, LONGEST_SILENCE, Silence, entry_of
from zconsole.base.quantities import DAY_S, parse_duration
from zconsole.model.finding import Finding
from zconsole.ui.dialogs.text_prompts_and_notices import ProposalDialog, TextDialog
from zconsole.views.host_states_with_findings import HostView
from zconsole.views.layout.styled_text import EMPTY, Line, line

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

YES = "yes"
PROPOSED = timedelta(days=90)


class SilencingScreen(Protocol):
    """Screen with a finding under its cursor, as seen by these flows."""

    @property
    def console(self) -> ConsoleApp:
        """The app."""

    def say(self, words: str, style: str = "info") -> None:
        """Show a remark that disappears by itself."""


async def silence(screen: SilencingScreen, host: HostView, finding: Finding) -> None:
    """Ask for the reason and the day, show the entry, and keep it."""
    if why := why_not_silenced(finding):
        screen.say(why, "warn")
        return
    name, today = host.state.host, day_of(screen.console.states.now())
    about = line(
        (name, screen.console.host_colour(name)), (f" · silence {finding.id} of {finding.subject}", "title")
    )
    reason, until = "", None
    while until is None:  # Esc at the day leads back to the reason
        words = (about, line(("Why it need not count, for those who read it later:", "dim")))
        typed = await screen.console.push_screen_wait(TextDialog(screen.console.paint, words, reason))
        if typed is None or not typed.strip():
            return
        reason = typed.strip()
        until = await _day(screen, about, today)
    made = Silence(name, finding.id, finding.subject, reason[:LONGEST_REASON], today, until)
    await _keep(screen, about, made, f"{finding.id} of {finding.subject} is silenced until {until}")


async def unsilence(screen: SilencingScreen, known: Silence) -> None:
    """Show the entry that ends a silence today, and keep it."""
    ended = replace(known, until=day_of(screen.console.states.now()))
    about = line((known.host, screen.console.host_colour(known.host)), (" · end a silence", "title"))
    await _keep(screen, about, ended, f"{known.finding} of {known.object} speaks again")


async def _day(screen: SilencingScreen, about: Line, today: date) -> date | None:
    """Ask for the day until it is one; None where the user went back."""
    question = line(("The day on which it speaks again, or how long from now (30d, 6mo):", "dim"))
    typed: str | None = str(today + PROPOSED)
    why = ""
    while True:
        words = (about, question, *([line((why, "warn"))] if why else []))
        typed = await screen.console.push_screen_wait(
            ProposalDialog(screen.console.paint, words, typed or "")
        )
        if typed is None:
            return None
        until = _day_of(typed.strip(), today)
        if until is None or until <= today:
            why = f"{typed.strip()!r} is no day to come, such as {today + PROPOSED}, and no time such as 30d"
        elif until - today > LONGEST_SILENCE:
            why = f"{until} is more than {LONGEST_SILENCE.days} days from now: choose an earlier day"
        else:
            return until


async def _keep(screen: SilencingScreen, about: Line, made: Silence, done: str) -> None:
    entry = [line(each) for each in entry_of(made).split("\n") if each]
    file = screen.console.config.silences_file
    asked = line((f"To add this to the end of {file}, type ", "dim"), (YES, "key"))
    words = (about, EMPTY, *entry, EMPTY, asked)
    if await screen.console.push_screen_wait(TextDialog(screen.console.paint, words)) != YES:
        return
    try:
        path = screen.console.silence(made)
    except ConfigError as error:
        screen.say(error.message, "warn")
        return
    screen.say(f"{done}: {path}")


def _day_of(text: str, today: date) -> date | None:
    """A day, or the last one of so long a time from now."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        pass
    try:
        return today + timedelta(days=ceil(parse_duration(text, bare="d") / DAY_S))
    except (UsageError, OverflowError):
        return None
