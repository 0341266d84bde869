"""Finding on a pool that is full soon, by the console's own forecast and only where that is sure enough."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.analysis.forecast.forecast_sentences import day, signed
from zconsole.analysis.guests.full_pool_sentences import full_in_short
from zconsole.analysis.guests.guests_of_a_full_pool import guests_when_full
from zconsole.base.fixed_width_formatting import duration
from zconsole.model.finding import Advised, Finding, Severity
from zconsole.model.forecast import Forecast, HistorySource, LevelReached

SOON_DAYS: Final = 90  # likely
SURE_DAYS: Final = 180  # at the latest: a wider range is no date
URGENT_DAYS: Final = 30  # at the latest
FULL_PERCENT: Final = 100


def pool_is_full_soon(facts: RuleInput) -> Iterator[Finding]:
    """The date at which a pool is full, with its range; of a guess at the past nothing is said."""
    forecast = facts.state.forecast.value
    full = None if forecast is None else _full(forecast)
    if forecast is None or forecast.trend is None or full is None:
        return
    if full.earliest is None or full.likely is None or full.latest is None:
        return
    now = facts.now
    if full.likely - now > SOON_DAYS * DAY_S or full.latest - now > SURE_DAYS * DAY_S or full.latest <= now:
        return
    guests = full_in_short(guests_when_full(facts.residents, facts.pool.name))
    left = duration(max(0.0, full.likely - now))
    yield facts.advised(
        "full-soon",
        f"full likely on {day(full.likely)} (in {left}), range {day(full.earliest)} to "
        f"{day(full.latest)}, with {signed(forecast.trend.bytes_per_day)} a day"
        f"{f'; {guests}' if guests else ''}",
        Advised(f"full likely in {left}", f"more than {SOON_DAYS}d", None),
        risk=Severity.WARNING if full.latest - now <= URGENT_DAYS * DAY_S else Severity.INFO,
        earliest=int(full.earliest),
        likely=int(full.likely),
        latest=int(full.latest),
        bytes_per_day=round(forecast.trend.bytes_per_day),
        limit_days=SOON_DAYS,
    )


def _full(forecast: Forecast) -> LevelReached | None:
    """When it is full; None where it is full already, or where the past was not measured."""
    if forecast.trend is None or forecast.history is None or forecast.history.basis is HistorySource.GUESS:
        return None
    return next(
        (each for each in forecast.trend.passings if each.percent == FULL_PERCENT and not each.is_reached),
        None,
    )


RULES: Final[tuple[Rule, ...]] = (pool_is_full_soon,)
