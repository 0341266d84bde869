"""Every action of the registry has its key, its method and its place in the palette."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

from textual.command import CommandPalette

from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.ui import screens as folder
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.layout.screen_key_registry import EVERYWHERE, PLACES, actions

SIZE = (80, 24)


def screens() -> dict[str, type[ConsoleScreen]]:
    """Every screen by its place."""
    for module in walk_packages(folder.__path__, f"{folder.__name__}."):
        import_module(module.name)
    found, left = {}, [ConsoleScreen]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        if kind.PLACE and kind.__module__.startswith(folder.__name__):
            found[kind.PLACE] = kind
    return found


def test_every_action_of_the_registry_can_be_done_where_it_says() -> None:
    by_place = screens()

    assert set(PLACES) == set(by_place)
    for place, screen in by_place.items():
        for action in actions(place):
            owner = ZConsoleApp if EVERYWHERE in action.where else screen
            assert hasattr(owner, f"action_{action.id}"), f"{owner.__name__} cannot {action.id}"


async def test_the_palette_knows_the_actions_of_the_screen_and_does_them() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "ctrl+p")
        await pilot.pause()
        assert isinstance(app.screen, CommandPalette)

        await pilot.press(*"identity")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await pilot.pause(0.1)

        assert PoolScreen is type(app.screen)
        assert "SERIAL" in frame(app)
