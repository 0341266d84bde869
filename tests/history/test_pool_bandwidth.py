"""Bandwidth of ten minutes: a mean for each stretch, nothing where nobody looked."""

from __future__ import annotations

from dataclasses import replace

from tests.history.test_iostat_history import sample_of
from zconsole.history.pool_bandwidth import BandwidthHistory
from zconsole.model.past_states_and_latency_strips import STRETCH_S
from zconsole.model.pools.iostat import IoSample

HOUR_S = 3600.0


def sample(at: float, read: float, written: float) -> IoSample:
    rows = tuple(sample_of(at).rows)
    return IoSample("tank", at, (replace(rows[0], read_bytes=read, write_bytes=written), *rows[1:]))


def test_each_stretch_is_the_mean_of_its_samples() -> None:
    history = BandwidthHistory(HOUR_S)
    for at, read, written in ((1000, 10.0, 1.0), (1005, 30.0, 3.0), (1010, 7.0, 0.0)):
        history.add(sample(at, read, written))

    found = history.until(1020, 3)

    assert 1020 == found.until
    assert (None, 20.0, 7.0) == found.reads
    assert (None, 2.0, 0.0) == found.writes


def test_a_stretch_that_is_not_over_is_not_told() -> None:
    history = BandwidthHistory(HOUR_S)
    history.add(sample(1000, 10.0, 1.0))
    history.add(sample(1010, 99.0, 9.0))

    assert (10.0,) == history.until(1015, 1).reads


def test_a_time_in_which_nobody_looked_is_a_gap() -> None:
    history = BandwidthHistory(HOUR_S)
    for at in (1000, 1030):
        history.add(sample(at, 5.0, 5.0))

    assert (5.0, None, None, 5.0) == history.until(1040, 4).reads


def test_an_hour_is_kept_and_no_more() -> None:
    history = BandwidthHistory(HOUR_S)
    most = int(HOUR_S // STRETCH_S)
    for number in range(2 * most):
        history.add(sample(number * STRETCH_S, number, 0.0))

    found = history.until(2 * most * STRETCH_S, 2 * most)

    assert (None,) * most == found.reads[:most]
    assert tuple(range(most, 2 * most)) == found.reads[most:]
