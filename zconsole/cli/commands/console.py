"""`zconsole [HOST...]`: open the console on some hosts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from zconsole.base.config import Config
from zconsole.base.errors import UsageError
from zconsole.cli.named_hosts import open_places
from zconsole.cli.requests import Console
from zconsole.service.engine import Engine
from zconsole.storage.journal import Journal

if TYPE_CHECKING:
    from zconsole.model.datasets.replication import SendBase
    from zconsole.model.run import Run
    from zconsole.storage.known_machines import KnownMachines
    from zconsole.storage.snapshot_index import SnapshotIndex
    from zconsole.storage.space_samples import SpaceStore


def run_console(asked: Console, config: Config) -> int:
    """Start to collect, and meanwhile load the screen; hosts are asked before it is there."""
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
    places = open_places(asked.where, config)
    hosts = [place.host for place in places]
    is_real = not asked.where.is_demo and asked.where.replay is None
    engine = Engine(
        hosts,
        clock=places[0].clock,
        interval_s=config.interval_s,
        config=config,
        journal=Journal(is_kept=is_real),  # what is only played is not settled among what was done
        space=_space if is_real else None,
        send_bases=_send_bases if is_real else None,
        indexes=_indexes if is_real else None,
        machines=_machines if is_real else None,
    )
    engine.start()
    try:
        from zconsole.ui.app import run_console as run

        return run(engine, config)
    finally:
        _tell(engine.stop())


def _tell(left: Sequence[Run]) -> None:
    """What becomes of the runs that were under way when the console was left."""
    if left:
        from zconsole.reports.text.run import left_line

        for run in left:
            with suppress(OSError):  # the terminal is gone, or nobody reads
                print(left_line(run), file=sys.stderr, flush=True)


# What the first frame needs nothing of is loaded later.


def _space() -> SpaceStore:
    from zconsole.storage.space_samples import SpaceStore

    return SpaceStore()


def _indexes() -> SnapshotIndex:
    from zconsole.storage.snapshot_index import SnapshotIndex

    return SnapshotIndex()


def _machines() -> KnownMachines:
    from zconsole.storage.known_machines import KnownMachines

    return KnownMachines()


def _send_bases() -> tuple[SendBase, ...]:
    from zconsole.storage.known_replicas import known_bases

    return known_bases()
