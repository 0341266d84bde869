"""Words at a fixed place: they look as Textual would draw them, and only what changed is painted."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from zconsole.ui.line_to_strip import Paint
from zconsole.ui.theme_files import Themes
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.views.layout.styled_text import line

WIDTH, HEIGHT = 30, 3
AREA = Region(0, 0, WIDTH, HEIGHT)


class WordsApp(App[None]):
    """Nothing but words."""

    def __init__(self) -> None:
        super().__init__(ansi_color=False)
        self.words = TextLines(Paint(Themes().get("dark")))

    def compose(self) -> ComposeResult:
        yield self.words

    def on_mount(self) -> None:
        self.words.styles.height = HEIGHT


def told(strips: list[Strip]) -> list[list[tuple[str, str]]]:
    return [[(text, str(style)) for text, style, _ in strip] for strip in strips]


@pytest.mark.parametrize("theme", ["dark", "ansi", "light"])
async def test_they_look_as_textual_would_draw_them(theme: str) -> None:
    """Also after another theme, for it does not come with its borders and paddings."""
    app = WordsApp()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        app.words.show((line(("what is", "title"), " and ", ("was", "bad")), line("日本"), line("x" * 99)))
        await pilot.pause()
        app.words.render_lines(AREA)
        app.words.repaint(Paint(Themes().get(theme)))
        await pilot.pause()

        assert told(Widget.render_lines(app.words, AREA)) == told(app.words.render_lines(AREA))
        part = Region(2, 1, 9, 2)
        assert [each.text[2:11] for each in app.words.render_lines(AREA)[2:]] == [
            each.text for each in app.words.render_lines(part)[1:]
        ]


async def test_only_what_changed_is_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    app = WordsApp()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        app.words.show((line("one"), line("two")))
        await pilot.pause()
        before = app.words.render_lines(AREA)
        painted: list[Region] = []
        monkeypatch.setattr(app.words, "refresh", lambda *regions, **_: painted.extend(regions))

        app.words.show((line("one"), line("other"), line("three")))

        assert [Region(0, 1, WIDTH, 1), Region(0, 2, WIDTH, 1)] == painted
        after = app.words.render_lines(AREA)
        assert ["one", "other", "three"] == [each.text.rstrip() for each in after]
        assert before[0] is after[0]
