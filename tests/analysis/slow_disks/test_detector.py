"""What holds for any stream: names do not matter, noise is nobody's fault, a stream may be taken apart."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.build import disk, group, pool
from tests.analysis.slow_disks.streams import (
    HEALTHY,
    LONE,
    MIRRORS,
    RAIDZ,
    Did,
    judge,
    named,
    one_slow,
    row,
    sample,
    slow,
    watch,
)
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout, layout_of
from zconsole.model.pools.iostat import IoSample
from zconsole.views.findings.slow_disk_document import judgement_lines
from zconsole.views.layout.styled_text import plain

COUNT = settings(max_examples=25)
SEEDS = st.integers(0, 2**32)


def noisy(seed: int, spread: float, scale: float) -> Callable[[int, str], Did]:
    """Healthy disks whose means scatter by so many doublings, at any speed and load."""
    source = random.Random(seed)  # noqa: S311 - noise

    def act(_: int, __: str) -> Did:
        def took() -> float:
            return scale * 2.0 ** source.gauss(0, spread)

        return Did(source.randint(1, 60), took(), source.randint(1, 60), took())

    return act


@COUNT
@given(seed=SEEDS, scale=st.floats(0.05, 80), spread=st.floats(0, 0.6))
@pytest.mark.parametrize("names", [MIRRORS, RAIDZ, LONE], ids=["mirrors", "raidz", "lone"])
def test_noise_is_nobody_s_fault(names: tuple[str, ...], seed: int, scale: float, spread: float) -> None:
    assert set() == named(judge(names, noisy(seed, spread, scale), 120))


@COUNT
@given(seed=SEEDS, order=st.permutations(range(8)))
def test_who_is_slow_does_not_depend_on_its_place(seed: int, order: list[int]) -> None:
    """The disks of a raidz in another order are judged each as before."""
    act = noisy(seed, 0.3, 10)
    did = {(number, disk): act(number, disk) for number in range(40) for disk in RAIDZ[1:]}
    for number in range(15, 40):
        did[number, "d3"] = slow(5, did[number, "d3"])
    shuffled = (RAIDZ[0], *(RAIDZ[1 + at] for at in order))

    here, there = (judge(names, lambda number, disk: did[number, disk], 40) for names in (RAIDZ, shuffled))

    (one,), (other,) = here.verdicts, there.verdicts
    assert ("d3", one.operations, one.first_sample, one.decided_sample, one.ratio, one.confidence) == (
        other.disk, other.operations, other.first_sample, other.decided_sample, other.ratio, other.confidence,
    )  # fmt: skip


@COUNT
@given(seed=SEEDS, factor=st.floats(3, 40), scale=st.floats(2, 50))
def test_what_is_three_times_slower_is_found_at_any_speed(seed: int, factor: float, scale: float) -> None:
    act = noisy(seed, 0.3, scale)

    judgement = judge(
        MIRRORS,
        lambda number, disk: slow(factor, act(number, disk)) if disk == "e" else act(number, disk),
        90,
    )

    assert {"e"} == named(judgement)


def test_verdicts_come_with_the_sample_that_makes_them() -> None:
    detector = Detector(inferred_layout)
    act = one_slow("c", slow(9), since=10)
    held = [{verdict.disk for verdict in detector.feed(sample(number, MIRRORS, act))} for number in range(40)]
    (verdict,) = detector.judgement().verdicts

    assert [set()] * verdict.decided_sample == held[: verdict.decided_sample]
    assert [{"c"}] * (40 - verdict.decided_sample) == held[verdict.decided_sample :]
    assert 10 == verdict.first_sample
    assert 14 == verdict.decided_sample


def test_what_is_known_of_a_disk_outlasts_a_change_of_the_pool() -> None:
    """A mirror is added in front of the others while a verdict stands."""
    detector = watch(MIRRORS, one_slow("e", slow(9)), 30)
    grown = ("mirror-9", "x", "y", *MIRRORS)

    for number in range(30, 40):
        held = detector.feed(sample(number, grown, one_slow("e", slow(9))))

    assert [("e", 0)] == [(verdict.disk, verdict.first_sample) for verdict in held]


def test_what_is_known_of_a_vdev_outlasts_another_status() -> None:
    """Evidence of three seconds before and of three after makes the finding."""

    def act(_: int, name: str) -> Did:
        return slow(9) if name in "cd" else HEALTHY

    detector = watch(MIRRORS, act, 3)
    detector.rearrange(inferred_layout)
    for number in range(3, 6):
        detector.feed(sample(number, MIRRORS, act))

    assert ["vdev-slow"] == [finding.id for finding in detector.judgement().findings]


def test_another_status_is_heeded_at_once() -> None:
    """What resilvers from now on is let pass from now on, and what was said of it is over."""
    whole = pool(group("mirror-0", disk("a"), disk("b")), group("mirror-1", disk("c"), disk("d")))
    target = replace(disk("d"), is_resilvering=True)
    resilvering = pool(group("mirror-0", disk("a"), disk("b")), group("mirror-1", disk("c"), target))
    names = MIRRORS[:6]
    detector = watch(names, one_slow("d", slow(9)), 20, pool=whole)

    detector.rearrange(partial(layout_of, resilvering, None))
    for number in range(20, 40):
        detector.feed(sample(number, names, one_slow("d", slow(9))))

    assert [("d", False, 19)] == [
        (one.disk, one.is_ongoing, one.last_sample) for one in detector.judgement().verdicts
    ]


def test_a_disk_that_has_left_is_spoken_of_in_the_past() -> None:
    detector = watch(MIRRORS, one_slow("e", slow(9)), 30)

    held = detector.feed(sample(30, MIRRORS[:6], one_slow("e", slow(9))))

    assert () == held
    assert [("e", False)] == [(one.disk, one.is_ongoing) for one in detector.judgement().verdicts]


def test_samples_that_lack_keep_their_numbers() -> None:
    detector = Detector(inferred_layout)
    for number in range(0, 60, 2):
        detector.feed(sample(number, RAIDZ, one_slow("d1", slow(9), since=20)), number)

    (verdict,) = detector.judgement().verdicts
    assert 20 == verdict.first_sample
    assert 59 == detector.judgement().samples


def test_nothing_seen_is_nothing_said() -> None:
    judgement = Detector(inferred_layout).judgement()

    assert ((), True) == (judgement.verdicts, judgement.is_too_little)


def test_a_pool_without_disks_is_too_little_to_tell() -> None:
    detector = Detector(inferred_layout)
    detector.feed(IoSample("tank", 0.0, (row("tank", HEALTHY),)))

    assert detector.judgement().is_too_little


@pytest.mark.parametrize("interval_s", [0.2, 1.0, 10.0])
def test_fast_samples_count_less_each(interval_s: float) -> None:
    """Evidence is of time: five seconds of it at least, or five samples."""
    detector = Detector(inferred_layout, interval_s)
    act = one_slow("c", slow(9))
    decided = next(number for number in range(400) if detector.feed(sample(number, MIRRORS, act)))

    assert {0.2: 24, 1.0: 4, 10.0: 4}[interval_s] == decided


def test_a_disk_that_joins_is_judged_from_its_first_minute_and_that_is_said() -> None:
    detector = watch(RAIDZ, lambda *_: HEALTHY, 60)
    grown = (*RAIDZ, "new")
    for number in range(60, 90):
        detector.feed(sample(number, grown, lambda _, name: slow(60) if name == "new" else HEALTHY))

    judgement = detector.judgement()
    (verdict,) = judgement.verdicts

    assert ("new", 60) == (verdict.disk, verdict.joined_sample)
    assert verdict.decided_sample < 75
    said = "\n".join(map(plain, judgement_lines(judgement)))
    assert "it is in the pool since sample 60, and judged by its peers from its first minute" in said
