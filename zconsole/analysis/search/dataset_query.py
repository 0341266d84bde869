"""Which datasets and snapshots a filter means: the words of the query language, and what they let through.

Every word must hold. Words on age, size, holds and clones, and patterns, are about snapshots and bookmarks
alone; other text is looked for in full names. A snapshot is found by what its dataset is not found by: the
name of a dataset shows the dataset, not each of its snapshots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Final

from zconsole.analysis.search.column_comparison import ColumnTest, column_test
from zconsole.analysis.search.query_terms import Word, column_names, comparison, glob_of, regex_of, words_of
from zconsole.analysis.search.timed_regex import TimedPattern, TimeLimit
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import parse_duration, parse_size
from zconsole.model.datasets.dataset import Dataset

OF_SNAPSHOTS: Final = (  # examples with explanations, for help, hint and manual
    (("held", "has:holds", "no:holds"), "snapshots with a hold, or without one"),
    (("has:clones", "no:clones"), "snapshots that clones stand on, or none"),
    (("older:30d", "newer:12h"), "snapshots by age: 90s, 5m, 12h, 30d, 2w, 6mo or 1y"),
    (("larger:1G", "smaller:500M"), "snapshots by USED: what only that snapshot keeps"),
    (("auto*", "*_daily"), "snapshots by a pattern for the name behind the @ or #"),
)
HINT: Final = "held  has:clones  older:30d  larger:1G  auto*  used>10G  /regex/  text"
FLAGS: Final = {
    "held": ("holds", True), "has:holds": ("holds", True), "no:holds": ("holds", False),
    "has:clones": ("clones", True), "no:clones": ("clones", False),
}  # fmt: skip

Datasets = Mapping[str, Dataset]
Names = Sequence[str]
Sift = Callable[[Names, Datasets, float], list[str]]


@dataclass(frozen=True, slots=True)
class DatasetField:
    """A column that a filter can compare: the text of its cell and its value, of a dataset at a moment."""

    id: str
    title: str
    read: Callable[[Dataset, float], tuple[str, float | str | None]]


@dataclass(frozen=True, slots=True)
class Query:
    """Parsed filter."""

    text: str
    names: tuple[Callable[[str], bool], ...]  # on full names
    sifts: tuple[Sift, ...]  # the same and all other conditions on snapshots, cheapest first
    is_of_snapshots: bool  # whether no dataset can match
    texts: tuple[str, ...] = ()  # lower-case substrings of full names
    regexes: tuple[str, ...] = ()  # case-insensitive expressions on full names
    globs: tuple[re.Pattern[str], ...] = ()  # patterns of short or full names
    in_globs: tuple[str, ...] = ()  # lower-case texts that every matching name contains
    cloned: tuple[bool, ...] = ()  # whether it must have clones
    by_value: tuple[Sift, ...] = ()  # the part of `sifts` that needs more than names and clones
    tests: tuple[tuple[ColumnTest, DatasetField], ...] = ()  # of columns, datasets' as well
    limit: TimeLimit = field(default_factory=TimeLimit, compare=False)  # of the regular expressions

    def finds_dataset(self, name: str, datasets: Datasets, now: float) -> bool:
        """Whether a file system or volume matches itself. Raises TimeoutError."""
        self.limit.begin()
        return (
            not self.is_of_snapshots
            and all(holds(name) for holds in self.names)
            and all(test.fits(*column.read(datasets[name], now)) for test, column in self.tests)
        )

    @property
    def problem(self) -> str:
        """What is wrong with a comparison for what was seen so far."""
        return next((said for test, _ in self.tests if (said := test.said)), "")

    def sift(self, names: Names, datasets: Datasets, now: float) -> list[str]:
        """The matching snapshots and bookmarks; `now` in epoch seconds. Raises TimeoutError."""
        self.limit.begin()
        left: Names = names
        for sift in self.sifts:
            left = sift(left, datasets, now)
        return list(left)


def parse_filter(text: str, columns: Sequence[DatasetField] = ()) -> Query | None:
    """Parse a filter; None for an empty one. Raises FilterError."""
    words = list(words_of(text))
    if not words:
        return None
    limit = TimeLimit()
    regexes = [regex_of(word, limit) for word in words if word.is_regex]
    read = [(word, _of_snapshots(word)) for word in words if not word.is_regex]
    names = column_names((each.id, each.title) for each in columns)
    by_id = {each.id: each for each in columns}
    tests = tuple(
        (column_test(word, by_id[compared[0]].title, compared), by_id[compared[0]])
        for word, sift in read
        if sift is None and (compared := comparison(word, names)) is not None
    )
    texts = tuple(
        word.text.lower() for word, sift in read if sift is None and comparison(word, names) is None
    )
    of_snapshots = tuple(sift for _, sift in read if sift is not None)
    of_columns = tuple(partial(_sift_column, test, column) for test, column in tests)
    by_name = (
        *(partial(_sift_text, each) for each in texts),
        *(partial(_sift_regex, each) for each in regexes),
    )
    return Query(
        text,
        (*(partial(_has, each) for each in texts), *(partial(_finds, each) for each in regexes)),
        (*by_name, *of_snapshots, *of_columns),
        bool(of_snapshots),
        texts,
        tuple(each.pattern for each in regexes),
        tuple(each.args[0] for each in of_snapshots if each.func is _sift_glob),
        tuple(
            each
            for word, sift in read
            if sift is not None and sift.func is _sift_glob
            if (each := _in_glob(word.text))
        ),
        tuple(each.args[0] for each in of_snapshots if each.func is _sift_cloned),
        (*(each for each in of_snapshots if each.func not in {_sift_glob, _sift_cloned}), *of_columns),
        tests,
        limit,
    )


def _size_bytes(text: str) -> float:
    return parse_size(text).size_bytes


def _of_snapshots(word: Word) -> partial[list[str]] | None:
    """What a word says of snapshots alone; None of text and comparisons. Raises FilterError."""
    if word.is_quoted:
        return None
    lowered = word.text.lower()
    key, colon, value = word.text.partition(":")
    key = key.lower()
    if lowered in FLAGS:
        what, wanted = FLAGS[lowered]
        return partial(_sift_held if what == "holds" else _sift_cloned, wanted)
    if colon and key in {"has", "no"}:
        raise word.error(f"{word.shown} is not known", f"{key}:clones or {key}:holds.")
    if colon and key in BY_AMOUNT:
        amount, sift = BY_AMOUNT[key]
        try:
            return partial(sift, amount(value))
        except UsageError as error:
            raise word.error(f"{word.shown}: {error.message}", error.hint) from error
    glob = glob_of(word)
    return None if glob is None else partial(_sift_glob, glob)


def _in_glob(word: str) -> str:
    """The longest text contained in every match of a pattern, as far as certain."""
    longest = max(re.split(r"[*?]", word.lower().partition("[")[0]), key=len)
    return longest if longest.isascii() else ""


def _has(lowered: str, name: str) -> bool:
    return lowered in name.lower()


def _finds(pattern: TimedPattern[str], name: str) -> bool:
    return pattern.search(name)


def _sift_text(lowered: str, names: Names, _datasets: Datasets, _now: float) -> list[str]:
    return [name for name in names if lowered in name.lower()]


def _sift_regex(pattern: TimedPattern[str], names: Names, _datasets: Datasets, _now: float) -> list[str]:
    search = pattern.search
    return [name for name in names if search(name)]


def _sift_glob(pattern: re.Pattern[str], names: Names, _datasets: Datasets, _now: float) -> list[str]:
    match = pattern.match
    return [name for name in names if match(_short(name)) or match(name)]


def _short(name: str) -> str:
    return name.rpartition("@")[2].rpartition("#")[2]


def _sift_held(wanted: bool, names: Names, datasets: Datasets, _now: float) -> list[str]:
    return [name for name in names if bool(datasets[name].holds) is wanted]


def _sift_cloned(wanted: bool, names: Names, datasets: Datasets, _now: float) -> list[str]:
    return [name for name in names if bool(datasets[name].clones) is wanted]


def _sift_older(age: float, names: Names, datasets: Datasets, now: float) -> list[str]:
    born, never = now - age, float("inf")
    return [name for name in names if _known(datasets[name].creation, never) < born]


def _sift_newer(age: float, names: Names, datasets: Datasets, now: float) -> list[str]:
    born, never = now - age, float("-inf")
    return [name for name in names if _known(datasets[name].creation, never) > born]


def _sift_larger(limit: float, names: Names, datasets: Datasets, _now: float) -> list[str]:
    return [name for name in names if (datasets[name].used_bytes or 0) > limit]


def _sift_smaller(limit: float, names: Names, datasets: Datasets, _now: float) -> list[str]:
    never = float("inf")
    return [name for name in names if _known(datasets[name].used_bytes, never) < limit]


def _sift_column(
    test: ColumnTest, column: DatasetField, names: Names, datasets: Datasets, now: float
) -> list[str]:
    return [name for name in names if test.fits(*column.read(datasets[name], now))]


def _known(value: int | None, otherwise: float) -> float:
    return otherwise if value is None else value


BY_AMOUNT: Final[Mapping[str, tuple[Callable[[str], float], Callable[..., list[str]]]]] = {
    "older": (parse_duration, _sift_older), "newer": (parse_duration, _sift_newer),
    "larger": (_size_bytes, _sift_larger), "smaller": (_size_bytes, _sift_smaller),
}  # fmt: skip
