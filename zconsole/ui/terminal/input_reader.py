"""Input reader that sleeps between events: Textual's own polls ten times a second for its end."""

from __future__ import annotations

import os
import re
import socket
import threading
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from contextlib import suppress
from selectors import EVENT_READ, SelectSelector
from typing import Final

from textual import events
from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.message import Message

from zconsole.ui.terminal.paste_detection import Brackets, as_typed, is_typing

CHUNK_BYTES: Final = 4096
GATHER_S: Final = 0.01  # how long several keys from one read wait for more: no hand is as fast
MOST_GATHERED: Final = 1000  # messages
PASTE_ENDS_S: Final = 1.0  # without a byte; its closing bracket was lost
_SEQUENCE: Final = r"\x1b\[\]OP_^\\\x7f"  # what continues a sequence behind an ESC; DEL is Alt+Backspace
_ESCAPE_AND_KEY: Final = re.compile(rf"\x1b(?=[^{_SEQUENCE}])")
_BEGINS_NO_SEQUENCE: Final = re.compile(rf"[^{_SEQUENCE}]")
LARGEST: Final = 1000  # rows and columns that a terminal may say it has


class Bell(threading.Event):
    """Event that a selector can wait for, beside files."""

    def __init__(self) -> None:
        super().__init__()
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)

    def fileno(self) -> int:
        """The file descriptor that is readable while the event is set."""
        return self._reader.fileno()

    def set(self) -> None:
        super().set()
        with suppress(OSError):  # full, which is still set; or closed, without a listener
            self._writer.send(b"!")

    def clear(self) -> None:
        super().clear()
        with suppress(OSError):
            while self._reader.recv(CHUNK_BYTES):
                pass

    def close(self) -> None:
        """Close the event: nobody waits any more."""
        self._reader.close()
        self._writer.close()


def listen(terminal: int, end: Bell, heard: Callable[[Message], None]) -> None:
    """Post every key, click and answer from the terminal, until `end` is set."""
    hearing = Hearing()
    with SelectSelector() as selector:
        selector.register(terminal, EVENT_READ)
        selector.register(end, EVENT_READ)
        while not end.is_set():
            ready = [key.fd for key, _ in selector.select(hearing.wait_s)]
            if terminal in ready and not end.is_set():
                data = os.read(terminal, CHUNK_BYTES)
                if not data:
                    return  # the terminal is gone; its watcher ends the program
                hearing.feed(data)
            elif not ready:
                hearing.tick()
            for message in hearing.take(is_quiet=not ready):
                heard(message)


class Hearing:
    """Parser from bytes to messages. No byte breaks it, and none blocks the next key."""

    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._parser = XTermParser()
        self._brackets = Brackets()
        self._gathered: list[Message] = []
        self._is_escape_open = False  # the last byte was an ESC

    @property
    def wait_s(self) -> float | None:
        """Seconds to wait for more bytes before `tick`; None while nothing is pending."""
        if self._gathered:
            return GATHER_S
        if self._brackets.is_open:
            return PASTE_ENDS_S
        return wait_s(self._parser)

    def feed(self, data: bytes) -> None:
        """Take received bytes."""
        self._parse(self._brackets.clean(self._decode(data)))

    def tick(self) -> None:
        """Note that nothing arrived within the wait."""
        if not self._gathered and self._brackets.is_open:
            self._parse(self._brackets.close())
        self._is_escape_open = False
        self._take(self._parser.tick)

    def take(self, *, is_quiet: bool) -> list[Message]:
        """Return the messages. Several keys at once wait for a pause, since more may belong to them."""
        typed = sum(map(is_typing, self._gathered))
        if typed > 1 and not is_quiet and len(self._gathered) < MOST_GATHERED:
            return []
        taken, self._gathered = list(as_typed(self._gathered)), []
        return taken

    def _parse(self, text: str) -> None:
        """Parse text; a key right behind an ESC is a key of its own: Alt means nothing here."""
        if not text:
            return
        if self._is_escape_open and _BEGINS_NO_SEQUENCE.match(text):
            self._end_escape()
        self._is_escape_open = False
        *before, last = _ESCAPE_AND_KEY.split(text)
        for part in before:
            self._feed(part + "\x1b")
            self._end_escape()
        self._feed(last)
        self._is_escape_open = text.endswith("\x1b")

    def _end_escape(self) -> None:
        """Have the parser take the ESC before as a key, as when nothing follows it for a while."""
        self._parser._timeout_time = 0.0  # noqa: SLF001
        self._take(self._parser.tick)

    def _feed(self, text: str) -> None:
        if text:
            self._take(lambda: self._parser.feed(text))

    def _take(self, parse: Callable[[], Iterable[Message]]) -> None:
        try:
            self._gathered += filter(_can_be, parse())
        except Exception:  # noqa: BLE001  # of a library, over bytes from anywhere
            self._parser = XTermParser()  # the rest of a broken sequence is dropped, and nothing else


def _can_be(message: Message) -> bool:
    """Whether the message is possible: a printable character, a plausible screen size."""
    match message:
        case events.Key(character=str(character)):
            return not any("\ud800" <= each <= "\udfff" for each in character)
        case events.Resize():
            return 0 < message.size.width <= LARGEST and 0 < message.size.height <= LARGEST
        case _:
            return True


def wait_s(parser: XTermParser) -> float | None:
    """Seconds in which an ESC may still begin a sequence; None while nothing is pending."""
    until = parser._timeout_time  # noqa: SLF001
    return None if until is None else max(0.0, until - get_time())
