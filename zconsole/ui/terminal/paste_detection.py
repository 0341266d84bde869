"""Detection of pasted text, with or without bracketed paste."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from textual.events import Key, Paste
from textual.message import Message

BEGIN: Final = "\x1b[200~"
END: Final = "\x1b[201~"
MOST_CHARACTERS: Final = 100_000  # of one text; the rest of it goes nowhere
MOST_KEYS: Final = 3  # in one piece that are still keys: two hands on a lagging link
_BETWEEN: Final = {"enter": "\n", "tab": "\t"}


class Brackets:
    """Follows the brackets around pasted text, wherever the pieces are cut: inside no ESC is a key."""

    def __init__(self) -> None:
        self.is_open = False
        self._held_back = ""  # what may begin the closing bracket
        self._passed = ""  # what went on its way, and may begin the opening one
        self._count = 0

    def clean(self, text: str) -> str:
        """The same without escape sequences in what is pasted, and with no more than a limit of it."""
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
        """The bracket that never came, where one is open."""
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
    """What is certainly no beginning of a mark, and what may be one."""
    for length in range(min(len(mark) - 1, len(text)), 0, -1):
        if text.endswith(mark[:length]):
            return text[:-length], text[-length:]
    return text, ""


def as_typed(messages: Iterable[Message]) -> Iterator[Message]:
    """The same messages of one piece, with what nobody types key by key as pasted text."""
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
    """Whether it writes something."""
    return isinstance(message, Key) and _is_text(message)


def _is_text(key: Key) -> bool:
    return key.is_printable or key.key in _BETWEEN


def _as_keys_or_text(run: Sequence[Key]) -> Sequence[Message]:
    """A key that is held comes in one piece as well: as many of it as there are."""
    if len(run) <= MOST_KEYS or len({key.key for key in run}) == 1:
        return run
    return [Paste("".join(_BETWEEN.get(key.key) or key.character or "" for key in run))]
