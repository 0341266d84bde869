"""ASCII replacements of glyphs, each one cell wide: those that stand beside each other differ."""

from __future__ import annotations

from typing import Final

from zconsole.views.layout.escape_measure_cut_text import width

ASCII_GLYPHS: Final = {
    "·": ".", "…": "~", "✗": "x", "▲": "!", "▼": "v", "↻": "@", "✓": "+", "▸": ">", "↓": "v", "↑": "^",
    "◆": "*", "●": "O", "┤": "|", "░": ":", "▓": "=", "╌": "-", "▣": "u", "▢": "o", "⇄": "&", "▹": ")",
    "─": "-", "│": "|", "├": "|", "└": "`", "┌": "+", "┐": "+", "┘": "+", "—": "-", "→": ">", "≥": ">",
    "▁": "0", "▂": "1", "▃": "2", "▄": "3", "▅": "4", "▆": "5", "▇": "6", "█": "#", "▔": "-", "▎": "|",
    "≤": "<", "━": "=", "┃": "#", "┏": "#", "┓": "#", "┗": "#", "┛": "#",
}  # fmt: skip


def in_ascii(text: str) -> str:
    """Return the text cell for cell; a character without replacement is a question mark."""
    if text.isascii():
        return text
    return "".join(map(_stand_in, text))


def _stand_in(character: str) -> str:
    if character.isascii():
        return character
    return ASCII_GLYPHS.get(character) or "?" * width(character)
