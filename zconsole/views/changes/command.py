"""A command as it is shown: as a person would type it into a POSIX shell, with what feeds it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from zconsole.views.layout.styled_text import EMPTY, Line, line, whole


def typed(argv: Sequence[str]) -> Line:
    """A command as it would be typed."""
    return whole(shlex.join(argv), "key")


def piped(sender: Line, host: str, receiver: Line) -> Line:
    """Two commands, the first of which feeds the second; `host` is where it runs, if elsewhere."""
    where = line((f" (on {host})", "warn")) if host else EMPTY
    return (*sender, *where, *line((" | ", "dim")), *receiver)
