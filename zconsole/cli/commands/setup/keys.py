"""`zconsole keys`: keys of the console, with the user's own."""

from __future__ import annotations

import argparse
import shutil
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.console import use_own_keys
from zconsole.cli.json_output import print_document
from zconsole.cli.options import Parser, add_json
from zconsole.cli.subcommand import Subcommand
from zconsole.reports.json.setup.keys import keys_document
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.layout.key_help import all_keys, menu_lines, name_lines
from zconsole.views.layout.screen_key_registry import ACTIONS
from zconsole.views.layout.words_of_need import in_menu, is_named, near_words

WIDEST: Final = 160  # columns when stdout is not a terminal
HANGING: Final = 20  # cells of the column of keys


@dataclass(frozen=True, slots=True)
class KeysRequest:
    """`zconsole keys`."""

    words: tuple[str, ...] = ()
    is_json: bool = False
    with_names: bool = False


def run_keys(asked: KeysRequest, _config: Config) -> int:
    """Print the keys whose line has all words; raises UsageError where none has."""
    if not asked.with_names:  # they are wanted where the file cannot be read
        use_own_keys()
    words = " ".join(asked.words)
    found = [action for action in ACTIONS if is_named(action, words)]
    if not found and (asked.is_json or asked.with_names or not in_menu(words)):
        near = near_words(words)
        meant = f"Did you mean {near!r}? " if near else ""
        raise UsageError(f"no key does {words!r}", hint=f"{meant}`zconsole keys` prints all of them.")
    if asked.is_json:
        print_document(keys_document(found))
        return 0
    lines = tuple(name_lines(found)) if asked.with_names else (*all_keys(found), *menu_lines(words))
    for told in printed(lines, shutil.get_terminal_size((WIDEST, 24)).columns, HANGING):
        print(told)
    return 0


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORD", help="only the keys whose line has all words")
    parser.add_argument(
        "--names", action="store_true", help="the names of the actions, as keys.toml takes them"
    )
    add_json(parser, "one object with every key, its meaning and its screens")


def _read(found: argparse.Namespace) -> KeysRequest:
    return KeysRequest(tuple(found.words), found.json, found.names)


SUBCOMMAND: Final = Subcommand(
    "keys",
    "Print the keys of the console and what they do, with those of keys.toml.",
    _add_arguments,
    _read,
    run_keys,
)
