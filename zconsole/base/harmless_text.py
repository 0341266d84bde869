"""How text from outside is made harmless and visible: what a terminal would obey, or hide, is spelled out."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from typing import Final

# Printable by category, and yet nothing to see: fillers, joiners and selectors without a glyph.
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_C0_END, _DEL, _C1_END = 0x20, 0x7F, 0xA0
_ESCAPED_BYTE_START, _ESCAPED_BYTE_END = 0xDC80, 0xDCFF  # how Python keeps bytes that are no UTF-8
_AT_ONCE: Final = 64 * 1024  # bytes, some milliseconds where none of them is UTF-8


def decoded(data: bytes) -> str:
    r"""The text of a host's bytes; what is no UTF-8 is written out: `\xff`.

    That takes long, and Python lets no other thread go on meanwhile: a piece at a time.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        decoder = getincrementaldecoder("utf-8")("backslashreplace")
        pieces = (data[at : at + _AT_ONCE] for at in range(0, len(data), _AT_ONCE))
        return "".join([*map(decoder.decode, pieces), decoder.decode(b"", final=True)])


def visible(text: str) -> str:
    r"""Return text as one line that no terminal obeys: ESC as `^[`, C1 as `\x9b`, bidi as `<U+202E>`.

    Nothing is dropped, so that a trap in a name is seen. Spaces other than U+0020, unassigned and private
    characters are spelled out as well: nobody can tell them apart, or their width, by looking.
    """
    if text.isprintable() and (text.isascii() or not _INVISIBLE.search(text)):
        return text
    return "".join(map(_spelled_out, text))


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
    return f"<U+{code:04X}>"
