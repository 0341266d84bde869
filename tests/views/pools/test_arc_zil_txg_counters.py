"""The rows of counters of the cache, the write throttle and the intent log."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import watched
from zconsole.model.host.host_state import HostState, Reading
from zconsole.views.pools.arc_zil_txg_counters import CounterRow, items


def known(state: HostState, cells: int = 20) -> dict[str, CounterRow]:
    return {each.key: each for each in items(state, cells) if isinstance(each, CounterRow)}


def test_the_size_stands_beside_its_target() -> None:
    found = known(watched.cached())["size"]

    assert ("23.1 GiB", "of 24.0 GiB target") == (found.now, found.more)


def test_a_dip_of_the_hits_is_seen_in_the_past() -> None:
    """The worst of a cell is drawn, not its mean."""
    past = known(watched.cached(), 30)["total"].past

    assert 0.55 > min(each for each in past if each is not None) > 0.5
    assert 0.97 < (past[-1] or 0)


def test_nothing_looked_up_is_no_ratio() -> None:
    found = known(watched.cached())["prefetch-metadata"]

    assert "·" == found.now
    assert all(each is None for each in found.past)


def test_without_cache_devices_there_is_no_second_level() -> None:
    assert "l2-hits" in known(watched.cached())
    assert "l2-hits" not in known(watched.cached(has_l2=False))


def test_writes_that_are_held_up_are_marked_with_the_reason() -> None:
    held = known(watched.cached(is_held_up=True))

    assert held["throttle"].is_bad
    assert "35/s delayed" == held["throttle"].more
    assert held["txg tank"].is_bad
    assert not known(watched.cached())["throttle"].is_bad


def test_a_few_that_wait_among_many_are_no_alarm() -> None:
    state = watched.cached(is_held_up=True)
    busy = tuple(replace(each, assigned=9000.0, dirty_delay=9.0) for each in state.throttle.value or ())

    found = known(replace(state, throttle=Reading(busy, 1.0)))["throttle"]

    assert "9/s" == found.now
    assert not found.is_bad


def test_a_group_is_a_cell_and_waits_for_one_are_told() -> None:
    found = known(watched.cached(), 10)["txg tank"]

    assert "1.20 s" == found.now
    assert 10 == len([each for each in found.past if each is not None])
    assert any("Half of all writes waited up to 0.00 ms" in words for words in found.words)


def test_a_kernel_that_keeps_no_groups_says_how_it_would() -> None:
    state = watched.cached()
    pool = replace(state.pools[0], txgs=Reading((), 1.0, "the kernel keeps none"))

    assert "the kernel keeps none" == known(replace(state, pools=(pool,)))["txg tank"].more
