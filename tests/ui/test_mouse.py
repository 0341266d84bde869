"""The mouse on headers and on the footer: a title sorts, a key does what it names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.ui import states, watched
from tests.ui.frames import frame, make_app
from zconsole.model.host.host_state import HostState
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView

SIZE = (120, 30)
SORTED: dict[str, tuple[Callable[[], HostState], Sequence[str]]] = {
    "pools": (states.degraded, ()),
    "pool": (states.degraded, ("end", "enter")),
    "datasets": (states.with_datasets, ("D",)),
    "load": (watched.loaded, ("L",)),
    "disks": (states.with_disks, ("d",)),
    "guests": (states.with_guests, ("V",)),
}
FOOTERS: dict[str, tuple[Callable[[], HostState], Sequence[str], str, str]] = {
    "pools, findings": (states.degraded, (), "f findings", "findings"),
    "pools, disks": (states.with_disks, (), "d disks", "disks"),
    "pools, keys": (states.degraded, (), "? keys", "help"),
    "pool, findings": (states.degraded, ("enter",), "f findings", "findings"),
    "findings, back": (states.degraded, ("f",), "Esc back", "pools"),
}


def place(app: object) -> str:
    return str(getattr(app.screen, "PLACE", ""))  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", SORTED)
async def test_a_click_on_a_title_sorts_by_it_and_another_one_turns_round(name: str) -> None:
    make, keys = SORTED[name]
    app = make_app(make())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        assert name == place(app)
        screen = app.screen
        assert isinstance(screen, ConsoleScreen)
        header = frame(app).splitlines()[2]
        title = header.split()[1]
        cell = header.index(title)

        await pilot.click(RowView, offset=(cell, 0))
        await pilot.pause()
        first = _arrow(frame(app), title)

        await pilot.click(RowView, offset=(cell, 0))
        await pilot.pause()
        assert {"↑", "↓"} == {first, _arrow(frame(app), title)}


def _arrow(shown: str, title: str) -> str:
    """What stands behind a title."""
    head = shown.splitlines()[2]
    return head[head.index(title) + len(title)]


async def test_the_first_click_on_another_title_has_its_natural_order() -> None:
    """Numbers from the largest on, names from A on, however the column before was turned."""
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        head = frame(app).splitlines()[2]
        for title, arrows in (("USED", "↓↑"), ("POOL", "↑↓"), ("USED", "↓")):
            for arrow in arrows:
                await pilot.click(RowView, offset=(head.index(title), 0))
                await pilot.pause()
                assert arrow == _arrow(frame(app), title)


async def test_a_click_on_a_title_where_nothing_is_sorted_does_nothing() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f")
        await pilot.pause()
        before = frame(app)

        await pilot.click(RowView, offset=(3, 0))
        await pilot.pause()

        assert before == frame(app)


@pytest.mark.parametrize("case", FOOTERS)
async def test_a_click_on_a_key_of_the_footer_does_what_the_key_does(case: str) -> None:
    make, keys, shown, reached = FOOTERS[case]
    app = make_app(make())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        footer = app.screen.query_one("#footer", TextLines)
        last = frame(app).rstrip("\n").splitlines()[-1]

        await pilot.click(footer, offset=(last.index(shown) + len(shown) - 1, 0))
        await pilot.pause()

        assert reached == place(app)


async def test_a_click_between_two_keys_of_the_footer_does_nothing() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        footer = app.screen.query_one("#footer", TextLines)
        await pilot.click(footer, offset=(0, 0))
        await pilot.pause()

        assert "pools" == place(app)
