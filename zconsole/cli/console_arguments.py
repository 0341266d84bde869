"""Arguments of `zconsole [HOST...]`, the console itself, and its help with the list of all subcommands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from zconsole import __version__
from zconsole.base.errors import UsageError
from zconsole.base.user_config_file import Config
from zconsole.cli.action_names import ACTION_NAMES
from zconsole.cli.commands import SUBCOMMANDS
from zconsole.cli.options import Parser, add_places, interval, where_of
from zconsole.cli.subcommand import Subcommand
from zconsole.model.exercise_names import EXERCISES

if TYPE_CHECKING:
    from zconsole.cli.console import ConsoleRequest

_LISTED: Final = "\n".join(
    f"  {f'{name} {usual}'.strip():<31} {words}" for name, (_folder, usual, words) in SUBCOMMANDS.items()
)
_BARE_WORD: Final = re.compile(r"[A-Za-z0-9_-]+")  # no user, domain, port or address
_NEAR: Final = 0.75  # ratio of difflib: one letter of four is wrong
_OPTION_WORDS: Final = frozenset({"demo", "help", "version"})  # as others have subcommands
EPILOG: Final = f"""\
HOST is NAME (of config.toml or ~/.ssh/config), user@host,
ssh://user@host:port, or local.
A host that is named like a subcommand or an action is written ssh://NAME.

subcommands:
{_LISTED}

`zconsole SUBCOMMAND --help` says more.

