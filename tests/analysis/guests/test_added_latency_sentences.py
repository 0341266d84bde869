"""Sentences on what a slow disk costs guests."""

from __future__ import annotations

from tests.ui.states import MS
from zconsole.analysis.guests.added_latency_sentences import adds_in_full, adds_in_short
from zconsole.analysis.guests.latency_added_to_guests import AddedLatency
from zconsole.model.pools.slow_disk import READ, WRITE

READS = AddedLatency(READ, 6.0 * MS, 40.0 * MS, 0.15, ("db02", "web01"))
WRITES = AddedLatency(WRITE, 12.0 * MS, 24.0 * MS, 0.5, ("db02", "web01"))


def test_in_short_it_is_the_mean_for_guests_by_name() -> None:
    assert "adds 6.0 ms a read to db02, web01 in the mean" == adds_in_short((READS,))
    assert "adds 6.0 ms a read and 12 ms a synchronous write to db02, web01 in the mean" == adds_in_short(
        (READS, WRITES)
    )
    assert "" == adds_in_short(())


def test_many_guests_are_shortened() -> None:
    many = AddedLatency(READ, 6.0 * MS, 40.0 * MS, 0.15, tuple(f"g{at}" for at in range(9)))

    assert "adds 6.0 ms a read to g0, g1, g2 and 6 more in the mean" == adds_in_short((many,))


def test_in_full_the_mean_is_told_with_the_share_that_it_rests_on() -> None:
    assert (
        "adds 6.0 ms to a read of the guests that run on tank, in the mean: 40 ms where mirror-1 does it, "
        "15% of the reads"
    ) == adds_in_full(READS, "mirror-1", "tank")


def test_of_a_pool_with_one_vdev_there_is_no_share() -> None:
    whole = AddedLatency(READ, 40.0 * MS, 40.0 * MS, 1.0, ("web01",))

    assert "adds 40 ms to a read of the guests that run on tank, in the mean" == adds_in_full(
        whole, "raidz2-0", "tank"
    )
