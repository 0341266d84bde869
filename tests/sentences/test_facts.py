"""What a sentence rests on is found by taking each fact away."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, group, host, mirror, pool
from tests.sentences.facts import SOURCES, WHOLE, without_each_fact
from tests.sentences.scenes import lines_of
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.pool import Count


def resting_on(state: HostState, words: str) -> list[str]:
    """The facts without which the words are not said."""
    assert any(words in line for line in lines_of(state, NOW))
    return [
        fact
        for fact, rest in without_each_fact(state)
        if fact != WHOLE and not any(words in line for line in lines_of(rest, NOW))
    ]


def test_errors_of_a_disk_rest_on_its_counter_alone() -> None:
    broken = group("mirror-0", replace(mirror("ONLINE").children[0], read_errors=Count(3)), mirror("ONLINE"))

    assert ["Vdev.read_errors"] == resting_on(host(pool(broken)), "has 3 read errors")


def test_space_rests_on_both_numbers_of_the_root_dataset() -> None:
    full = host(pool(usable_used_bytes=90, usable_available_bytes=10))

    found = resting_on(full, "90% of 100 B usable space used")

    assert ["Pool.usable_used_bytes", "Pool.usable_available_bytes"] == found


def test_a_state_of_the_kernel_and_an_error_of_a_command_are_facts() -> None:
    unread = host(pool=Reading(problem="no answer"))

    assert "PoolState.pool.problem" in resting_on(unread, "its status cannot be read")


def test_each_fact_that_can_be_taken_away_has_its_command() -> None:
    """Those of a sound pool; the page fails for others without one."""
    assert set() == {fact for fact, _ in without_each_fact(host())} - SOURCES.keys()