exit codes: 0 done, 2 usage error, 3 a host could not be read, 130 interrupted;
of slow: 0 none, 1 found, 3 too little to tell;
of advise, repair: 0 nothing to do, 1 something;
of stream: 1 not all in it can be restored;
of check: 0 ok, 1 warning, 2 critical, 3 unknown;
of plan: 3 refused;
of apply: 1 failed, 3 nothing was run, 4 sent, and not known what became of it.
"""


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "hosts", nargs="*", metavar="HOST", help="hosts or groups of config.toml to show (default: this one)"
    )
    parser.add_argument("--all", action="store_true", help="all hosts of config.toml")
    add_places(parser, lists_exercises=True)
    parser.add_argument("--theme", metavar="NAME", help="a theme by name")
    parser.add_argument("--interval", type=interval, metavar="TIME", help="between two I/O samples")
    parser.add_argument("--read-only", action="store_true", help="offer nothing that changes a host")
    parser.add_argument("--version", "-V", action="version", version=f"zconsole {__version__}")


def _read(found: argparse.Namespace) -> ConsoleRequest:
    for host in found.hosts:
        if host in SUBCOMMANDS:
            raise UsageError(
                f"{host} is a subcommand and comes first",
                hint=f"`zconsole {host} --host HOST`; for a host of that name, ssh://{host}.",
            )
    if found.demo and (exercise := _exercise_near(found.hosts)):
        raise UsageError(
            f"the exercise {exercise} is a part of the option --demo",
            hint=f"Did you mean `zconsole --demo={exercise}`? `zconsole --demo=help` lists all.",
        )
    if found.hosts and found.demo:
        raise UsageError(
            f"{found.hosts[0]} is not a subcommand, and hosts and --demo exclude each other",
            hint=f"{_meant_by(found.hosts[0])} For a host of that name, leave --demo out.",
        )
    from zconsole.cli.console import (
        ConsoleRequest,
    )  # each subcommand has to know these arguments, and no more

    where = where_of(found, tuple(found.hosts))
    if found.all and (where.hosts or where.is_demo or where.replay is not None):
        raise UsageError("--all and other hosts exclude each other", hint="Give one of them.")
    return ConsoleRequest(where, found.theme, found.interval, found.read_only, is_all=found.all)


def check_is_host(word: str) -> None:
    """Raise UsageError where the first word of a command line is nearly a subcommand, or an action."""
    _check_no_action(word)
    near = "" if word in SUBCOMMANDS else _near(word)
    if near:
        raise UsageError(f"{word} is not a subcommand", hint=_meant(near))


def _check_no_action(word: str) -> None:
    if word in ACTION_NAMES:
        raise UsageError(
            f"{word} is an action, and is planned first",
            hint=f"`zconsole plan {word} --help` says how; for a host of that name, ssh://{word}.",
        )


def with_configured_hosts(asked: ConsoleRequest, config: Config) -> ConsoleRequest:
    """The request with the hosts that `--all` and names of groups stand for. Raises UsageError for none."""
    if asked.is_all and not config.hosts:
        raise UsageError(
            "--all is all hosts of config.toml, which has none",
            hint="`[hosts.NAME]` adds one: docs/configuration.md.",
        )
    hosts = [each.name for each in config.hosts] if asked.is_all else []
    for word in asked.where.hosts:
        of_group = [each.name for each in config.hosts if word and each.group == word]
        hosts += of_group if of_group and config.reached_as(word) is None else [word]
    return replace(asked, where=replace(asked.where, hosts=tuple(dict.fromkeys(hosts))))


def _run(asked: ConsoleRequest, config: Config) -> int:
    asked = with_configured_hosts(asked, config)
    for host in asked.where.hosts:
        if config.reached_as(host) is None:
            _check_no_action(host)
        if config.reached_as(host) is None:
            _check_spelling(host)
    from zconsole.cli.console import run_console

    return run_console(asked, config)


def _check_spelling(host: str) -> None:
    """Raise UsageError for a word that SSH does not know: nearly a subcommand, or not resolved."""
    near = _near(host)
    is_bare = host != "local" and _BARE_WORD.fullmatch(host) is not None
    if not near and not is_bare:
        return
    import asyncio

    from zconsole.hosts.ssh.resolve_by_ssh_config import has_address, look_up

    found = asyncio.run(look_up(host))
    if found is not None and (found.keys or found.way or found.host != host.lower()):
        return
    if not near and (asyncio.run(has_address(host))):
        return
    raise UsageError(
        f"{host} is neither a subcommand nor a host in config.toml, ~/.ssh/config or known_hosts"
        + ("" if near else ", and its name is not resolved"),
        hint=f"{_meant_by(host)} For a host of that name, ssh://{host}.",
    )


def _exercise_near(words: Sequence[str]) -> str:
    """The exercise that a single word behind --demo names, or nearly; empty for none."""
    from difflib import get_close_matches

    near = get_close_matches(words[0].lower(), EXERCISES, n=1, cutoff=_NEAR) if len(words) == 1 else ()
    return next(iter(near), "")


def _near(word: str) -> str:
    """The subcommand, action or option of the console that is nearly the word; empty for none."""
    from difflib import get_close_matches

    if word.lower() in _OPTION_WORDS:
        return f"--{word.lower()}"
    return next(iter(get_close_matches(word, (*SUBCOMMANDS, *ACTION_NAMES), n=1, cutoff=_NEAR)), "")


def _meant_by(word: str) -> str:
    """What a word behind `zconsole` may mean: a subcommand, an action, an option, or a screen by its name."""
    near = _near(word)
    if near:
        return _meant(near)
    from zconsole.views.layout.screen_key_registry import ACTIONS, key_names

    screen = next((each for each in ACTIONS if each.opens and each.title.casefold() == word.casefold()), None)
    if screen is None:
        return _meant("")
    return f"{screen.title} is a screen of the console: start `zconsole`, and press {key_names(screen)}."


def _meant(near: str) -> str:
    if not near:
        return "`zconsole --help` lists the subcommands."
    is_first = near in SUBCOMMANDS or near.startswith("--")
    return f"Did you mean `{f'zconsole {near}' if is_first else f'zconsole plan {near}'}`?"


SUBCOMMAND: Final = Subcommand(
    "",
    "A terminal console for ZFS storage.",
    _add_arguments,
    _read,
    _run,
    epilog=EPILOG,
)
