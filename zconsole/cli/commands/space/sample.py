"""`zconsole sample`: measure, print and store space samples for forecasts."""

from __future__ import annotations

import argparse
import os
from dataclasses import field
from typing import Final

from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.collecting.own_program import own_program
from zconsole.cli.error_messages import complain_of_each
from zconsole.cli.json_output import json_output
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, open_hosts
from zconsole.cli.options import JsonForm, Parser, add_hosts, add_json_or_lines, where_of
from zconsole.cli.read_each_pool import PoolOfHost, read_each_pool
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.model.pools.space_samples import SpaceSample
from zconsole.reports.json.space_sample import sample_document
from zconsole.reports.systemd_timer import Job, timer_units
from zconsole.reports.text.space_sample import sample_lines
from zconsole.service.space_sampling import take_sample
from zconsole.storage.space_samples import SpaceStore


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """`zconsole sample`; `unit` is the systemd unit to print instead: service, timer or both."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    json: JsonForm | None = None
    unit: str | None = None


BOTH_UNITS: Final = "both"
UNITS: Final = ("service", "timer", BOTH_UNITS)


def run_sample(asked: SampleRequest, config: Config) -> int:
    """Store one sample of each pool; 3 when a pool could not be read or a sample not stored."""
    if asked.unit is not None:
        print(timer_units(_job(asked), asked.unit), end="")
        return 0
    places = open_hosts(asked.where, config, within_s=TIMEOUT_S)

    async def read(found: PoolOfHost) -> SpaceSample:
        return await take_sample(found.asker, found.pool, found.hostname, found.place.clock.now())

    samples, unread = read_each_pool(places, asked.pool, read, 2 * TIMEOUT_S)
    failures: list[ZConsoleError] = []
    is_real = not asked.where.is_demo and asked.where.replay is None
    with json_output(asked.json, "pools", is_one=len(places) == 1 and asked.pool is not None) as put:
        for sample in samples:
            if asked.json:
                put(sample_document(sample))
            else:
                print("\n".join(sample_lines(sample, is_kept=is_real)))
            if is_real:
                failures += _keep(sample)
        for each in unread:
            put.failed(each.error, each.host)
    return complain_of_each((*(each.error for each in unread), *failures))


def _keep(sample: SpaceSample) -> list[ZConsoleError]:
    try:
        SpaceStore().add(sample)
    except ZConsoleError as error:
        return [error]
    return []


def _job(asked: SampleRequest) -> Job:
    """Command line of this program for the hourly systemd unit."""
    pool = () if asked.pool is None else (asked.pool,)
    return Job((*own_program("sample", asked.where), *pool), os.geteuid() == 0)


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json_or_lines(parser, "of POOL alone, else with its `pools`", "pool")
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


def _read(found: argparse.Namespace) -> SampleRequest:
    pool, unit = found.pool, found.unit
    if unit is not None and (found.demo or found.replay is not None or found.json):
        raise UsageError("--print-timer is for real hosts", hint="Leave --demo, --replay and --json out.")
    return SampleRequest(where_of(found), pool, found.json, unit)


SUBCOMMAND: Final = Subcommand(
    "sample",
    "Measure the used space of pools, print it, and store it for forecasts. For a timer, or by hand.",
    _add_arguments,
    _read,
    run_sample,
)
