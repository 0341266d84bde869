"""The arguments of `plan`, `apply`, `journal` and `sudoers`; those of `plan` come from the actions."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from textwrap import fill
from typing import Final

from zconsole.actions.action_spec import FLAG, ActionSpec, Option
from zconsole.actions.catalogue import SPECS, spec
from zconsole.actions.command_syntax import usage_of
from zconsole.actions.intent import Intent, OptionValue, intent
from zconsole.base.errors import UsageError
from zconsole.cli.first_word import first_word
from zconsole.cli.options import (
    HOST_FORMS,
    Parser,
    add_json,
    add_places,
    count,
    make_parser,
    seconds,
    where_of,
)
from zconsole.cli.requests import Apply, Invocation, Prepare, ReadJournal, Sudoers

PROGRAMS: Final = "/usr/sbin"
WIDTH: Final = 78  # columns of the lists that argparse does not wrap
LAST: Final = 20  # runs of the journal


def parse_acting(name: str, words: list[str]) -> Invocation:
    """Read what follows the subcommand. Raises UsageError, and SystemExit(0) once it has printed help."""
    return _READERS[name](words)


def _plan(words: list[str]) -> Prepare:
    at = first_word(words)
    if at is None:
        _actions_parser().parse_args(words)
        raise UsageError("plan needs an action", hint=f"One of: {', '.join(known.id for known in SPECS)}.")
    known = spec(words.pop(at))
    found = _plan_parser(known).parse_intermixed_args(words)
    return Prepare(
        _intent(known, found),
        where_of(found),
        found.json,
        found.output,
        found.timeout,
        found.unlock,
        found.full,
    )


def _intent(known: ActionSpec, found: argparse.Namespace) -> Intent:
    words: Sequence[str] = found.words
    fewest = 1 + sum(1 for argument in known.arguments if not argument.is_optional)
    most = None if any(each.is_repeated for each in known.arguments) else 1 + len(known.arguments)
    if len(words) < fewest or (most is not None and len(words) > most):
        wrong = "needs more words" if len(words) < fewest else f"does not know what to do with {words[-1]!r}"
        raise UsageError(f"{known.id} {wrong}", hint=f"zconsole plan {usage_of(known)}")
    options: dict[str, OptionValue] = {
        option.name: value
        for option in known.options
        if (value := getattr(found, _destination(option))) is not None
    }
    return intent(known.id, *words, options=options)


def _actions_parser() -> Parser:
    actions = _table((known.id, known.help) for known in SPECS)
    epilog = f"actions:\n{actions}\n`zconsole plan ACTION --help` says more."
    parser = make_parser(
        "plan", "Print what an action would do, lose and change. Nothing is changed.", epilog
    )
    parser.usage = "zconsole plan ACTION ARGS... [--host HOST] [--json] [--full] [-o FILE]"
    return parser


def _plan_parser(known: ActionSpec) -> Parser:
    arguments = _table((each.name, each.help) for each in known.arguments)
    parser = make_parser(
        f"plan {known.id}", fill(known.help, WIDTH), f"arguments:\n{arguments}" if arguments else ""
    )
    parser.usage = f"zconsole plan {usage_of(known)} [options]"
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    for option in known.options:
        _add_option(parser, option)
    common = parser.add_argument_group("where, and in which form")
    _add_host(common)
    common.add_argument("--json", action="store_true", help="as docs/json.md documents it")
    common.add_argument("--full", action="store_true", help="all names, and the texts of channel programs")
    common.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="save it, for `zconsole apply FILE`"
    )
    common.add_argument("--timeout", type=seconds, metavar="SECONDS", help="for all of it (default: 600)")
    _add_unlock(common)
    return parser


def _add_option(parser: Parser, option: Option) -> None:
    name = f"--{option.name}"
    if option.kind == FLAG:
        parser.add_argument(
            name, action="store_true", dest=_destination(option), default=None, help=option.help
        )
    elif option.choices:
        parser.add_argument(name, choices=option.choices, dest=_destination(option), help=option.help)
    else:
        kind: Callable[[str], OptionValue] = int if option.kind == "number" else str
        parser.add_argument(
            name, type=kind, dest=_destination(option), metavar=option.kind.upper(), help=option.help
        )


def _destination(option: Option) -> str:
    """Where its value is kept, apart from the options that every plan has."""
    return f"option_{option.name}"


def _table(rows: Iterable[tuple[str, str]]) -> str:
    """Names and what they are, in two columns."""
    listed = list(rows)
    width = max((len(name) for name, _ in listed), default=0)
    return "".join(
        fill(words, WIDTH, initial_indent=f"  {name:<{width}}  ", subsequent_indent=" " * (width + 4)) + "\n"
        for name, words in listed
    )


def _apply(words: list[str]) -> Apply:
    parser = make_parser(
        "apply",
        "Carry out a plan that `zconsole plan -o FILE` has saved: the host is read again, and a plan that "
        "would be another now is not run. Exit 0 done, 1 failed, 3 nothing was run, 4 sent but not known.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the saved plan, not older than 15 minutes")
    parser.add_argument("--confirm", metavar="TEXT", default="", help="what the plan says must be typed")
    add_json(parser, "what became of it, as one object")
    parser.add_argument(
        "--secrets-stdin", action="store_true",
        help="read the secrets that the plan names from stdin, a line each, in its order",
    )  # fmt: skip
    _add_host(parser)
    _add_unlock(parser)
    found = parser.parse_intermixed_args(words)
    return Apply(found.file, where_of(found), found.confirm, found.json, found.unlock, found.secrets_stdin)


def _journal(words: list[str]) -> ReadJournal:
    parser = make_parser("journal", "Print what was done from here, oldest first. No host is asked.")
    parser.add_argument(
        "--host", metavar="HOST", help="only of this machine, by whatever name it was reached"
    )
    parser.add_argument("--last", type=count, default=LAST, metavar="N", help="only the last N (20)")
    add_json(parser, "one object a line and run")
    found = parser.parse_args(words)
    return ReadJournal(found.host, found.last, found.json)


def _sudoers(words: list[str]) -> Sudoers:
    parser = make_parser(
        "sudoers",
        "Print the rules that a user without root needs on a storage host, for `visudo -f "
        "/etc/sudoers.d/zconsole` there: the commands that zconsole runs. What makes its user root all the "
        "same is said at the top; what is most dangerous is in it only when it is named here.",
    )
    parser.add_argument(
        "--user", default="%zconsole", metavar="USER", help="or %%GROUP (default: %%zconsole)"
    )
    parser.add_argument(
        "--bin", default=PROGRAMS, metavar="DIR", help=f"where zpool is (default: {PROGRAMS})"
    )
    parser.add_argument("--no-password", action="store_true", help="also for commands that change something")
    parser.add_argument(
        "--old", action="store_true", help="for sudo before 1.9.10: wildcards, which equal root"
    )
    parser.add_argument("--pools", type=_several, default=(), metavar="POOL,...", help="only for these")
    parser.add_argument(
        "--mountpoints", type=_several, default=(), metavar="DIR,...",
        help="mountpoint may be set to these directories and below; otherwise only to none and legacy",
    )  # fmt: skip
    parser.add_argument(
        "--keys", type=_several, default=(), metavar="DIR|URL,...",
        help="keys may be read from below these, by keylocation; otherwise only typed",
    )  # fmt: skip
    parser.add_argument(
        "--value", type=_setting, action="append", default=[], metavar="PROPERTY=VALUE",
        help="a value that may be set of cachefile, sharenfs, sharesmb, setuid, exec, devices or zoned",
    )  # fmt: skip
    parser.add_argument(
        "--with", type=_several, default=(), metavar="COMMAND,...", dest="commands",
        help="commands that are in no rules otherwise: diff, send, receive, import",
    )  # fmt: skip
    found = parser.parse_args(words)
    return Sudoers(
        found.user,
        found.bin,
        asks_password=not found.no_password,
        is_old=found.old,
        pools=found.pools,
        mountpoints=found.mountpoints,
        keys=found.keys,
        values=tuple(found.value),
        commands=found.commands,
    )


def _several(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not PROPERTY=VALUE")
    return name, value


def _add_host(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--host", action="append", default=[], metavar="HOST", help=f"one: {HOST_FORMS} (default)"
    )
    add_places(parser)


def _add_unlock(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--unlock", action="store_true", help="although it is a production host")


_READERS: Final[dict[str, Callable[[list[str]], Invocation]]] = {
    "plan": _plan,
    "apply": _apply,
    "journal": _journal,
    "sudoers": _sudoers,
}
