"""Text for terminals of ASCII, cell for cell."""

from __future__ import annotations

import re
from pathlib import Path

from rich.cells import cell_len
from textual._border import BORDER_CHARS

import zconsole.ui
from zconsole.ui.ascii_glyphs import ASCII_GLYPHS, in_ascii


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
