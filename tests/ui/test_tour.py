"""The tour waits for the key of each step, and Esc ends it; at the first start it is offered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app
from tests.ui.test_alert_calls import see, with_data_errors
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
OFFER = "First start? F3 is a tour of a minute"
WAY = (
    ("down", "tour 2/8: Enter opens the pool"),
    ("enter", "tour 3/8: 2 shows latencies"),
    ("2", "tour 4/8: a lists what can be done"),
    ("a", "Enter choose"),
    ("escape", "tour 5/8: q goes back"),
    ("q", "tour 6/8: f lists what is wrong"),
    ("f", "tour 7/8: q goes back"),
    ("q", "tour 8/8: ? shows all keys"),
    ("question_mark", "the tour is done"),
)


def begun(*, offers_tour: bool = False) -> ZConsoleApp:
    app = make_app(states.degraded())
    app._offers_tour = offers_tour
    return app


async def test_each_step_waits_for_its_key_and_leads_to_the_next() -> None:
    app = begun()

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3")
        await pilot.pause()
        assert "tour 1/8: Down or j goes to the next pool" in frame(app)
        for key, told in WAY:
            await pilot.press(key)
            await pilot.pause()
            if isinstance(app.screen, ConsoleScreen):
                app.screen.forget_said()  # it is over after a moment
                app.screen.draw()
            assert told in frame(app), key

        await pilot.press("q")
        await pilot.pause()

        assert app.tour is None
        assert "tour" not in frame(app)


@pytest.mark.parametrize(("width", "is_beside"), [(80, False), (160, True)])
async def test_the_answer_to_a_key_is_read_in_full_and_then_comes_the_next_step(
    width: int, is_beside: bool
) -> None:
    app = begun()

    async with app.run_test(size=(width, 24)) as pilot:
        await pilot.press("f3", "down", "enter", "2")
        await pilot.pause()
        assert "─ columns: ms at the disk: p50, p99, max of 10 s, then means" in frame(app)
        assert is_beside == ("tour 4/8" in frame(app))

        screen = app.screen
        assert isinstance(screen, ConsoleScreen)
        screen.forget_said()
        screen.draw()
        assert "tour 4/8" in frame(app)


async def test_another_key_does_what_it_does_and_the_step_waits() -> None:
    app = begun()

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3", "e")
        await pilot.pause()
        assert "tour 1/8: the next step is on pools: q goes back there · Esc ends it" in frame(app)

        await pilot.press("q")
        await pilot.pause()
        assert "tour 1/8: Down or j" in frame(app)


async def test_escape_ends_it_and_does_nothing_else() -> None:
    app = begun()

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3", "down", "enter", "escape")
        await pilot.pause()

        assert app.tour is None
        assert not isinstance(app.screen, PoolsScreen)
        assert "tour" not in frame(app)


@pytest.mark.parametrize("size", SIZES)
async def test_at_the_first_start_it_is_offered(size: str, golden: Callable[[str, str], None]) -> None:
    app = begun(offers_tour=True)

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.pause()
        golden(f"tour-offered-{size}.txt", frame(app))
        await pilot.press("f3", "down")
        await pilot.pause()
        golden(f"tour-{size}.txt", frame(app))


@pytest.mark.parametrize("keys", [("escape",), ("e", "q", "f", "down", "q")])
async def test_an_offer_goes_away_once_it_was_seen(keys: tuple[str, ...]) -> None:
    app = begun(offers_tour=True)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert OFFER in frame(app)

        await pilot.press(*keys)
        await pilot.pause()

        assert OFFER not in frame(app)
        assert isinstance(app.screen, PoolsScreen)


@pytest.mark.parametrize("key", ["question_mark", "f", "e"])
async def test_beside_an_offer_escape_goes_back_from_the_screen_in_front(key: str) -> None:
    app = begun(offers_tour=True)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert not isinstance(app.screen, PoolsScreen)

        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, PoolsScreen)


async def test_beside_an_offer_escape_clears_the_filter_first() -> None:
    app = begun(offers_tour=True)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("slash", *"tank", "enter")
        await pilot.pause()
        assert "filter tank 1 of 3, Esc clears" in frame(app)
        assert OFFER not in frame(app)

        await pilot.press("escape")
        await pilot.pause()
        assert "filter tank" not in frame(app)
        assert OFFER in frame(app)


async def test_an_alert_has_the_line_of_the_offer_until_it_was_seen() -> None:
    app = make_app(states.healthy())
    app._offers_tour = True

    async with app.run_test(size=(80, 24)) as pilot:
        for at in range(20):
            see(app, states.healthy() if at == 0 else with_data_errors(2), at)
        await pilot.pause()
        assert "! new alert, told below" in frame(app)
        assert OFFER not in frame(app)

        app.alerts.look()
        await pilot.press("down")
        await pilot.pause()
        assert OFFER in frame(app)


async def test_an_alert_stands_beside_a_step_of_the_tour() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("f3")
        for at in range(20):
            see(app, states.healthy() if at == 0 else with_data_errors(2), at)
        await pilot.pause()

        assert "tour 1/8: Down or j goes to the next pool" in frame(app)
        assert "! new alert, told below" in frame(app)
