"""Going back: the state of a pool at a moment that is over."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from tests.history.test_iostat_history import NAMES, sample_of
from zconsole.history.host_timeline import SHOWN, STATE_EVERY_S, HostPast
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.datasets.snapshot_table import DatasetSnapshots, SnapshotColumns, SnapshotTable
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.pool import Count, Pool, Scan, Vdev
from zconsole.model.pools.slow_disk import SLOW, Judgement, SlowDiskVerdict
from zconsole.storage.snapshot_cache import SnapshotIndex

MAX_BYTES = 300_000
VERDICT = SlowDiskVerdict(
    "sda", "mirror-0", "mirror", SLOW, ("read",), 5.0, 0.8, 1, 5, 9, 1.0, 9.0, True, ("sdb",)
)  # fmt: skip


def pool_of(state: str = "ONLINE", errors: int = 0, issued: int = 0) -> Pool:
    leaves = (
        Vdev("sda", "disk", "data", state, read_errors=Count(errors)),
        Vdev("sdb", "disk", "data", "ONLINE"),
    )
    scan = Scan("scrub", "scanning", start=5, issued_bytes=issued)
    return Pool("tank", state, 7, (Vdev("mirror-0", "mirror", "data", state, children=leaves),), scan=scan)


def lived(past: HostPast, first: int, last: int, state: PoolState) -> None:
    """Let the pool live on in this state."""
    for at in range(first, last):
        past.take_in([sample_of(at)], HostState("nas1", pools=(state,)), 100.0 + at)


def state_of(pool: Pool, taken_at: float = 0.0, judgement: Judgement | None = None) -> PoolState:
    return PoolState("tank", "ONLINE", Reading(pool, taken_at), judgement=judgement)


def test_nothing_is_known_of_what_nobody_saw() -> None:
    past = HostPast()
    lived(past, 1, 5, state_of(pool_of()))

    assert past.span("bulk") is None
    assert past.at("bulk", 3) is None
    assert past.strips("bulk", until=3, seconds=1, columns=1) is None


def test_a_moment_has_its_samples_and_the_state_that_held_then() -> None:
    """Also between two readings of the status that tell the same."""
    past = HostPast()
    lived(past, 1000, 1010, state_of(pool_of(issued=1), taken_at=1098))
    lived(past, 1010, 1030, state_of(pool_of("DEGRADED", errors=3), taken_at=1110))
    lived(past, 1030, 1300, state_of(pool_of(), taken_at=1130))

    found = {at: past.at("tank", at) for at in (1009.5, 1010, 1029.9, 1030, 1299)}

    assert [(1009, "ONLINE"), (1010, "DEGRADED"), (1029, "DEGRADED"), (1030, "ONLINE"), (1299, "ONLINE")] == [
        (each.at, each.state.state) for each in found.values() if each is not None
    ]
    newest, then = found[1299], found[1009.5]
    assert newest is not None
    assert then is not None
    assert ([sample_of(at) for at in range(1000, 1010)], 10) == (
        [*then.state.samples],
        len(then.state.samples),
    )
    assert SHOWN == len(newest.state.samples)
    assert (1009, 1109.0, 1109.0) == (then.at, then.monotonic, then.state.io_at)
    assert 11.0 == then.state.pool.age(then.monotonic)


def test_what_was_read_for_a_look_is_not_kept(tmp_path: Path) -> None:
    """A million snapshots that are views of a file on disk are nothing to pack each minute."""
    columns = SnapshotColumns(b"a\n", array("I", [2]), array("Q", [1]), array("Q", [2]))
    index = SnapshotIndex(tmp_path)
    index.save("nas1", SnapshotTable("tank", 7, (DatasetSnapshots("tank", 1, 1, snapshots=columns),), 5.0))
    table = index.load("nas1", 7)
    assert table is not None
    seen = replace(state_of(pool_of()), listing=Reading(Listing(table, {}), 5.0))
    past = HostPast()

    lived(past, 1000, 1100, seen)

    found = past.at("tank", 1050)
    assert found is not None
    assert (Reading(), seen.pool) == (found.state.listing, found.state.pool)


def test_the_times_of_all_samples_are_known() -> None:
    """Of whole blocks and of the samples that wait for one; from the oldest on."""
    past = HostPast()
    lived(past, 1000, 1040, state_of(pool_of()))

    times = past.times()

    assert ["tank"] == list(times)
    assert list(range(1000, 1040)) == list(times["tank"])
    assert all(at == found.at for at in times["tank"] if (found := past.at("tank", at)) is not None)


def test_a_moment_before_all_others_is_the_first() -> None:
    past = HostPast()
    lived(past, 1000, 1010, state_of(pool_of()))

    found = past.at("tank", 5)

    assert found is not None
    assert (1000, [sample_of(1000)]) == (found.at, [*found.state.samples])


def test_a_verdict_is_there_from_the_second_on_in_which_it_fell() -> None:
    past = HostPast()
    slow = Judgement("tank", 10, 2, (VERDICT,))
    lived(past, 1000, 1003, state_of(pool_of()))
    lived(past, 1003, 1005, state_of(pool_of(), judgement=slow))
    lived(past, 1005, 1009, state_of(pool_of(), judgement=Judgement("tank", 12, 2)))

    slow_then = [
        at for at in range(1000, 1009) if (found := past.at("tank", at)) is not None and found.state.slow
    ]

    assert [1003, 1004] == slow_then


def test_of_a_state_that_hardly_changes_little_is_kept() -> None:
    """A scrub's progress is kept as often as a screen may want it, not every second."""
    past = HostPast()
    for at in range(1000, 1100):
        past.take_in([sample_of(at)], HostState("nas1", pools=(state_of(pool_of(issued=at)),)), at)

    issued = {
        found.state.pool.value.scan.issued_bytes
        for at in range(1000, 1100)
        if (found := past.at("tank", at)) is not None
        and found.state.pool.value is not None
        and found.state.pool.value.scan is not None
    }

    assert 100 / STATE_EVERY_S <= len(issued) <= 100 / STATE_EVERY_S + 1


