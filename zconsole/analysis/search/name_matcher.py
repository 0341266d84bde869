"""Name matcher over snapshot columns, thousands of names per call.

Equals `Query.sift` applied to every name. Text and regular expressions are searched in the column's bytes,
one name per line, and mark each match: one call for all.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import Final

from zconsole.analysis.search.dataset_query import Query
from zconsole.analysis.search.timed_regex import BadPatternError, TimedPattern
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.snapshot_table import SnapshotColumns

FEW: Final = 64  # with at most one remaining name per this many, they are checked one by one
SPARSE: Final = 16  # with at most one hit per this many names, hits are searched one by one

# Regular expressions equal in lower case: no capitals, no ranges but of digits or small letters, no escapes
# but of
# classes and punctuation, no groups that name, count or switch.
_FOLDS: Final = re.compile(
    r"(?: [^A-Z\\\[\]()\x80-\U0010ffff\n] | \\[dwsbDWSB] | \\[!-/:-@\[-`{-~]"
    r" | \((?!\?) | \(\?(?:[:=!]|<[=!]) | \)"
    r" | \[ \^? (?: [a-z]-[a-z] | [0-9]-[0-9] | [a-z0-9_.:%\ ](?!-) )+ \] )*",
    re.VERBOSE,
)
_PLAIN: Final = re.compile(r"[\w:%@/ -]+", re.ASCII)  # literal
# Constructs that could match a line break, with a replacement that cannot; names have no white space but
# spaces.
_TOKENS: Final = re.compile(r"\[\^|\\.|[^\\\[]|\[")
_IN_LINES: Final = {"[^": r"[^\n", r"\s": "[ ]", r"\D": r"[^0-9\n]", r"\W": r"[^a-z0-9_\n]"}
_BEGINS: Final = re.compile(r"[a-z0-9_:% -]+(?![*?{])")  # literal prefix of every match
_MARK: Final = b"\x01"  # not allowed in names
_BREAK: Final = b"\n"
_REST: Final = bytes(each for each in range(256) if bytes([each]) not in {_MARK, _BREAK})
_AS_BITS: Final = bytes.maketrans(_BREAK, b"\0")


@dataclass(frozen=True, slots=True)
class _Part:
    """Pattern in lower case, for lines with short or full names."""

    pattern: re.Pattern[bytes] | TimedPattern[bytes]
    is_on_full: bool
    letter: bytes = b""  # the whole pattern, if a single letter


class NameMatcher:
    """Matcher of name patterns for the snapshots of one dataset."""

    def __init__(self, query: Query, dataset: str) -> None:
        self._prefix = f"{dataset}@"
        self._lowered = self._prefix.lower()
        self._limit = query.limit
        self.is_hopeless = False
        self._parts: list[_Part] = []
        self._others: list[Callable[[str], object]] = []  # applied to each full name
        self._globs = query.globs
        plain = [each.lower() for each in query.regexes if _PLAIN.fullmatch(each)]
        wanted = [each for each in query.in_globs if "@" not in each and each not in self._lowered]
        for text in sorted((*wanted, *query.texts, *plain), key=len, reverse=True):
            self._look_for(text)
        for each in query.regexes:
            if _PLAIN.fullmatch(each):
                continue
            part = self._part(each) if _FOLDS.fullmatch(each) else None
            if part is not None:
                self._parts.append(part)
            else:
                self._others.append(TimedPattern(each, self._limit).search)

    def _look_for(self, text: str) -> None:
        left, at, right = text.partition("@")
        if text in self._lowered:
            return
        if not text.isascii() or (at and not self._lowered.endswith(f"{left}@")):
            self.is_hopeless = True
            return
        pattern = re.escape(right if at else text)
        letter = text.encode("ascii") if len(text) == 1 and not at else b""
        self._parts.append(_Part(_literal(f"^{pattern}" if at else pattern), is_on_full=False, letter=letter))

    def _part(self, pattern: str) -> _Part | None:
        """A regular expression in lower case; None when it becomes too long."""
        begins = None if "|" in pattern or "(?<" in pattern else _BEGINS.match(pattern)
        within = "".join(_IN_LINES.get(each, each) for each in _TOKENS.findall(pattern))
        is_behind = begins is not None and begins[0] not in self._lowered
        try:
            made = TimedPattern(within.encode("ascii"), self._limit, is_multiline=True)
        except BadPatternError:
            return None
        return _Part(made, is_on_full=not is_behind)

    def sift(self, columns: SnapshotColumns, start: int, end: int) -> Sequence[int]:
        """Matching indexes from `start` up to but not including `end`. Raises TimeoutError."""
        self._limit.begin()
        if self.is_hopeless or start >= end:
            return ()
        places: Sequence[int] = range(start, end)
        lines = columns.lines(start, end).lower() if self._parts else b""
        full = b""
        for part in self._parts:
            if len(places) * FEW <= end - start:
                return self._narrow(columns, places)
            if part.is_on_full and not full:
                full = self._on_full(lines)
            places = _marked(places, _hits(part, full if part.is_on_full else lines), start)
            if not places:
                return ()
        return self._left(columns, places, start, end) if self._others or self._globs else places

    def narrow(self, columns: SnapshotColumns, places: Sequence[int]) -> Sequence[int]:
        """The same for some indexes, one by one: fast for few. Raises TimeoutError."""
        self._limit.begin()
        return self._narrow(columns, places)

    def _narrow(self, columns: SnapshotColumns, places: Sequence[int]) -> Sequence[int]:
        return () if self.is_hopeless else [place for place in places if self._fits(columns, place)]

    def _fits(self, columns: SnapshotColumns, place: int) -> bool:
        name = columns.name(place)
        short = name.lower().encode("ascii")
        full = self._lowered.encode("utf-8", "surrogateescape") + short
        return (
            all(each.pattern.search(full if each.is_on_full else short) for each in self._parts)
            and all(search(self._prefix + name) for search in self._others)
            and all(each.match(name) or each.match(self._prefix + name) for each in self._globs)
        )

    def _on_full(self, lines: bytes) -> bytes:
        prefix = self._lowered.encode("utf-8", "surrogateescape")
        return prefix + lines[:-1].replace(_BREAK, _BREAK + prefix) + _BREAK

    def _left(self, columns: SnapshotColumns, places: Sequence[int], start: int, end: int) -> Sequence[int]:
        """Indexes that also match the patterns applied to each name."""
        is_all = len(places) == end - start
        short = columns.text(start, end).split("\n") if is_all else list(map(columns.name, places))
        prefix = self._prefix
        for search in self._others:
            fits = list(map(search, [prefix + each for each in short]))
            places, short = array("I", compress(places, fits)), list(compress(short, fits))
        for glob in self._globs:
            match = glob.match
            fits = [match(each) or match(prefix + each) for each in short]
            places, short = array("I", compress(places, fits)), list(compress(short, fits))
        return places


def _literal(pattern: str) -> re.Pattern[bytes]:
    """For lines in lower case; names are ASCII."""
    return re.compile(pattern.encode("ascii"), re.MULTILINE)


def _hits(part: _Part, lines: bytes) -> bytes:
    """One byte per line: 1 for a match."""
    marked = lines.replace(part.letter, _MARK) if part.letter else part.pattern.sub(_MARK, lines)
    only = marked.translate(None, _REST)
    only = only[: only.rindex(_BREAK) + 1]  # without the match at the end of the text
    while 2 * _MARK in only:
        only = only.replace(2 * _MARK, _MARK)
    return only.replace(_MARK + _BREAK, _MARK).translate(_AS_BITS)


def _marked(places: Sequence[int], hits: bytes, start: int) -> Sequence[int]:
    """Indexes with a hit; `hits[0]` belongs to `start`."""
    count = hits.count(_MARK)
    if count == len(hits):
        return places
    if not count:
        return ()
    if not isinstance(places, range):
        return array("I", [place for place in places if hits[place - start]])
    if count * SPARSE > len(hits):
        return array("I", compress(places, hits))
    return array("I", _each(hits, start))


def _each(hits: bytes, start: int) -> Iterable[int]:
    at = hits.find(_MARK)
    while at >= 0:
        yield start + at
        at = hits.find(_MARK, at + 1)
