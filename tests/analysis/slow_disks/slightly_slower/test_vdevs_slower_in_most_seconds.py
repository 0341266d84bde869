"""A whole vdev that is a little slower is told; not one with more load, of another shape, or half of all."""

from __future__ import annotations

import random

from tests.analysis.slow_disks.streams import Act, Did, sample
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.cli.commands.state.slow import exit_code
from zconsole.model.pools.slow_disk import Judgement

THREE = ("mirror-0", "a", "b", "mirror-1", "c", "d", "mirror-2", "e", "f")
UNLIKE = ("mirror-0", "a", "b", "raidz1-1", "c", "d", "e")


def seen(names: tuple[str, ...], act: Act) -> Judgement:
    detector = Detector(inferred_layout, has_bounds=True)
    for number in range(60):
        detector.feed(sample(number, names, act))
    return detector.judgement()


def times(slow: str, ratio: float, operations: int = 40) -> Act:
    """Latencies vary from second to second, of all disks together."""

    def act(number: int, name: str) -> Did:
        took = 8 * random.Random(number).uniform(0.5, 2)  # noqa: S311
        is_slow = name in slow
        did = operations if is_slow else 40
        return Did(did, took * (ratio if is_slow else 1), did, took * (ratio if is_slow else 1))

    return act


def test_a_whole_vdev_that_is_a_little_slower_is_told() -> None:
    judgement = seen(THREE, times("cd", 1.5))

    (one,) = judgement.slightly_vdevs
    assert ("mirror-1", ("mirror-0", "mirror-2"), True) == (one.disk, one.peers, one.is_vdev)
    assert 1.45 < one.ratio < 1.55
    assert ((), ()) == (judgement.slightly, judgement.verdicts)
    assert 0 == exit_code([judgement], [])


def test_vdevs_that_are_equally_fast_are_not() -> None:
    assert () == seen(THREE, times("cd", 1.03)).slightly_vdevs


def test_a_vdev_with_more_load_is_not() -> None:
    assert () == seen(THREE, times("cd", 1.5, operations=80)).slightly_vdevs


def test_two_of_three_are_not_told_apart_from_a_faster_one() -> None:
    assert () == seen(THREE, times("abcd", 1.5)).slightly_vdevs


def test_vdevs_of_another_shape_are_not_compared() -> None:
    assert () == seen(UNLIKE, times("ab", 1.5)).slightly_vdevs
