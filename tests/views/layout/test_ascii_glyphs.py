"""Text for terminals of ASCII, cell for cell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual._border import BORDER_CHARS

import zconsole.ui
from zconsole.views.layout.ascii_glyphs import ASCII_GLYPHS, in_ascii, is_c_locale


def test_each_glyph_of_ours_has_a_stand_in_of_as_many_cells() -> None:
    for glyph, stand_in in ASCII_GLYPHS.items():
        assert stand_in.isascii()
        assert cell_len(glyph) == len(stand_in)


def test_what_has_no_stand_in_is_question_marks_as_wide() -> None:
    assert "tank ??" == in_ascii("tank 池")
    assert "x?" == in_ascii("xé")


def test_ascii_stays_as_it_is() -> None:
    assert "tank ~!" == in_ascii("tank ~!")


def test_the_frames_of_dialogs_have_stand_ins() -> None:
    """Each kind of border that a style sheet of ours asks for."""
    sheets = "".join(path.read_text() for path in Path(zconsole.ui.__file__).parent.rglob("*.py"))
    kinds = set(re.findall(r"border: ([a-z]+)", sheets)) - {"none"}

    assert {"solid", "heavy"} <= kinds
    for kind in kinds:
        assert "?" not in in_ascii("".join(map("".join, BORDER_CHARS[kind])))  # type: ignore[index]


@pytest.mark.parametrize(
    ("expected", "environment"),
    [
        (True, {"LC_ALL": "C"}),
        (True, {"LANG": "POSIX"}),
        (True, {"LC_CTYPE": "C", "LANG": "de_DE.UTF-8"}),
        (False, {"LC_ALL": "de_DE.UTF-8", "LANG": "C"}),
        (False, {"LC_ALL": "C.UTF-8"}),
        (False, {"LANG": "C.UTF-8"}),
        (False, {}),
    ],
)
def test_the_first_variable_that_names_one_counts(expected: bool, environment: dict[str, str]) -> None:
    assert expected == is_c_locale(environment)
