"""Numbers as large, as small and as wrong as a host can tell them are shown, and bring nothing down."""
# ruff: noqa: S311 - what is random here is seeded, and no secret

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from random import Random
from typing import TypeVar

import pytest

from tests.ui import states, watched
from tests.ui.test_hostile import tour
from zconsole.analysis.findings.all_findings import findings
from zconsole.base import fixed_width_formatting
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.reports.json.json_line import as_line
from zconsole.reports.json.status import status_document
from zconsole.reports.monitoring_check import check_host, check_line
from zconsole.reports.text.status import status_lines

T = TypeVar("T")
WHOLE = (0, 1, 2, 63, 1 << 31, 1 << 53, 1 << 63, (1 << 64) - 1, 253402300800, 99_999_999_999)
REAL = (0.0, 1e-9, 0.5, 99.99, 100.0, 1e9, 253402300800.0, 1e15, float(1 << 64))
FEW, MANY = 20, 2_000
THRESHOLDS = Thresholds()
pytestmark = pytest.mark.timeout(3600)  # with --long
MAKERS = (states.degraded, states.suspended, watched.slow, watched.loaded, watched.cached)


def extreme(value: T, random: Random, *, share: float) -> T:
    """The value with some of its numbers replaced, as deep as it goes."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return random.choice(WHOLE) if random.random() < share else value  # type: ignore[return-value]
    if isinstance(value, float):
        return random.choice(REAL) if random.random() < share else value  # type: ignore[return-value]
    if isinstance(value, tuple):
        found = [extreme(each, random, share=share) for each in value]
        return type(value)(*found) if hasattr(value, "_fields") else tuple(found)  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, (type, Enum)):
        changed = {
            field.name: extreme(
                getattr(value, field.name), random, share=share if _is_open(field.name) else 0
            )
            for field in fields(value)
            if field.name not in {"samples", "revision"} and field.init
        }
        return replace(value, **changed)  # type: ignore[type-var]
    return value


def _is_open(name: str) -> bool:
    """Whether a number may be anything: of an ashift parsers take care, as it is what 1 is shifted by."""
    return "ashift" not in name


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("make", MAKERS)
async def test_every_screen_shows_extreme_numbers(
    make: Callable[[], HostState], request: pytest.FixtureRequest
) -> None:
    random = Random(make.__name__)
    for share in (1.0, 0.3)[: 2 if request.config.getoption("--long") else 1]:
        await tour(extreme(make(), random, share=share))


@pytest.mark.parametrize("make", MAKERS)
def test_every_report_tells_extreme_numbers(
    make: Callable[[], HostState], request: pytest.FixtureRequest
) -> None:
    for number in range(MANY if request.config.getoption("--long") else FEW):
        random = Random(f"{make.__name__} {number}")
        state = extreme(make(), random, share=random.choice((0.05, 0.3, 1.0)))

        now = random.choice((0.0, 1.8e9, 1e12))
        found = findings(state, now, THRESHOLDS)
        assert as_line(status_document(state, found))
        assert list(status_lines(state, found, now))
        assert check_line([check_host(state, found)], THRESHOLDS)


@pytest.mark.parametrize(
    "value", [*WHOLE, *REAL, -1, -(1 << 64), 10**400, math.inf, -math.inf, math.nan, None]
)
def test_every_unit_has_a_word_for_any_number(value: float | None) -> None:
    if not (isinstance(value, int) and abs(value) > 1 << 65):
        assert fixed_width_formatting.duration(value)
        assert fixed_width_formatting.megabytes_per_s(value)
        assert fixed_width_formatting.milliseconds(value)
        assert fixed_width_formatting.percent(value)
    assert fixed_width_formatting.count(value)
    assert fixed_width_formatting.size(value)  # type: ignore[arg-type]
    assert fixed_width_formatting.moment(value, "%Y-%m-%d")
