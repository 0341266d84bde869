"""Metrics of this process for Prometheus: an HTTP endpoint, or a file for node_exporter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from zconsole.base.bounded_user_file import check_replaceable
from zconsole.base.errors import HostError

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric

INSTALL: Final = "Install it with: pip install 'zconsole[exporter]'"
LOOPBACK: Final = "127.0.0.1"
METRICS: Final = "/metrics"
HOME: Final = (
    b"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>zconsole exporter</title></head>"
    b'<body><h1>zconsole exporter</h1><p><a href="/metrics">Metrics</a></p></body></html>\n'
)
NOT_FOUND: Final = b"not found; the metrics are at /metrics\n"


class MetricsUnserved(HostError):
    """Metrics that cannot be served or written."""


class _Collector:
    """What the registry asks at each scrape."""

    def __init__(self, families: Callable[[], Iterable[Metric]]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """Yield the families of this moment."""
        return self._families()


def _registry(families: Callable[[], Iterable[Metric]]) -> CollectorRegistry:
    from prometheus_client import CollectorRegistry  # noqa: PLC0415  # an extra

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(families))
    return registry


@contextmanager
def serving(families: Callable[[], Iterable[Metric]], address: str, port: int) -> Iterator[int]:
    """Serve the families of each moment at `/metrics`, and a page that leads there; yields the port.

    Raises MetricsUnserved.
    """
    from prometheus_client import start_http_server  # noqa: PLC0415  # an extra

    try:
        server, thread = start_http_server(port, address, _registry(families))
    except OSError as error:
        raise MetricsUnserved(
            f"{address} port {port} cannot be listened on: {error.strerror or error}",
            hint="Another exporter may run; --listen takes another address.",
        ) from error
    server.set_app(_only_below_metrics(cast("WSGIApplication", server.get_app())))
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _only_below_metrics(metrics: WSGIApplication) -> WSGIApplication:
    """The application of the library, which has metrics at every path, at its own path alone."""

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == METRICS:
            return metrics(environ, start)
        is_home = path in {"", "/"}
        kind = "text/html; charset=utf-8" if is_home else "text/plain; charset=utf-8"
        body = HOME if is_home else NOT_FOUND
        start(
            "200 OK" if is_home else "404 Not Found",
            [("Content-Type", kind), ("Content-Length", str(len(body)))],
        )
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]

    return answer


def write_textfile(families: Callable[[], Iterable[Metric]], path: Path) -> None:
    """Replace a file with the families, as a whole. Raises MetricsUnserved."""
    from prometheus_client import write_to_textfile  # noqa: PLC0415  # an extra

    try:
        check_replaceable(path)
        write_to_textfile(str(path), _registry(families))
    except OSError as error:
        raise MetricsUnserved(f"{path} cannot be written: {error.strerror or error}") from error
