"""`zconsole iostat`: print samples as they arrive."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import aclosing
from dataclasses import field
from typing import Final

from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain_of_each
from zconsole.cli.json_output import json_output
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each, open_hosts
from zconsole.cli.options import JsonForm, Parser, add_hosts, add_json_or_lines, count, interval, where_of
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.io_samples_for_command_line import io_samples
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import Pool
from zconsole.reports.json.iostat import sample_document
from zconsole.reports.text.iostat import sample_lines


@dataclass(frozen=True, slots=True)
class IostatRequest:
    """`zconsole iostat`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    json: JsonForm | None = None
    interval_s: float | None = None
    count: int | None = None


def run_iostat(asked: IostatRequest, config: Config) -> int:
    """Print until the count is reached or the pipe closes; 3 when a host could not be read."""
    interval_s = asked.interval_s or config.interval_s
    pools = () if asked.pool is None else (asked.pool,)
    places = open_hosts(asked.where, config, within_s=TIMEOUT_S)

    def show(place: NamedHost, pool: Pool, sample: IoSample) -> None:
        if asked.json:
            put(sample_document(place.host.label, pool, sample, interval_s))
            return
        host = f"{visible(place.host.label)} " if len(places) > 1 else ""
        print("\n".join(f"{host}{line}" for line in sample_lines(pool, sample)), end="\n\n", flush=True)

    async def ask(place: NamedHost) -> None:
        samples = io_samples(
            place.host, pools=pools, interval_s=interval_s, clock=place.clock, count=asked.count
        )
        async with aclosing(samples):
            async for pool, sample in samples:
                show(place, pool, sample)

    with json_output(asked.json, "samples", is_one=False) as put:
        answers = asyncio.run(ask_each(places, ask))
        for place, answer in zip(places, answers, strict=True):
            if isinstance(answer, ZConsoleError):
                put.failed(answer, place.host.label)
    return complain_of_each(answers)


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json_or_lines(parser, "with its `samples`; with --count", "sample")
    parser.add_argument("--interval", type=interval, metavar="TIME", help="between two samples")
    parser.add_argument("--count", type=count, metavar="N", help="stop after N samples of each pool")
    add_hosts(parser)


def _read(found: argparse.Namespace) -> IostatRequest:
    if found.json is JsonForm.DOCUMENT and found.count is None:
        raise UsageError(
            "--json is one document, and iostat without --count has no end",
            hint="--jsonl prints one object a line and sample; or give --count N.",
        )
    return IostatRequest(where_of(found), found.pool, found.json, found.interval, found.count)


SUBCOMMAND: Final = Subcommand(
    "iostat",
    "Print the I/O of every vdev, sample after sample, until it is stopped.",
    _add_arguments,
    _read,
    run_iostat,
)
