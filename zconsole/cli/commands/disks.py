"""`zconsole disks`: disks of a host with SMART data, worst first."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from dataclasses import dataclass, field, replace
from typing import Final

from zconsole.analysis.vdevs.host_disks import HostDisk, host_disks, whole_disks
from zconsole.base.config import Config
from zconsole.base.errors import CommandFailed, ParseError, ZConsoleError
from zconsole.cli.error_messages import complain
from zconsole.cli.host_selection import HostSelection
from zconsole.cli.named_hosts import NamedHost, ask_each, open_places
from zconsole.cli.options import Parser, add_hosts, add_json, add_timeout, where_of
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.asker import Asker
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_host import gather, with_shelves
from zconsole.collect.readings.health_records import read_health_records
from zconsole.collect.readings.kernel_messages import read_kernel_messages
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.kernel_message import KernelMessage
from zconsole.model.pools.shelf import Enclosure
from zconsole.reports.json.disks import disks_document
from zconsole.reports.json.document import as_line
from zconsole.reports.text.disks import disk_report
from zconsole.storage.disk_health_samples import DiskHealthStore, DiskHealthStoreError

TIMEOUT_S: Final = 120.0  # a failing disk takes half a minute for its SMART data
FACTS_TIMEOUT_S: Final = 30.0
WIDEST: Final = 160  # columns when stdout is not a terminal


@dataclass(frozen=True, slots=True)
class DisksRequest:
    """`zconsole disks`."""

    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False
    timeout_s: float | None = None


def run_disks(asked: DisksRequest, config: Config) -> int:
    """Print each host's disks; 3 when the disks of one could not be listed."""
    within_s = asked.timeout_s or TIMEOUT_S
    is_real = not asked.where.is_demo and asked.where.replay is None
    kept = DiskHealthStore() if is_real else None

    async def ask(place: NamedHost) -> tuple[tuple[HostDisk, ...], tuple[Enclosure, ...]]:
        state = await gather(place.host, place.clock, within_s=asked.timeout_s or FACTS_TIMEOUT_S)
        inventory = state.inventory.value
        if inventory is None:
            raise CommandFailed(
                f"the disks of {state.host} could not be listed",
                said=state.inventory.problem,
                hint="lsblk of util-linux lists them.",
            )
        asker, now = Asker(place.host), place.clock.now()
        inventory = await with_shelves(asker, inventory, lights=True)
        state = replace(state, inventory=replace(state.inventory, value=inventory))
        disks = tuple(whole_disks(inventory))
        try:
            records = await read_health_records(asker, disks, now, kept)
        except DiskHealthStoreError as error:  # what is kept is for trends only
            complain(error)
            records = await read_health_records(asker, disks, now, None)
        state = replace(state, smart=Reading(records), kernel=await _kernel(asker))
        return host_disks(state), inventory.shelves.enclosures

    places = open_places(asked.where, config, within_s=within_s)
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


async def _kernel(asker: Asker) -> Reading[tuple[KernelMessage, ...]]:
    """Kernel messages; none where this user may not read them."""
    try:
        return Reading(await read_kernel_messages(asker, Privilege(asker)))
    except (CommandFailed, ParseError) as error:
        return Reading(problem=str(error))


def _add_arguments(parser: Parser) -> None:
    add_json(parser, "one object a line and host, as docs/json.md documents it")
    add_timeout(parser, f"{TIMEOUT_S:g}s")
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
