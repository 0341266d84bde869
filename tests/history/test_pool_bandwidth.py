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


def test_the_last_minutes_are_known_by_the_second_with_the_largest_wait() -> None:
    history = BandwidthHistory(HOUR_S)
    for at, read in ((1000.1, 10.0), (1001.1, 20.0), (1002.1, 30.0)):
        history.add(sample(at, read, 1.0))

    by_one, by_two = history.until(1003, 4, 1.0), history.until(1004, 2, 2.0)

    assert (None, 10.0, 20.0, 30.0) == by_one.reads
    assert (15.0, 30.0) == by_two.reads
    assert by_one.waits[0] is None
    assert by_one.waits[1] is not None
    assert () == history.until(1010, 1).waits


def test_a_second_between_two_samples_has_what_the_later_one_says_and_a_longer_gap_nothing() -> None:
    """A sample says what was done since the one before it, and does not come to the millisecond."""
    history = BandwidthHistory(HOUR_S)
    for at, read in ((1000.9, 10.0), (1002.1, 20.0), (1006.0, 30.0)):
        history.add(sample(at, read, 1.0))

    assert (10.0, 20.0, 20.0, None, None, None, 30.0) == history.until(1007, 7, 1.0).reads


def test_stretches_of_a_multiple_have_the_mean_of_all_their_samples() -> None:
    history = BandwidthHistory(HOUR_S)
    for at, read in ((1000, 1.0), (1020, 3.0), (1040, 9.0), (1065, 5.0)):
        history.add(sample(at, read, 0.0))

    found = history.until(1080, 2, seconds=40.0)

    assert (1080, 40.0) == (found.until, found.seconds)
    assert (2.0, 7.0) == found.reads
