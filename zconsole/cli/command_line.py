"""From the words of a command line to a value; a mistake is a UsageError that says what is right."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from zconsole import __version__
from zconsole.base.errors import UsageError
from zconsole.cli.first_word import ACTING, SUBCOMMANDS, first_word, subcommand_of
from zconsole.cli.options import (
    HOST_FORMS,
    Parser,
    add_hosts,
    add_json,
    add_places,
    add_timeout,
    count,
    dataset,
    days,
    interval,
    make_parser,
    natural,
    seconds,
    size,
    span,
    where_of,
)
from zconsole.cli.requests import (
    Check,
    Console,
    FindReclaim,
    Forecast,
    Invocation,
    Iostat,
    Record,
    Replicas,
    Sample,
    ShowTree,
    Slow,
    Status,
    Stream,
    Trust,
    Where,
)

RECORD_S: Final = 10.0
SLOW_S: Final = 60.0
BOTH_UNITS: Final = "both"
UNITS: Final = ("service", "timer", BOTH_UNITS)
RECORDED: Final = "zpool iostat -Hpvlqy POOL 1"
EPILOG: Final = """\
HOST is NAME (of config.toml or ~/.ssh/config), user@host,
ssh://user@host:port, or local.
A host that is named like a subcommand is written ssh://NAME.

subcommands:
  status [--json] [--importable]  the facts, worst first, in sentences or JSON
  check [--json] [POOL]           one line for monitoring
  iostat [--json] [POOL]          live I/O of every vdev, sample by sample
  slow [--json] [POOL]            which disk is slower than those like it
  stream [--json] FOLDER          what send streams in files can restore
  replicas [--json]               copies among hosts and pools, how far behind
  tree [--json] [DATASET]         datasets, snapshots and clones: what pins what
  capacity QUESTION ...           plan a pool: exact space, budget, comparison
  reclaim DATASET --need SIZE     which snapshots to destroy to free so much
  plan ACTION ... [-o FILE]       what an action would do; changes nothing
  apply FILE [--confirm TEXT]     carry out a plan that was saved
  journal [--json]                what was done from here, and what came of it
  sudoers [--user USER]           the rules that sudo needs on a storage host
  record [--for SECONDS] DIR      keep every answer of a host, for --replay DIR
  forecast [--json] [POOL]        when pools are full, and what grows
  sample [--json] [POOL]          keep how full pools are, for forecasts
  trust HOST FINGERPRINT          accept a host key that you have compared

`zconsole SUBCOMMAND --help` says more.

