"""Calls for a user who looks elsewhere: the terminal's bell, its title, and a notification of the desktop.

Notifications are OSC 9 (iTerm2, kitty, WezTerm, Ghostty, Windows Terminal) or OSC 777 (foot, rxvt-unicode,
and VTE where it is patched in). Within tmux they are sent only where its passthrough was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from zconsole.base.notifications.alert_settings import CallSettings

BELL: Final = "\x07"
KEEP_TITLE: Final = "\x1b[22;2t"  # the terminal keeps the title that it has
BRING_BACK_TITLE: Final = "\x1b[23;2t"
LONGEST_TITLE: Final = 80
LONGEST_NOTIFICATION: Final = 200
CUT: Final = " ..."
_MORE: Final = re.compile(r" \(\+\d{1,6}\)$")
NAME: Final = "zconsole"
_WITHOUT_TITLE: Final = frozenset({"", "linux", "vt100", "vt220", "dumb", "ansi"})
_BY_PROGRAM: Final = {  # TERM_PROGRAM
    "iTerm.app": "osc9",
    "WezTerm": "osc9",
    "ghostty": "osc9",
    "rio": "osc9",
}
_BY_TERM: Final = (  # beginnings of TERM
    ("xterm-kitty", "osc9"),
    ("xterm-ghostty", "osc9"),
    ("wezterm", "osc9"),
    ("foot", "osc777"),
    ("rxvt-unicode", "osc777"),
)
_TMUX: Final = ("tmux", "screen")


class Attention:
    """Bell, title and notifications of one terminal. The title from before is brought back at the end."""

    def __init__(
        self,
        write: Callable[[str], object],
        term: str,
        settings: CallSettings | None = None,
        notification: str = "",
        *,
        is_in_tmux: bool = False,
    ) -> None:
        """`notification` is osc9, osc777, or empty for none."""
        self._write = write
        self._settings = settings or CallSettings()
        self._has_title = term not in _WITHOUT_TITLE and self._settings.has_title
        self._notification = notification
        self._is_in_tmux = is_in_tmux
        self._is_titled = False
        self._titled = ""  # the words of the title; the same are not sent twice
        self.has_focus: bool | None = None  # None: the terminal has not told so far

    def call(self, words: str, notification: str = "") -> None:
        """Ring the bell, notify unless the terminal is in front, and show the words in the title."""
        if self._settings.has_bell:
            self._write(BELL)
        if self._notification and self.has_focus is not True:
            self._write(self._notified(notification or words))
        self.title(words)

    def title(self, words: str) -> None:
        """Show the words in the title until `settle`."""
        if not self._has_title:
            return
        if not self._is_titled:
            self._write(KEEP_TITLE)
        text = title_text(words)
        if self._is_titled and text == self._titled:
            return
        self._is_titled, self._titled = True, text
        self._write(f"\x1b]2;{text}\x07")

    def settle(self) -> None:
        """Bring back the title from before the first call."""
        if self._is_titled:
            self._is_titled = False
            self._write(BRING_BACK_TITLE)

    def _notified(self, words: str) -> str:
        text = notification_text(words)
        if self._notification == "osc777":
            sequence = f"\x1b]777;notify;{NAME};{text}\x07"
        else:
            sequence = f"\x1b]9;{text}\x07"
        if not self._is_in_tmux:
            return sequence
        doubled = sequence.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{doubled}\x1b\\"


def attention_of(
    write: Callable[[str], object], environment: Mapping[str, str], settings: CallSettings
) -> Attention:
    """The calls that a terminal takes, by its environment and the user's settings."""
    term = environment.get("TERM", "")
    is_in_tmux = bool(environment.get("TMUX")) or term.startswith(_TMUX)
    wanted = notification_of(environment) if settings.notification == "auto" else settings.notification
    if wanted == "off" or (is_in_tmux and not settings.passes_through_tmux):
        wanted = ""
    return Attention(write, term, settings, wanted, is_in_tmux=is_in_tmux)


def notification_of(environment: Mapping[str, str]) -> str:
    """The sequence that a terminal is known to take: osc9, osc777, or off."""
    program = environment.get("TERM_PROGRAM", "")
    if program in _BY_PROGRAM:
        return _BY_PROGRAM[program]
    if environment.get("WT_SESSION"):  # Windows Terminal
        return "osc9"
    term = environment.get("TERM", "")
    return next((kind for start, kind in _BY_TERM if term.startswith(start)), "off")


def title_text(words: str) -> str:
    """Words as a title: printable ASCII of a bounded length, so that no byte ends the sequence early.

    A title that is too long ends behind a whole word, with how many more there are where it says so.
    """
    text = "".join(each if " " <= each <= "~" else "?" for each in words)
    if len(text) <= LONGEST_TITLE:
        return text
    more = _MORE.search(text)
    end = f"{CUT}{more[0] if more is not None else ''}"
    room = LONGEST_TITLE - len(end)
    whole = text[: room + 1].rpartition(" ")[0].rstrip(" ,;:(")
    return f"{whole or text[:room]}{end}"


def notification_text(words: str) -> str:
    """Words as a notification: as in a title, without the separator of OSC 777, and never a number first.

    `OSC 9 ; 4 ; ...` is a progress bar in some terminals.
    """
    text = "".join(each if " " <= each <= "~" and each != ";" else "?" for each in words)
    text = text[:LONGEST_NOTIFICATION].strip()
    return text if text[:1].isalpha() else f"{NAME}: {text}"