def test_what_is_large_and_of_now_only_is_not_kept() -> None:
    past = HostPast()
    state = replace(state_of(pool_of()), datasets=Reading((), 5.0), samples=(sample_of(999),))
    lived(past, 1000, 1001, state)

    found = past.at("tank", 1000)

    assert found is not None
    assert found.state.datasets.value is None
    assert [1000] == [sample.at for sample in found.state.samples]


def test_memory_is_bounded_and_the_oldest_of_all_pools_goes_first() -> None:
    past = HostPast(max_bytes=MAX_BYTES)
    states = tuple(replace(state_of(pool_of()), name=name) for name in ("tank", "bulk"))
    for at in range(3000):
        samples = [
            replace(sample_of(at, [*NAMES, *map(str, range(10))]), pool=state.name) for state in states
        ]
        past.take_in(samples, HostState("nas1", pools=states), at)

    spans = [past.span(name) for name in ("tank", "bulk")]

    assert past.size_bytes <= MAX_BYTES
    for span in spans:
        assert span is not None
        assert 2999 == span.last
        assert 0 < span.first
    assert spans[0] is not None
    assert spans[1] is not None
    assert spans[0].first == pytest.approx(spans[1].first, abs=64)


def test_a_pool_that_went_away_is_forgotten_after_an_hour() -> None:
    past = HostPast(keep_s=100)
    lived(past, 1000, 1010, state_of(pool_of()))
    bulk = replace(state_of(pool_of()), name="bulk")
    for at in range(1010, 1140):
        past.take_in([replace(sample_of(at), pool="bulk")], HostState("nas1", pools=(bulk,)), at)

    assert past.span("tank") is None
    assert past.span("bulk") is not None
    assert past.began_at() == pytest.approx(1010, abs=16)


def test_who_wants_no_past_has_none() -> None:
    past = HostPast(keep_s=0)
    lived(past, 1000, 1010, state_of(pool_of()))

    assert past.span("tank") is None
    assert past.began_at() is None
