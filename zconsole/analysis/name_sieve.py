"""Which of a dataset's snapshots are meant by words on their names, out of columns: thousands at once.

It says exactly what `Query.sift` says of every name on its own.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import compress, repeat
from operator import contains
from typing import Final

from zconsole.analysis.sieve import Query, compiled
from zconsole.model.snapshot_table import SnapshotColumns

DENSE: Final = 16  # with more than one hit in so many names, all are looked at one by one

# What means the same in lower case and without regard to case: no capital letter, no range but of digits or
# of small letters, no escape but of classes and of signs, no group that names, counts or switches.
_FOLDS: Final = re.compile(
    r"(?: [^A-Z\\\[\]()\x80-\U0010ffff] | \\[dwsbDWSB] | \\[!-/:-@\[-`{-~]"
    r" | \((?!\?) | \(\?(?:[:=!]|<[=!]) | \)"
    r" | \[ \^? (?: a-z | 0-9 | [a-z0-9_.:%\ ](?!-) )+ \] )*",
    re.VERBOSE,
)
_PLAIN: Final = re.compile(r"[\w:%@/ -]+", re.ASCII)  # means itself
# What can hold a line break, so that it would go from one name to the next.
_CROSSES: Final = re.compile(r"\\[sDWB]|\[\^|\n")


class NameSieve:
    """Words on names, for the snapshots of one dataset."""

    def __init__(self, query: Query, dataset: str) -> None:
        self._prefix = f"{dataset}@"
        self._texts: list[str] = []
        self._starts: list[str] = []
        self.is_hopeless = False
        lowered = self._prefix.lower()
        plain = [each.lower() for each in query.regexes if _PLAIN.fullmatch(each)]
        self._texts += [each for each in query.in_globs if "@" not in each and each not in lowered]
        for text in (*query.texts, *plain):
            left, at, right = text.partition("@")
            if text in lowered:
                continue
            if not at:
                self._texts.append(text)
            elif lowered.endswith(f"{left}@"):
                self._starts.append(right)
            else:
                self.is_hopeless = True
        self._texts.sort(key=len, reverse=True)
        self._regexes = [_Regex(each) for each in query.regexes if not _PLAIN.fullmatch(each)]
        self._globs = query.globs

    def sift(self, columns: SnapshotColumns, start: int, end: int) -> Sequence[int]:
        """The places that are meant, from one up to another and without it."""
        if self.is_hopeless or start >= end:
            return ()
        text = columns.text(start, end)
        places: Sequence[int] = range(start, end)
        lowered = text.lower()
        texts, regexes = self._texts, self._regexes
        if texts:
            places, texts = _with_text(columns, lowered, texts[0], start, end), texts[1:]
        elif regexes and (few := regexes[0].few(lowered, self._prefix, places)) is not None:
            places, regexes = few, regexes[1:]
        return self._left(places, (texts, regexes), (text, lowered), start) if places else ()

    def narrow(self, columns: SnapshotColumns, places: Sequence[int]) -> Sequence[int]:
        """The same of some places, one by one: fast where they are few."""
        if self.is_hopeless:
            return ()
        words = (self._texts, self._regexes)
        return [
            place
            for place in places
            if self._left((place,), words, (name := columns.name(place), name.lower()), place)
        ]

    def _left(
        self,
        places: Sequence[int],
        words: tuple[Sequence[str], Sequence[_Regex]],
        named: tuple[str, str],
        start: int,
    ) -> Sequence[int]:
        """Of the places of names, as they are and in lower case, from `start` on: those that are meant.

        `words` are what was not looked for yet.
        """
        texts, regexes = words
        text, lowered = named
        if texts or self._starts:
            lines = lowered.split("\n")
            for word in texts:
                places = _kept(places, map(contains, _lines(lines, places, start), repeat(word)))
            for word in self._starts:
                places = _kept(places, map(str.startswith, _lines(lines, places, start), repeat(word)))
        for regex in regexes:
            if not places:
                break
            mine, search = regex.over(text, lowered)
            prefix = self._prefix.lower() if mine is lowered else self._prefix
            full = (prefix + mine.replace("\n", f"\n{prefix}")).split("\n")
            places = _kept(places, map(search, _lines(full, places, start)))
        if self._globs and places:
            short = text.split("\n")
            for glob in self._globs:
                match, prefix = glob.match, self._prefix
                fits = (match(each) or match(prefix + each) for each in _lines(short, places, start))
                places = _kept(places, fits)
        return places


class _Regex:
    """A regular expression on full names, whatever the case."""

    def __init__(self, pattern: str) -> None:
        self._any_case = compiled(pattern).search
        folds = _FOLDS.fullmatch(pattern) is not None
        self._folded = compiled(pattern, re.NOFLAG).search if folds else None
        is_of_lines = folds and not _CROSSES.search(pattern)
        self._in_lines = compiled(pattern, re.MULTILINE).search if is_of_lines else None

    def few(self, lowered: str, prefix: str, places: Sequence[int]) -> Sequence[int] | None:
        """The places of the names that it fits, from hit to hit; None where these are many, or in doubt."""
        if self._in_lines is None:
            return None
        prefix = prefix.lower()
        full = prefix + lowered.replace("\n", f"\n{prefix}")
        found: list[int] = []
        at, place, most = 0, places[0], len(places) // DENSE
        while (hit := self._in_lines(full, at)) is not None:
            if len(found) >= most:
                return None
            place += full.count("\n", at, hit.start())
            found.append(place)
            at, place = full.find("\n", hit.start()) + 1, place + 1
            if not at:
                break
        return found

    def over(self, text: str, lowered: str) -> tuple[str, Callable[[str], object]]:
        """Which text to look at, and how."""
        return (text, self._any_case) if self._folded is None else (lowered, self._folded)


def _with_text(columns: SnapshotColumns, lowered: str, word: str, start: int, end: int) -> Sequence[int]:
    """From hit to hit where there are few, else from name to name."""
    hits = lowered.count(word)
    if not hits:
        return ()
    if hits * DENSE > end - start:
        return array("I", compress(range(start, end), map(contains, lowered.split("\n"), repeat(word))))
    first = columns.ends[start - 1] if start else 0
    found = array("I")
    at = lowered.find(word)
    while at >= 0:
        place = bisect_right(columns.ends, first + at, start, end)
        found.append(place)
        at = lowered.find(word, columns.ends[place] - first)
    return found


def _lines(lines: Sequence[str], places: Sequence[int], start: int) -> Iterable[str]:
    return lines if len(places) == len(lines) else [lines[place - start] for place in places]


def _kept(places: Sequence[int], fits: Iterable[object]) -> Sequence[int]:
    return array("I", compress(places, fits))
