"""What the exporter answers at each path."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

pytest.importorskip("prometheus_client", reason="pip install 'zconsole[exporter]'")

from prometheus_client.core import GaugeMetricFamily, Metric

from zconsole.hosts.metrics_endpoint import LOOPBACK, serving


def families() -> Iterator[Metric]:
    yield GaugeMetricFamily("zconsole_test", "One value.", value=3.0)


@pytest.fixture
def port() -> Iterator[int]:
    with serving(families, LOOPBACK, 0) as listening:
        yield listening


def asked(port: int, path: str, method: str = "GET") -> tuple[int, str, str]:
    """Status, type and body of an answer."""
    connection = HTTPConnection(LOOPBACK, port, timeout=10)
    connection.request(method, path)
    found = connection.getresponse()
    body = found.read().decode()
    connection.close()
    return found.status, found.headers["Content-Type"] or "", body


def test_metrics_are_at_their_path_alone(port: int) -> None:
    status, kind, body = asked(port, "/metrics")

    assert 200 == status
    assert kind.startswith("text/plain; version=")
    assert "zconsole_test 3.0" in body
    assert "zconsole_test 3.0" in asked(port, "/metrics?format=text")[2]


@pytest.mark.parametrize(
    "path", ["/nope", "/metrics/", "/metricsx", "/metrics/x", "/favicon.ico", "/../metrics"]
)
def test_there_is_nothing_at_other_paths(port: int, path: str) -> None:
    status, kind, body = asked(port, path)

    assert (404, "text/plain; charset=utf-8") == (status, kind)
    assert "not found; the metrics are at /metrics\n" == body


def test_the_page_at_the_root_leads_to_the_metrics(port: int) -> None:
    status, kind, body = asked(port, "/")

    assert (200, "text/html; charset=utf-8") == (status, kind)
    assert '<a href="/metrics">Metrics</a>' in body
    assert (200, "") == (asked(port, "/", "HEAD")[0], asked(port, "/", "HEAD")[2])
    assert 405 == asked(port, "/metrics", "POST")[0]
