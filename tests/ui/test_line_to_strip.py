"""Colours and glyphs by what the terminal can show."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.strip import Strip

from zconsole.ui.line_to_strip import LineStrip, Paint, has_light_background, speaks_utf8, wants_ansi
from zconsole.ui.theme_files import Themes
from zconsole.views.layout.ascii_glyphs import in_ascii
from zconsole.views.layout.escape_measure_cut_text import clean, is_plain, width
from zconsole.views.layout.styled_text import line


@pytest.mark.parametrize(
    ("expected", "environment"),
    [
        (False, {"TERM": "xterm-256color", "COLORTERM": "truecolor"}),
        (False, {"TERM": "xterm-256color"}),
        (False, {"TERM": "linux", "COLORTERM": "truecolor"}),
        (True, {"TERM": "linux"}),
        (True, {"TERM": "xterm"}),
        (True, {"TERM": "screen-16color"}),
        (True, {"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": ""}),
    ],
)
def test_sixteen_colours_where_there_are_no_more_or_none_are_wanted(
    expected: bool, environment: dict[str, str]
) -> None:
    assert expected == wants_ansi(environment)


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (True, "0;15"),
        (True, "0;default;15"),
        (True, "0;7"),
        (False, "15;0"),
        (False, "7;8"),
        (False, ""),
        (False, "x"),
    ],
)
def test_the_terminal_may_say_that_its_background_is_light(expected: bool, said: str) -> None:
    assert expected == has_light_background({"COLORFGBG": said})


def test_the_linux_console_has_no_glyphs() -> None:
    assert not speaks_utf8({"TERM": "linux"})


LOCALES = {
    "LC_ALL=C": ("False", {"LC_ALL": "C", "LANG": "de_DE.UTF-8"}),
    "LANG=C, for which Python sets LC_CTYPE": ("False", {"LANG": "C"}),
    "LANG=POSIX": ("False", {"LANG": "POSIX"}),
    "LC_CTYPE of the user": ("True", {"LANG": "C", "LC_CTYPE": "C.UTF-8"}),
    "LC_ALL before LANG": ("True", {"LC_ALL": "C.UTF-8", "LANG": "C"}),
    "LANG=C.UTF-8": ("True", {"LANG": "C.UTF-8"}),
    "no locale, as over SSH": ("True", {}),
}


@pytest.mark.parametrize("case", LOCALES)
def test_the_locale_that_was_asked_for_tells_what_the_terminal_shows(case: str) -> None:
    expected, wanted = LOCALES[case]
    kept = {k: v for k, v in os.environ.items() if k not in {"LC_ALL", "LC_CTYPE", "LANG", "PYTHONUTF8"}}
    program = "import os; from zconsole.ui.line_to_strip import speaks_utf8; print(speaks_utf8(os.environ))"

    said = subprocess.run(
        [sys.executable, "-c", program],
        env={**kept, "TERM": "xterm", **wanted},
        capture_output=True,
        check=True,
    )

    assert expected == said.stdout.decode().strip()


@given(st.text(max_size=30))
def test_ascii_takes_the_same_room(text: str) -> None:
    cleaned = clean(text)

    assert in_ascii(cleaned).isascii()
    assert width(cleaned) == len(in_ascii(cleaned))


@pytest.mark.parametrize(("theme", "is_reversed"), [("ansi", True), ("dark", False)])
def test_a_bar_under_the_cursor_is_as_high_as_it_was(theme: str, is_reversed: bool) -> None:
    """Where the cursor is drawn in reverse, a bar in reverse would be what is missing to a full one."""
    paint = Paint(Themes().get(theme))

    drawn = paint.strip(line("sda ", (" ▄ ", "strip"), ("▇▇▇", "warn")), 12, overlay="cursor")

    assert ["sda ", " ▄ ", "▇▇▇", "  "] == [each.text for each in drawn]
    assert [is_reversed, False, False, is_reversed] == [
        bool(each.style is not None and each.style.reverse) for each in drawn
    ]


def test_a_strip_is_filled_up_and_starts_where_it_is_scrolled_to() -> None:
    paint = Paint(Themes().get("dark"))

    assert "tank   " == paint.strip(line("tank"), 7).text
    assert "nk     " == paint.strip(line("tank"), 7, left=2).text
    assert "tan" == paint.strip(line("tank"), 3).text


@pytest.mark.parametrize("name", ["dark", "light", "high-contrast", "colour-blind"])
def test_words_on_the_ground_of_the_cursor_have_the_colour_of_text(name: str) -> None:
    """`[ Esc  No, go back ]` is read also in a light theme on a dark terminal."""
    theme = Themes().get(name)

    assert Paint(theme).style("cursor").color is not None
    assert Paint(theme).style("cursor").bgcolor == theme.style("cursor").bgcolor


def strips() -> int:
    """How many there are, freed or not yet collected."""
    return sum(isinstance(each, Strip) for each in gc.get_objects())


def test_a_strip_is_freed_with_its_last_use() -> None:
    """Textual's own keeps itself among its cuts, until a full collection: there were 5 MiB of them."""
    paint = Paint(Themes().get("dark"))
    gc.collect()
    gc.disable()
    try:
        before = strips()
        strip = paint.strip(line(("tank", "ok"), " ONLINE"), 40)
        assert [strip] == list(strip.divide([40]))
        assert ["tank", " ONLINE"] == [each.text for each in strip.divide([4, 11])]
        assert before < strips()

        del strip
        assert before == strips()
    finally:
        gc.enable()


@given(st.text(max_size=30), st.integers(1, 60))
def test_a_strip_knows_whether_each_of_its_characters_takes_one_cell(text: str, cells: int) -> None:
    strip = Paint(Themes().get("dark")).strip(line(text), cells)

    if isinstance(strip, LineStrip):
        assert is_plain(strip.text) is strip.is_plain


def test_a_strip_that_fills_the_screen_stays_whole_and_another_is_cut() -> None:
    strip = Paint(Themes().get("dark")).strip(line("tank", ("ONLINE", "ok")), 20)

    assert [strip] == strip.divide([20])
    assert ["tankON", "LINE          "] == [part.text for part in strip.divide([6, 20])]
