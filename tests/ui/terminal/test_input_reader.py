"""Keys are heard at once, and nothing wakes up while there are none."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from queue import Queue
from threading import Thread

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message

from zconsole.ui.terminal import input_reader
from zconsole.ui.terminal.input_reader import Bell, Hearing, listen, wait_s

PATIENCE_S = 10.0


class Listening:
    """A listener at the end of a pipe."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        self.end = Bell()
        self.heard: Queue[Message] = Queue()
        self.thread = Thread(target=listen, args=(self.reader, self.end, self.heard.put))
        self.thread.start()

    def type(self, data: bytes) -> None:
        os.write(self.writer, data)

    def key(self) -> str:
        """The next key."""
        message = self.heard.get(timeout=PATIENCE_S)
        assert isinstance(message, events.Key)
        return message.key


@pytest.fixture
def listener() -> Iterator[Listening]:
    made = Listening()
    yield made
    made.end.set()
    made.thread.join(PATIENCE_S)
    assert not made.thread.is_alive()
    made.end.close()
    for descriptor in (made.reader, made.writer):
        os.close(descriptor)


def is_readable(bell: Bell) -> bool:
    return bool(select.select([bell], [], [], 0)[0])


def test_a_bell_is_readable_while_it_is_set() -> None:
    bell = Bell()
    assert not is_readable(bell)

    bell.set()
    bell.set()
    assert bell.is_set()
    assert is_readable(bell)

    bell.clear()
    assert not bell.is_set()
    assert not is_readable(bell)
    bell.close()


def test_keys_are_heard_in_order(listener: Listening) -> None:
    listener.type(b"a\x1b[Bq")

    assert ["a", "down", "q"] == [listener.key() for _ in range(3)]


@pytest.mark.parametrize(
    ("expected", "pieces"),
    [
        (["escape", "j"], [b"\x1bj"]),
        (["escape", "j"], [b"\x1b", b"j"]),
        (["escape", "1"], [b"\x1b1"]),
        (["escape", "enter"], [b"\x1b\r"]),
        (["escape", "escape", "q"], [b"\x1b\x1bq"]),
        (["up", "escape", "q", "down"], [b"\x1b[A\x1bq\x1b[B"]),
        (["up"], [b"\x1b", b"[A"]),
        (["ctrl+up"], [b"\x1b[1;5", b"A"]),
        (["f1"], [b"\x1bOP"]),
    ],
)
def test_a_key_right_behind_escape_is_a_key_of_its_own(expected: list[str], pieces: list[bytes]) -> None:
    hearing = Hearing()
    for each in pieces:
        hearing.feed(each)

    heard = hearing.take(is_quiet=True)

    assert expected == [each.key for each in heard if isinstance(each, events.Key)]


def test_a_character_that_comes_in_pieces_is_one_key(listener: Listening) -> None:
    first, second = "ä".encode().partition(b"\xa4")[:2]
    listener.type(first)
    listener.type(second)

    message = listener.heard.get(timeout=PATIENCE_S)
    assert isinstance(message, events.Key)
    assert "ä" == message.character


def test_an_escape_alone_is_a_key_although_nothing_follows(listener: Listening) -> None:
    listener.type(b"\x1b")

    assert "escape" == listener.key()


def test_while_nothing_is_in_doubt_it_waits_without_end(
    listener: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float | None] = []

    def noted(parser: XTermParser) -> float | None:
        waits.append(wait_s(parser))
        return waits[-1]

    monkeypatch.setattr(input_reader, "wait_s", noted)

    listener.type(b"a")
    listener.key()
    listener.type(b"\x1b")
    listener.key()
    listener.type(b"b")
    listener.key()

    assert None in waits
    assert [] == [wait for wait in waits if wait is not None and not 0 <= wait <= 1]
    assert any(wait is not None for wait in waits)


def test_a_terminal_that_is_gone_is_not_listened_to_for_ever() -> None:
    reader, writer = os.pipe()
    end = Bell()
    os.close(writer)

    listen(reader, end, print)

    assert not end.is_set()
    os.close(reader)
    end.close()
