"""Which datasets grow."""

from __future__ import annotations

import pytest

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.growing_datasets import growing
from zconsole.model.pools.space_samples import UsePoint

GIB = 1 << 30
NOW = 1_795_000_000.0


def test_what_grows_is_named_live_data_and_snapshots_apart() -> None:
    def uses(live: float, kept: float | None) -> tuple[UsePoint, ...]:
        return tuple(
            UsePoint(
                NOW - (30 - day) * DAY_S,
                round((100 + live * day) * GIB),
                None if kept is None else round((10 + kept * day) * GIB),
            )
            for day in range(31)
        )

    found = growing(
        {
            "a": uses(2, 1),
            "b": uses(5, None),
            "still": uses(0, 0),
            "less": uses(-3, 0),
            "new": uses(9, 9)[-1:],
        },
        NOW,
    )

    assert found is not None
    assert NOW - 30 * DAY_S == found.since
    assert ["b", "a", "less"] == [each.name for each in found.datasets]
    assert (2 * GIB, 1 * GIB) == (
        pytest.approx(found.datasets[1].live_bytes_per_day),
        pytest.approx(found.datasets[1].snapshots_bytes_per_day),
    )
    assert found.datasets[0].snapshots_bytes_per_day is None
    assert growing({}, NOW) is None
