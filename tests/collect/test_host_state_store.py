"""The newest state of a host, and who is told of it."""

from __future__ import annotations

from dataclasses import replace

from zconsole.collect.host_state_store import Store
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.slow_disk import Judgement, Undecided


def test_the_time_of_a_reading_alone_is_kept_and_told_to_nobody() -> None:
    told: list[float | None] = []
    store = Store("nas1", lambda: told.append(store.state.pools_at))

    for at in (1.0, 2.0, 3.0):
        store.set_pools([("tank", "ONLINE")], at)

    assert [1.0] == told
    assert (3.0, 3) == (store.state.pools_at, store.state.revision)


def test_a_pool_that_changes_comes_or_goes_is_told() -> None:
    told: list[tuple[str, ...]] = []
    store = Store("nas1", lambda: told.append(tuple(str(pool.kstat_state) for pool in store.state.pools)))

    store.set_pools([("tank", "ONLINE")], 1.0)
    store.set_pools([("tank", "SUSPENDED")], 2.0)
    store.set_pools([("tank", "SUSPENDED"), ("vault", "ONLINE")], 3.0)
    store.set_pools([("vault", "ONLINE")], 4.0)

    assert [("ONLINE",), ("SUSPENDED",), ("SUSPENDED", "ONLINE"), ("ONLINE",)] == told


def test_a_sample_at_rest_is_kept_and_told_to_nobody() -> None:
    told: list[float | None] = []
    store = Store("nas1", lambda: told.append(store.state.pools[0].io_at))
    store.set_pools([("tank", "ONLINE")], 1.0)
    told.clear()

    for at, writes in ((1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 7.0), (5.0, 0.0), (6.0, 0.0)):
        store.add_samples([sample(at, writes)], at, {"tank": Judgement("tank", int(at), 1)})

    assert [1.0, 4.0, 5.0] == told
    assert 6.0 == newest(store).at
    assert 6 == len(store.state.pools[0].samples)


def test_of_samples_that_come_together_each_is_looked_at() -> None:
    told: list[float | None] = []
    store = Store("nas1", lambda: told.append(store.state.pools[0].io_at))
    store.set_pools([("tank", "ONLINE")], 1.0)
    store.add_samples([sample(1.0, 0.0)], 1.0)
    told.clear()

    store.add_samples([sample(2.0, 7.0), sample(3.0, 0.0)], 3.0)

    assert [3.0] == told


def test_another_judgement_at_rest_and_the_end_of_a_problem_are_told() -> None:
    told: list[str] = []
    store = Store("nas1", lambda: told.append(store.state.pools[0].io_problem))
    few = Undecided("sda", "mirror-0", "too little I/O to tell: 0 operations in 0 of 5 samples")
    more = replace(few, reason="too little I/O to tell: 0 operations in 0 of 10 samples")
    judgement = Judgement("tank", 5, 1, undecided=(few,))
    store.set_pools([("tank", "ONLINE")], 1.0)
    store.add_samples([sample(1.0, 0.0)], 1.0, {"tank": judgement})
    told.clear()

    store.add_samples([sample(2.0, 0.0)], 2.0, {"tank": replace(judgement, samples=10, undecided=(more,))})
    assert [] == told
    store.add_samples([sample(3.0, 0.0)], 3.0, {"tank": replace(judgement, vdevs=1)})
    assert [""] == told
    store.set_io_problem(["tank"], "the stream has ended")
    store.add_samples([sample(4.0, 0.0)], 4.0, {"tank": replace(judgement, vdevs=1)})

    assert ["", "the stream has ended", ""] == told


def newest(store: Store) -> IoSample:
    found = store.state.pools[0].sample
    assert found is not None
    return found


def sample(at: float, writes: float) -> IoSample:
    return IoSample("tank", at, (IoRow("tank", 100, 100, 0.0, writes, 0.0, 0.0),))
