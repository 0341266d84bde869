"""Lines of the output of `zfs list`, complete and numbered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base import bounded_lines

TOOL: Final = "zfs list"


def whole_lines(text: str | bytes, *, errors: str = "surrogateescape") -> Iterator[tuple[int, str]]:
    """Complete lines with their numbers; a line may be as long as a list of clones requires."""
    return bounded_lines.whole_lines(
        TOOL, text, longest=bounded_lines.LONGEST_LIST, reason="the output is truncated", errors=errors
    )
