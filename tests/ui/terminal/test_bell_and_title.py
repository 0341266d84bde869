"""The bell and the title of a terminal: known sequences, and the title from before comes back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.terminal.console import CONSOLE, READY
from tests.ui.terminal.tty import Tty
from zconsole.ui.terminal.bell_and_title import BELL, BRING_BACK_TITLE, KEEP_TITLE, Attention, title_text


def test_a_call_rings_and_titles_and_the_title_from_before_comes_back() -> None:
    sent: list[str] = []
    attention = Attention(sent.append, "xterm-256color")

    attention.call("vault: the resilver ended")
    attention.call("vault: a second disk failed")
    attention.settle()
    attention.settle()

    assert [
        BELL,
        KEEP_TITLE,
        "\x1b]2;vault: the resilver ended\x07",
        BELL,
        "\x1b]2;vault: a second disk failed\x07",
        BRING_BACK_TITLE,
    ] == sent


@pytest.mark.parametrize("term", ["linux", "dumb", "vt220", ""])
def test_a_terminal_without_a_title_only_rings(term: str) -> None:
    sent: list[str] = []
    attention = Attention(sent.append, term)

    attention.call("the resilver ended")
    attention.settle()

    assert [BELL] == sent


@given(st.text(max_size=300))
def test_no_name_from_a_host_ends_the_sequence_early(words: str) -> None:
    assert re.fullmatch(r"[ -~]{0,80}", title_text(words))


@pytest.mark.slow
def test_the_end_of_a_resilver_rings_and_titles_a_real_terminal_and_the_title_is_given_back() -> None:
    with Tty(CONSOLE, "repair") as tty:
        tty.until_shown("R bulk: the resilver ended")
        assert f"{BELL}{KEEP_TITLE}\x1b]2;zconsole storage1 bulk: the resilver ended" in tty.sent.decode()
        tty.process.terminate()
        tty.wait(5)

        assert tty.sent.decode().rindex(BRING_BACK_TITLE) > tty.sent.decode().rindex(KEEP_TITLE)


@pytest.mark.slow
def test_a_console_that_calls_nobody_leaves_the_title_alone() -> None:
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)
        tty.process.terminate()
        tty.wait(5)

        assert KEEP_TITLE not in tty.sent.decode()
        assert BRING_BACK_TITLE not in tty.sent.decode()
