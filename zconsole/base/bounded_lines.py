"""Lines of a host's output: complete, numbered, and bounded in length and number.

Every parser of host text takes its lines from here, so that no regular expression and no loop gets more than
`LONGEST` characters at once, and no list more than `MOST` lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.errors import ParseError

LONGEST: Final = 1 << 20  # characters: a path has 4096 bytes at most, a user property 8192
LONGEST_LIST: Final = 16 << 20  # of a line that holds a list: 60,000 clones with names of the maximum length
MOST: Final = 500_000  # lines held at once


def whole_lines(
    tool: str,
    text: str | bytes,
    *,
    longest: int = LONGEST,
    reason: str = "truncated",
    errors: str = "surrogateescape",
) -> Iterator[tuple[int, str]]:
    """Yield each line with its number, counted from 1; raise ParseError when the last line is unterminated.

    Unlike splitlines(): U+2028, form feeds and lone CRs are data. A long answer is given as bytes, which are
    decoded by the line: whole it would be held twice, or five times with a single character beyond the BMP.
    """
    if isinstance(text, bytes):
        if text and not text.endswith(b"\n"):
            last = text[text.rfind(b"\n") + 1 :][-longest:]
            raise ParseError(tool, text.count(b"\n") + 1, last.decode("utf-8", errors), reason)
        return _lines_of_bytes(tool, text, longest, errors)
    if text and not text.endswith("\n"):
        raise ParseError(tool, text.count("\n") + 1, text[text.rfind("\n") + 1 :], reason)
    return _lines(tool, text, longest)


def line_list(tool: str, text: str, *, longest: int = LONGEST, reason: str = "truncated") -> list[str]:
    """All lines of a text whose last line is terminated. Raises ParseError."""
    if (count := text.count("\n")) > MOST:
        raise ParseError(tool, count, "", f"more than {MOST} lines")
    return [line for _, line in whole_lines(tool, text, longest=longest, reason=reason)]


def bounded_lines(tool: str, text: str, *, longest: int = LONGEST) -> Iterator[tuple[int, str]]:
    """Yield each line with its number; the last line may be unterminated. Raises ParseError."""
    return _lines(tool, f"{text}\n", longest)


def _lines_of_bytes(tool: str, text: bytes, longest: int, errors: str) -> Iterator[tuple[int, str]]:
    start = line_no = 0
    while start < len(text):
        end = text.index(b"\n", start)
        line_no += 1
        if end - start > longest:
            line = text[start : start + longest].decode("utf-8", errors)
            raise ParseError(tool, line_no, line, f"longer than {longest} bytes")
        yield line_no, text[start:end].decode("utf-8", errors)
        start = end + 1


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
