"""Patterns of protected objects: what they cover now, and under another name. As `fnmatch` reads them.

A name of ZFS's begins with its pool; a pattern may cover names that cannot be listed, since the pool is not
imported. What remains of a pattern behind the pool's name tells which.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Final

ANY: Final = "*"
_BEHIND_A_POOL: Final = "/@#"  # what may follow the name of a pool in a name of what is in it


def covering(patterns: Sequence[str], name: str) -> str | None:
    """The first pattern that covers a name."""
    return next((pattern for pattern in patterns if fnmatchcase(name, pattern)), None)


def left_behind(patterns: Sequence[str], old: str, new: str) -> str | None:
    """The pattern that covers the old name, where none covers the new one."""
    pattern = covering(patterns, old)
    return pattern if pattern is not None and covering(patterns, new) is None else None


def reaching(patterns: Sequence[str], pool: str) -> str | None:
    """The first pattern that covers the pool, or may cover something in it; any, of a pool without a name."""
    if not pool:
        return next(iter(patterns), None)
    for pattern in patterns:
        pieces = _pieces(pattern)
        if len(pieces) in _after(pieces, pool) or any(_after(pieces, pool + sign) for sign in _BEHIND_A_POOL):
            return pattern
    return None


def left_behind_in(patterns: Sequence[str], old: str, new: str) -> str | None:
    """The pattern that may cover something in a pool, and not the same in a pool of another name.

    In doubt it does: of two patterns each is looked at alone.
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
    """The pattern in pieces, each of which stands for one character, or as `*` for any number of them."""
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
    """How many pieces may be used up once so much of a name was read; none where it cannot begin so."""
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
    """The same, where `*` stands for nothing."""
    return places | {at + 1 for at in places if at < len(pieces) and pieces[at] == ANY}
