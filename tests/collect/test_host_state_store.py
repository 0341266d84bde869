"""The newest state of a host, and who is told of it."""

from __future__ import annotations

from zconsole.collect.host_state_store import Store


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
