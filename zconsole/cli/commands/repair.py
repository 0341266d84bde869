"""`zconsole repair`: the guided repair of each device in trouble, with the next step."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from dataclasses import dataclass, field, replace
from typing import Final

from zconsole.actions.repair.repairs import repairs
from zconsole.analysis.vdevs.host_disks import whole_disks
from zconsole.base.config import Config
from zconsole.base.errors import CommandFailed, ParseError, ZConsoleError
from zconsole.base.harmless_text import decoded
from zconsole.cli.error_messages import complain
from zconsole.cli.host_selection import HostSelection
from zconsole.cli.named_hosts import TIMEOUT_S, NamedHost, ask_each, open_places
from zconsole.cli.options import Parser, add_hosts, add_json, add_timeout, where_of
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.asker import Asker
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_host import gather
from zconsole.collect.readings.disk_health import read_disk_health
from zconsole.model.pools.disk import Inventory
from zconsole.model.pools.event import Event
from zconsole.model.repair import Repair
from zconsole.reports.json.document import as_line
from zconsole.reports.json.repair import repairs_document
from zconsole.reports.text.repair import repair_report
from zconsole.storage.journal import Journal
from zconsole.zfs.listing.events import parse_events, recent

NEEDED: Final = 1  # exit code: a device needs a repair
WITHIN_S: Final = 120.0  # a failing disk takes half a minute for its SMART data
WIDEST: Final = 160  # columns when stdout is not a terminal


@dataclass(frozen=True, slots=True)
class RepairRequest:
    """`zconsole repair`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    is_json: bool = False
    timeout_s: float | None = None


def run_repair(asked: RepairRequest, config: Config) -> int:
    """Print each host's repairs; 1 when there is one, 3 when a host could not be read."""
    within_s = asked.timeout_s or WITHIN_S

    async def ask(place: NamedHost) -> tuple[Repair, ...]:
        return await _ask(place, asked)

    places = open_places(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, ask, within_s))
    worst = 0
    for place, answer in zip(places, answers, strict=True):
        if isinstance(answer, ZConsoleError):
            complain(answer)
            worst = max(worst, answer.exit_code)
            continue
        if asked.is_json:
            print(as_line(repairs_document(place.host.label, answer)))
        else:
            cells = shutil.get_terminal_size((WIDEST, 24)).columns
            for each in repair_report(place.host.label, answer, cells, _where(asked.where, place)):
                print(each)
        worst = max(worst, NEEDED if answer else 0)
    return worst


def _where(where: HostSelection, place: NamedHost) -> tuple[str, ...]:
    """The words that select a host in a command."""
    if where.is_demo:
        return (where.demo_word,)
    return ("--host", place.host.label) if where.hosts else ()


async def _ask(place: NamedHost, asked: RepairRequest) -> tuple[Repair, ...]:
    pools = () if asked.pool is None else (asked.pool,)
    state = await gather(place.host, place.clock, pools=pools, within_s=asked.timeout_s or TIMEOUT_S)
    for each in state.pools:
        if each.pool.value is None:
            raise CommandFailed(f"{each.name} on {place.host.label} cannot be read", said=each.pool.problem)
    asker = Asker(place.host)
    privilege = Privilege(asker)
    health, events = await asyncio.gather(
        read_disk_health(asker, privilege, whole_disks(state.inventory.value or Inventory())),
        _read_events(asker, privilege),
    )
    state = replace(state, events=events)
    journal = Journal()
    try:
        entries = journal.entries(host=state.hostname or place.host.label)
    finally:
        journal.close()
    return repairs(state, entries, place.clock.now(), health)


async def _read_events(asker: Asker, privilege: Privilege) -> tuple[Event, ...]:
    """The events that the kernel still has; none where this user may not read them."""
    try:
        answer = await asker.ask(await privilege.to_read(recent()), kind="events")
        return parse_events(decoded(answer))
    except (CommandFailed, ParseError):
        return ()


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json(parser, "one object a line and host, as docs/json.md documents it")
    add_timeout(parser, f"{WITHIN_S:g}s")
    add_hosts(parser)


def _read(found: argparse.Namespace) -> RepairRequest:
    return RepairRequest(where_of(found), found.pool, found.json, found.timeout)


SUBCOMMAND: Final = Subcommand(
    "repair",
    "Say what is wrong with a disk, and what to do next until the pool is redundant again; "
    "exit 0 nothing to do, 1 a repair is needed.",
    _add_arguments,
    _read,
    run_repair,
)
