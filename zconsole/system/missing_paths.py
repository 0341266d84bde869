"""`ls`: which of some paths do not exist, links followed; a path that may not be looked at is not missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.hosts.host import Command

AT_ONCE: Final = 500  # paths of one command
_ABSENT: Final = ": No such file or directory"  # ENOENT in the C locale, which every command has
_QUOTES: Final = ("'", '"', "")


def list_existing(paths: Sequence[str]) -> Command:
    """Print those that exist, and complain of each other one. It opens nothing."""
    return Command(("ls", "-1dL", "--", *paths))


def parse_missing(complaints: str, paths: Iterable[str]) -> frozenset[str]:
    """Those of the paths that `ls` says do not exist. Raises ParseError.

    A path that it quotes in another way is left out: it is not known.
    """
    absent = {
        line.removesuffix(_ABSENT) for _, line in bounded_lines("ls", complaints) if line.endswith(_ABSENT)
    }
    return frozenset(
        path
        for path in paths
        if any(each.endswith(f" {quote}{path}{quote}") for each in absent for quote in _QUOTES)
    )
