"""`zconsole [HOST...]`: open the console on some hosts."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from zconsole import __version__
from zconsole.base.config import LONGEST_INTERVAL_S, Config
from zconsole.base.errors import UsageError
from zconsole.cli.commands import SUBCOMMANDS
from zconsole.cli.host_selection import HostSelection
from zconsole.cli.named_hosts import open_places
from zconsole.cli.options import Parser, add_places, interval, where_of
from zconsole.cli.subcommand import Subcommand
from zconsole.service.engine import Engine
from zconsole.storage.journal import Journal

if TYPE_CHECKING:
    from zconsole.model.datasets.replication import SendBase
    from zconsole.model.exercise import Exercise
    from zconsole.model.run import Run
    from zconsole.storage.disk_health_samples import DiskHealthStore
    from zconsole.storage.known_machines import KnownMachines
    from zconsole.storage.snapshot_cache import SnapshotIndex
    from zconsole.storage.space_samples import SpaceStore


@dataclass(frozen=True, slots=True)
class ConsoleRequest:
    """`zconsole [HOST...]`."""

    where: HostSelection = field(default_factory=HostSelection)
    theme: str | None = None
    interval_s: float | None = None
    is_read_only: bool = False


def run_console(asked: ConsoleRequest, config: Config) -> int:
    """Start collecting, and load the screen meanwhile: hosts are read before the first frame."""
    if not all(stream is not None and stream.isatty() for stream in (sys.__stdin__, sys.__stderr__)):
        raise UsageError(
            "the console needs a terminal",
            hint="`zconsole status` prints the same facts, --json for scripts.",
        )
    config = replace(
        config,
        theme=asked.theme or config.theme,
        interval_s=asked.interval_s or config.interval_s,
        is_read_only=asked.is_read_only or config.is_read_only,
    )
    if asked.where.exercise:  # a sample a second, as the user sees it
        config = replace(config, interval_s=min(config.interval_s * asked.where.speed, LONGEST_INTERVAL_S))
    places = open_places(asked.where, config)
    hosts, exercise = [place.host for place in places], places[0].exercise
    is_real = not asked.where.is_demo and asked.where.replay is None
    engine = Engine(
        hosts,
        clock=places[0].clock,
        interval_s=config.interval_s,
        config=config,
        journal=Journal(is_kept=is_real),  # practice runs do not enter the user's journal
        space=_space if is_real else None,
        send_bases=_send_bases if is_real else None,
        indexes=_indexes if is_real else None,
        machines=_machines if is_real else None,
        health=_health if is_real else None,
    )
    engine.start()
    try:
        from zconsole.ui.app import run_console as run

        return run(engine.service, config, exercise)
    finally:
        _tell(engine.stop())
        if exercise is not None:
            _debrief(exercise)


def _debrief(exercise: Exercise) -> None:
    """Print what was done well and what was risky."""
    from zconsole.reports.text.printed import printed
    from zconsole.views.exercise import debriefing

    with suppress(OSError):
        for told in printed(debriefing(exercise.state()), shutil.get_terminal_size().columns):
            print(told, flush=True)


def _tell(left: Sequence[Run]) -> None:
    """Print the state of runs that were in progress when the console was left."""
    if left:
        from zconsole.reports.text.printed import printed
        from zconsole.views.changes.run import left_running

        for told in printed(map(left_running, left)):
            with suppress(OSError):  # the terminal is gone, or the pipe is closed
                print(told, file=sys.stderr, flush=True)


# Modules that the first frame does not need are loaded later.


def _space() -> SpaceStore:
    from zconsole.storage.space_samples import SpaceStore

    return SpaceStore()


def _health() -> DiskHealthStore:
    from zconsole.storage.disk_health_samples import DiskHealthStore

    return DiskHealthStore()


def _indexes() -> SnapshotIndex:
    from zconsole.storage.snapshot_cache import SnapshotIndex

    return SnapshotIndex()


def _machines() -> KnownMachines:
    from zconsole.storage.known_machines import KnownMachines

    return KnownMachines()


def _send_bases() -> tuple[SendBase, ...]:
    from zconsole.storage.known_replicas import known_bases

    return known_bases()


_LISTED: Final = "\n".join(
    f"  {f'{name} {usual}'.strip():<31} {words}" for name, (usual, words) in SUBCOMMANDS.items()
)
EPILOG: Final = f"""\
HOST is NAME (of config.toml or ~/.ssh/config), user@host,
ssh://user@host:port, or local.
A host that is named like a subcommand is written ssh://NAME.

subcommands:
{_LISTED}

`zconsole SUBCOMMAND --help` says more.

exit codes: 0 done, 2 usage error, 3 a host could not be read, 130 interrupted;
of slow: 0 none, 1 found, 3 too little to tell;
of stream: 1 not all in it can be restored;
of check: 0 ok, 1 warning, 2 critical, 3 unknown;
of plan: 3 refused;
of apply: 1 failed, 3 nothing was run, 4 sent, and not known what became of it.
"""


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("hosts", nargs="*", metavar="HOST", help="hosts to show (default: this one)")
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
    where = where_of(found, tuple(found.hosts))
    return ConsoleRequest(where, found.theme, found.interval, found.read_only)


SUBCOMMAND: Final = Subcommand(
    "",
    "A terminal console for ZFS storage.",
    _add_arguments,
    _read,
    run_console,
    epilog=EPILOG,
)
