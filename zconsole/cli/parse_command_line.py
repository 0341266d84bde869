"""Parser of the command line into a request; a UsageError names the correct form."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from zconsole.base.errors import UsageError
from zconsole.cli.commands import SUBCOMMANDS, subcommand
from zconsole.cli.options import Parser, make_parser, words_behind_dashes
from zconsole.cli.subcommand import Subcommand, first_word


def subcommand_of(argv: Sequence[str]) -> str | None:
    """Subcommand of a command line: its first word that is not an option."""
    at = _first_word(argv)
    return argv[at] if at is not None and argv[at] in SUBCOMMANDS else None


def understood(argv: Sequence[str]) -> tuple[Subcommand, object]:
    """Subcommand and request of a command line. Raises UsageError, and SystemExit(0) after help."""
    words = list(argv)
    name = subcommand_of(words)
    if name is not None:
        del words[_first_word(words) or 0]
    found = subcommand(name)
    while found.children:
        found = found.child(words)
    try:
        asked: object = found.read(found.parser().parse_intermixed_args(words_behind_dashes(words)))
    except UsageError:
        if name is None and (at := _first_word(words)) is not None:
            _check_word_before_options(words[at])
        raise
    return found, asked


def _check_word_before_options(word: str) -> None:
    """Raise UsageError where a first word is nearly a subcommand, or an action: options behind it are its."""
    from zconsole.cli.console_arguments import check_is_host  # only on the way to an error

    check_is_host(word)


def parse(argv: Sequence[str]) -> object:
    """Request of a command line. Raises like `understood`."""
    return understood(argv)[1]


def whole_parser() -> Parser:
    """Parser of all subcommands with all arguments, for completion and the manual page."""
    console = subcommand(None)
    parser = make_parser("", console.description)
    parsers = parser.add_subparsers(metavar="SUBCOMMAND", parser_class=Parser)
    for name, (_folder, _usual, words) in SUBCOMMANDS.items():
        subcommand(name).add_to(parsers, name, words)
    return parser


def _first_word(argv: Sequence[str]) -> int | None:
    return first_word(argv, _parsers, subcommand(None).parser)


def _parsers() -> list[argparse.ArgumentParser]:
    commands = [subcommand(name) for name in (None, *SUBCOMMANDS)]
    return [each.parser() for command in commands for each in (command, *command.children)]
