"""Reads the terminal asleep: Textual's own way looks ten times a second whether the program ends."""

from __future__ import annotations

import os
import socket
import threading
from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from selectors import EVENT_READ, SelectSelector
from typing import Final

from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.message import Message

CHUNK_BYTES: Final = 4096


class Bell(threading.Event):
    """An event that a selector can wait for, beside files."""

    def __init__(self) -> None:
        super().__init__()
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)

    def fileno(self) -> int:
        """What is readable while it is set."""
        return self._reader.fileno()

    def set(self) -> None:
        super().set()
        with suppress(OSError):  # full, which is loud enough; or closed, when nobody listens any more
            self._writer.send(b"!")

    def clear(self) -> None:
        super().clear()
        with suppress(OSError):
            while self._reader.recv(CHUNK_BYTES):
                pass

    def close(self) -> None:
        """Nobody will listen any more."""
        self._reader.close()
        self._writer.close()


def listen(terminal: int, end: Bell, heard: Callable[[Message], None]) -> None:
    """Tell of every key, click and answer that the terminal sends, until the end is rung."""
    parser = XTermParser()
    decode = getincrementaldecoder("utf-8")().decode
    with SelectSelector() as selector:
        selector.register(terminal, EVENT_READ)
        selector.register(end, EVENT_READ)
        while not end.is_set():
            ready = [key.fd for key, _ in selector.select(wait_s(parser))]
            if terminal in ready and not end.is_set():
                data = os.read(terminal, CHUNK_BYTES)
                if not data:
                    return  # it is gone; who watches for that ends the program
                if text := decode(data):
                    for message in parser.feed(text):
                        heard(message)
            for message in parser.tick():
                heard(message)


def wait_s(parser: XTermParser) -> float | None:
    """How long an ESC may still turn out to begin a sequence; None while nothing is in doubt."""
    until = parser._timeout_time  # noqa: SLF001
    return None if until is None else max(0.0, until - get_time())
