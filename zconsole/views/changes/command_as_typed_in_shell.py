"""Notation of a command: as a person would type it into a POSIX shell, with the command that feeds it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from zconsole.views.layout.styled_text import EMPTY, Line, line, whole


def typed(argv: Sequence[str]) -> Line:
    """Return a command as a person would type it."""
    return whole(shlex.join(argv), "key")


def piped(sender: Line, host: str, receiver: Line) -> Line:
    """Return a pipeline of two commands; `host` is where the second runs, if elsewhere."""
    where = line((f" (on {host})", "warn")) if host else EMPTY
    return (*sender, *where, *line((" | ", "dim")), *receiver)
