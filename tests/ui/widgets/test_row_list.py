"""The list: any number of rows, and only what changed is painted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult
from textual.events import MouseScrollDown
from textual.geometry import Region
from textual.pilot import Pilot

from zconsole.ui.line_to_strip import Paint
from zconsole.ui.theme_files import Themes
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.layout.styled_text import FixedLines, Line, line

PAINT = Paint(Themes().get("dark"))


class Numbers:
    """A list whose lines are made when they are asked for."""

    def __init__(self, count: int, word: str = "row", odd_only: bool = False) -> None:
        self.count = count
        self.word = word
        self.odd_only = odd_only
        self.asked: list[int] = []

    def __len__(self) -> int:
        return self.count

    def line(self, index: int) -> Line:
        self.asked.append(index)
        return line(f"{self.word} {index}")

    def key(self, index: int) -> str:
        return str(index)

    def is_selectable(self, index: int) -> bool:
        return not self.odd_only or index % 2 == 1


class ListApp(App[None]):
    """Nothing but a list."""

    def __init__(self) -> None:
        super().__init__()
        self.animation_level = "none"
        self.view = RowView(PAINT)

    def compose(self) -> ComposeResult:
        yield self.view


@asynccontextmanager
async def a_list(lines: object, *, header: str = "HEAD") -> Iterator[tuple[Pilot[None], RowView]]:  # type: ignore[misc]
    app = ListApp()
    async with app.run_test(size=(40, 11)) as pilot:
        app.view.show(lines, line(header))  # type: ignore[arg-type]
        app.view.focus()
        await pilot.pause()
        yield pilot, app.view


def shown(view: RowView) -> list[str]:
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


async def test_the_header_stays_while_rows_scroll() -> None:
    async with a_list(Numbers(100)) as (pilot, view):
        await pilot.press("pagedown", "pagedown")

        assert "HEAD" == shown(view)[0]
        assert "row 18" == shown(view)[-1]
        assert 18 == view.cursor


async def test_a_million_rows_cost_as_much_as_ten() -> None:
    """Only the rows in sight are asked for, whatever the key."""
    lines = Numbers(1_000_000)
    async with a_list(lines) as (pilot, view):
        lines.asked.clear()
        start = time.process_time()
        view.action_jump(-1)
        await pilot.pause()

        assert "row 999999" == shown(view)[-1]
        assert len(set(lines.asked)) < 60
        assert time.process_time() - start < 1.0


async def test_only_rows_that_changed_are_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_list(FixedLines(tuple(line(f"row {n}") for n in range(8)))) as (_, view):
        painted: list[Region] = []
        monkeypatch.setattr(view, "refresh", lambda *regions, **_: painted.extend(regions))

        view.show(FixedLines(tuple(line(f"row {n}" if n != 3 else "other") for n in range(8))), line("HEAD"))

        assert [Region(0, 4, 40, 1)] == painted


async def test_an_equal_list_paints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_list(FixedLines(tuple(line(f"row {n}") for n in range(30)))) as (_, view):
        calls: list[object] = []
        monkeypatch.setattr(view, "refresh", lambda *regions, **_: calls.append(regions))

        view.show(FixedLines(tuple(line(f"row {n}") for n in range(30))), line("HEAD"))

        assert [] == calls


async def test_the_cursor_stays_with_its_row_when_others_come_before_it() -> None:
    first = FixedLines((line("a"), line("b"), line("c")), ("a", "b", "c"))
    async with a_list(first) as (pilot, view):
        await pilot.press("down")

        view.show(FixedLines((line("x"), line("c"), line("b")), ("x", "c", "b")), line("HEAD"))

        assert ("b", 2) == (view.key, view.cursor)


async def test_while_a_list_is_filling_an_untouched_cursor_stays_on_top() -> None:
    async with a_list(FixedLines((line("a"), line("b")), ("a", "b"))) as (_, view):
        view.show(FixedLines((line("b"), line("a")), ("b", "a")), line("HEAD"), is_filling=True)

        assert "b" == view.key


async def test_an_untouched_cursor_goes_with_its_object_once_the_list_is_there() -> None:
    """A pool that is well again moves down; the one that had the cursor still has it."""
    async with a_list(FixedLines((line("a"), line("b")), ("a", "b"))) as (_, view):
        view.show(FixedLines((line("b"), line("a")), ("b", "a")), line("HEAD"))

        assert "a" == view.key


async def test_what_vanishes_from_under_the_cursor_is_remembered_until_it_is_moved() -> None:
    async with a_list(FixedLines((line("a"), line("b")), ("a", "b"))) as (pilot, view):
        view.show(FixedLines((line("b"),), ("b",)), line("HEAD"), is_wanted=False)
        assert ("b", "a") == (view.key, view.lost)

        await pilot.press("down")
        assert view.lost is None


async def test_what_comes_back_has_the_cursor_again() -> None:
    """A listing that was cut short for a moment."""
    async with a_list(FixedLines((line("a"), line("b")), ("a", "b"))) as (_, view):
        view.show(FixedLines((line("b"),), ("b",)), line("HEAD"), is_wanted=False)
        view.show(FixedLines((line("a"), line("b")), ("a", "b")), line("HEAD"), is_wanted=False)

        assert ("a", None) == (view.key, view.lost)


async def test_headings_are_stepped_over() -> None:
    async with a_list(Numbers(9, odd_only=True)) as (pilot, view):
        places = [view.cursor]
        for key in ("down", "down", "up", "end", "home"):
            await pilot.press(key) if key not in {"end", "home"} else view.action_jump(
                -1 if key == "end" else 0
            )
            places.append(view.cursor)

        assert [1, 3, 5, 3, 7, 1] == places


async def test_a_list_that_gets_shorter_keeps_a_valid_cursor() -> None:
    async with a_list(Numbers(50)) as (pilot, view):
        view.action_jump(-1)
        await pilot.pause()

        view.show(Numbers(5), line("HEAD"))
        await pilot.pause()

        assert 4 == view.cursor
        assert "row 4" in shown(view)


async def test_an_empty_list_can_be_lived_with() -> None:
    async with a_list(Numbers(0)) as (pilot, view):
        await pilot.press("down", "up", "pagedown", "pageup", "right")

        assert view.key is None


async def test_a_click_selects_and_the_wheel_scrolls() -> None:
    async with a_list(Numbers(100)) as (pilot, view):
        await pilot.click(RowView, offset=(3, 4))
        assert 3 == view.cursor

        view.post_message(_wheel(view))
        await pilot.pause()
        assert "row 3" == shown(view)[1]
        assert 3 == view.cursor


def _wheel(view: RowView) -> object:
    return MouseScrollDown(view, 3, 3, 0, 1, 0, False, False, False)


async def test_what_is_cut_off_can_be_looked_at() -> None:
    async with a_list(FixedLines((line("0123456789" * 6),))) as (pilot, view):
        shown(view)
        await pilot.press("right")
        assert shown(view)[1].startswith("89012")

        await pilot.press(*["right"] * 9)
        assert shown(view)[1].endswith("789")
        await pilot.press(*["left"] * 9)
        assert shown(view)[1].startswith("0123")


async def test_the_row_with_the_cursor_stands_out() -> None:
    async with a_list(Numbers(5)) as (_, view):
        under, other = view.render_line(1), view.render_line(2)

        assert under._segments[0].style != other._segments[0].style
