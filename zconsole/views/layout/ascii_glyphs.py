"""ASCII: where a locale asks for it, and stand-ins of glyphs, each one cell wide, unlike their neighbours."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from zconsole.views.layout.escape_measure_cut_text import width

ASCII_GLYPHS: Final = {
    "·": ".", "…": "~", "✗": "x", "▲": "!", "▼": "v", "↻": "@", "✓": "+", "▸": ">", "↓": "v", "↑": "^",
    "◆": "*", "●": "O", "┤": "|", "░": ":", "▓": "=", "╌": "-", "▣": "u", "▢": "o", "⇄": "&", "▹": ")",
    "─": "-", "│": "|", "├": "|", "└": "`", "┌": "+", "┐": "+", "┘": "+", "—": "-", "→": ">", "≥": ">",
    "▁": "0", "▂": "1", "▃": "2", "▄": "3", "▅": "4", "▆": "5", "▇": "6", "█": "#", "▔": "-", "▎": "|",
    "≤": "<", "°": "'", "━": "=", "┃": "#", "┏": "#", "┓": "#", "┗": "#", "┛": "#",
}  # fmt: skip

_ASCII_LOCALES: Final = frozenset({"C", "POSIX"})
_COERCED: Final = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})  # what Python sets LC_CTYPE to in the C locale


def is_c_locale(environment: Mapping[str, str]) -> bool:
    """Whether the first variable that names a locale of characters names C; none asks for nothing."""
    names = [environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    if sys.flags.utf8_mode and not names[0] and names[1] in _COERCED:
        names[1] = ""
    return next(filter(None, names), "") in _ASCII_LOCALES


def in_ascii(text: str) -> str:
    """Return the text cell for cell; a character without replacement is a question mark."""
    if text.isascii():
        return text
    return "".join(map(_stand_in, text))


def _stand_in(character: str) -> str:
    if character.isascii():
        return character
    return ASCII_GLYPHS.get(character) or "?" * width(character)
