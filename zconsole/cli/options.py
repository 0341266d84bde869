"""Common arguments of all subcommands: error handling and host selection."""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from zconsole.base.errors import UsageError
from zconsole.base.quantities import HOUR_S, parse_amount, parse_count, parse_duration, parse_number
from zconsole.base.user_config_file import LONGEST_INTERVAL_S, SHORTEST_INTERVAL_S
from zconsole.cli.selected_hosts import HostSelection
from zconsole.model.exercise_names import EXERCISES

_LACKS_VALUE: Final = re.compile(r"argument (?:-\w/)?(--[\w-]{1,40}): expected one argument")
_NEGATIVE: Final = re.compile(r"-[0-9.]")
_EXERCISE: Final = "--demo="
LIST_THEM: Final = "help"  # in place of an exercise's name
_UNRECOGNIZED: Final = "unrecognized arguments"  # of argparse: options that it does not know
_DATASET: Final = re.compile(r"[A-Za-z0-9_.: %-]+(/[A-Za-z0-9_.: %-]+)*")
_T = TypeVar("_T")
SLOWEST_SPEED: Final = 0.25
FASTEST_SPEED: Final = 100.0
HOST_FORMS: Final = "NAME (of config.toml or ~/.ssh/config), user@host, ssh://user@host:port, local"


class JsonForm(Enum):
    """What `--json` and `--jsonl` ask for."""

    DOCUMENT = "json"
    LINES = "jsonl"


class OperandWord(str):
    """A word behind `--`: no option, whatever it begins with."""

    __slots__ = ()


def words_behind_dashes(words: Sequence[str]) -> list[str]:
    """The words without the first `--`, those behind it as no options."""
    if "--" not in words:
        return list(words)
    at = words.index("--")
    return [*words[:at], *map(OperandWord, words[at + 1 :])]


class Parser(argparse.ArgumentParser):
    """Parser whose errors are UsageErrors.

    argparse forgets where `--` was when options and words are intermixed, so words know it themselves.
    """

    _words: tuple[str, ...] = ()  # that are being parsed

    def _parse_optional(self, arg_string: str) -> Any:  # what it returns differs by version
        return None if isinstance(arg_string, OperandWord) else super()._parse_optional(arg_string)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        for word in itertools.takewhile(lambda each: not isinstance(each, OperandWord), args or ()):
            name = word.removeprefix(_EXERCISE)
            if word == f"{_EXERCISE}{LIST_THEM}":
                print(f"Exercises on the practice host; docs/practice.md has more.\n{exercise_list()}")
                raise SystemExit(0)
            if word.startswith(_EXERCISE) and name not in EXERCISES:
                raise UsageError(f"there is no exercise {name!r}", hint=exercise_list())
        self._words = tuple(map(str, args or ()))
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        hint = f"`{self.prog} --help` shows how."
        if (option := _LACKS_VALUE.fullmatch(message)) is not None and (
            value := self._negative_behind(option[1])
        ):
            message = f"argument {option[1]}: no amount is negative: {value}"
        if message.startswith(_UNRECOGNIZED) and "--host" in self._option_string_actions:
            hosts = [
                f"--host {each}"
                for each in message.removeprefix(_UNRECOGNIZED).strip(": ").split()
                if each[0] != "-"
            ]
            hint = f"Did you mean {' '.join(hosts)}? {hint}" if hosts else hint
        if message.startswith(_UNRECOGNIZED) and (meant := self._options_near(message)):
            hint = f"Did you mean {meant}? {hint}"
        if message.startswith(_UNRECOGNIZED) and any(not each.option_strings for each in self._actions):
            hint += f" A name that begins with - goes behind --: {self.prog} -- NAME."
        raise UsageError(message, hint=hint)

    def _negative_behind(self, option: str) -> str:
        """The negative number behind an option, which argparse takes for another option."""
        behind = (word for before, word in itertools.pairwise(self._words) if before == option)
        return next((each for each in behind if _NEGATIVE.match(each)), "")

    def _options_near(self, message: str) -> str:
        """The options that the unknown ones may be meant for."""
        known = [option for action in self._actions for option in action.option_strings]
        words = (word.partition("=")[0] for word in message.removeprefix(_UNRECOGNIZED).split())
        near = (get_close_matches(word, known, n=1) for word in words if word.startswith("--"))
        return " and ".join(dict.fromkeys(each for found in near for each in found))


