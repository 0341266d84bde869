"""`zconsole guests`: libvirt's guests on a host, and what their disks are on."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.guests.guests_and_containers import as_guests
from zconsole.base.errors import CommandFailed, HostError, HostUnreachable, LinkLost, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain
from zconsole.cli.json_output import JsonOutput, json_output
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each, open_hosts
from zconsole.cli.options import (
    JsonForm,
    Parser,
    add_hosts,
    add_json_or_lines,
    add_timeout,
    seconds,
    where_of,
)
from zconsole.cli.readings_for_findings import KeptSamples, kept_samples
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.guests.guest_source_protocol_and_virsh import NoLibvirt
from zconsole.collect.guests.guests_for_a_report import read_all, with_live_io
from zconsole.collect.guests.libvirt_connections import connected
from zconsole.collect.guests.read_all_containers import read_all_containers
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.read_host import gather, read_inventory
from zconsole.model.guests.container import Container
from zconsole.model.guests.guest import Guest, guests_named
from zconsole.reports.json.guests import guests_document
from zconsole.reports.text.guests import ReportedHost, guest_report
from zconsole.service.forecasts_by_own_samples import with_own_forecasts
from zconsole.service.replication_as_last_compared import with_comparison
from zconsole.ui.findings_cache import Judge
from zconsole.views.guests.guest_detail import GuestHost
from zconsole.views.guests.libvirt_without_answer import (
    WHAT_TO_DO,
    is_of_system_libvirt,
    stands_for,
)

_Found = tuple[tuple[Guest, ...], tuple[Container, ...], str, GuestHost | None]  # and what is wrong
NAMES: Final = 8  # of guests, where the one that was asked for is not there
WIDEST: Final = 160  # columns when stdout is not a terminal
SHARE: Final = 0.8  # of the time given, for libvirt: what hangs is named before the host has no time left
HANGING_SHARE: Final = 0.2  # of it, for one command: ZFS may hang in several one after the other


@dataclass(frozen=True, slots=True)
class GuestsRequest:
    """`zconsole guests`."""

    where: HostSelection = field(default_factory=HostSelection)
    json: JsonForm | None = None
    timeout_s: float | None = None
    guest: str = ""  # name or uuid of one guest or container; empty: all
    is_long: bool = False  # with the disks of each
    io_s: float | None = None  # between two readings of the counters; None: one reading


def run_guests(asked: GuestsRequest, config: Config) -> int:
    """Print each host's guests; 3 when those of one could not be read."""
    within_s = asked.timeout_s or TIMEOUT_S
    kept = kept_samples(asked.where)

    async def ask(place: NamedHost) -> _Found:
        ends_at = asyncio.get_running_loop().time() + within_s + (asked.io_s or 0.0)
        await place.host.connect()
        given_s = asked.timeout_s
        asker = Asker(place.host, timeout_s=None if given_s is None else HANGING_SHARE * given_s)
        containers = await read_all_containers(asker, place.clock, within_s=HANGING_SHARE * within_s)
        problems = [containers.problem] if containers.problem else []
        guests, problem = await _guests_of(place, asker, asked, SHARE * within_s, bool(containers.value))
        problems += [problem] if problem else []
        named = _named(asked, (*guests, *as_guests(containers.value or ())), problems, place.host.label)
        on = None
        if named and not asked.json:
            left_s = SHARE * (ends_at - asyncio.get_running_loop().time())
            on, problem = await _host_of(place, config, kept, left_s)
            problems += [problem] if problem else []
        return guests, containers.value or (), "; ".join(problems), on

    places = open_hosts(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, ask, within_s + (asked.io_s or 0.0)))
    with json_output(asked.json, "hosts", is_one=len(places) == 1) as put:
        return max(
            _tell(asked, place.host.label, answer, put) for place, answer in zip(places, answers, strict=True)
        )


