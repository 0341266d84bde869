"""`zconsole sudoers`: print sudo rules for a storage host."""

from __future__ import annotations

import argparse
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.cli.json_output import print_document
from zconsole.cli.options import Parser, add_json
from zconsole.cli.subcommand import Subcommand
from zconsole.reports.json.setup.sudoers import sudoers_document
from zconsole.reports.sudoers import Rules, sudoers
from zconsole.reports.sudoers_patterns import Grants
from zconsole.zfs.change.argv_template import ASKED_FOR


@dataclass(frozen=True, slots=True)
class SudoersRequest:
    """`zconsole sudoers`."""

    user: str
    programs: str
    asks_password: bool = True
    is_old: bool = False  # for sudo before 1.9.10, without regular expressions
    pools: tuple[str, ...] = ()
    mountpoints: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    commands: tuple[str, ...] = ()
    is_json: bool = False


PROGRAMS: Final = "/usr/sbin"


def run_sudoers(asked: SudoersRequest) -> int:
    """Print the file. Raises UsageError for a user or folder that sudoers syntax does not allow."""
    grants = Grants(asked.pools, asked.mountpoints, asked.keys, asked.values, frozenset(asked.commands))
    rules = Rules(asked.user, asked.programs, asked.asks_password, asked.is_old, grants)
    if asked.is_json:
        print_document(sudoers_document(rules))
    else:
        print(sudoers(rules), end="")
    return 0


def _add_arguments(parser: Parser) -> None:
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
        help=f"commands that are in no rules otherwise: {', '.join(ASKED_FOR)}",
    )  # fmt: skip
    add_json(parser, "one object with the rules and the file, as docs/json.md documents it")


def _read(found: argparse.Namespace) -> SudoersRequest:
    return SudoersRequest(
        found.user,
        found.bin,
        asks_password=not found.no_password,
        is_old=found.old,
        pools=found.pools,
        mountpoints=found.mountpoints,
        keys=found.keys,
        values=tuple(found.value),
        commands=found.commands,
        is_json=found.json,
    )


def _several(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not PROPERTY=VALUE")
    return name, value


SUBCOMMAND: Final = Subcommand(
    "sudoers",
    "Print the rules that a user without root needs on a storage host, for `visudo -f "
    "/etc/sudoers.d/zconsole` there: the commands that zconsole runs. What makes its user root all the "
    "same is said at the top; what is most dangerous is in it only when it is named here.",
    _add_arguments,
    _read,
    lambda asked, _config: run_sudoers(asked),
)
