"""Calls for a user who looks elsewhere: the terminal's bell, and its title."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

BELL: Final = "\x07"
KEEP_TITLE: Final = "\x1b[22;2t"  # the terminal keeps the title that it has
BRING_BACK_TITLE: Final = "\x1b[23;2t"
LONGEST_TITLE: Final = 80
_WITHOUT_TITLE: Final = frozenset({"", "linux", "vt100", "vt220", "dumb", "ansi"})


class Attention:
    """Bell and title of one terminal. The title from before is brought back at the end."""

    def __init__(self, write: Callable[[str], object], term: str) -> None:
        self._write = write
        self._has_title = term not in _WITHOUT_TITLE
        self._is_titled = False

    def call(self, words: str) -> None:
        """Ring the bell, and show the words in the title until `settle`."""
        self._write(BELL)
        if not self._has_title:
            return
        if not self._is_titled:
            self._write(KEEP_TITLE)
        self._is_titled = True
        self._write(f"\x1b]2;{title_text(words)}\x07")

    def settle(self) -> None:
        """Bring back the title from before the first call."""
        if self._is_titled:
            self._is_titled = False
            self._write(BRING_BACK_TITLE)


def title_text(words: str) -> str:
    """Words as a title: printable ASCII of a bounded length, so that no byte ends the sequence early."""
    return "".join(each if " " <= each <= "~" else "?" for each in words[:LONGEST_TITLE])
