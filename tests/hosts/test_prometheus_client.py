"""A Prometheus that is down, slow, or none: each is a sentence without the password of its address."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from zconsole.hosts.prometheus_client import Prometheus, PrometheusError, RangeQuery

pytest.importorskip("prometheus_api_client", reason="pip install 'zconsole[prometheus]'")

QUERY = RangeQuery("up", 1000.0, 2000.0, 500)
Answer = tuple[int, bytes]


@contextmanager
def serving(answer: Callable[[str], Answer]) -> Iterator[str]:
    """An HTTP server on loopback that answers every question so; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answer(self.path)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://ann:secret@127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def matrix(*series: object) -> bytes:
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": series}}).encode()


def test_all_series_of_an_answer_are_read() -> None:
    asked: list[str] = []

    def answer(path: str) -> Answer:
        asked.append(path)
        values = [[1500, "2.5"], [1000, "1e3"], [2000, "NaN"], [1600, "+Inf"]]
        return 200, matrix({"metric": {"name": "tank"}, "values": values})

    with serving(answer) as url:
        (series,) = Prometheus(url).ask(QUERY)

    assert ({"name": "tank"}, ((1000.0, 1000.0), (1500.0, 2.5))) == (series.labels, series.values)
    assert ["/api/v1/query_range?query=up&start=1000&end=2000&step=500"] == asked


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (200, b"<html>hello</html>", "an invalid answer: not JSON"),
        (200, b"", "an invalid answer: not JSON"),
        (200, b"[]", "an invalid answer: TypeError"),
        (200, b'{"status":"success"}', "an invalid answer: KeyError"),
        (200, matrix({"metric": {}, "values": [["x", "y"]]}), "an invalid answer: ValueError"),
        (200, matrix({"metric": [], "values": []}), "an invalid answer: AttributeError"),
        (
            400,
            b'{"status":"error","error":"unknown function \\"last\\""}',
            'refused a query: unknown function "last"',
        ),
        (401, b"who are you?", "refused a query: HTTP Status Code 401"),
        (503, b"x" * 10_000, "refused a query: HTTP Status Code 503"),
    ],
)
def test_an_odd_answer_is_a_sentence(status: int, body: bytes, says: str) -> None:
    with serving(lambda _path: (status, body)) as url, pytest.raises(PrometheusError) as caught:
        Prometheus(url).ask(QUERY)

    assert says in caught.value.message
    assert len(caught.value.message) < 300
    assert "secret" not in str(caught.value)


def test_one_that_is_down_is_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]  # nobody listens there
        with pytest.raises(
            PrometheusError, match=f"Prometheus at 127.0.0.1:{port} cannot be reached"
        ) as caught:
            Prometheus(f"http://ann:secret@127.0.0.1:{port}").ask(QUERY)
    assert "secret" not in str(caught.value)


def test_one_that_is_silent_is_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"http://127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(PrometheusError, match="does not answer in time"):
            Prometheus(url, timeout_s=0.2).ask(QUERY)


def test_without_the_library_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "prometheus_api_client", None)

    with pytest.raises(PrometheusError, match="prometheus_api_client is needed") as caught:
        Prometheus("http://127.0.0.1:1").ask(QUERY)
    assert "zconsole[prometheus]" in caught.value.hint
