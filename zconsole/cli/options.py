"""What all subcommands' arguments have in common: how mistakes are told, and which hosts are meant."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Final, NoReturn

from zconsole.base import digits
from zconsole.base.config import LONGEST_INTERVAL_S, SHORTEST_INTERVAL_S
from zconsole.base.errors import UsageError
from zconsole.base.quantities import parse_size
from zconsole.cli.requests import HostSelection

_UNITS: Final = {"s": 1, "m": 60, "h": 3600}
_DATASET: Final = re.compile(r"[A-Za-z0-9_.: %-]+(/[A-Za-z0-9_.: %-]+)*")
SLOWEST_SPEED: Final = 0.25
FASTEST_SPEED: Final = 100.0
HOST_FORMS: Final = "NAME (of config.toml or ~/.ssh/config), user@host, ssh://user@host:port, local"


class Parser(argparse.ArgumentParser):
    """One whose complaints are UsageErrors."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"`{self.prog} --help` shows how.")


def make_parser(name: str, description: str, epilog: str | None = None) -> Parser:
    """A parser for `zconsole NAME`."""
    return Parser(
        prog=f"zconsole {name}".strip(),
        description=description,
        epilog=epilog,
        formatter_class=argparse.HelpFormatter if epilog is None else argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_places(parser: argparse._ActionsContainer) -> None:
    """`--demo`, `--replay` and `--speed`."""
    parser.add_argument("--demo", action="store_true", help="the practice host: no ZFS and no root needed")
    parser.add_argument("--replay", type=Path, metavar="DIR", help="a host that `zconsole record` kept")
    parser.add_argument("--speed", type=speed, metavar="N", help="play it N times as fast (default: 1)")


def add_hosts(parser: argparse.ArgumentParser) -> None:
    """`--host`, and what stands in for hosts."""
    parser.add_argument(
        "--host", action="append", default=[], metavar="HOST", help=f"{HOST_FORMS} (default); repeatable"
    )
    add_places(parser)


def add_host(parser: argparse._ActionsContainer) -> None:
    """`--host` of what acts on one host, and what stands in for it."""
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


def add_timeout(parser: argparse.ArgumentParser, default: str = "30") -> None:
    """`--timeout`."""
    parser.add_argument(
        "--timeout", type=seconds, metavar="SECONDS", help=f"for all of a host (default: {default})"
    )


def where_of(found: argparse.Namespace, hosts: tuple[str, ...] | None = None) -> HostSelection:
    """Which hosts are meant. Raises UsageError where that is contradictory."""
    named = tuple(found.host) if hosts is None else hosts
    given = [word for word, is_given in (
        ("hosts", named), ("--demo", found.demo), ("--replay", found.replay is not None)
    ) if is_given]  # fmt: skip
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other", hint="Give one of them.")
    if found.speed is not None and found.replay is None:
        raise UsageError("--speed is how fast a recording is played", hint="Name one: --replay DIR.")
    return HostSelection(tuple(dict.fromkeys(named)), found.demo, found.replay, found.speed or 1.0)


def interval(text: str) -> float:
    """Seconds between two samples."""
    return _number(text, SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S, "number of seconds")


def speed(text: str) -> float:
    """How many times as fast a recording is played."""
    return _number(text, SLOWEST_SPEED, FASTEST_SPEED, "speed")


def seconds(text: str) -> float:
    """Seconds, up to a day."""
    return _number(text, 1, 86400, "number of seconds")


def span(text: str) -> float:
    """A time of up to a day: 60, 60s, 5m, 1h."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "s")
    try:
        value = float(number) * _UNITS[unit]
    except ValueError:
        value = -1.0
    if not 1 <= value <= 86400:
        raise argparse.ArgumentTypeError(f"{text!r} is no time from 1s to 24h, as 60s, 5m or 1h")
    return value


def dataset(text: str) -> str:
    """The name of a file system or volume."""
    if not _DATASET.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a file system or volume")
    return text


def size(text: str) -> int:
    """Bytes: 500G and 500GiB in powers of 1024, as zfs counts, 500GB in powers of 1000."""
    try:
        found = parse_size(f"{text}iB" if text[-1:].isalpha() and text[-1:] not in "bB" else text).size_bytes
    except UsageError:
        found = 0
    if found <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 500GB or 1.5TiB")
    return found


def days(text: str) -> float:
    """Seconds of a number of days or hours: 30d, 12h."""
    unit = {"d": 86400, "h": 3600}.get(text[-1:])
    number = digits.natural(text[:-1], 5)
    if unit is None or number is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no time, as 30d or 12h")
    return float(number * unit)


def natural(text: str) -> int:
    """A count, from 0."""
    number = digits.natural(text, 9)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no count")
    return number


def count(text: str) -> int:
    """A count, from 1."""
    number = digits.natural(text)
    if not number:
        raise argparse.ArgumentTypeError(f"{text!r} is no count")
    return number


def _number(text: str, low: float, high: float, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is no {what} from {low:g} to {high:g}")
    return value
