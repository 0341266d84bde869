"""Text in definitions of guests, which are XML.

The standard library's module for it loads its HTTP client and its mail parser, 3 MiB.
"""

from __future__ import annotations

from typing import Final

_IN_TEXT: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_IN_ATTRIBUTE: Final = _IN_TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def escaped(text: str) -> str:
    """The text of an element."""
    return text.translate(_IN_TEXT)


def quoted(text: str) -> str:
    """The value of an attribute, in double quotes."""
    return f'"{text.translate(_IN_ATTRIBUTE)}"'
