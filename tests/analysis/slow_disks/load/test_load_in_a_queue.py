"""A healthy disk with more operations lets them wait for longer: the queue explains that, and no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.analysis.slow_disks.streams import HEALTHY, LONE, MIRRORS, Act, Did, judge, named
from zconsole.analysis.slow_disks.load.load_in_a_queue import DiskLoad, expected_queueing, queueing
from zconsole.cli.commands.state.slow import exit_code
from zconsole.model.pools.slow_disk import Judgement

SERVICE_MS = 8.0
SIX = ("raidz2-0", *(f"d{at}" for at in range(6)))
EIGHT = ("draid2:4d:8c:0s-0", *(f"d{at}" for at in range(8)))


def waits(rate: float, service_ms: float = SERVICE_MS) -> Did:
    """What a disk that serves one operation after the other takes at such a rate (M/M/1)."""
    took_ms = service_ms / (1 - rate * service_ms / 1000)
    return Did(rate / 2, took_ms, rate / 2, took_ms)


def at_rates(rates: Mapping[str, float], usual: float) -> Act:
    return lambda _, name: waits(rates.get(name, usual))


def healthy(names: tuple[str, ...], rates: Mapping[str, float], usual: float) -> Judgement:
    judgement = judge(names, at_rates(rates, usual), 90)
    assert 0 == exit_code([judgement], []) or not judgement.bounds
    return judgement


@pytest.mark.parametrize(
    ("names", "rates", "usual"),
    [
        (LONE, {"d": 105}, 70),
        (LONE, {"d": 100}, 55),
        (LONE, {"d": 80}, 40),
        (LONE, {"d": 110}, 90),
        (SIX, {"d1": 97, "d4": 97, "d2": 27, "d5": 27}, 70),
        (SIX, {"d5": 100}, 60),
        (EIGHT, {"d7": 100, "d6": 93, "d5": 86, "d4": 79, "d3": 72, "d2": 64, "d1": 57}, 50),
        (SIX, {"d0": 97, "d1": 97, "d2": 97}, 55),
        (SIX, {"d0": 97, "d1": 97, "d2": 97, "d3": 97}, 55),
        (MIRRORS, {"c": 100, "d": 100}, 55),
    ],
)
def test_equal_disks_with_more_operations_are_not_slow(
    names: tuple[str, ...], rates: Mapping[str, float], usual: float
) -> None:
    judgement = healthy(names, rates, usual)

    assert (set(), (), ()) == (named(judgement), judgement.slightly, judgement.slightly_vdevs)
    assert (None, ()) == (judgement.half_slow, judgement.slow_vdevs)


@pytest.mark.parametrize("rate", [18, 22, 30])
def test_a_disk_slower_than_its_load_explains_is_found(rate: float) -> None:
    """Beside its 1.2 to 2 times the operations it takes ten times as long."""

    def act(number: int, name: str) -> Did:
        did = at_rates({"d": rate}, 15)(number, name)
        if name != "d" or did.read_ms is None:
            return did
        return replace(did, read_ms=10 * did.read_ms, write_ms=10 * did.read_ms)

    assert {"d"} == named(judge(LONE, act, 90))


def test_a_peer_that_does_as_much_in_less_time_refutes_it() -> None:
    def act(number: int, name: str) -> Did:
        did = at_rates({"d1": 90, "d4": 90}, 60)(number, name)
        return replace(did, read_ms=120, write_ms=120) if name == "d1" else did

    assert {"d1"} == named(judge(SIX, act, 60))


@pytest.mark.parametrize("writes", [120, 240])
def test_a_new_vdev_that_gets_most_writes_is_not_slow(writes: int) -> None:
    old = ("mirror-0", "a", "b", "mirror-1", "c", "d", "mirror-2", "e", "f")
    new = ("mirror-3", "g", "h")
    took_ms = 25 if writes == 120 else 17

    def act(_: int, name: str) -> Did:
        return Did(0, None, writes, took_ms) if name in "gh" else Did(40, 8, 30, 6)

    judgement = judge((*old, *new), act, 90)

    assert (set(), ()) == (named(judgement), judgement.slow_vdevs)


@pytest.mark.parametrize("reads", [75, 90, 120])
def test_the_source_of_a_resilver_is_not_compared_with_disks_that_are_not_read_for_it(reads: int) -> None:
    source, target = Did(reads, 28, 30, 8, scrub=True), Did(0, None, reads, 9)

    def act(_: int, name: str) -> Did:
        return source if name == "a" else target if name == "b" else HEALTHY

    judgement = judge(MIRRORS, act, 90)

    assert (set(), ()) == (named(judgement), judgement.slightly)
    reasons = {one.disk: one.reason for one in judgement.undecided}
    assert {"a", "b"} == {*reasons}
    assert reasons["a"].endswith(": a resilver reads it, and not those that it could be compared with")


def test_a_queue_explains_nothing_of_a_disk_with_as_many_operations() -> None:
    peers = [DiskLoad(350, 0.5), DiskLoad(355, 0.6), DiskLoad(345, 0.5)]

    assert 0 == queueing(DiskLoad(360, 20), peers)
    assert 0 == queueing(DiskLoad(360, 20), [])
    assert pytest.approx(1.0) == queueing(DiskLoad(700, 2), peers)
    assert 0 < expected_queueing(DiskLoad(500, 20), peers) < queueing(DiskLoad(500, 20), peers)
    assert pytest.approx(0.0, abs=0.1) == queueing(DiskLoad(700, 2), [*peers, DiskLoad(700, 1.0)])
