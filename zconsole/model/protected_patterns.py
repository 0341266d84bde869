"""Patterns of protected objects: what they match, before and after a rename. Syntax of `fnmatch`.

ZFS names begin with the pool; a pattern may match names in a pool that is not imported and cannot be listed.
Then the rest of the pattern after the pool's name decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Final

ANY: Final = "*"
_BEHIND_A_POOL: Final = "/@#"  # characters that may follow the pool in a ZFS name


def covering(patterns: Sequence[str], name: str) -> str | None:
    """The first pattern that matches a name."""
    return next((pattern for pattern in patterns if fnmatchcase(name, pattern)), None)


def left_behind(patterns: Sequence[str], old: str, new: str) -> str | None:
    """The pattern that matches the old name, when none matches the new one."""
    pattern = covering(patterns, old)
    return pattern if pattern is not None and covering(patterns, new) is None else None


def reaching(patterns: Sequence[str], pool: str) -> str | None:
    """The first pattern that matches the pool or may match something in it; any if the pool has no name."""
    if not pool:
        return next(iter(patterns), None)
    for pattern in patterns:
        pieces = _pieces(pattern)
        if len(pieces) in _after(pieces, pool) or any(_after(pieces, pool + sign) for sign in _BEHIND_A_POOL):
            return pattern
    return None


def left_behind_in(patterns: Sequence[str], old: str, new: str) -> str | None:
    """The pattern that may match something in a pool but not in the pool under its new name.

    Conservative: patterns are compared one by one.
    """
    pattern = left_behind(patterns, old, new)
    if pattern is not None:
        return pattern
    for each in patterns:
        pieces = _pieces(each)
        for sign in _BEHIND_A_POOL:
            if not _after(pieces, old + sign) <= _after(pieces, new + sign):
                return each
    return None


def _pieces(pattern: str) -> tuple[str, ...]:
    """The pattern split into pieces: each matches one character, or is `*`."""
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        end = at + 1
        if pattern[at] == "[":
            first = at + 1 + (pattern[at + 1 : at + 2] == "!")
            closing = pattern.find("]", first + 1)
            end = closing + 1 if closing >= 0 else end
        piece = pattern[at:end]
        if piece != ANY or not pieces or pieces[-1] != ANY:
            pieces.append("[[]" if piece == "[" else piece)
        at = end
    return tuple(pieces)


def _after(pieces: tuple[str, ...], text: str) -> frozenset[int]:
    """Numbers of pieces that this text may consume; empty when the pattern cannot match its start."""
    places = _further(pieces, {0})
    for character in text:
        moved = {at for at in places if at < len(pieces) and pieces[at] == ANY}
        moved |= {
            at + 1
            for at in places
            if at < len(pieces) and pieces[at] != ANY and fnmatchcase(character, pieces[at])
        }
        places = _further(pieces, moved)
    return frozenset(places)


def _further(pieces: tuple[str, ...], places: set[int]) -> set[int]:
    """The same set extended by `*` matching nothing."""
    return places | {at + 1 for at in places if at < len(pieces) and pieces[at] == ANY}
