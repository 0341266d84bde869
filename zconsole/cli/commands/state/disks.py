"""`zconsole disks`: disks of a host with SMART data, worst first."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from dataclasses import dataclass, field
from typing import Final

from zconsole.analysis.vdevs.host_disks import HostDisk, host_disks
from zconsole.base.config import Config
from zconsole.base.errors import CommandFailed, ZConsoleError
from zconsole.cli.disk_health_store import disk_health_store
from zconsole.cli.error_messages import complain
from zconsole.cli.host_selection import HostSelection
from zconsole.cli.open_named_hosts import NamedHost, ask_each, open_hosts
from zconsole.cli.options import Parser, add_hosts, add_json, add_timeout, where_of
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.collect.readings.disk_facts import ALL_S, FACTS_SHARE, DiskReader, with_disk_facts
from zconsole.model.pools.disk import Inventory
from zconsole.model.pools.shelf import Enclosure
from zconsole.reports.json.disks import disks_document
from zconsole.reports.json.json_line import as_line
from zconsole.reports.text.disks import disk_report

WIDEST: Final = 160  # columns when stdout is not a terminal


@dataclass(frozen=True, slots=True)
class DisksRequest:
    """`zconsole disks`."""

    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False
    timeout_s: float | None = None


def run_disks(asked: DisksRequest, config: Config) -> int:
    """Print each host's disks; 3 when the disks of one could not be listed."""
    within_s = asked.timeout_s or ALL_S
    kept = disk_health_store(asked.where)

    async def ask(place: NamedHost) -> tuple[tuple[HostDisk, ...], tuple[Enclosure, ...]]:
        state = await gather(place.host, place.clock, within_s=FACTS_SHARE * within_s)
        if state.inventory.value is None:
            raise CommandFailed(
                f"the disks of {state.host} could not be listed",
                said=state.inventory.problem,
                hint="lsblk of util-linux lists them.",
            )
        reader = DiskReader(place.clock, within_s, kept, lights=True, complain=complain)
        state = await with_disk_facts(Asker(place.host), state, reader)
        for problem in (state.inventory.problem, state.smart.problem):
            if problem:
                complain(CommandFailed(f"{state.host}: {problem}"))
        inventory = state.inventory.value or Inventory()
        return host_disks(state), inventory.shelves.enclosures

    places = open_hosts(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, ask, within_s))
    worst = 0
    for place, answer in zip(places, answers, strict=True):
        if isinstance(answer, ZConsoleError):
            complain(answer)
            worst = max(worst, answer.exit_code)
        elif asked.is_json:
            print(as_line(disks_document(place.host.label, answer[0])))
        else:
            cells = shutil.get_terminal_size((WIDEST, 24)).columns
            for each in disk_report(place.host.label, answer[0], cells, answer[1]):
                print(each)
    return worst


def _add_arguments(parser: Parser) -> None:
    add_json(parser, "one object a line and host, as docs/json.md documents it")
    add_timeout(parser, f"{ALL_S:g}s")
    add_hosts(parser)


def _read(found: argparse.Namespace) -> DisksRequest:
    return DisksRequest(where_of(found), found.json, found.timeout)


SUBCOMMAND: Final = Subcommand(
    "disks",
    "Print every disk of a host, worst first: its health, and which pool it serves.",
    _add_arguments,
    _read,
    run_disks,
)
