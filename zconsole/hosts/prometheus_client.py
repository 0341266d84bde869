"""Client for range queries to a Prometheus server; errors are sentences."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from zconsole.base.errors import HostError
from zconsole.base.lazy_dataclass import dataclass

TIMEOUT_S: Final = 10.0  # of the connection, and of each pause in an answer
INSTALL: Final = "Install it with: pip install 'zconsole[prometheus]'"
_SAID_CHARACTERS: Final = 200
LAST_S: Final = 253402300800.0  # epoch seconds: the year 10000, beyond which no date can be formatted


class PrometheusError(HostError):
    """Prometheus server that cannot be reached or gives an invalid answer."""


@dataclass(frozen=True, slots=True)
class RangeQuery:
    """PromQL expression at evenly spaced times; epoch seconds."""

    promql: str
    start: float
    end: float
    step_s: int


@dataclass(frozen=True, slots=True)
class TimeSeries:
    """Series of an answer: its labels, and its finite values by epoch seconds, oldest first."""

    labels: Mapping[str, str]
    values: tuple[tuple[float, float], ...]


class Prometheus:
    """One server. Its methods block: call them in a thread."""

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S) -> None:
        self._url = url.rstrip("/")
        self._timeout_s = timeout_s
        parts = urlsplit(url)
        # without the password
        self.name = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    def ask(self, query: RangeQuery) -> tuple[TimeSeries, ...]:
        """All series of the answer; empty when nothing matches. Raises PrometheusError."""
        try:
            from prometheus_api_client import PrometheusConnect  # noqa: PLC0415 - loads an HTTP client
            from prometheus_api_client.exceptions import PrometheusApiClientException  # noqa: PLC0415  # the same
            from requests.exceptions import RequestException  # noqa: PLC0415  # the same
            from urllib3.util import Retry  # noqa: PLC0415  # the same
        except ImportError as error:
            raise PrometheusError(f"to ask Prometheus, {error.name} is needed", hint=INSTALL) from error
        try:
            with PrometheusConnect(
                self._url, retry=Retry(0, read=False), timeout=self._timeout_s
            ) as connection:
                answer = connection.custom_query_range(
                    query.promql,
                    datetime.fromtimestamp(query.start, UTC),
                    datetime.fromtimestamp(query.end, UTC),
                    str(query.step_s),
                )
            return series_of(answer)
        except PrometheusApiClientException as error:
            raise PrometheusError(
                f"Prometheus at {self.name} refused a query: {_said(str(error))}"
            ) from error
        except RequestException as error:
            raise PrometheusError(f"Prometheus at {self.name} {_problem(error)}") from error
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            raise PrometheusError(
                f"Prometheus at {self.name} gave an invalid answer: {type(error).__name__}",
                hint="Is prometheus_url the address of a Prometheus server?",
            ) from error


def series_of(answer: Any) -> tuple[TimeSeries, ...]:
    """Parse the series of an answer. Raises KeyError, TypeError or ValueError for another format."""
    return tuple(map(_series, answer))


def _series(one: Any) -> TimeSeries:
    labels = {str(key): str(value) for key, value in one["metric"].items()}
    values = [(float(at), float(value)) for at, value in one["values"]]
    sound = ((at, value) for at, value in values if 0 <= at < LAST_S and math.isfinite(value))
    return TimeSeries(labels, tuple(sorted(sound)))


def _problem(error: Exception) -> str:
    """The error in words, without the address, which may contain a password."""
    match type(error).__name__:
        case "ConnectTimeout" | "ReadTimeout":
            return "does not answer in time"
        case "JSONDecodeError":
            return "gave an invalid answer: not JSON"
        case "SSLError":
            return "has a certificate that is not trusted"
        case "ConnectionError":
            return "cannot be reached"
        case name:
            return f"cannot be asked: {name}"


def _said(text: str) -> str:
    """The server's own message, shortened, if the body is a JSON error; the library shows raw bytes."""
    try:
        body = ast.literal_eval(text[text.index("(") + 1 : text.rindex(")")])
        words = " ".join(str(json.loads(body)["error"]).split())
    except (ValueError, LookupError, TypeError, SyntaxError, RecursionError, MemoryError):
        words = " ".join(text.split())
    return words if len(words) <= _SAID_CHARACTERS else f"{words[:_SAID_CHARACTERS]}..."
