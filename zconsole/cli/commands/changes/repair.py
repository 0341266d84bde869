"""`zconsole repair`: the guided repair of each device in trouble, with the next step."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from functools import partial
from typing import Final

from zconsole.actions.repair.healthy_vdev_procedures import asked_repair
from zconsole.actions.repair.repairs_of_host import ended_repairs, repairs
from zconsole.analysis.repair.disks_to_read_smart_data_first import disks_to_ask
from zconsole.base.errors import CommandFailed, ParseError, UsageError, ZConsoleError
from zconsole.base.escape_control_characters import decoded
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain, complain_of_each
from zconsole.cli.json_output import json_output
from zconsole.cli.open_and_ask_named_hosts import NamedHost, ask_each, open_hosts
from zconsole.cli.open_disk_health_store import disk_health_store
from zconsole.cli.options import JsonForm, Parser, add_hosts, add_json_or_lines, add_timeout, where_of
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.concurrent_reads import together
from zconsole.collect.guests.guests_for_a_report import read_guests_for_report
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.collect.readings.disk_places_smart_and_kernel_messages import (
    ALL_S,
    FACTS_SHARE,
    DiskReader,
    with_disk_facts,
)
from zconsole.model.host.host_state import PoolState
from zconsole.model.journal import Entry
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import SUSPENDED
from zconsole.model.repair import Procedure, ProcedureKind, Repair
from zconsole.reports.json.repair import repairs_document
from zconsole.reports.text.repair import repair_report, tickets
from zconsole.storage.disks.cold_swap_hosts import cold_swap_hosts
from zconsole.storage.journal import Journal, JournalError
from zconsole.zfs.listing.events import parse_events, recent

NEEDED: Final = 1  # exit code: a device needs a repair
WIDEST: Final = 160  # columns when stdout is not a terminal


@dataclass(frozen=True, slots=True)
class RepairRequest:
    """`zconsole repair`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    procedure: Procedure | None = None  # on a sound vdev
    json: JsonForm | None = None
    is_report: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class HostRepairs:
    """Repairs of a host at a time; `ended` are replacements that need nothing more."""

    found: tuple[Repair, ...]
    ended: tuple[Repair, ...]
    at: float  # epoch seconds
    problems: tuple[str, ...] = ()  # of the reading of the disks


def run_repair(asked: RepairRequest, config: Config) -> int:
    """Print each host's repairs; 1 when there is one, 3 when a host could not be read."""
    within_s = asked.timeout_s or ALL_S

    async def ask(place: NamedHost) -> HostRepairs:
        return await _ask(place, asked, config)

    places = open_hosts(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, ask, within_s))
    needed = 0
    with json_output(asked.json, "hosts", is_one=len(places) == 1) as put:
        for place, answer in zip(places, answers, strict=True):
            if isinstance(answer, ZConsoleError):
                put.failed(answer, place.host.label)
                continue
            if asked.json:
                put(repairs_document(place.host.label, answer.found))
            for each in _printed(place, answer, asked):
                print(each)
            for problem in answer.problems:
                complain(CommandFailed(f"{place.host.label}: {problem}"))
            needed = max(needed, NEEDED if any(each.current is not None for each in answer.found) else 0)
    return max(needed, complain_of_each(answers))


def _printed(place: NamedHost, answer: HostRepairs, asked: RepairRequest) -> Iterator[str]:
    host = place.host.label
    if asked.is_report:
        yield from tickets(host, (*answer.found, *answer.ended), answer.at)
    elif not asked.json:
        cells = shutil.get_terminal_size((WIDEST, 24)).columns
        yield from repair_report(host, answer.found, cells, asked.where.words_for(host))


