"""Space of each pool for the first screen: what holds it, how fast it grows, its largest datasets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.fixed_width_formatting import duration, percent, size
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.forecast import Forecast
from zconsole.model.host.host_state import PoolState
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.click_targets import ClickTarget, clickable
from zconsole.views.layout.escape_measure_cut_text import middle
from zconsole.views.layout.state_age_and_link_phrases import join
from zconsole.views.layout.styled_text import STRIP, Line, Span, line, line_width
from zconsole.views.overview.pool_overview import PoolOverview

DAYS_A_MONTH: Final = 365.25 / 12
LEAST_SHARE: Final = 0.02  # of what the pool has in use: smaller datasets are not named
WIDEST_NAME: Final = 24
BETWEEN: Final = "   "
WITH_BARS: Final = 110  # cells from which on a dataset may have a line of its own
LEAST_SHARE_OF_LINE: Final = 0.005
DATASET_CELLS: Final = 32
BAR_CELLS: Final = 20


def space_lines(view: View, pools: Sequence[PoolOverview], cells: int, datasets: int = 1) -> Iterator[Line]:
    """Two lines a pool: the space in use with its growth, and the datasets that hold most of it.

    With room for several lines of datasets, each has one of its own.
    """
    has_host = len(view.hosts) > 1
    shown = [pool for pool in pools if pool.state.settings.value]
    wide = max((len(pool.name(has_host=has_host)) for pool in shown), default=0)
    wide = min(WIDEST_NAME, max(9, wide))
    for pool in shown:
        name = middle(pool.name(has_host=has_host), wide)
        target = ClickTarget(pool.host.state.host, pool.state.name)
        lead = clickable(line(f"{name:<{wide}} "), target)
        yield (*lead, *join([line(each) for each in _in_use(pool.state)], BETWEEN))
        if datasets > 1 and cells >= WITH_BARS:
            yield from _one_by_one(pool, clickable(line((" " * (wide + 1), "dim")), target), datasets)
            continue
        largest = clickable(line((" " * (wide + 1), "dim")), target)
        for each in _largest(pool.state.settings.value or ()):
            if line_width(largest) + line_width(each) > cells:
                break
            largest = (*largest, *each)
        if len(largest) > 1:
            yield largest


def _in_use(pool: PoolState) -> Iterator[str]:
    value, settings = pool.pool.value, pool.settings.value or ()
    if value is not None and value.usable_bytes is not None and value.usable_used_bytes is not None:
        free = value.usable_bytes - value.usable_used_bytes
        yield f"{size(value.usable_used_bytes)} used of {size(value.usable_bytes)}, {size(max(0, free))} free"
    held = sum(each.by_snapshots_bytes or 0 for each in settings)
    yield f"{size(held)} in snapshots"
    reserved = sum(each.refreservation_bytes or 0 for each in settings)
    if reserved:
        yield f"{size(reserved)} reserved"
    forecast = pool.forecast.value
    if forecast is not None:
        yield from _growth(forecast)


def _growth(forecast: Forecast) -> Iterator[str]:
    trend = forecast.trend
    if trend is None:
        return
    monthly = trend.bytes_per_day * DAYS_A_MONTH
    yield f"grows {size(int(monthly))} a month" if monthly > 0 else "does not grow"
    for passing in trend.passings:
        if passing.likely is not None and not passing.is_reached:
            yield f"{passing.percent}% in {duration(passing.likely - forecast.at)}"


def _one_by_one(pool: PoolOverview, lead: Line, most: int) -> Iterator[Line]:
    """The largest datasets, each with a bar of its share, its snapshots and its limit."""
    held = sorted(((_own(each), each.name, each) for each in pool.state.settings.value or ()), reverse=True)
    whole = max(1, sum(own for own, _, _ in held))
    for own, name, each in held[:most]:
        if own < whole * LEAST_SHARE_OF_LINE:
            return
        cells = max(1, round(BAR_CELLS * own / whole))
        limit = each.quota_bytes if each.quota_bytes is not None else each.refquota_bytes
        yield (
            *lead,
            Span(f"{middle(name.partition('/')[2] or name, DATASET_CELLS):<{DATASET_CELLS}} "),
            Span("█" * cells, STRIP),
            Span("░" * (BAR_CELLS - cells), "dim"),
            Span(f" {size(own):>8} {percent(100 * own / whole):>4}"),
            Span(f"   {size(each.by_snapshots_bytes):>8} in snapshots", "dim"),
            *line((f"   quota {size(limit)}", "dim") if limit is not None else ""),
        )


def _largest(settings: Sequence[DatasetSettings]) -> Iterator[Line]:
    """Datasets by what they hold themselves, with their snapshots and without what is below them."""
    held = sorted(((_own(each), each.name) for each in settings), reverse=True)
    whole = sum(own for own, _ in held)
    for own, name in held:
        if own < whole * LEAST_SHARE:
            return
        below = name.partition("/")[2] or name
        yield line((below, "text"), (f" {size(own)} {percent(100 * own / whole)}", "dim"), BETWEEN)


def _own(each: DatasetSettings) -> int:
    return (each.own_bytes or 0) + (each.by_snapshots_bytes or 0)
