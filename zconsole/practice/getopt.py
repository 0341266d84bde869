"""Options as getopt_long(3) reads them: grouped, in any order, before or after the operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from zconsole.base.lazy_dataclass import dataclass


class BadOption(Exception):
    """An option that the command does not have, or that lacks its argument."""

    def __init__(self, option: str, *, lacks_argument: bool = False) -> None:
        super().__init__(option)
        self.option = option
        self.lacks_argument = lacks_argument

    @property
    def words(self) -> str:
        """The complaint of the ZFS commands."""
        if self.lacks_argument:
            return f"missing argument for '{self.option}' option"
        return f"invalid option '{self.option}'"


@dataclass(slots=True)
class Options:
    """Parsed options and operands."""

    flags: set[str] = field(default_factory=set)
    values: dict[str, list[str]] = field(default_factory=dict)
    operands: list[str] = field(default_factory=list)

    def __contains__(self, flag: str) -> bool:
        return flag in self.flags

    def last(self, option: str) -> str | None:
        """The argument of an option; the last one counts."""
        given = self.values.get(option)
        return given[-1] if given else None


def getopt(args: Sequence[str], short: str, longs: Mapping[str, str] | None = None) -> Options:
    """Read a command line; `short` as in C, `longs` maps a long name to the flag that it sets."""
    takes = {letter for letter, after in pairwise(short) if after == ":"}
    letters = set(short) - {":"}
    options = Options()
    waiting = iter(args)
    for word in waiting:
        if word == "--":
            options.operands.extend(waiting)
        elif word.startswith("--"):
            options.flags.add(_long(word, longs or {}))
        elif word.startswith("-") and len(word) > 1:
            _group(word, (letters, takes), options, waiting=waiting)
        else:
            options.operands.append(word)
    return options


def _group(word: str, known: tuple[set[str], set[str]], options: Options, *, waiting: object) -> None:
    letters, takes = known
    for index, letter in enumerate(word[1:], start=1):
        if letter not in letters:
            raise BadOption(letter)
        if letter not in takes:
            options.flags.add(letter)
            continue
        value = word[index + 1 :] or next(waiting, None)  # type: ignore[call-overload]
        if value is None:
            raise BadOption(letter, lacks_argument=True)
        options.flags.add(letter)
        options.values.setdefault(letter, []).append(value)
        return


def _long(word: str, longs: Mapping[str, str]) -> str:
    name = word[2:]
    fits = [name] if name in longs else [full for full in longs if full.startswith(name)]
    if len(fits) != 1:
        raise BadOption(word)
    return longs[fits[0]]
