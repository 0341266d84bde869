"""Subcommand: its arguments, their request, and its runner."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.options import Parser, make_parser


def _no_arguments(_parser: Parser) -> None:
    """Default: no arguments, as for a group."""


def _needs_a_child(_given: object, _config: object = None) -> Any:
    raise UsageError("a second word is missing")


@dataclass(frozen=True, slots=True)
class Subcommand:
    """One word of the command line; one with `children` is selected by a second word."""

    name: str
    description: str
    add_arguments: Callable[[Parser], None] = _no_arguments
    read: Callable[[argparse.Namespace], Any] = _needs_a_child
    run: Callable[[Any, Config], int] = _needs_a_child
    epilog: str | None = None
    usage: str | None = None
    children: tuple[Subcommand, ...] = ()
    noun: str = ""  # noun of a child: action, question

    def parser(self) -> Parser:
        """Parser of its arguments; for a group, of --help only."""
        parser = make_parser(self.name, self.description, self.epilog)
        parser.usage = self.usage
        self.add_arguments(parser)
        return parser

    def add_to(self, parsers: argparse._SubParsersAction[Parser], name: str, words: str) -> None:
        """Add the subcommand and its children to the subparsers of the whole command line."""
        parser = parsers.add_parser(
            name, help=words.replace("%", "%%"), description=self.description, allow_abbrev=False
        )
        self.add_arguments(parser)
        if self.children:
            below = parser.add_subparsers(metavar=self.noun.upper(), required=True)
            for child in self.children:
                child.add_to(below, child.name.split()[-1], child.description)

    def child(self, words: list[str]) -> Subcommand:
        """Child named by the words; its name is removed from them. Raises UsageError."""
        names = {each.name.split()[-1]: each for each in self.children}
        at = first_word(words, lambda: [each.parser() for each in self.children])
        article = "an" if self.noun[:1] in "aeiou" else "a"
        if at is None:
            self.parser().parse_args(words)  # --help ends here
            raise UsageError(f"{self.name} needs {article} {self.noun}", hint=f"One of: {', '.join(names)}.")
        word = words.pop(at)
        if word not in names:
            near = get_close_matches(word, names, n=3)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"One of: {', '.join(names)}."
            raise UsageError(f"{word!r} is not {article} {self.noun} of {self.name}", hint=hint)
        return names[word]


def first_word(
    words: Sequence[str],
    parsers: Callable[[], Iterable[argparse.ArgumentParser]],
    usual: Callable[[], argparse.ArgumentParser] | None = None,
) -> int | None:
    """Index of the first word that is neither an option nor an option's value.

    `parsers` tell which options take a value. They are made only where an option comes first that the `usual`
    one does not know: the console's options must not load every subcommand.
    """
    with_value: frozenset[str] | None = None
    known = None if usual is None or not words or not words[0].startswith("-") else usual()
    rest = iter(enumerate(words))
    for at, word in rest:
        if word == "--":
            return None
        if not word.startswith("-"):
            return at
        if "=" in word:
            continue
        if known is not None and any(word in action.option_strings for action in _actions(known)):
            takes_value = word in _with_value(known)
        else:
            if with_value is None:
                with_value = frozenset(each for parser in parsers() for each in _with_value(parser))
            takes_value = word in with_value
        if takes_value:
            next(rest, None)
    return None


def _with_value(parser: argparse.ArgumentParser) -> Iterable[str]:
    for action in _actions(parser):
        if action.nargs not in {0, "?"}:
            yield from action.option_strings


def _actions(parser: argparse.ArgumentParser) -> Sequence[argparse.Action]:
    return parser._actions  # noqa: SLF001  # argparse tells it in no other way; shtab reads the same
