"""Text for terminals of ASCII, cell for cell."""

from __future__ import annotations

from rich.cells import cell_len

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
