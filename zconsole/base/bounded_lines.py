"""The lines of what a host printed: whole, numbered, and none longer than a line can be.

Whatever reads text of a host takes its lines from here, so that no expression and no loop sees more than
`LONGEST` characters at once, and no list more than `MOST` lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.errors import ParseError

LONGEST: Final = 1 << 20  # characters: a path has 4096 bytes at most, a user property 8192
LONGEST_LIST: Final = 16 << 20  # of a line with a list in it: 60,000 clones of names as long as any
MOST: Final = 2_000_000  # lines that are held at once


def whole_lines(
    tool: str, text: str, *, longest: int = LONGEST, reason: str = "cut short"
) -> Iterator[tuple[int, str]]:
    """Give each line with its number from 1 on; a text that ends within a line raises ParseError at once.

    Not as splitlines() does: U+2028, form feeds and lone CRs are data.
    """
    if text and not text.endswith("\n"):
        raise ParseError(tool, text.count("\n") + 1, text[text.rfind("\n") + 1 :], reason)
    return _lines(tool, text, longest)


def line_list(tool: str, text: str, *, longest: int = LONGEST, reason: str = "cut short") -> list[str]:
    """All lines of a text that ends with a whole one. Raises ParseError."""
    if (count := text.count("\n")) > MOST:
        raise ParseError(tool, count, "", f"more than {MOST} lines")
    return [line for _, line in whole_lines(tool, text, longest=longest, reason=reason)]


def bounded_lines(tool: str, text: str, *, longest: int = LONGEST) -> Iterator[tuple[int, str]]:
    """Give each line with its number, the last one too where nothing ends it. Raises ParseError."""
    return _lines(tool, f"{text}\n", longest)


def _lines(tool: str, text: str, longest: int) -> Iterator[tuple[int, str]]:
    start = line_no = 0
    while start < len(text):
        end = text.index("\n", start)
        line_no += 1
        if end - start > longest:
            raise ParseError(
                tool, line_no, text[start : start + longest], f"longer than {longest} characters"
            )
        yield line_no, text[start:end]
        start = end + 1
