"""The footer, and the page of all keys."""

from __future__ import annotations

import pytest

from zconsole.views.layout.key_help import footer_line, help_lines, key_at, time_line
from zconsole.views.layout.screen_key_registry import ACTIONS, PLACES, actions, key_names
from zconsole.views.layout.styled_text import Line, line, line_width


def text(line: Line) -> str:
    return "".join(span.text for span in line)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("cells", [20, 80, 160])
def test_the_footer_fits_and_always_has_the_key_that_shows_all(place: str, cells: int) -> None:
    footer = footer_line(place, cells)

    assert line_width(footer) <= max(cells, line_width(footer_line(place, 0)))
    assert text(footer).rstrip().endswith("? keys")


def test_a_key_can_have_another_title_for_a_while() -> None:
    place = PLACES[0]
    first = next(each for each in actions(place) if each.title.lower() in text(footer_line(place, 400)))

    assert "zzz" in text(footer_line(place, 400, {first.id: "Zzz"}))


WAYS = line(
    ("[ Esc  No, go back ]", "cursor"), "   ", ("↑↓", "key"), (" scroll", "dim"), ("   F6", "key"),
    " to ", ("F8", "key"), (" plan it another way   type to filter", "dim"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "at"),
    [
        ("escape", "[ Esc"), ("escape", "No, go"), (None, "]   "), ("pageup", "↑"), ("pagedown", "↓"),
        ("f6", "F6"), ("f6", "to"), ("f8", "F8"), ("f8", "another"), (None, "type to"),
    ],
)  # fmt: skip
def test_a_key_of_a_dialog_is_found_by_the_cell_of_its_name_or_of_what_it_does(
    expected: str | None, at: str
) -> None:
    end = len(at) - 1 if at == "]   " else 0

    assert expected == key_at(WAYS, text(WAYS).index(at) + end)


def test_the_keys_of_time_are_shown_where_a_screen_has_them() -> None:
    assert len(text(time_line("pool", 160))) > len(text(time_line("help", 160)))


@pytest.mark.parametrize("place", PLACES)
def test_every_key_is_on_the_page_of_keys(place: str) -> None:
    page = "\n".join(text(each) for each in help_lines(place))

    assert [] == [each.id for each in ACTIONS if key_names(each) not in page or each.help not in page]


def test_more_of_a_screen_stands_behind_its_own_keys() -> None:
    lines = [text(each) for each in help_lines("pool", [(), footer_line("pool", 0)])]

    assert (
        lines.index("On this screen")
        < lines.index(text(footer_line("pool", 0)))
        < lines.index("On other screens")
    )
