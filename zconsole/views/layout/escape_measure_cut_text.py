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


def cut(text: str, cells: int) -> str:
    """The beginning of a cleaned text, with an ellipsis where it was cut."""
    if width(text) <= cells:
        return text
    if cells <= 0:
        return ""
    return _head(text, cells - 1) + ELLIPSIS


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
