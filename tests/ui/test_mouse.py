"""The mouse on headers and on the footer: a title sorts, a key does what it names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.ui import states, watched
from tests.ui.frames import frame, make_app
from zconsole.model.host.host_state import HostState
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.layout.state_age_and_link_phrases import BAD

SIZE = (120, 30)
TALL = (120, 44)
HEAD = 2  # lines above the list
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
        title = header.split()[1].rstrip("↑↓")
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


def _cell_of(app: ZConsoleApp, line: str, glyph: str) -> tuple[int, int]:
    """The place of a glyph in the first row of the list that begins with a line, as an offset in the list."""
    rows = frame(app).splitlines()
    at = next(y for y, row in enumerate(rows) if row.startswith(line) and glyph in row)
    return rows[at].index(glyph), at - HEAD


def _chosen(app: ZConsoleApp) -> str:
    """What is told of the chosen disk of the wall."""
    return next((row for row in frame(app).splitlines() if "Enter opens it" in row), "")


async def test_a_click_on_the_wall_chooses_the_disk_and_a_double_click_opens_it() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=TALL) as pilot:
        await pilot.pause()
        failed = _cell_of(app, " bulk      raidz2", BAD)

        await pilot.click(RowView, offset=failed)
        await pilot.pause()
        assert "FAULTED" in _chosen(app)
        assert "▸✗" in frame(app)

        last = _cell_of(app, " vault     mirror-0", "▅▅")
        await pilot.click(RowView, offset=(last[0] + 1, last[1]))
        await pilot.pause()
        assert "WCC4E2" in _chosen(app)
        assert "storage1\0vault" == app.front().rows.key  # type: ignore[union-attr]

        await pilot.click(RowView, offset=_cell_of(app, " bulk      raidz2", BAD), times=2)
        await pilot.pause()
        assert "pool" == place(app)
        assert app.front().rows.key is not None  # type: ignore[union-attr]
        assert "FAULTED" in frame(app).splitlines()[3 + app.front().rows.cursor]  # type: ignore[union-attr]


async def test_a_click_on_the_name_of_a_pool_beside_its_wall_selects_the_pool() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=TALL) as pilot:
        await pilot.press("right")
        for text in ("vault", "mirror-0"):
            await pilot.press("home")
            await pilot.click(RowView, offset=_cell_of(app, " vault     mirror-0", text))
            await pilot.pause()

            assert "storage1\0vault" == app.front().rows.key  # type: ignore[union-attr]
            assert "pools" == place(app)
        assert "" == _chosen(app)


async def test_a_click_on_a_finding_below_the_list_opens_it() -> None:
    """In the details of the row under the cursor, on each of its lines, and in the section of the others."""
    state = states.degraded()
    app = make_app(state)

    async with app.run_test(size=TALL) as pilot:
        await pilot.press("home")
        notes = app.screen.query_one("#notes", TextLines)
        for line in range(2):
            await pilot.click(notes, offset=(30, line))
            await pilot.pause()
            assert "finding" == place(app)
            await pilot.press("escape")

        shown = frame(app).splitlines()
        at = next(y for y, row in enumerate(shown) if row.startswith(" ── other findings")) + 1
        told = shown[at].strip()
        await pilot.click(RowView, offset=(40, at - HEAD))
        await pilot.pause()
        assert "finding" == place(app)
        assert told.removeprefix("▲ ")[:30] in frame(app)


async def test_a_click_between_two_keys_of_the_footer_does_nothing() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        footer = app.screen.query_one("#footer", TextLines)
        await pilot.click(footer, offset=(0, 0))
        await pilot.pause()

        assert "pools" == place(app)
