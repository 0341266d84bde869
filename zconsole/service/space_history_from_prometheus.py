"""Space history of a pool from Prometheus, a source of forecasts."""

from __future__ import annotations

from typing import Final

from zconsole.base.errors import ZConsoleError
from zconsole.hosts.prometheus_client import Prometheus, PrometheusError, RangeQuery, TimeSeries
from zconsole.model.forecast import HistorySource, PoolHistory, SpaceHistory
from zconsole.model.pools.space_samples import SpaceSample, UsePoint
from zconsole.storage.run_in_thread import patiently
from zconsole.storage.space_samples import DAY_S, HOUR_S
from zconsole.zfs.prometheus_queries import MetricKind, PoolMetric, in_snapshots, live_data, pool_metrics

# Interval of values, and range back; the finer one for young data.
STEPS: Final = ((DAY_S, 730 * DAY_S), (HOUR_S, 30 * DAY_S))
ENOUGH: Final = 21  # values needed for a history
USES_S: Final = 90 * DAY_S
USE_STEPS: Final = 10
WITHIN_S: Final = 40.0  # timeout per query

Values = tuple[tuple[float, float], ...]


class Metrics:
    """Metrics of one host's pools on a Prometheus server."""

    def __init__(self, url: str, selector: str) -> None:
        self._server = Prometheus(url)
        self._selector = selector

    async def __call__(self, sample: SpaceSample) -> PoolHistory | None:
        """History of the sample's pool. Raises PrometheusError, also when there is none."""
        for step, back in STEPS:
            metrics = pool_metrics(sample.pool, self._selector, step)
            for metric in metrics:
                query = RangeQuery(metric.promql, sample.at - back, sample.at, step)
                values = _used(metric, _values(await self._ask(query)), sample)
                if len(values) >= ENOUGH or (values and step == STEPS[-1][0]):
                    return await self._past(metric, values, sample)
        raise PrometheusError(
            f"Prometheus at {self._server.name} has no metrics of {sample.pool} with {self._selector}",
            hint="Compare prometheus_selector with the labels of zfs_exporter or node_exporter there.",
        )

    async def _past(self, metric: PoolMetric, values: Values, sample: SpaceSample) -> PoolHistory:
        evidence = [f"{metric.name} of Prometheus at {self._server.name}"]
        if metric.measure is MetricKind.AVAILABLE:
            evidence.append("what was available then, of what files can use now")
        if metric.measure is MetricKind.ALLOCATED:
            evidence.append("raw space that was allocated, scaled to what files use now")
        points = (
            *((at, used) for at, used in values if at < sample.at),
            (sample.at, float(sample.used_bytes)),
        )
        try:
            uses = await self._uses(sample)
        except ZConsoleError:
            uses = {}
        return PoolHistory(SpaceHistory(HistorySource.PROMETHEUS, points, tuple(evidence)), uses)

    async def _uses(self, sample: SpaceSample) -> dict[str, tuple[UsePoint, ...]]:
        step = USES_S // USE_STEPS
        live, kept = [
            {each.labels.get("name", ""): dict(each.values) for each in await self._ask(query)}
            for query in (
                RangeQuery(make(sample.pool, self._selector, 6 * HOUR_S), sample.at - USES_S, sample.at, step)
                for make in (live_data, in_snapshots)
            )
        ]
        return {
            name: tuple(
                UsePoint(
                    at, round(size), None if (held := kept.get(name, {}).get(at)) is None else round(held)
                )
                for at, size in values.items()
            )
            for name, values in live.items()
        }

    async def _ask(self, query: RangeQuery) -> tuple[TimeSeries, ...]:
        return await patiently(self._server.ask, query, within_s=WITHIN_S)


def _values(answer: tuple[TimeSeries, ...]) -> Values:
    return answer[0].values if answer else ()


def _used(metric: PoolMetric, values: Values, sample: SpaceSample) -> Values:
    """Used bytes, by the kind of metric."""
    match metric.measure:
        case MetricKind.USED:
            return values
        case MetricKind.AVAILABLE:
            return tuple((at, max(0.0, sample.usable_bytes - left)) for at, left in values)
        case MetricKind.ALLOCATED:
            factor = sample.used_bytes / sample.allocated_bytes if sample.allocated_bytes else 0.0
            return tuple((at, allocated * factor) for at, allocated in values) if factor else ()
