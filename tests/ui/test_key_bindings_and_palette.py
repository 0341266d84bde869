"""Every action of the registry has its key, its method and its place in the palette."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

from textual.command import CommandPalette

from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.ui import dialogs
from zconsole.ui import screens as folder
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.base_dialog import Dialog
from zconsole.ui.key_bindings_and_palette import Palette
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.layout.screen_key_registry import ACTIONS, EVERYWHERE, PLACES, WAYS_OUT, actions

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


def modules_below(package: object) -> None:
    for module in walk_packages(package.__path__, f"{package.__name__}."):  # type: ignore[attr-defined]
        import_module(module.name)


IN_DIALOGS = {  # what a binding of a dialog or a list does: the meaning of its keys on screens
    "leave": {"back", "leave", "enter"}, "back": {"back"}, "no": {"back"}, "answer('')": {"back", "leave"},
    "answer('amount')": {"back", "leave"}, "go_on": {"enter"}, "plan_anyway": {"destroy"},
    "put_back": {"back", "leave"}, "stop_or_leave": {"back"}, "leave_ended": {"enter"},
    "choose": {"enter"}, "keep": {"enter"}, "take": {"enter"}, "answer('plan')": {"enter"},
    "answer('mark')": {"mark_one"}, "answer('otherwise')": {"next_view"},
    "used": {"next_view"}, "stop": {"stop"}, "jump(0)": {"top"}, "jump(-1)": {"bottom"},
    "sideways(-1)": {"disk_before"}, "sideways(1)": {"disk_after"}, "complete": {"next_view"},
}  # fmt: skip


def test_no_key_of_a_way_out_of_a_plan_is_one_of_a_screen() -> None:
    assert set() == set(WAYS_OUT) & {key for action in ACTIONS for key in action.usual_keys}


def test_keys_of_dialogs_and_lists_mean_what_they_mean_on_screens() -> None:
    modules_below(dialogs)
    on_screens: dict[str, set[str]] = {}
    for action in ACTIONS:
        for key in action.keys:
            on_screens.setdefault(key, set()).add(action.meaning)
    kinds = [RowView, Palette, *Dialog.__subclasses__()]
    for kind in kinds:
        for binding in vars(kind).get("BINDINGS", ()):
            for key in binding.key.split(","):
                meant = IN_DIALOGS.get(binding.action, {binding.action})
                others = on_screens.get(key, set()) - meant
                assert set() == others, f"{kind.__name__}: {key} is {binding.action}"
