"""From the words of a command line to a value; a mistake is a UsageError that says what is right."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NoReturn

from zconsole import __version__
from zconsole.base.config import LONGEST_INTERVAL_S, SHORTEST_INTERVAL_S
from zconsole.base.errors import UsageError
from zconsole.cli.invocation import Check, Console, Invocation, Iostat, Record, Status, Trust, Where

SUBCOMMANDS: Final = ("status", "check", "iostat", "record", "trust")
HOST_FORMS: Final = "NAME (of config.toml or ~/.ssh/config), user@host, ssh://user@host:port, local"
RECORD_S: Final = 10.0
EPILOG: Final = """\
HOST is NAME (of config.toml or ~/.ssh/config), user@host,
ssh://user@host:port, or local.
A host that is named like a subcommand is written ssh://NAME.

subcommands:
  status [--json] [--importable]  the facts, worst first, in sentences or JSON
  check [--json] [POOL]           one line for monitoring
  iostat [--json] [POOL]          live I/O of every vdev, sample by sample
  record [--for SECONDS] DIR      keep every answer of a host, for --replay DIR
  trust HOST FINGERPRINT          accept a host key that you have compared

`zconsole SUBCOMMAND --help` says more.

exit codes: 0 done, 2 wrong words, 3 a host could not be read, 130 interrupted;
of check: 0 ok, 1 warning, 2 critical, 3 unknown.
"""


def subcommand_of(argv: Sequence[str]) -> str | None:
    """The subcommand that a command line asks for: its first word that is no option."""
    words = iter(argv)
    for word in words:
        if word == "--":
            return None
        if not word.startswith("-"):
            return word if word in SUBCOMMANDS else None
        if word in _WITH_VALUE:
            next(words, None)
    return None


def parse(argv: Sequence[str]) -> Invocation:
    """Read a command line. Raises UsageError, and SystemExit(0) once it has printed help."""
    words = list(argv)
    name = subcommand_of(words)
    if name is None:
        return _console(_console_parser().parse_args(words))
    words.remove(name)
    build, read = _READERS[name]
    return read(build().parse_args(words))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"`{self.prog} --help` shows how.")


def _parser(name: str, description: str, epilog: str | None = None) -> _Parser:
    return _Parser(
        prog=f"zconsole {name}".strip(),
        description=description,
        epilog=epilog,
        formatter_class=argparse.HelpFormatter if epilog is None else argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _console_parser() -> _Parser:
    parser = _parser("", "A terminal console for ZFS storage.", EPILOG)
    parser.add_argument("hosts", nargs="*", metavar="HOST", help="hosts to show (default: this one)")
    _add_places(parser)
    parser.add_argument("--theme", metavar="NAME", help="a theme by name")
    parser.add_argument("--interval", type=_interval, metavar="SECONDS", help="between two I/O samples")
    parser.add_argument("--read-only", action="store_true", help="offer nothing that changes a host")
    parser.add_argument("--version", "-V", action="version", version=f"zconsole {__version__}")
    return parser


def _console(found: argparse.Namespace) -> Console:
    for host in found.hosts:
        if host in SUBCOMMANDS:
            raise UsageError(
                f"{host} is a subcommand and comes first",
                hint=f"`zconsole {host} --host HOST`; for a host of that name, ssh://{host}.",
            )
    where = _where(found, tuple(found.hosts))
    return Console(where, found.theme, found.interval, found.read_only)


def _status_parser() -> _Parser:
    parser = _parser("status", "Print everything known of a host's pools, and what is wrong, worst first.")
    _add_json(parser, "one object a line and host, as docs/json.md documents it")
    parser.add_argument(
        "--importable", action="store_true", help="look for pools to import as well: reads every disk"
    )
    _add_timeout(parser)
    _add_hosts(parser)
    return parser


def _check_parser() -> _Parser:
    parser = _parser(
        "check", "Print one line as monitoring plugins do; exit 0 ok, 1 warning, 2 critical, 3 unknown."
    )
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    _add_json(parser, "one object a line and host")
    _add_timeout(parser)
    _add_hosts(parser)
    return parser


def _iostat_parser() -> _Parser:
    parser = _parser("iostat", "Print the I/O of every vdev, sample after sample, until it is stopped.")
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    _add_json(parser, "one object a line and sample")
    parser.add_argument("--interval", type=_interval, metavar="SECONDS", help="between two samples")
    parser.add_argument("--count", type=_count, metavar="N", help="stop after N samples of each pool")
    _add_hosts(parser)
    return parser


def _record_parser() -> _Parser:
    parser = _parser("record", "Keep every answer of a host in a folder; `zconsole --replay DIR` shows it.")
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder that is new or empty")
    parser.add_argument(
        "--for", dest="for_s", type=_seconds, default=RECORD_S, metavar="SECONDS", help="how long to watch"
    )
    _add_hosts(parser)
    return parser


def _trust_parser() -> _Parser:
    parser = _parser("trust", "Remember the key of a host that shows this fingerprint, and no other.")
    parser.add_argument("host", metavar="HOST", help=HOST_FORMS)
    parser.add_argument("fingerprint", metavar="FINGERPRINT", help="as it was shown: SHA256:...")
    return parser


def _trust(found: argparse.Namespace) -> Trust:
    return Trust(found.host, found.fingerprint)


_READERS: Final[dict[str, tuple[Callable[[], _Parser], Callable[[argparse.Namespace], Invocation]]]] = {
    "status": (
        _status_parser,
        lambda found: Status(_where(found), found.json, found.importable, found.timeout),
    ),
    "check": (_check_parser, lambda found: Check(_where(found), found.pool, found.json, found.timeout)),
    "iostat": (
        _iostat_parser,
        lambda found: Iostat(_where(found), found.pool, found.json, found.interval, found.count),
    ),
    "record": (_record_parser, lambda found: Record(found.folder, _where(found), found.for_s)),
    "trust": (_trust_parser, _trust),
}
_WITH_VALUE: Final = frozenset(
    {"--host", "--replay", "--theme", "--interval", "--timeout", "--count", "--for"}
)


def _add_places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--demo", action="store_true", help="the practice host: no ZFS and no root needed")
    parser.add_argument("--replay", type=Path, metavar="DIR", help="a host that `zconsole record` kept")


def _add_hosts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", action="append", default=[], metavar="HOST", help=f"{HOST_FORMS} (default); repeatable"
    )
    _add_places(parser)


def _add_json(parser: argparse.ArgumentParser, explanation: str) -> None:
    parser.add_argument("--json", action="store_true", help=explanation)


def _add_timeout(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="for all of a host (default: 30)")


def _where(found: argparse.Namespace, hosts: tuple[str, ...] | None = None) -> Where:
    named = tuple(found.host) if hosts is None else hosts
    given = [word for word, is_given in (
        ("hosts", named), ("--demo", found.demo), ("--replay", found.replay is not None)
    ) if is_given]  # fmt: skip
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other", hint="Give one of them.")
    return Where(tuple(dict.fromkeys(named)), found.demo, found.replay)


def _number(text: str, low: float, high: float, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is no {what} from {low:g} to {high:g}")
    return value


def _interval(text: str) -> float:
    return _number(text, SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S, "number of seconds")


def _seconds(text: str) -> float:
    return _number(text, 1, 86400, "number of seconds")


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text[:10]) > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no count")
    return int(text)
