"""Safe text for the screen: escaped, bounded in length, measured and cut in terminal cells.

Text from hosts (names, notes, models, paths, the words of other programs) is data of unknown origin. Which
characters are escaped, `base/escape_control_characters` alone decides.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from types import ModuleType
from typing import Final

from zconsole.base.escape_control_characters import visible
from zconsole.views.layout.serial_in_device_name import serial_at_end

ELLIPSIS: Final = "…"
MAX_CHARACTERS: Final = 4096  # of one text; a longer one would only make the screen slow
_PLAIN: Final = re.compile("[ -~·…─-◯]*")  # harmless, visible, one cell each: most of what is drawn


@cache
def _cells() -> ModuleType:
    """Rich's table of character widths, loaded only for text that is not ASCII."""
    from rich import cells  # noqa: PLC0415  # for text that is not ASCII

    return cells


def is_plain(text: str) -> bool:
    """Whether each character is known to be visible in one cell; False decides nothing."""
    return _PLAIN.fullmatch(text) is not None


def clean(text: str) -> str:
    """The text with every control, invisible and reordering character spelt out; else unchanged."""
    if len(text) <= MAX_CHARACTERS and ((text.isascii() and text.isprintable()) or is_plain(text)):
        return text
    return _spell_out(text[: MAX_CHARACTERS + 1])


@lru_cache(maxsize=4096)
def _spell_out(text: str) -> str:
    end = ELLIPSIS if len(text) > MAX_CHARACTERS else ""
    return visible(text[:MAX_CHARACTERS]) + end


def width(text: str) -> int:
    """Terminal cells that a cleaned text takes."""
    return len(text) if text.isascii() or is_plain(text) else _cells().cell_len(text)


MOSTLY: Final = 0.75  # of the room, that whole clauses fill
LARGELY: Final = 0.6  # that whole words fill
HALFWAY: Final = 0.4
_SEPARATORS: Final = " ,:;·-"
_SMALL: Final = frozenset((
    *("a", "an", "and", "are", "at", "be", "by", "did", "do", "does", "from", "has", "have", "in", "is"),
    *("no", "not", "of", "on", "or", "that", "the", "to", "was", "were", "which", "with"),
))  # fmt: skip


def cut(text: str, cells: int) -> str:
    """The beginning of a cleaned text, with an ellipsis where it was cut."""
    if width(text) <= cells:
        return text
    if cells <= 0:
        return ""
    return _head(text, cells - 1) + ELLIPSIS


def cut_at_word(text: str, cells: int) -> str:
    """The beginning of a cleaned sentence: whole clauses where they fill the room, else whole words.

    What has no end of a word near is cut as a name is. An ellipsis stands where it was cut.
    """
    if width(text) <= cells:
        return text
    if cells <= 0:
        return ""
    head = _head(text, cells - 1)
    clause = head[: head.rfind(", ") + 1].rstrip(", ")
    is_word_whole = text[len(head)] in " ,;:"
    words = _without_small_end(head if is_word_whole else head[: head.rfind(" ") + 1])
    for shorter, share in ((clause, MOSTLY), (words, LARGELY), (clause, HALFWAY)):
        if shorter and width(shorter) >= share * cells:
            return shorter + ELLIPSIS
    return cut(text, cells)


def whole_clauses(text: str, cells: int) -> str:
    """The clauses of a cell that fill it to the end, without an ellipsis; else as `cut_at_word`."""
    whole = _head(text, cells)
    return whole if text[len(whole) : len(whole) + 2] == ", " else cut_at_word(text, cells)


def _without_small_end(text: str) -> str:
    """A text without words and counts at its end that say nothing without the next one, or separators."""
    text = text.rstrip(_SEPARATORS)
    while " " in text and ((last := text.rpartition(" ")[2]) in _SMALL or last.isdecimal()):
        text = text.rpartition(" ")[0].rstrip(_SEPARATORS)
    return text


def middle(text: str, cells: int) -> str:
    """A cleaned name with its middle cut out; a serial number at its end stays whole where it fits."""
    if width(text) <= cells:
        return text
    if cells <= 1:
        return ELLIPSIS[:cells]
    serial, with_part = serial_at_end(text)
    if serial and cells < len(serial) + 1 + (len(serial) < len(with_part)):
        return serial if cells >= len(serial) else ELLIPSIS + _tail(serial, cells - 1)
    if cells <= len(with_part):  # the partition gives way
        return f"{ELLIPSIS}{serial}{ELLIPSIS}"
    tail_cells = max(cells // 2, len(with_part))
    return _head(text, cells - 1 - tail_cells) + ELLIPSIS + _tail(text, tail_cells)


def _head(text: str, cells: int) -> str:
    if text.isascii():
        return text[:cells]
    kept, end = 0, 0
    for _, span_end, span_cells in _cells().split_graphemes(text)[0]:
        if kept + span_cells > cells:
            break
        kept, end = kept + span_cells, span_end
    return text[:end]


def _tail(text: str, cells: int) -> str:
    if text.isascii():
        return text[len(text) - cells :]
    kept, start = 0, len(text)
    for span_start, _, span_cells in reversed(_cells().split_graphemes(text)[0]):
        if kept + span_cells > cells:
            break
        kept, start = kept + span_cells, span_start
    return text[start:]
