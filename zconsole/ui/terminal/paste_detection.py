"""Detection of pasted text, with or without bracketed paste."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from textual.events import Key, Paste
from textual.message import Message

BEGIN: Final = "\x1b[200~"
END: Final = "\x1b[201~"
MOST_CHARACTERS: Final = 100_000  # of one text; the rest of it is dropped
MOST_KEYS: Final = 3  # in one piece that still count as keys: two hands on a lagging link
_BETWEEN: Final = {"enter": "\n", "tab": "\t"}


class Brackets:
    """Tracker of the brackets around pasted text, across pieces: inside them, no ESC is a key."""

    def __init__(self) -> None:
        self.is_open = False
        self._held_back = ""  # possible begin of the closing bracket
        self._passed = ""  # already passed on; possible begin of the opening one
        self._count = 0

    def clean(self, text: str) -> str:
        """Return the bytes without escape sequences in pasted text, which is cut at a limit."""
        found = []
        text, self._held_back = self._held_back + text, ""
        while text:
            if self.is_open:
                inside, end, text = text.partition(END)
                if not end:
                    inside, self._held_back = _hold_back(inside, END)
                found += [self._inside(inside), end]
                self.is_open = not end
            else:
                known = len(self._passed)
                before, begin, text = (self._passed + text).partition(BEGIN)
                found.append((before + begin)[known:])
                self._passed = "" if begin else before[1 - len(BEGIN) :]
                self.is_open, self._count = bool(begin), 0
        return "".join(found)

    def close(self) -> str:
        """Return the missing closing bracket, where one is open."""
        self._held_back = ""
        if not self.is_open:
            return ""
        self.is_open = False
        return END

    def _inside(self, text: str) -> str:
        room = max(0, MOST_CHARACTERS - self._count)
        self._count += len(text)
        return text[:room].replace("\x1b", "")


def _hold_back(text: str, mark: str) -> tuple[str, str]:
    """Split the bytes: those that certainly begin no bracket, and those that may."""
    for length in range(min(len(mark) - 1, len(text)), 0, -1):
        if text.endswith(mark[:length]):
            return text[:-length], text[-length:]
    return text, ""


def as_typed(messages: Iterable[Message]) -> Iterator[Message]:
    """Return the messages of one piece; input faster than typing becomes pasted text."""
    run: list[Key] = []
    for message in messages:
        if isinstance(message, Key) and _is_text(message):
            run.append(message)
            continue
        yield from _as_keys_or_text(run)
        run = []
        yield message
    yield from _as_keys_or_text(run)


def is_typing(message: Message) -> bool:
    """Whether the message writes a character."""
    return isinstance(message, Key) and _is_text(message)


def _is_text(key: Key) -> bool:
    return key.is_printable or key.key in _BETWEEN


def _as_keys_or_text(run: Sequence[Key]) -> Sequence[Message]:
    """Keep repeats of one key as keys: a held key comes in one piece as well."""
    if len(run) <= MOST_KEYS or len({key.key for key in run}) == 1:
        return run
    return [Paste("".join(_BETWEEN.get(key.key) or key.character or "" for key in run))]
