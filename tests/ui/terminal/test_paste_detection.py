"""Pasted text is found wherever its bytes are cut, and nothing that a terminal sends stops the listener."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.message import Message

from zconsole.ui.terminal.input_reader import Hearing
from zconsole.ui.terminal.paste_detection import BEGIN, END, MOST_CHARACTERS, MOST_KEYS, Brackets


def hear(*pieces: bytes) -> list[Message]:
    """What is heard of pieces that come one by one, and of the quiet after them."""
    hearing, heard = Hearing(), []
    for piece in pieces:
        hearing.feed(piece)
        heard += hearing.take(is_quiet=False)
    for _ in range(3):
        hearing.tick()
        heard += hearing.take(is_quiet=True)
    return heard


def told(messages: list[Message]) -> list[str]:
    """Keys by their names, pasted text in quotes."""
    return [
        each.key if isinstance(each, events.Key) else repr(each.text)
        for each in messages
        if isinstance(each, events.Key | events.Paste)
    ]


def test_keys_that_come_one_by_one_are_keys() -> None:
    assert ["t", "a", "n", "k", "enter"] == told(hear(b"t", b"a", b"n", b"k", b"\r"))


def test_keys_that_come_in_one_piece_are_pasted_text() -> None:
    assert ["'tank\\nyes'"] == told(hear(b"tank\ryes"))
    assert ["'abcdef'"] == told(hear(b"ab", b"cdef"))  # cut on its way


def test_a_few_keys_in_one_piece_are_keys_still() -> None:
    assert 3 == MOST_KEYS
    assert ["a", "D", "enter"] == told(hear(b"aD\r"))


def test_a_key_that_is_held_is_no_text_however_many_come_at_once() -> None:
    assert ["j"] * 20 == told(hear(b"j" * 20))
    assert ["down"] * 9 == told(hear(b"\x1b[B" * 9))


def test_keys_that_edit_part_the_text() -> None:
    assert ["'tanq!'", "backspace", "k"] == told(hear(b"tanq!\x7fk"))


@given(st.integers(1, 30), st.text("ab\n\x1b[201~", max_size=20))
def test_brackets_are_found_wherever_they_are_cut(size: int, text: str) -> None:
    inside = text.replace(END, "")
    whole = f"x{BEGIN}{inside}{END}y".encode()
    pieces = [whole[at : at + size] for at in range(0, len(whole), size)]

    messages = hear(*pieces)

    pasted = "".join(each.text for each in messages if isinstance(each, events.Paste))
    keys = [each.key for each in messages if isinstance(each, events.Key)]
    if END not in f"{inside}{END}"[:-1]:
        assert inside.replace("\x1b", "") == pasted
        assert ["x", "y"] == keys


def test_text_whose_end_was_lost_ends_by_itself() -> None:
    hearing = Hearing()
    hearing.feed(BEGIN.encode() + b"tank")
    assert [] == hearing.take(is_quiet=False)
    hearing.tick()
    assert ["'tank'"] == told(hearing.take(is_quiet=True))
    hearing.feed(b"q")
    assert ["q"] == told(hearing.take(is_quiet=False))


def test_no_more_is_kept_than_anybody_needs() -> None:
    brackets = Brackets()
    kept = brackets.clean(BEGIN + "x" * 3 * MOST_CHARACTERS) + brackets.clean("y" * 10 + END)
    assert len(BEGIN + END) + MOST_CHARACTERS == len(kept)


@pytest.mark.parametrize(
    "strange",
    [
        b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\x1b[99999999999u", b"\x1b[1114112u", b"\x1b[55296u",
        b"\x1b[97;1;1114112u", b"\x1b[48;30000;30000;1;1t", b"\x1b[48;0;0;0;0t", b"\x1b[<0;-1;5M",
        b"\x1b\x1b\x1b[A",
    ],
)  # fmt: skip
def test_nothing_that_a_terminal_sends_stops_the_listener(strange: bytes) -> None:
    hearing = Hearing()
    hearing.feed(strange)
    heard = hearing.take(is_quiet=False)
    hearing.tick()
    heard += hearing.take(is_quiet=True)
    hearing.feed(b"q")
    heard += hearing.take(is_quiet=True)

    assert ["q"] == told(heard)[-1:]
    for each in heard:
        if isinstance(each, events.Key) and each.character:
            each.character.encode()  # no half of a surrogate pair
        assert not isinstance(each, events.Resize)


@given(st.lists(st.binary(max_size=40), max_size=12))
def test_no_bytes_break_it(pieces: list[bytes]) -> None:
    hear(*pieces)