def _tell(asked: GuestsRequest, label: str, answer: _Found | ZConsoleError, put: JsonOutput) -> int:
    """Print the guests of a host; its exit code."""
    if isinstance(answer, ZConsoleError):
        if is_of_system_libvirt(answer.message):
            answer.hint = f"{answer.hint or f'{stands_for(None)}.'} {WHAT_TO_DO}."
        complain(answer)
        put.failed(answer, label)
        return answer.exit_code
    guests, containers, problem, on = answer
    if problem:
        complain(HostError(problem, hint=WHAT_TO_DO if is_of_system_libvirt(problem) else ""))
    if asked.json:
        put(guests_document(label, guests, containers, named=asked.guest, problem=problem))
    else:
        for each in _report(asked, label, (*guests, *as_guests(containers)), on):
            print(each)
    return HostError.exit_code if problem else 0


async def _guests_of(
    place: NamedHost, asker: Asker, asked: GuestsRequest, within_s: float, has_containers: bool
) -> tuple[tuple[Guest, ...], str]:
    """The guests of libvirt, and what is wrong with it. Raises where there is nothing else to tell."""
    try:
        async with connected(asker, place.clock, within_s) as libvirt:
            guests, problem = await read_all(asker, libvirt, await read_inventory(asker))
            if asked.io_s is not None and guests:
                guests = await with_live_io(libvirt, place.clock, guests, asked.io_s)
            return guests, problem
    except (LinkLost, HostUnreachable):
        raise
    except ZConsoleError as error:
        if not has_containers:
            raise
        is_absent = isinstance(error, NoLibvirt)  # as on Proxmox, or a host of containers alone
        return (), "" if is_absent else in_words(error)


def _report(asked: GuestsRequest, host: str, guests: Sequence[Guest], on: GuestHost | None) -> Iterator[str]:
    columns = shutil.get_terminal_size((WIDEST, 24)).columns
    reported = ReportedHost(host, " ".join(asked.where.words_for(host)), asked.is_long)
    return guest_report(reported, guests, columns, named=asked.guest, on=on)


def _named(
    asked: GuestsRequest, guests: Sequence[Guest], problems: Sequence[str], host: str
) -> tuple[Guest, ...]:
    """The guests that were asked for by name or uuid. Raises where there is none of that word."""
    if not asked.guest:
        return ()
    found = guests_named(asked.guest, guests)
    if not found:
        unread = f", of what could be read: {'; '.join(problems)}" if problems else ""
        names = shortened(sorted(each.name for each in guests), NAMES)
        hint = f"Guests there: {names}." if names else "It has no guests."
        raise CommandFailed(f"there is no guest {asked.guest} on {host}{unread}", hint=hint)
    return found


async def _host_of(
    place: NamedHost, config: Config, kept: KeptSamples, within_s: float
) -> tuple[GuestHost | None, str]:
    """The host's pools with their findings, and what could not be read of them.

    A pool that hangs takes no more than the time that is left: the guest is told without it.
    """
    try:
        async with asyncio.timeout(within_s):
            state = await gather(place.host, place.clock, within_s=within_s)
    except TimeoutError:
        return None, f"the pools of {place.host.label} did not answer within {within_s:.0f} s"
    except HostError as error:
        return None, in_words(error)
    now = place.clock.now()
    state = await with_own_forecasts(state, kept.space, now, complain)
    state = await with_comparison(state, kept.replication, place.clock, complain)
    (judged,) = Judge(config).hosts([state], now, place.clock.monotonic())
    return GuestHost(state, judged.findings, now), ""


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "guest",
        nargs="?",
        default="",
        metavar="GUEST",
        help="only the guest or container of this name or uuid",
    )
    parser.add_argument(
        "--long", action="store_true", help="the disks of each guest too, and all its problems"
    )
    add_json_or_lines(parser, "of several hosts they are its `hosts`", "host")
    parser.add_argument(
        "--io", dest="io_s", type=seconds, metavar="TIME", help="measure the I/O of each disk for so long"
    )
    add_timeout(parser, f"{TIMEOUT_S:g}s")
    add_hosts(parser)


def _read(found: argparse.Namespace) -> GuestsRequest:
    return GuestsRequest(
        where_of(found), found.json, found.timeout, found.guest, is_long=found.long, io_s=found.io_s
    )


SUBCOMMAND: Final = Subcommand(
    "guests",
    "Print libvirt's guests and the containers of a host: their state, and the datasets and volumes that "
    "they are on; "
    "exit 0 done, 3 the guests of a host could not be read, or it has none of the name.",
    _add_arguments,
    _read,
    run_guests,
)