async def _ask(place: NamedHost, asked: RepairRequest, config: Config) -> HostRepairs:
    pools = () if asked.pool is None else (asked.pool,)
    within_s = asked.timeout_s or ALL_S
    state = await gather(place.host, place.clock, pools=pools, within_s=FACTS_SHARE * within_s)
    for each in state.pools:
        if each.pool.value is None:
            raise _unread(each, place.host.label)
    asker = Asker(place.host)
    reader = DiskReader(
        place.clock,
        within_s,
        disk_health_store(asked.where),
        complain=complain,
        ask=partial(disks_to_ask, is_one_pool=asked.pool is not None),
    )
    async with together() as group:
        disk_facts = group.create_task(with_disk_facts(asker, state, reader))
        events = group.create_task(_read_events(asker, Privilege(asker)))
    state = disk_facts.result()
    problems = tuple(filter(None, (state.inventory.problem, state.smart.problem)))
    state = replace(state, events=events.result(), has_hot_swap=_has_hot_swap(place.host.label, config))
    if not state.has_hot_swap:  # the guests stop with the host
        state = replace(state, guests=await read_guests_for_report(asker, place.clock, state.inventory.value))
    entries, now = _entries({place.host.label, state.hostname or place.host.label}), place.clock.now()
    if asked.procedure is not None:
        return HostRepairs((asked_repair(state, entries, now, asked.procedure),), (), now, problems)
    return HostRepairs(repairs(state, entries, now), ended_repairs(state, entries, now), now, problems)


def _unread(of: PoolState, host: str) -> CommandFailed:
    """Why a pool has no repairs; zpool status of a suspended one may not answer."""
    if of.kstat_state != SUSPENDED:
        return CommandFailed(f"{of.name} on {host} cannot be read", said=of.pool.problem)
    return CommandFailed(
        f"{of.name} on {host} is suspended, and zpool status does not answer",
        said=of.pool.problem,
        hint=(
            "Put back the disks that are gone, or mend their cable or power (zconsole disks shows what the "
            f"host sees), then zconsole plan clear {of.name}. Nothing is lost by waiting."
        ),
    )


def _has_hot_swap(host: str, config: Config) -> bool:
    """Whether neither the configuration nor what the console kept says otherwise."""
    known = config.reached_as(host)
    return (known is None or known.has_hot_swap) and host not in cold_swap_hosts(complain=complain)


def _entries(names: Iterable[str]) -> tuple[Entry, ...]:
    """The journal's runs on a host; a journal that cannot be read costs who and when, not the repair."""
    journal = Journal()
    try:
        found = {each.id: each for name in sorted(names) for each in journal.entries(host=name)}
    except JournalError as error:
        complain(error)
        return ()
    finally:
        journal.close()
    return tuple(found.values())


async def _read_events(asker: Asker, privilege: Privilege) -> tuple[Event, ...]:
    """The events that the kernel still has; none where this user may not read them."""
    try:
        answer = await asker.ask(await privilege.to_read(recent()), kind="events")
        return parse_events(decoded(answer))
    except (CommandFailed, ParseError):
        return ()


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json_or_lines(parser, "of several hosts they are its `hosts`", "host")
    parser.add_argument(
        "--grow", metavar="VDEV", help="replace each disk of this vdev with a larger one, in turn"
    )
    parser.add_argument(
        "--mirror", metavar="DISK", help="attach a second disk to this single disk of the pool"
    )
    parser.add_argument(
        "--report", action="store_true", help="a report in Markdown for a ticket, of ended repairs too"
    )
    add_timeout(parser, f"{ALL_S:g}s")
    add_hosts(parser)


def _read(found: argparse.Namespace) -> RepairRequest:
    if found.json and found.report:
        raise UsageError("--json and --report are two forms of one answer", hint="Ask for one of them.")
    return RepairRequest(
        where_of(found), found.pool, _procedure(found), found.json, found.report, found.timeout
    )


def _procedure(found: argparse.Namespace) -> Procedure | None:
    if found.grow and found.mirror:
        raise UsageError("--grow and --mirror are two procedures", hint="Ask for one of them.")
    word = found.grow or found.mirror
    if word is None:
        return None
    if found.pool is None:
        raise UsageError("--grow and --mirror need the pool", hint="zconsole repair POOL --grow VDEV")
    return Procedure(ProcedureKind.GROW if found.grow else ProcedureKind.MIRROR, found.pool, word)


SUBCOMMAND: Final = Subcommand(
    "repair",
    "Say what is wrong with a disk, and what to do next until the pool is redundant again; "
    "exit 0 nothing to do, 1 a repair is needed, 3 a host or the pool could not be read.",
    _add_arguments,
    _read,
    run_repair,
)
