"""`zconsole status`: read everything once and print it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import field
from typing import Final

from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.silenced_findings import without_silenced
from zconsole.base.errors import ConfigError, HostError, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain, complain_of_each
from zconsole.cli.json_output import json_output
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each, open_hosts
from zconsole.cli.options import JsonForm, Parser, add_hosts, add_json_or_lines, add_timeout, where_of
from zconsole.cli.readings_for_findings import kept_samples, with_readings_for_findings
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.collect.readings.importable_pools import read_importable
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import ImportablePool
from zconsole.reports.json.json_line import Json
from zconsole.reports.json.status import status_document
from zconsole.reports.text.status import status_lines
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.findings.advice_list import silenced_line
from zconsole.views.findings.not_judged.silence_problems import silence_problems
from zconsole.views.repair.remedy_of_finding import remedies


@dataclass(frozen=True, slots=True)
class StatusRequest:
    """`zconsole status`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    json: JsonForm | None = None
    with_importable: bool = False
    timeout_s: float | None = None


SETTINGS_SHARE: Final = 0.4  # of the time that is left after the pools
IMPORTABLE_TIMEOUT_S: Final = 150.0  # `zpool import` reads the labels of every disk, failing ones included

Answer = tuple[HostState, tuple[ImportablePool, ...] | None]


def run_status(asked: StatusRequest, config: Config) -> int:
    """Print all hosts after all have answered; 3 when a host, or every pool of one, could not be read."""
    within_s = asked.timeout_s or (IMPORTABLE_TIMEOUT_S if asked.with_importable else TIMEOUT_S)
    facts_within_s = asked.timeout_s or TIMEOUT_S

    kept = kept_samples(asked.where)
    pools = () if asked.pool is None else (asked.pool,)

    async def ask(place: NamedHost) -> Answer:
        ends_at = asyncio.get_running_loop().time() + facts_within_s
        state = await gather(place.host, place.clock, pools=pools, within_s=facts_within_s)
        state = await with_readings_for_findings(
            state,
            place,
            kept,
            ends_at=ends_at,
            settings_share=SETTINGS_SHARE,
            thresholds=config.thresholds,
            pools=pools,
        )
        return state, await read_importable(Asker(place.host)) if asked.with_importable else None

    places = open_hosts(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, ask, within_s))
    failures = [answer for answer in answers if isinstance(answer, ZConsoleError)]
    states = [answer[0] for answer in answers if not isinstance(answer, ZConsoleError)]
    for problem in silence_problems(config):
        complain(ConfigError(problem))
    failures += [unread for state in states if (unread := _unread(state)) is not None]
    with json_output(asked.json, "hosts", is_one=len(places) == 1) as put:
        for place, answer in zip(places, answers, strict=True):
            if isinstance(answer, ZConsoleError):
                put.failed(answer, place.host.label)
            else:
                _print(answer, place, config, asked, put)
    return complain_of_each(failures)


def _unread(state: HostState) -> HostError | None:
    """Message on a host that has pools, none of them with a readable status."""
    if not state.pools or any(pool.pool.value is not None for pool in state.pools):
        return None
    problems = (f"{pool.name}: {pool.pool.problem}" for pool in state.pools if pool.pool.problem)
    return HostError(
        f"the status of no pool of {state.host} could be read: {'; '.join(problems)}",
        hint="What could be read is printed; the state of the pools is not known.",
    )


def _print(
    answer: Answer, place: NamedHost, config: Config, asked: StatusRequest, put: Callable[[Json], None]
) -> None:
    (state, importable), now = answer, place.clock.now()
    found, silenced = without_silenced(findings(state, now, config.thresholds), state.host, config, now)
    if asked.json:
        put(status_document(state, found, importable, silenced, remedies(state, now)))
        return
    for line in status_lines(state, found, now, importable, asked.where.words_for(state.host)):
        print(line)
    for words in printed(map(silenced_line, silenced)):
        print(f"Silenced: {words}.")


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json_or_lines(parser, "of several hosts they are its `hosts`", "host")
    parser.add_argument(
        "--importable", action="store_true", help="look for pools to import as well: reads every disk"
    )
    add_timeout(parser)
    add_hosts(parser)


SUBCOMMAND: Final = Subcommand(
    "status",
    "Print everything known of a host's pools, and what is wrong, worst first.",
    _add_arguments,
    lambda found: StatusRequest(where_of(found), found.pool, found.json, found.importable, found.timeout),
    run_status,
)
