"""A disk that is slow for some seconds again and again is told; chance, load and a pause of all are not."""

from __future__ import annotations

from functools import partial

import pytest

from tests.analysis.slow_disks.streams import RAIDZ, Act, Did, sample
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.analysis.slow_disks.verdict_sentence import episodes_sentence, times_range
from zconsole.cli.commands.state.slow import exit_code
from zconsole.model.pools.slow_disk import Judgement

USUAL = Did(40, 8, 20, 8)


def seen(act: Act, seconds: int = 120) -> Judgement:
    detector = Detector(partial(inferred_layout), has_bounds=True)
    for number in range(seconds):
        detector.feed(sample(number, RAIDZ, act))
    return detector.judgement()


def at_times(every: int, lasts: int, times: float, disk: str = "d2") -> Act:
    def act(number: int, name: str) -> Did:
        is_slow = name == disk and number % every < lasts
        return Did(40, 8 * times, 20, 8 * times) if is_slow else USUAL

    return act


@pytest.mark.parametrize(("every", "lasts", "times"), [(30, 3, 20), (20, 2, 10), (10, 1, 10)])
def test_a_disk_that_is_slow_for_short_times_is_found(every: int, lasts: int, times: float) -> None:
    judgement = seen(at_times(every, lasts, times))

    (one,) = judgement.episodic
    assert ("d2", 120 // every, 120 // every * lasts, 120) == (
        one.disk,
        one.episodes,
        one.far_seconds,
        one.seconds,
    )
    assert every == round(one.every_samples)
    assert times == pytest.approx(one.ratio)
    assert 1 == exit_code([judgement], [])
    assert f"d2 took {times_range(times / 2, 2 * times)} as long as its peers in " in episodes_sentence(one)


def test_three_times_are_told_as_not_sure() -> None:
    judgement = seen(at_times(30, 2, 10), seconds=90)

    (one,) = judgement.episodes
    assert not one.is_sure
    assert 0 == exit_code([judgement], [])
    assert episodes_sentence(one).endswith("about every 30 s: too few times to be sure, watch for longer")


def test_each_disk_in_its_turn_is_chance() -> None:
    def act(number: int, name: str) -> Did:
        turn = number // 5 % len(RAIDZ)
        return Did(40, 80, 20, 80) if number % 5 == 0 and name == RAIDZ[turn] else USUAL

    assert () == seen(act).episodes


def test_a_pause_of_all_disks_is_of_none() -> None:
    assert () == seen(lambda number, _: Did(40, 160, 20, 160) if number % 20 < 2 else USUAL).episodes


def test_more_load_in_these_seconds_explains_them() -> None:
    def act(number: int, name: str) -> Did:
        return Did(4000, 20, 2000, 20) if name == "d2" and number % 20 < 3 else USUAL

    assert () == seen(act).episodes


def test_a_disk_that_is_always_slow_has_no_episodes() -> None:
    judgement = seen(at_times(10, 10, 10))

    assert {"d2"} == {one.disk for one in judgement.verdicts}
    assert () == judgement.episodes
