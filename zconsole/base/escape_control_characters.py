"""Escaping of text from outside: characters that a terminal would obey or hide are spelt out."""

from __future__ import annotations

import re
import unicodedata
from codecs import getincrementaldecoder
from typing import Final

# Printable by category but without a glyph or cell of their own: fillers, joiners and selectors; enclosing
# marks, the vowels and finals of decomposed Hangul, and modifiers of emoji, which take no cell.
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f-\u11ff\u17b4\u17b5\u180b-\u180f\u2800\u3164\ud7b0-\ud7fb\ufe00-\ufe0f\uffa0\ufffc"
    "\u0488\u0489\u1abe\u20dd-\u20e0\u20e2-\u20e4\ua670-\ua672\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef]"
)
_MOST_MARKS: Final = 2  # on one character; towers of marks reach into other lines
_C0_END, _DEL, _C1_END = 0x20, 0x7F, 0xA0
_ESCAPED_BYTE_START, _ESCAPED_BYTE_END = 0xDC80, 0xDCFF  # surrogates for bytes that are not UTF-8
_AT_ONCE: Final = 64 * 1024  # bytes decoded at once; takes some milliseconds when none of them is UTF-8


def decoded(data: bytes) -> str:
    r"""Decode a host's bytes; bytes that are not UTF-8 are escaped: `\xff`.

    Decodes in pieces, because escaping is slow and holds the GIL.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        decoder = getincrementaldecoder("utf-8")("backslashreplace")
        pieces = (data[at : at + _AT_ONCE] for at in range(0, len(data), _AT_ONCE))
        return "".join([*map(decoder.decode, pieces), decoder.decode(b"", final=True)])


def visible(text: str) -> str:
    r"""Return text as one line without control characters: ESC as `^[`, C1 as `\x9b`, bidi as `<U+202E>`.

    No character is dropped, so that a deceptive name is recognised. Spaces other than U+0020, unassigned and
    private characters are escaped as well, because their look and width differ between terminals; so are
    marks beyond the second on a character.
    """
    if text.isascii() and text.isprintable():
        return text
    parts: list[str] = []
    marks = _MOST_MARKS  # a mark at the very start has no base character
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Mc"} else 0
        parts.append(_code_point(char) if marks > _MOST_MARKS else _spelled_out(char))
    return "".join(parts)


def _spelled_out(char: str) -> str:
    code = ord(char)
    if code < _C0_END or code == _DEL:
        return f"^{chr(code ^ 0x40)}"
    if _DEL < code < _C1_END:
        return f"\\x{code:02x}"
    if _ESCAPED_BYTE_START <= code <= _ESCAPED_BYTE_END:
        return f"\\x{code - 0xDC00:02x}"
    if char.isprintable() and not _INVISIBLE.match(char):
        return char
    return _code_point(char)


def _code_point(char: str) -> str:
    return f"<U+{ord(char):04X}>"
