"""Words of the query language of all tables: texts, patterns, regular expressions, comparisons.

All words must hold. What a word means beside its text depends on the columns of the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import translate
from typing import Final, TypeVar

from zconsole.analysis.search.timed_regex import BadPatternError, TimedPattern, TimeLimit
from zconsole.base.errors import UsageError, shortened
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import parse_duration

LONGEST_TOLD: Final = 12  # names of columns in an error
MOST_SHOWN: Final = 40  # characters of a wrong word in an error
WORDS: Final = (  # of every table: by example, and what each finds; for help and manual
    (("text", '"two words"'), "rows with that text, in any case"),
    (("/regex/",), "rows that a regular expression fits"),
    (("state:degraded",), "rows that have the text in that column"),
    (("state=ONLINE", "state!=ONLINE"), "rows whose column is that, or is not"),
    (("used>80%", "size<=10G"), "rows whose column is more or less: > >= < <="),
)
OF_LISTS: Final = (
    (("sd*",), "rows with a cell that matches the pattern"),
    (("older:30d", "newer:12h"), "rows by their time"),
)
OF_SNAPSHOTS_OR_TIME: Final = frozenset({"has", "no", "older", "newer", "larger", "smaller"})
_REGEX: Final = re.compile(r"/(.*?)(?:/(?=\s|\Z)|\Z)", re.DOTALL)
_QUOTED: Final = re.compile(r'"([^"]*)(?:"|\Z)')
_WORD: Final = re.compile(r'(?:[^\s"]|"[^"]*(?:"|\Z))+')
_COMPARISON: Final = re.compile(r"([A-Za-z][\w./%-]*?)(!=|>=|<=|>|<|=|:)(.*)", re.DOTALL)
_NO_NAME: Final = re.compile(r"[\W_]+")
_T = TypeVar("_T")


class FilterError(UsageError):
    """A word of a filter cannot be understood; says which, where, and what would be."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it was typed: its text without the signs around it, and where it begins."""

    text: str
    at: int
    is_regex: bool = False
    is_quoted: bool = False

    def error(self, problem: str, hint: str = "") -> FilterError:
        """What is wrong with it, and where it stands."""
        return FilterError(f"character {self.at + 1}: {problem}", hint=hint)

    @property
    def shown(self) -> str:
        """The beginning of it."""
        return shortened(self.text, MOST_SHOWN)


def words_of(text: str) -> Iterator[Word]:
    """Each word; regular expressions and what stands in quotation marks may hold spaces."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text[at] == "/" and (found := _REGEX.match(text, at)) is not None:
            if found[1]:
                yield Word(found[1], at, is_regex=True)
        elif text[at] == '"' and (found := _QUOTED.match(text, at)) is not None:
            if found[1]:
                yield Word(found[1], at, is_quoted=True)
        elif (found := _WORD.match(text, at)) is not None:
            yield Word(found[0], at)
        else:  # pragma: no cover - every other sign begins a word
            return
        at = found.end()


def regex_of(word: Word, limit: TimeLimit) -> TimedPattern[str]:
    """The regular expression of a word. Raises FilterError."""
    try:
        return TimedPattern(word.text, limit)
    except BadPatternError as error:
        raise word.error(f"/{word.shown}/ is not a regular expression: {error}") from error


def glob_of(word: Word) -> re.Pattern[str] | None:
    """The pattern of a word with `*` or `?` in it; None of another word."""
    is_glob = not word.is_quoted and ("*" in word.text or "?" in word.text)
    return re.compile(translate(word.text), re.IGNORECASE) if is_glob else None


def column_names(columns: Iterable[tuple[str, str]]) -> dict[str, str]:
    """How columns can be named: by id and title, in small letters and without signs; each gives the id."""
    names: dict[str, str] = {}
    for column_id, title in columns:
        for name in (column_id, title):
            if key := _NO_NAME.sub("", name.lower()):
                names.setdefault(key, column_id)
    return names


def comparison(word: Word, names: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Column, operator and value of a word; None of one that is text. Raises FilterError for no column."""
    found = None if word.is_quoted else _COMPARISON.fullmatch(word.text)
    if found is None:
        return None
    column = names.get(_NO_NAME.sub("", found[1].lower()))
    if column is not None:
        return column, found[2], found[3].strip('"')
    if found[2] in {":", "="}:
        return None
    known = list(dict.fromkeys(names.values()))
    told = ", ".join(known[:LONGEST_TOLD]) + (", ..." if len(known) > LONGEST_TOLD else "")
    raise word.error(f"{shortened(found[1], MOST_SHOWN)!r} is not a column here", f"Columns: {told}.")


def taken_as_text(text: str, columns: Iterable[tuple[str, str]]) -> str:
    """Of words that name no column, as `stat:locked`, that their text is looked for; empty without any."""
    from difflib import get_close_matches  # noqa: PLC0415  # of a word that no column has

    columns = tuple(columns)
    names = column_names(columns)
    for word in words_of(text):
        found = None if word.is_quoted or word.is_regex else _COMPARISON.fullmatch(word.text)
        if found is None or not found[1].isalpha() or found[1].lower() in OF_SNAPSHOTS_OR_TIME:
            continue
        key = found[1].lower()
        if found[2] in {":", "="} and key not in names:
            near = [each for each, _ in columns if each.startswith(key)] or get_close_matches(key, names, n=1)
            meant = f"; did you mean {near[0]}{found[2]}{shortened(found[3], MOST_SHOWN)}?" if near else ""
            return f"there is no column {shortened(found[1], MOST_SHOWN)} here: its text is looked for{meant}"
    return ""


def age_of(word: Word) -> tuple[bool, float] | None:
    """Of `older:30d` and `newer:12h`, whether it is older, and the seconds. Raises FilterError."""
    key, colon, _ = word.text.lower().partition(":")
    if not colon or word.is_quoted or key not in {"older", "newer"}:
        return None
    try:
        return key == "older", parse_duration(word.text.partition(":")[2])
    except UsageError as error:
        raise word.error(f"{word.shown}: {error.message}", error.hint) from error


def while_typing(words: str, parse: Callable[[str], _T | None]) -> tuple[_T | None, str]:
    """What was typed, and what is wrong with it: then the words before the last one count."""
    try:
        return parse(words), ""
    except FilterError as error:
        problem = f"{error.message}. {error.hint}" if error.hint else error.message
    try:
        return parse(words.rpartition(" ")[0]), problem
    except FilterError:
        return None, problem