exit codes: 0 done, 2 wrong words, 3 a host could not be read, 130 interrupted;
of slow: 0 none, 1 found, 3 too little to tell;
of stream: 1 not all in it can be restored;
of check: 0 ok, 1 warning, 2 critical, 3 unknown;
of plan: 3 refused;
of apply: 1 failed, 3 nothing was run, 4 sent, and not known what became of it.
"""


def parse(argv: Sequence[str]) -> Invocation:
    """Read a command line. Raises UsageError, and SystemExit(0) once it has printed help."""
    words = list(argv)
    name = subcommand_of(words)
    if name is None:
        return _console(_console_parser().parse_args(words))
    del words[first_word(words) or 0]
    if name in ACTING:
        from zconsole.cli.action_options import parse_acting

        return parse_acting(name, words)
    if name == "capacity":
        from zconsole.cli.capacity_options import parse_capacity

        return parse_capacity(words)
    build, read = _READERS[name]
    return read(build().parse_args(words))


def _console_parser() -> Parser:
    parser = make_parser("", "A terminal console for ZFS storage.", EPILOG)
    parser.add_argument("hosts", nargs="*", metavar="HOST", help="hosts to show (default: this one)")
    add_places(parser)
    parser.add_argument("--theme", metavar="NAME", help="a theme by name")
    parser.add_argument("--interval", type=interval, metavar="SECONDS", help="between two I/O samples")
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
    where = where_of(found, tuple(found.hosts))
    return Console(where, found.theme, found.interval, found.read_only)


def _status_parser() -> Parser:
    parser = make_parser(
        "status", "Print everything known of a host's pools, and what is wrong, worst first."
    )
    add_json(parser, "one object a line and host, as docs/json.md documents it")
    parser.add_argument(
        "--importable", action="store_true", help="look for pools to import as well: reads every disk"
    )
    add_timeout(parser)
    add_hosts(parser)
    return parser


def _check_parser() -> Parser:
    parser = make_parser(
        "check", "Print one line as monitoring plugins do; exit 0 ok, 1 warning, 2 critical, 3 unknown."
    )
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json(parser, "one object a line and host")
    add_timeout(parser)
    add_hosts(parser)
    return parser


def _iostat_parser() -> Parser:
    parser = make_parser("iostat", "Print the I/O of every vdev, sample after sample, until it is stopped.")
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json(parser, "one object a line and sample")
    parser.add_argument("--interval", type=interval, metavar="SECONDS", help="between two samples")
    parser.add_argument("--count", type=count, metavar="N", help="stop after N samples of each pool")
    add_hosts(parser)
    return parser


def _slow_parser() -> Parser:
    parser = make_parser(
        "slow",
        "Watch for a while and say which disk is slower than those like it; "
        "exit 0 none, 1 found, 3 too little to tell.",
    )
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json(parser, "one object a line and pool")
    parser.add_argument("--for", dest="for_s", type=span, metavar="TIME", help="how long (default: 60s)")
    parser.add_argument(
        "--input", type=Path, metavar="FILE", help=f"judge what `{RECORDED}` printed; - is stdin"
    )
    add_hosts(parser)
    return parser


def _slow(found: argparse.Namespace) -> Slow:
    where = where_of(found)
    if found.input is not None and (where != Where() or found.pool is not None or found.for_s is not None):
        raise UsageError(
            "--input is judged as it is: no host, pool or time goes with it",
            hint=f"The recording has one pool, as `{RECORDED}` prints it.",
        )
    return Slow(where, found.pool, found.json, found.for_s or SLOW_S, found.input)


def _stream_parser() -> Parser:
    parser = make_parser(
        "stream",
        "Read the ZFS send streams in a folder: which snapshots can be restored, which links are missing, "
        "and the commands in their order; exit 0 all, 1 not all.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder on this machine, or one file")
    add_json(parser, "one object")
    parser.add_argument("--verify", action="store_true", help="read everything and compare the checksums")
    return parser


def _replicas_parser() -> Parser:
    parser = make_parser(
        "replicas",
        "Compare the snapshots of some hosts and of all their pools: which datasets are copies, how far "
        "behind they are, what their next increment builds on; and what has no snapshot or copy.",
    )
    add_json(parser, "one object")
    add_timeout(parser, "600")
    add_hosts(parser)
    return parser


def _tree_parser() -> Parser:
    parser = make_parser(
        "tree", "Print datasets with their snapshots, bookmarks and clones: what takes space, what pins what."
    )
    parser.add_argument(
        "dataset", nargs="?", type=dataset, metavar="DATASET", help="only it and all below it (default: all)"
    )
    add_json(parser, "one object a line and host, as docs/json.md documents it")
    parser.add_argument(
        "--snapshots", action="store_true", help="every snapshot, not only those with clones or holds"
    )
    add_timeout(parser, "600")
    add_hosts(parser)
    return parser


def _reclaim_parser() -> Parser:
    parser = make_parser(
        "reclaim",
        "Say which snapshots to destroy to free so much; it destroys nothing. "
        "Exit 0 enough, 1 not enough, 3 a host could not be read.",
    )
    parser.add_argument(
        "dataset", type=dataset, metavar="DATASET", help="whose snapshots, and those of all below it"
    )
    parser.add_argument("--need", type=size, required=True, metavar="SIZE", help="bytes to free: 500G, 1.5T")
    parser.add_argument(
        "--order",
        choices=("oldest", "fewest"),
        default="oldest",
        help="the oldest that do it (default), or the fewest",
    )
    parser.add_argument("--only", action="store_true", help="only DATASET, nothing below it")
    parser.add_argument(
        "--keep-newest", type=natural, default=1, metavar="N", help="of each dataset (default: 1)"
    )
    parser.add_argument(
        "--keep-younger", type=days, default=0.0, metavar="TIME", help="all that are younger: 30d, 12h"
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="PATTERN",
        help="snapshots that stay: '*@monthly*'; repeatable",
    )
    add_json(parser, "one object a line and host, as docs/json.md documents it")
    add_timeout(parser, "600")
    add_hosts(parser)
    return parser


def _reclaim(found: argparse.Namespace) -> FindReclaim:
    return FindReclaim(
        found.dataset,
        found.need,
        found.order,
        where_of(found),
        found.json,
        found.only,
        found.keep_newest,
        found.keep_younger,
        tuple(found.keep),
        found.timeout,
    )


def _record_parser() -> Parser:
    parser = make_parser(
        "record", "Keep every answer of a host in a folder; `zconsole --replay DIR` shows it."
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder that is new or empty")
    parser.add_argument(
        "--for", dest="for_s", type=seconds, default=RECORD_S, metavar="SECONDS", help="how long to watch"
    )
    add_hosts(parser)
    return parser


def _forecast_parser() -> Parser:
    parser = make_parser(
        "forecast", "Say when pools are full, how surely, and what grows; exit 3 where too little is known."
    )
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json(parser, "one object a line and pool")
    add_hosts(parser)
    return parser


def _sample_parser() -> Parser:
    parser = make_parser(
        "sample", "Look how full pools are, print it, and keep it for forecasts. For a timer, or by hand."
    )
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json(parser, "one object a line and pool")
    parser.add_argument(
        "--print-timer",
        dest="unit",
        nargs="?",
        const=BOTH_UNITS,
        choices=UNITS,
        metavar="UNIT",
        help="print the systemd units that do this each hour, or only the service or the timer",
    )
    add_hosts(parser)
    return parser


def _sample(found: argparse.Namespace) -> Sample:
    pool, unit = found.pool, found.unit
    if unit is not None and (found.demo or found.replay is not None or found.json):
        raise UsageError("--print-timer is for real hosts", hint="Leave --demo, --replay and --json out.")
    return Sample(where_of(found), pool, found.json, unit)


def _trust_parser() -> Parser:
    parser = make_parser("trust", "Remember the key of a host that shows this fingerprint, and no other.")
    parser.add_argument("host", metavar="HOST", help=HOST_FORMS)
    parser.add_argument("fingerprint", metavar="FINGERPRINT", help="as it was shown: SHA256:...")
    return parser


def _trust(found: argparse.Namespace) -> Trust:
    return Trust(found.host, found.fingerprint)


_READERS: Final[dict[str, tuple[Callable[[], Parser], Callable[[argparse.Namespace], Invocation]]]] = {
    "status": (
        _status_parser,
        lambda found: Status(where_of(found), found.json, found.importable, found.timeout),
    ),
    "check": (_check_parser, lambda found: Check(where_of(found), found.pool, found.json, found.timeout)),
    "iostat": (
        _iostat_parser,
        lambda found: Iostat(where_of(found), found.pool, found.json, found.interval, found.count),
    ),
    "slow": (_slow_parser, _slow),
    "stream": (_stream_parser, lambda found: Stream(found.folder, found.json, found.verify)),
    "replicas": (_replicas_parser, lambda found: Replicas(where_of(found), found.json, found.timeout)),
    "tree": (
        _tree_parser,
        lambda found: ShowTree(where_of(found), found.dataset, found.json, found.snapshots, found.timeout),
    ),
    "reclaim": (_reclaim_parser, _reclaim),
    "record": (_record_parser, lambda found: Record(found.folder, where_of(found), found.for_s)),
    "forecast": (_forecast_parser, lambda found: Forecast(where_of(found), found.pool, found.json)),
    "sample": (_sample_parser, _sample),
    "trust": (_trust_parser, _trust),
}