def make_parser(name: str, description: str, epilog: str | None = None) -> Parser:
    """A parser for `zconsole NAME`."""
    return Parser(
        prog=f"zconsole {name}".strip(),
        description=description,
        epilog=epilog,
        formatter_class=argparse.HelpFormatter if epilog is None else argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def exercise_list() -> str:
    """The exercises, one a line."""
    widest = max(map(len, EXERCISES))
    return "\n".join(f"{_EXERCISE}{name:<{widest}}  {trouble}" for name, trouble in EXERCISES.items())


class _Exercise(argparse.Action):
    """`--demo=NAME`, an option as a whole: `--demo` takes no word behind it."""

    def __call__(self, _parser: object, namespace: argparse.Namespace, *_: object) -> None:
        namespace.demo, namespace.exercise = True, self.const


def add_places(parser: argparse._ActionsContainer, *, lists_exercises: bool = False) -> None:
    """`--demo`, `--demo=NAME`, `--replay` and `--speed`."""
    parser.add_argument("--demo", action="store_true", help="the practice host: no ZFS and no root needed")
    for name, trouble in EXERCISES.items():
        parser.add_argument(
            f"{_EXERCISE}{name}",
            action=_Exercise,
            nargs=0,
            dest="exercise",
            const=name,
            default="",
            help=f"an exercise: {trouble}" if lists_exercises else argparse.SUPPRESS,
        )
    parser.add_argument("--replay", type=Path, metavar="DIR", help="a host that `zconsole record` kept")
    parser.add_argument(
        "--speed", type=speed, metavar="N", help="run a recording or an exercise N times as fast (default: 1)"
    )


def add_hosts(parser: argparse.ArgumentParser) -> None:
    """`--host`, repeatable, and its alternatives."""
    parser.add_argument(
        "--host", action="append", default=[], metavar="HOST", help=f"{HOST_FORMS} (default); repeatable"
    )
    add_places(parser)


def add_host(parser: argparse._ActionsContainer) -> None:
    """`--host` for one host, and its alternatives."""
    parser.add_argument(
        "--host", action="append", default=[], metavar="HOST", help=f"one: {HOST_FORMS} (default)"
    )
    add_places(parser)


def add_unlock(parser: argparse._ActionsContainer) -> None:
    """`--unlock`."""
    parser.add_argument("--unlock", action="store_true", help="although it is a production host")


def add_json(parser: argparse.ArgumentParser, explanation: str) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help=explanation)


def add_json_or_lines(parser: argparse.ArgumentParser, one: str, line: str) -> None:
    """`--json`, one document, and `--jsonl`, several as they come; both set `json`."""
    forms = parser.add_mutually_exclusive_group()
    for form, explanation in (
        (JsonForm.DOCUMENT, f"one JSON document: {one}"),
        (JsonForm.LINES, f"one object a line and {line}"),
    ):
        forms.add_argument(
            f"--{form.value}", dest="json", action="store_const", const=form, default=None, help=explanation
        )


def add_timeout(parser: argparse.ArgumentParser, default: str = "30s") -> None:
    """`--timeout`."""
    parser.add_argument(
        "--timeout", type=seconds, metavar="TIME", help=f"for all of a host (default: {default})"
    )


def where_of(found: argparse.Namespace, hosts: tuple[str, ...] | None = None) -> HostSelection:
    """Host selection of the arguments. Raises UsageError for contradictory options."""
    named = tuple(found.host) if hosts is None else hosts
    given = [word for word, is_given in (
        ("hosts", named), ("--demo", found.demo), ("--replay", found.replay is not None)
    ) if is_given]  # fmt: skip
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other", hint="Give one of them.")
    if found.speed is not None and found.replay is None and not found.exercise:
        raise UsageError(
            "--speed is how fast a recording or an exercise runs",
            hint="Name one: --replay DIR, or --demo=failed-disk.",
        )
    return HostSelection(
        tuple(dict.fromkeys(named)), found.demo, found.exercise, found.replay, found.speed or 1.0
    )


def typed(read: Callable[[str], _T]) -> Callable[[str], _T]:
    """Argument type from a reader of quantities; errors name the option."""

    def reader(text: str) -> _T:
        try:
            return read(text)
        except UsageError as error:
            raise argparse.ArgumentTypeError(f"{error.message}. {error.hint}".rstrip(" .")) from error

    return reader


def _within(least: str, most: str) -> Callable[[str], float]:
    """Reader of durations within bounds; a number without a unit is seconds."""
    return typed(partial(parse_duration, bare="s", least=least, most=most))


def _speed(text: str) -> float:
    value = float(parse_number(text.removesuffix("x")))
    if not SLOWEST_SPEED <= value <= FASTEST_SPEED:
        raise UsageError(f"{text!r} is not a speed from {SLOWEST_SPEED:g} to {FASTEST_SPEED:g}")
    return value


interval: Final = _within(f"{SHORTEST_INTERVAL_S:g}s", f"{LONGEST_INTERVAL_S / HOUR_S:g}h")
seconds: Final = _within("1s", "24h")
age: Final = typed(parse_duration)
speed: Final = typed(_speed)
size: Final = typed(parse_amount)
natural: Final = typed(parse_count)
count: Final = typed(partial(parse_count, least=1))


def dataset(text: str) -> str:
    """Argument type: name of a file system or volume."""
    if not _DATASET.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of a file system or volume")
    return text
