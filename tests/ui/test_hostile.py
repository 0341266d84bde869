"""No text of a host steers the terminal, runs an action, or brings the console down. On no screen."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui import states, watched
from tests.ui.frames import make_app
from tests.ui.hostile import NASTY, hostile, poisoned
from zconsole.model.host.host_state import HostState
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.terminal.screen_diff import Shadow

TOURS = (
    (),
    ("enter",),
    ("5",),
    ("7",),
    ("down", "down", "down", "6"),
    ("2", "n"),
    ("3", "n"),
    ("enter",),
    ("2", "down"),
    ("escape", "n", "w"),
    ("escape",),
    ("L", "down"),
    ("o", "escape"),
    ("A", "end"),
    ("escape",),
    ("slash", "a", "enter"),
    ("escape", "escape", "escape", "e"),
    ("enter",),
    ("escape", "f"),
    ("enter",),
    ("escape", "escape", "question_mark"),
    ("escape", "T"),
    ("escape", "y"),
    ("escape", "colon", "a"),
)
EXAMPLES = 4
EXAMPLES_LONG = 300
GRAMMAR = re.compile(
    r"""(?: [^\x00-\x1f\x7f-\x9f]            # what can be printed
        | \x1b\[ \d+ ; \d+ H                 # a cursor move
        | \x1b\[ [0-9;]* m                   # a colour
        )*""",
    re.VERBOSE,
)
HIDING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def check_screen(app: ZConsoleApp) -> None:
    """Everything that the screen in front would send, and every style that it sends it in."""
    screen = app.screen
    for strip in screen._compositor.render_strips(screen.size):
        assert not {unicodedata.category(letter) for letter in strip.text} & HIDING, ascii(strip.text)
        for segment in strip:
            style = segment.style
            assert style is None or style.link is None
            assert style is None or "@click" not in style.meta
    shadow = Shadow()
    shadow.resize(*screen.size)
    update = screen._compositor.render_full_update()
    assert GRAMMAR.fullmatch(shadow.frame(update))


async def tour(state: HostState) -> None:
    """Look at every screen of the console, and click into it."""
    app = make_app(state)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        if state.link.fingerprint is not None:
            check_screen(app)
            await pilot.press("escape")
        for keys in TOURS:
            await pilot.press(*keys)
            await pilot.pause()
            check_screen(app)
            await pilot.click(offset=(20, 4))
            assert not app._exit


def test_hostile_text_stays_text_on_every_screen(request: pytest.FixtureRequest) -> None:
    states_of_any_kind = st.one_of(
        hostile(states.degraded()),
        hostile(states.unknown_key()),
        hostile(states.suspended()),
        hostile(watched.slow()),
        hostile(watched.loaded()),
        hostile(watched.cached()),
    )

    @settings(max_examples=EXAMPLES_LONG if request.config.getoption("--long") else EXAMPLES, deadline=None)
    @given(state=states_of_any_kind)
    def check(state: HostState) -> None:
        asyncio.run(tour(state))

    check()


@pytest.mark.parametrize("make", [states.degraded, watched.slow, watched.loaded, watched.cached])
def test_every_known_trick_at_once_stays_text(make: Callable[[], HostState]) -> None:
    """The tricks that got through 27 of 27 stock widgets, in every field of a host in trouble."""
    asyncio.run(tour(poisoned(make(), NASTY, Random(7), share=1.0)))  # noqa: S311  # the same each time
