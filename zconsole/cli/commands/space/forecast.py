"""`zconsole forecast`: when each pool is full, with range, and which datasets grow."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain_of_each
from zconsole.cli.json_output import json_output
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, open_hosts
from zconsole.cli.options import JsonForm, Parser, add_hosts, add_json_or_lines, where_of
from zconsole.cli.read_each_pool import PoolOfHost, read_each_pool
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.guests.guests_and_containers_for_a_report import read_residents_for_report
from zconsole.model.forecast import Forecast
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import Reading
from zconsole.reports.json.forecast import forecast_document
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.service.forecasting import elsewhere_of, read_forecast
from zconsole.storage.space_samples import SpaceStore
from zconsole.views.capacity.forecast import HEIGHT, forecast_lines, summary_line
from zconsole.views.layout.styled_text import EMPTY, line


@dataclass(frozen=True, slots=True)
class ForecastRequest:
    """`zconsole forecast`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    json: JsonForm | None = None


TOO_LITTLE: Final = 3
CELLS: Final = 79  # width of the chart
WITHIN_S: Final = 180.0  # a million snapshots take a minute to list


def run_forecast(asked: ForecastRequest, config: Config) -> int:
    """Print the forecasts; 3 when a host or pool could not be read or has too little history, else 0."""
    places = open_hosts(asked.where, config, within_s=TIMEOUT_S)
    store = None if asked.where.is_demo or asked.where.replay is not None else SpaceStore()

    guests: dict[str, Reading[tuple[Guest, ...]]] = {}  # by host

    async def read(found: PoolOfHost) -> tuple[Forecast, Reading[tuple[Guest, ...]]]:
        place = found.place
        elsewhere = None if store is None else elsewhere_of(config, place.host.label)
        forecast = await read_forecast(
            found.asker, found.pool, found.hostname, place.clock.now(), store=store, elsewhere=elsewhere
        )
        if place.host.label not in guests:
            guests[place.host.label] = await read_residents_for_report(found.asker, place.clock)
        return forecast, guests[place.host.label]

    forecasts, unread = read_each_pool(places, asked.pool, read, WITHIN_S)
    if asked.json:
        with json_output(asked.json, "pools", is_one=len(places) == 1 and asked.pool is not None) as put:
            for forecast, known in forecasts:
                put(forecast_document(forecast, known.value))
            for each in unread:
                put.failed(each.error, each.host)
    for number, (forecast, known) in enumerate(forecasts if asked.json is None else ()):
        if number:
            print()
        lines = forecast_lines(forecast, CELLS, HEIGHT, known.value or ())
        untold = line((f"Guests are not known: {known.problem}.", "warn")) if known.problem else EMPTY
        for text in printed((summary_line(forecast), *lines, *((untold,) if untold else ()))):
            print(text)
    too_little = TOO_LITTLE if any(forecast.trend is None for forecast, _ in forecasts) else 0
    return max(complain_of_each(each.error for each in unread), too_little)


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json_or_lines(parser, "of POOL alone, else with its `pools`", "pool")
    add_hosts(parser)


SUBCOMMAND: Final = Subcommand(
    "forecast",
    "Print when pools are full, with a range of dates, and what grows; exit 3 where too little is known.",
    _add_arguments,
    lambda found: ForecastRequest(where_of(found), found.pool, found.json),
    run_forecast,
)
