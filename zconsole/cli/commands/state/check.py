"""`zconsole check`: one line for monitoring, whatever happens, and below it what to do."""

from __future__ import annotations

import asyncio
from dataclasses import field
from typing import Final

from zconsole.analysis.findings.all_findings import filling_pools, findings
from zconsole.analysis.findings.silenced_findings import without_silenced
from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.json_output import json_output
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each, open_hosts
from zconsole.cli.options import JsonForm, Parser, add_hosts, add_json_or_lines, add_timeout, where_of
from zconsole.cli.readings_for_findings import kept_samples
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.guests.guests_in_trouble import with_guests_in_trouble
from zconsole.collect.read_host import gather
from zconsole.collect.readings.smart_data_from_health_store import with_stored_smart
from zconsole.collect.streams.dataset_and_host_settings import with_settings
from zconsole.model.host.host_state import HostState
from zconsole.reports.monitoring_check import (
    HostCheck,
    check_document,
    check_failed,
    check_host,
    check_text,
    worst,
)
from zconsole.service.forecasts_by_own_samples import with_own_forecasts
from zconsole.service.replication_as_last_compared import with_comparison
from zconsole.views.findings.not_judged.silence_problems import silence_problems
from zconsole.views.findings.not_judged.unread_or_old_readings import unread_or_old
from zconsole.views.repair.remedy_of_finding import remedies

SETTINGS_SHARE: Final = 0.5  # of the time left after the pools


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """`zconsole check`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    json: JsonForm | None = None
    timeout_s: float | None = None
    with_settings: bool = False


def run_check(asked: CheckRequest, config: Config) -> int:
    """Print the verdict and return its level; a host that cannot be read is unknown."""
    pools = () if asked.pool is None else (asked.pool,)
    within_s = asked.timeout_s or TIMEOUT_S

    kept = kept_samples(asked.where)

    async def ask(place: NamedHost) -> HostState:
        began = asyncio.get_running_loop().time()
        state = await gather(place.host, place.clock, pools=pools, within_s=within_s)
        left_s = within_s - (asyncio.get_running_loop().time() - began)
        if asked.with_settings:
            state = await with_settings(state, place.host, place.clock, timeout_s=SETTINGS_SHARE * left_s)
            left_s = within_s - (asyncio.get_running_loop().time() - began)
        state = await with_own_forecasts(state, kept.space, place.clock.now(), _to_nobody)
        filling = filling_pools(state, place.clock.now(), config.thresholds)
        state = await with_guests_in_trouble(
            state, place.host, place.clock, left_s=left_s, pools=pools, filling=filling
        )
        state = await with_comparison(state, kept.replication, place.clock, _to_nobody)
        return await with_stored_smart(
            state, kept.health, place.clock.now(), _to_nobody, is_of_pools=bool(pools)
        )

    places = open_hosts(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, ask, within_s))
    checks = [
        check_failed(place.host.label, answer)
        if isinstance(answer, ZConsoleError)
        else _check(answer, place.clock.now(), config, asked)
        for place, answer in zip(places, answers, strict=True)
    ]
    if asked.json:
        with json_output(asked.json, "hosts", is_one=len(places) == 1) as put:
            for check in checks:
                put(check_document(check))
    else:
        remarks = tuple(silence_problems(config))
        print(check_text(checks, config.thresholds, remarks, asked.where.words_for))
    return worst(checks)


def _check(state: HostState, now: float, config: Config, asked: CheckRequest) -> HostCheck:
    found, silenced = without_silenced(findings(state, now, config.thresholds), state.host, config, now)
    unread = _unread(state) if asked.with_settings else None
    return check_host(state, found, silenced, unread, asked.where.words_for(state.host), remedies(state, now))


def _unread(state: HostState) -> tuple[str, ...]:
    return tuple(each.words for each in unread_or_old(state) if each.is_missing)


def _to_nobody(_error: ZConsoleError) -> None:
    """What is kept is for more findings; the line for monitoring is of the pools."""


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json_or_lines(parser, "of several hosts they are its `hosts`", "host")
    parser.add_argument(
        "--settings",
        action="store_true",
        help="judge the settings of datasets and of the module as well, as status does: for hourly checks",
    )
    add_timeout(parser)
    add_hosts(parser)


SUBCOMMAND: Final = Subcommand(
    "check",
    "Print a line as monitoring plugins do, then what to do; exit 0 ok, 1 warning, 2 critical, 3 unknown.",
    _add_arguments,
    lambda found: CheckRequest(where_of(found), found.pool, found.json, found.timeout, found.settings),
    run_check,
)
