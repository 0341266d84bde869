"""`zconsole disks`: disks of a host with SMART data, worst first."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from dataclasses import field
from typing import Final

from zconsole.analysis.vdevs.host_disks import HostDisk, host_disks
from zconsole.base.errors import CommandFailed, UsageError, ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain, complain_of_each
from zconsole.cli.json_output import json_output, print_document
from zconsole.cli.open_and_ask_named_hosts import NamedHost, ask_each, open_hosts
from zconsole.cli.open_disk_health_store import disk_health_store
from zconsole.cli.options import JsonForm, Parser, add_hosts, add_json_or_lines, add_timeout, where_of
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.collect.readings.disk_places_smart_and_kernel_messages import (
    ALL_S,
    FACTS_SHARE,
    DiskReader,
    with_disk_facts,
)
from zconsole.collect.readings.read_test_of_unused_disk import read_test_of
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.read_test import ReadTest, ReadTestOutcome
from zconsole.model.pools.shelf_and_disk_path import Enclosure
from zconsole.reports.json.disks import disks_document, read_test_document
from zconsole.reports.text.disks import disk_report
from zconsole.views.repair.read_test_in_words import read_test_in_words

TEST_S: Final = 90.0  # three pieces of 20 s, and what is read beforehand
WIDEST: Final = 160  # columns when stdout is not a terminal


@dataclass(frozen=True, slots=True)
class DisksRequest:
    """`zconsole disks`."""

    where: HostSelection = field(default_factory=HostSelection)
    json: JsonForm | None = None
    timeout_s: float | None = None
    read_test: str = ""  # the disk to test instead of printing all


@dataclass(frozen=True, slots=True)
class ListedDisks:
    """Disks of a host, its shelves, and what could not be read of them."""

    disks: tuple[HostDisk, ...]
    enclosures: tuple[Enclosure, ...]
    problems: tuple[str, ...]


def run_disks(asked: DisksRequest, config: Config) -> int:
    """Print each host's disks; 3 when the disks of one could not be listed."""
    within_s = asked.timeout_s or ALL_S
    if asked.read_test:
        return _run_read_test(asked, config)
    kept = disk_health_store(asked.where)

    async def ask(place: NamedHost) -> ListedDisks:
        state = await gather(place.host, place.clock, within_s=FACTS_SHARE * within_s)
        if state.inventory.value is None:
            raise CommandFailed(
                f"the disks of {state.host} could not be listed",
                said=state.inventory.problem,
                hint="lsblk of util-linux lists them.",
            )
        reader = DiskReader(place.clock, within_s, kept, lights=True, complain=complain)
        state = await with_disk_facts(Asker(place.host), state, reader)
        problems = tuple(filter(None, (state.inventory.problem, state.smart.problem)))
        inventory = state.inventory.value or Inventory()
        return ListedDisks(host_disks(state), inventory.shelves.enclosures, problems)

    places = open_hosts(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, ask, within_s))
    with json_output(asked.json, "hosts", is_one=len(places) == 1) as put:
        for place, answer in zip(places, answers, strict=True):
            if isinstance(answer, ZConsoleError):
                put.failed(answer, place.host.label)
                continue
            if asked.json:
                put(disks_document(place.host.label, answer.disks))
            else:
                cells = shutil.get_terminal_size((WIDEST, 24)).columns
                for each in disk_report(place.host.label, answer.disks, cells, answer.enclosures):
                    print(each)
            for problem in answer.problems:
                complain(CommandFailed(f"{place.host.label}: {problem}"))
    return complain_of_each(answers)


def _run_read_test(asked: DisksRequest, config: Config) -> int:
    """Test one unused disk, and print the result; 1 when the disk failed, 3 when it was not tested."""
    places = open_hosts(asked.where, config)
    if len(places) != 1:
        raise UsageError("a read test is of one host", hint="Give --host once.")

    async def ask(place: NamedHost) -> ReadTest:
        return await read_test_of(Asker(place.host), asked.read_test, place.clock)

    (answer,) = asyncio.run(ask_each(places, ask, asked.timeout_s or TEST_S))
    if isinstance(answer, ZConsoleError):
        raise answer
    host, label = places[0].host.label, asked.read_test
    if asked.json:
        print_document(read_test_document(host, label, answer))
    else:
        print(visible(f"{host} · {label}: {read_test_in_words(answer)}"))
    return {ReadTestOutcome.PASSED: 0, ReadTestOutcome.FAILED: 1, ReadTestOutcome.NOT_RUN: 3}[answer.outcome]


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--read-test",
        metavar="DISK",
        default="",
        help="read 192 MiB of an unused disk (serial number or link) and print the speed; writes nothing; "
        "wakes a sleeping disk",
    )
    add_json_or_lines(parser, "of several hosts they are its `hosts`", "host")
    add_timeout(parser, f"{ALL_S:g}s")
    add_hosts(parser)


def _read(found: argparse.Namespace) -> DisksRequest:
    return DisksRequest(where_of(found), found.json, found.timeout, found.read_test)


SUBCOMMAND: Final = Subcommand(
    "disks",
    "Print every disk of a host, worst first: its health, and which pool it serves; exit 0 done, 3 the disks "
    "of a host could not be listed; with --read-test 0 passed, 1 failed, 3 not run.",
    _add_arguments,
    _read,
    run_disks,
)
