"""Silence a finding, or all of its object, until a time; the entry is shown before it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from zconsole.analysis.findings.silenced_findings import object_of, why_not_silenced
from zconsole.base.errors import ConfigError, UsageError
from zconsole.base.notifications.silence_end import end_of_silence, minute_of
from zconsole.base.notifications.silences import ANY_FINDING, END, LONGEST_REASON, Silence, entry_of
from zconsole.model.finding import Finding, Severity
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.text_prompts_and_notices import ProposalDialog, TextDialog
from zconsole.views.alerts.silence_questions import (
    ALL,
    END_QUESTION,
    NO_REASON,
    ONE,
    REASON_QUESTION,
    UNLIKE_ACKNOWLEDGED,
    lasts,
    proposed_end,
    scopes,
    scopes_explained,
)
from zconsole.views.host_states_with_findings import HostView
from zconsole.views.layout.screen_key_registry import key_of
from zconsole.views.layout.styled_text import EMPTY, Line, line

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

YES: Final = "yes"


class SilencingScreen(Protocol):
    """Screen with a finding under its cursor, as seen by these flows."""

    @property
    def console(self) -> ConsoleApp:
        """The app."""

    def say(self, words: str, style: str = "info") -> None:
        """Show a remark that disappears by itself."""


async def silence(screen: SilencingScreen, host: HostView, finding: Finding) -> bool:
    """Ask what is silenced, why and until when, show the entry, and keep it. Esc leads one question back.

    False where the first question was left.
    """
    if why := why_not_silenced(finding):
        if finding.severity is Severity.CRITICAL:
            why = f"{why}; acknowledge its alert: {key_of('alerts')}"
        screen.say(why, "warn")
        return True
    scope, reason = "", ""
    while scope := await _scope(screen, host, finding, scope) or "":
        made = _begun(screen, host, finding, scope)
        about = line(
            (made.host, screen.console.host_colour(made.host)), (f" · silence {made.title}", "title")
        )
        while (typed := await _reason(screen, about, reason)) is not None:
            reason = typed
            if await _until_an_end(screen, about, replace(made, reason=reason[:LONGEST_REASON]), finding):
                return True
    return False


async def _until_an_end(screen: SilencingScreen, about: Line, made: Silence, finding: Finding) -> bool:
    """Ask for the end of a silence, and keep it; False where the end was left."""
    ends = proposed_end(finding)
    while (found := await _end(screen, about, ends)) is not None:
        ends, until = found
        made = replace(made, until=until)
        if await _keep(screen, about, made, f"{made.title} {_are(made)} silenced until {made.end}"):
            return True
    return False


async def unsilence(screen: SilencingScreen, known: Silence) -> None:
    """Show the entry that ends a silence now, and keep it."""
    ended = replace(known, until=minute_of(screen.console.states.now()))
    about = line((known.host, screen.console.host_colour(known.host)), (" · end a silence", "title"))
    speaks = "speak" if known.is_of_all else "speaks"
    await _keep(screen, about, ended, f"{known.title} {speaks} again")


def _are(made: Silence) -> str:
    return "are" if made.is_of_all else "is"


def _begun(screen: SilencingScreen, host: HostView, finding: Finding, scope: str) -> Silence:
    """The silence without its reason and its end."""
    of = (ANY_FINDING, object_of(finding)) if scope == ALL else (finding.id, finding.subject)
    now = minute_of(screen.console.states.now())
    return Silence(host.state.host, *of, "", now, now)


async def _scope(screen: SilencingScreen, host: HostView, finding: Finding, before: str) -> str | None:
    """Ask whether the finding is meant, or all of its object; None where the user left."""
    of_object = [each for each in host.findings if object_of(each) == object_of(finding)]
    name = host.state.host
    heading = line((name, screen.console.host_colour(name)), (" · what is to be silenced?", "title"))
    start = before or (ALL if len(of_object) > 1 and finding.disk else ONE)
    dialog = MenuDialog(
        screen.console.paint,
        heading,
        scopes(finding, of_object),
        explained=scopes_explained(finding),
        start=(start,),
    )
    chosen = await screen.console.push_screen_wait(dialog)
    return chosen[0] if chosen else None


async def _reason(screen: SilencingScreen, about: Line, before: str) -> str | None:
    """Ask for the reason until there is one; None where the user went back."""
    why: Sequence[Line] = ()
    while True:
        words = (about, UNLIKE_ACKNOWLEDGED, REASON_QUESTION, *why)
        dialog = TextDialog(screen.console.paint, words, before, may_be_empty=True)
        typed = await screen.console.push_screen_wait(dialog)
        if typed is None or typed.strip():
            return typed.strip() if typed is not None else None
        why = (line((NO_REASON, "warn")),)


async def _end(screen: SilencingScreen, about: Line, proposed: str) -> tuple[str, datetime] | None:
    """Ask for the end until it is one, as typed and as a moment; None where the user went back."""
    why: Sequence[Line] = ()
    while True:
        words = (about, END_QUESTION, lasts(screen.console.states.now()), *why)
        typed = await screen.console.push_screen_wait(ProposalDialog(screen.console.paint, words, proposed))
        if typed is None:
            return None
        proposed = typed
        try:
            return typed, end_of_silence(typed, screen.console.states.now())
        except UsageError as error:
            why = (line((error.message, "warn")),)


async def _keep(screen: SilencingScreen, about: Line, made: Silence, done: str) -> bool:
    """Show the entry, and keep it once that is confirmed; False where the user went back."""
    entry = [line(each) for each in entry_of(made).split("\n") if each]
    file = screen.console.config.silences_file
    ends = line(("It ends on ", "dim"), made.until.strftime(END), (".", "dim"))
    asked = line((f"To add this to the end of {file}, type ", "dim"), (YES, "key"))
    words = (about, EMPTY, *entry, EMPTY, ends, asked)
    typed = await screen.console.push_screen_wait(TextDialog(screen.console.paint, words))
    if typed is None:
        return False
    if typed != YES:
        screen.say(f"nothing was written: {YES} was not typed", "warn")
        return True
    try:
        path = screen.console.silence(made)
    except ConfigError as error:
        screen.say(error.message, "warn")
        return True
    screen.say(f"{done}: {path}")
    return True
