"""A pool's past out of a real Prometheus on loopback, with data that was filled in."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.doubles.prometheus_server import needs_prometheus, prometheus
from zconsole.hosts.prometheus_client import PrometheusError
from zconsole.model.forecast import HistorySource
from zconsole.model.pools.space_samples import SpaceSample
from zconsole.service.forecasting import forecast_of
from zconsole.service.space_history_from_prometheus import Metrics
from zconsole.storage.space_samples import DAY_S
from zconsole.zfs.prometheus_queries import pool_metrics, quoted

pytest.importorskip("prometheus_api_client", reason="pip install 'zconsole[prometheus]'")

NOW = 1_700_000_000 // DAY_S * DAY_S
GIB = 1 << 30
DAYS = 60
USABLE = 4000 * GIB
HOST = 'instance=~"nas1:.*"'


@dataclass(frozen=True, slots=True)
class Server:
    """A Prometheus that runs."""

    url: str


def used(day: int) -> int:
    return (1000 + 10 * day) * GIB


def metrics_text() -> str:
    """OpenMetrics of two exporters on nas1, and of a pool of the same name on nas2; one value a day."""
    zfs, node = 'instance="nas1:9134"', 'instance="nas1:9100"'
    series = {
        "zfs_dataset_used_bytes": [
            (f'{zfs},name="exact",pool="exact",type="filesystem"', used),
            ('instance="nas2:9134",name="exact",pool="exact",type="filesystem"', lambda _day: 9 * USABLE),
        ],
        "zfs_pool_allocated_bytes": [
            (f'{zfs},pool="{name}"', lambda day: 2 * used(day)) for name in ("exact", "raw")
        ],
        "zfs_dataset_used_by_dataset_bytes": [
            (f'{zfs},name="exact/vm",pool="exact",type="volume"', lambda day: (500 + 7 * day) * GIB)
        ],
        "zfs_dataset_used_by_snapshots_bytes": [
            (f'{zfs},name="exact/vm",pool="exact",type="volume"', lambda day: (100 + 3 * day) * GIB)
        ],
        "node_filesystem_avail_bytes": [
            (f'{node},device="seen.df",fstype="zfs",mountpoint="/seen"', lambda day: USABLE - used(day)),
            (f'{node},device="seen.df/quota",fstype="zfs",mountpoint="/q"', lambda _day: GIB),
            (f'{node},device="seenxdf",fstype="zfs",mountpoint="/x"', lambda _day: USABLE),
        ],
    }  # fmt: skip
    lines = []
    for name, of in series.items():
        lines.append(f"# TYPE {name} gauge")
        for labels, value in of:
            lines += [
                f"{name}{{{labels}}} {value(day)} {NOW - (DAYS - day) * DAY_S}" for day in range(DAYS + 1)
            ]
    return "\n".join([*lines, "# EOF", ""])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    needs_prometheus()
    folder = tmp_path_factory.mktemp("prometheus")
    (folder / "metrics.txt").write_text(metrics_text())
    (folder / "prometheus.yml").write_text("{}\n")
    subprocess.run(
        ["promtool", "tsdb", "create-blocks-from", "openmetrics", "metrics.txt", "data"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    with prometheus(folder, "--storage.tsdb.retention.time=20y") as url:
        yield Server(url)


def sample(pool: str) -> SpaceSample:
    return SpaceSample(
        float(NOW), "nas1", pool, 1, used(DAYS), USABLE - used(DAYS), allocated_bytes=2 * used(DAYS)
    )


@pytest.mark.parametrize(
    ("pool", "metric"),
    [
        ("exact", "zfs_dataset_used_bytes"),
        ("seen.df", "node_filesystem_avail_bytes"),
        ("raw", "zfs_pool_allocated_bytes"),
    ],
)
async def test_a_pool_is_forecast_by_what_exporters_tell(server: Server, pool: str, metric: str) -> None:
    past = await Metrics(server.url, HOST)(sample(pool))

    assert past is not None
    assert HistorySource.PROMETHEUS is past.history.basis
    assert metric in past.history.evidence[0]
    assert DAYS - 1 <= len(past.history.points) <= DAYS + 1
    found = forecast_of(sample(pool), past)
    assert found.trend is not None
    assert 10 * GIB == pytest.approx(found.trend.bytes_per_day, rel=0.01)
    full = NOW + (USABLE - used(DAYS)) / (10 * GIB) * DAY_S
    passing = found.trend.passings[-1]
    assert full == pytest.approx(passing.likely, abs=3 * DAY_S)
    assert (passing.earliest or 0) <= full <= (passing.latest or full)


async def test_what_grows_is_told_live_data_and_snapshots_apart(server: Server) -> None:
    past = await Metrics(server.url, HOST)(sample("exact"))
    growing = forecast_of(sample("exact"), past).growing

    assert growing is not None
    (one,) = growing.datasets
    assert "exact/vm" == one.name
    assert 7 * GIB == pytest.approx(one.live_bytes_per_day, rel=0.05)
    assert 3 * GIB == pytest.approx(one.snapshots_bytes_per_day, rel=0.05)


async def test_a_pool_that_it_does_not_know_is_a_sentence(server: Server) -> None:
    for pool, selector in (("none", HOST), ("exact", 'instance="nas3:9134"'), ('a"b\\', HOST)):
        with pytest.raises(PrometheusError, match="has no metrics of") as caught:
            await Metrics(server.url, selector)(sample(pool))
        assert "prometheus_selector" in caught.value.hint


async def test_a_selector_that_it_refuses_is_a_sentence(server: Server) -> None:
    with pytest.raises(PrometheusError, match="refused a query"):
        await Metrics(server.url, 'instance=~"("')(sample("exact"))


def test_names_are_quoted() -> None:
    assert r'"a\"b\\c"' == quoted('a"b\\c')
    promql = [metric.promql for metric in pool_metrics("a.b", HOST, 3600)]
    assert 'max(last_over_time(zfs_dataset_used_bytes{name="a.b",instance=~"nas1:.*"}[3600s]))' == promql[0]
    assert r'device=~"a\\.b(/.*)?"' in promql[1]
