"""An unknown host key is trusted by a whole word, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from textual import events

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from tests.ui.typists import at_once, by_hand, one_by_one
from zconsole.actions.typed_confirmation_state_machine import AT_ONCE
from zconsole.ui.dialogs.host_key import HostKeyDialog
from zconsole.ui.screens.pools import PoolsScreen

SIZE = (80, 24)


async def test_an_unknown_host_key_is_asked_about_once_and_yes_in_full_accepts_it() -> None:
    app = make_app(states.unknown_key())
    fingerprint = states.unknown_key().link.fingerprint

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert HostKeyDialog is type(app.screen)
        assert fingerprint in frame(app)

        await by_hand(pilot, "yes")
        await pilot.press("enter")
        assert [("storage3", fingerprint)] == source_of(app).accepted
        assert PoolsScreen is type(app.screen)


@pytest.mark.parametrize(
    "answer", [["enter"], ["escape"], ["y", "enter"], [*"ye", "enter"], [*"no", "enter"]]
)
async def test_anything_but_yes_is_no(answer: list[str]) -> None:
    app = make_app(states.unknown_key())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press(*answer)

        assert [] == source_of(app).accepted
        assert PoolsScreen is type(app.screen)


async def test_after_a_no_the_question_comes_back_only_when_asked_for() -> None:
    app = make_app(states.unknown_key())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("escape")
        source_of(app).replace(replace(states.unknown_key(), revision=2))
        await pilot.pause()
        assert PoolsScreen is type(app.screen)

        await pilot.press("ctrl+k")
        assert HostKeyDialog is type(app.screen)


SIZE: Final = (80, 24)


async def test_a_host_key_is_trusted_by_hand_only() -> None:
    app = make_app(states.unknown_key())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, HostKeyDialog)
        app.post_message(events.Paste("yes"))
        await one_by_one(pilot, "enter")
        assert isinstance(app.screen, HostKeyDialog), "what did not count leaves nothing to decline"
        await one_by_one(pilot, "escape")

        assert not isinstance(app.screen, HostKeyDialog)
        assert [] == source_of(app).accepted


async def test_a_host_key_is_not_trusted_by_keys_that_come_all_at_once() -> None:
    app = make_app(states.unknown_key())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, HostKeyDialog)
        await at_once(pilot, *"yes")
        assert AT_ONCE in frame(app)
        await one_by_one(pilot, "enter")

        assert [] == source_of(app).accepted
