"""Which datasets and snapshots a filter means: words as a user types them, and what they let through.

Every word must hold. Words on age, size, holds and clones, and patterns, are about snapshots and bookmarks
alone; other text is looked for in full names. A snapshot is found by what its dataset is not found by: the
name of a dataset shows the dataset, not each of its snapshots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from functools import partial
from typing import Final

from zconsole.analysis.search.timed_regex import BadPatternError, TimedPattern, TimeLimit
from zconsole.base.errors import UsageError
from zconsole.base.quantities import parse_duration, parse_size
from zconsole.model.datasets.dataset import Dataset

WORDS: Final = (  # by example, and what each finds: for help, hint and manual
    (("held", "has:holds", "no:holds"), "snapshots with a hold, or without one"),
    (("has:clones", "no:clones"), "snapshots that clones stand on, or none"),
    (("older:30d", "newer:12h"), "by age: 90s, 5m, 12h, 30d, 2w, 6mo or 1y"),
    (("larger:1G", "smaller:500M"), "by USED: what only that snapshot keeps"),
    (("auto*", "*_daily"), "a pattern for the name behind the @ or #"),
    (("/regex/",), "a regular expression on the full name"),
    (("text",), "any other text: in the full name, in any case"),
)
HINT: Final = "  ".join(examples[0] for examples, _ in WORDS)
FLAGS: Final = {
    "held": ("holds", True), "has:holds": ("holds", True), "no:holds": ("holds", False),
    "has:clones": ("clones", True), "no:clones": ("clones", False),
}  # fmt: skip
_REGEX: Final = re.compile(r"/(.*?)(?:/(?=\s|\Z)|\Z)", re.DOTALL)
_WORD: Final = re.compile(r"\S+")

Datasets = Mapping[str, Dataset]
Names = Sequence[str]
Sift = Callable[[Names, Datasets, float], list[str]]


class FilterError(UsageError):
    """A word of a filter that makes no sense; says which, and what would."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a filter asks for."""

    text: str
    names: tuple[Callable[[str], bool], ...]  # on full names
    sifts: tuple[Sift, ...]  # the same, and what else snapshots must be, cheapest first
    is_of_snapshots: bool  # whether no dataset can be meant
    texts: tuple[str, ...] = ()  # in lower case, that full names hold
    regexes: tuple[str, ...] = ()  # that full names fit, whatever the case
    globs: tuple[re.Pattern[str], ...] = ()  # that short or full names fit
    in_globs: tuple[str, ...] = ()  # texts in lower case without which no name fits them
    cloned: tuple[bool, ...] = ()  # whether clones stand on it
    by_value: tuple[Sift, ...] = ()  # of `sifts`, those that need more than names and clones
    limit: TimeLimit = field(default_factory=TimeLimit, compare=False)  # of the regular expressions

    def finds_dataset(self, name: str) -> bool:
        """Whether a file system or volume is meant itself. Raises TimeoutError."""
        self.limit.begin()
        return not self.is_of_snapshots and all(holds(name) for holds in self.names)

    def sift(self, names: Names, datasets: Datasets, now: float) -> list[str]:
        """The snapshots and bookmarks that are meant; `now` in epoch seconds. Raises TimeoutError."""
        self.limit.begin()
        left: Names = names
        for sift in self.sifts:
            left = sift(left, datasets, now)
        return list(left)


def parse_filter(text: str) -> Query | None:
    """Read what was typed; None where it asks for nothing. Raises FilterError."""
    words = list(_words(text))
    if not words:
        return None
    limit = TimeLimit()
    regexes = [_regex(word, limit) for word, is_regex in words if is_regex]
    read = [(word.lower(), _of_snapshots(word)) for word, is_regex in words if not is_regex]
    texts = tuple(lowered for lowered, sift in read if sift is None)
    by_value = tuple(sift for _, sift in read if sift is not None)
    names = (*(partial(_has, each) for each in texts), *(partial(_finds, each) for each in regexes))
    by_name = (
        *(partial(_sift_text, each) for each in texts),
        *(partial(_sift_regex, each) for each in regexes),
    )
    return Query(
        text,
        names,
        (*by_name, *by_value),
        bool(by_value),
        texts,
        tuple(each.pattern for each in regexes),
        tuple(each.args[0] for each in by_value if each.func is _sift_glob),
        tuple(
            each
            for word, sift in read
            if sift is not None and sift.func is _sift_glob
            if (each := _in_glob(word))
        ),
        tuple(each.args[0] for each in by_value if each.func is _sift_cloned),
        tuple(each for each in by_value if each.func not in {_sift_glob, _sift_cloned}),
        limit,
    )


def _size_bytes(text: str) -> float:
    return parse_size(text).size_bytes


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Each word, and whether it is a regular expression, which may hold spaces."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _REGEX.match(text, at) if text[at] == "/" else None
        if found is not None:
            if found[1]:
                yield found[1], True
        else:
            found = _WORD.match(text, at)
            if found is None:
                return
            yield found[0], False
        at = found.end()


def _regex(words: str, limit: TimeLimit) -> TimedPattern[str]:
    try:
        return TimedPattern(words, limit)
    except BadPatternError as error:
        raise FilterError(f"/{words}/ is no regular expression: {error}") from error


def _of_snapshots(word: str) -> partial[list[str]] | None:
    """What a word says of snapshots alone; None of text. Raises FilterError."""
    key, colon, value = word.partition(":")
    key = key.lower()
    if word.lower() in FLAGS:
        what, wanted = FLAGS[word.lower()]
        return partial(_sift_held if what == "holds" else _sift_cloned, wanted)
    if colon and key in {"has", "no"}:
        raise FilterError(f"{word} is not known: {key}:clones, {key}:holds")
    if colon and key in BY_AMOUNT:
        amount, sift = BY_AMOUNT[key]
        try:
            return partial(sift, amount(value))
        except UsageError as error:
            raise FilterError(f"{word}: {error.message}", hint=error.hint) from error
    if "*" in word or "?" in word:
        return partial(_sift_glob, re.compile(translate(word), re.IGNORECASE))
    return None


def _in_glob(lowered: str) -> str:
    """The longest text that stands in whatever fits a pattern, as far as it is sure."""
    longest = max(re.split(r"[*?]", lowered.partition("[")[0]), key=len)
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


def _known(value: int | None, otherwise: float) -> float:
    return otherwise if value is None else value


BY_AMOUNT: Final[Mapping[str, tuple[Callable[[str], float], Callable[..., list[str]]]]] = {
    "older": (parse_duration, _sift_older), "newer": (parse_duration, _sift_newer),
    "larger": (_size_bytes, _sift_larger), "smaller": (_size_bytes, _sift_smaller),
}  # fmt: skip
