"""The first word of a command line that is neither an option nor the value of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

ACTING: Final = ("plan", "apply", "journal", "sudoers")  # their arguments come from the actions
SUBCOMMANDS: Final = (
    "status",
    "check",
    "iostat",
    "slow",
    "stream",
    "replicas",
    "tree",
    "capacity",
    "reclaim",
    *ACTING,
    "record",
    "forecast",
    "sample",
    "trust",
)
_WITH_VALUE: Final = frozenset(
    {
        *("--need", "--order", "--keep-newest", "--keep-younger", "--keep"),
        *("--host", "--replay", "--speed", "--input"),
        *("--theme", "--interval", "--timeout", "--count", "--for"),
        *("-o", "--output", "--confirm", "--last", "--user", "--bin"),
    }
)


def subcommand_of(argv: Sequence[str]) -> str | None:
    """The subcommand that a command line asks for: its first word that is no option."""
    at = first_word(argv)
    return argv[at] if at is not None and argv[at] in SUBCOMMANDS else None


def first_word(argv: Sequence[str]) -> int | None:
    """Where the first word stands that is neither an option nor an option's value."""
    words = iter(enumerate(argv))
    for at, word in words:
        if word == "--":
            return None
        if not word.startswith("-"):
            return at
        if word in _WITH_VALUE:
            next(words, None)
    return None
