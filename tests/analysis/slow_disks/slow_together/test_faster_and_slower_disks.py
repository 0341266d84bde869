"""Streams in which half of the disks or more are slower than the others."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace

import pytest

from tests.analysis.slow_disks.bucketed_pool import Pool
from tests.analysis.slow_disks.bucketed_pool import watch as watch_bucketed
from tests.analysis.slow_disks.streams import (
    HEALTHY,
    IDLE,
    LONE,
    MIRRORS,
    RAIDZ,
    Act,
    Did,
    judge,
    named,
    sample,
    slow,
    watch,
)
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.model.finding import Finding
from zconsole.model.pools.slow_disk import Judgement
from zconsole.views.findings.slow_disk_document import judgement_lines


def noisy(slow_ones: Collection[str], times: float, *, since: int = 0, doublings: float = 0.2) -> Act:
    """Disks that vary from second to second, of which some are slow from then on."""

    def act(number: int, name: str) -> Did:
        dice = random.Random(f"{number} {name}")  # noqa: S311 - a simulation
        more = times if name in slow_ones and number >= since else 1.0
        return Did(
            30, more * 10 * 2 ** dice.gauss(0, doublings), 30, more * 12 * 2 ** dice.gauss(0, doublings)
        )

    return act


def striped(count: int) -> tuple[str, ...]:
    return ("raidz2-0", *(f"d{at}" for at in range(count)))


def together(judgement: Judgement) -> Finding:
    """The only finding that disks are slow at once."""
    assert set() == named(judgement)
    (found,) = (each for each in judgement.findings if each.id == "half-slow")
    return found


def said(judgement: Judgement) -> str:
    return "\n".join("".join(span.text for span in line) for line in judgement_lines(judgement))


@pytest.mark.parametrize("since", [0, 30])
@pytest.mark.parametrize("times", [3.0, 5.0, 10.0])
@pytest.mark.parametrize(
    ("slower", "of"), [(2, 3), (3, 4), (3, 5), (4, 5), (4, 6), (5, 6), (8, 12), (11, 12)]
)
def test_more_than_half_that_are_slow_are_told_with_the_ratio_to_the_others(
    slower: int, of: int, times: float, since: int
) -> None:
    names = {f"d{at}" for at in range(slower)}

    judgement = judge(striped(of), noisy(names, times, since=since), since + 60)

    found = together(judgement)
    assert tuple(f"d{at}" for at in range(slower)) == found.evidence["disks"]
    assert tuple(f"d{at}" for at in range(slower, of)) == found.evidence["faster"]
    assert pytest.approx(times, rel=0.1) == found.evidence["ratio"]


@pytest.mark.parametrize(("slower", "of"), [(2, 4), (3, 6), (10, 20)])
def test_of_half_of_the_disks_the_ratio_is_that_to_the_faster_ones(slower: int, of: int) -> None:
    names = {f"d{at}" for at in range(slower)}

    found = together(judge(striped(of), noisy(names, 10.0)))

    assert pytest.approx(10.0, rel=0.1) == found.evidence["ratio"]


@pytest.mark.parametrize(("slower", "of"), [(2, 3), (4, 6), (5, 6)])
def test_means_of_buckets_do_not_hide_it(slower: int, of: int) -> None:
    found = together(watch_bucketed(Pool(of, 0.5, 8e6, 40e6, slow=slower)))

    assert slower == len(found.evidence["disks"])  # type: ignore[arg-type]
    assert pytest.approx(5.0, rel=0.1) == found.evidence["ratio"]


def test_three_of_two_mirrors_are_told_beside_the_mirror_that_is_slow() -> None:
    judgement = judge(MIRRORS[:6], noisy("bcd", 10.0))

    assert ("b", "c", "d") == together(judgement).evidence["disks"]
    assert ["tank mirror-1"] == [each.subject for each in judgement.slow_vdevs]


def test_most_of_one_vdev_are_told_of_it_and_none_is_named_by_a_median_between() -> None:
    names = ("raidz1-0", "a", "b", "c", "raidz1-1", "d", "e", "f")

    judgement = judge(names, noisy("bc", 10.0))

    found = together(judgement)
    assert ("tank raidz1-0", ("b", "c"), "raidz1-0") == (
        found.subject, found.evidence["disks"], found.evidence["vdev"]
    )  # fmt: skip
    assert pytest.approx(10.0, rel=0.1) == found.evidence["ratio"]
    assert () == judgement.episodes


def test_a_disk_that_is_much_faster_may_be_of_a_faster_kind() -> None:
    judgement = judge(striped(6), noisy(["d3"], 0.1))

    summary = together(judgement).summary
    assert "5 of 6 disks are slower than the other one at once, up to 10" in summary
    assert "those of d3 " in summary
    assert (
        "Either they are slow, or what they share is (controller, cable, firmware), or that is of a"
        in summary
    )


def test_most_of_the_disks_that_do_far_more_are_not_told() -> None:
    busy = Did(300, 60, 300, 70)

    assert () == judge(striped(6), lambda _, name: HEALTHY if name in {"d0", "d5"} else busy).findings


def test_disks_that_are_fast_by_turns_are_not_told() -> None:
    def act(number: int, name: str) -> Did:
        return HEALTHY if name == f"d{number // 2 % 6}" else slow(10)

    assert () == judge(striped(6), act, 120).findings


def test_disks_that_vary_are_never_told_together() -> None:
    """Twenty pools, each of three disks, whose seconds vary by half a doubling."""
    for seed in range(20):

        def act(number: int, name: str, seed: int = seed) -> Did:
            return noisy((), 1.0, doublings=0.5)(1000 * seed + number, name)

        assert () == judge(striped(3), act).findings


def test_one_or_two_slow_disks_of_six_are_named_and_not_told_together() -> None:
    judgement = judge(striped(6), noisy({"d1", "d4"}, 10.0))

    assert {"d1", "d4"} == named(judgement)
    assert () == judgement.findings


def test_a_disk_that_is_slower_still_than_most_is_named() -> None:
    def act(number: int, name: str) -> Did:
        did = noisy({"d0", "d1", "d2", "d3"}, 5.0)(number, name)
        return slow(10, did) if name == "d1" else did

    judgement = judge(striped(6), act)

    assert {"d1"} == named(judgement)
    assert ("d0", "d1", "d2", "d3") == judgement.findings[0].evidence["disks"]


def test_it_is_forgotten_when_it_has_long_been_untrue() -> None:
    def act(number: int, name: str) -> Did:
        return slow(5) if name != "d0" and number < 30 else HEALTHY

    assert ["half-slow"] == [each.id for each in judge(striped(4), act, 300).findings]
    assert () == judge(striped(4), act, 700).findings


def test_a_new_status_of_the_same_disks_forgets_nothing() -> None:
    act = noisy({"d0", "d1", "d2", "d3"}, 5.0)
    detector = Detector(inferred_layout)
    for number in range(12):
        detector.feed(sample(number, striped(6), act))
        detector.rearrange(inferred_layout)

    assert ["half-slow"] == [each.id for each in detector.judgement().findings]


def test_writes_alone_are_told_as_writes() -> None:
    def act(_: int, name: str) -> Did:
        return HEALTHY if name == "d0" else slow(6, reads=False)

    found = together(judge(striped(4), act))

    assert "write" == found.evidence["operation"]
    assert "writes take up to 72 ms, those of d0 12 ms" in found.summary


def test_disks_without_io_are_not_compared() -> None:
    judgement = judge(LONE, lambda _, name: IDLE if name == "a" else replace(HEALTHY, reads=1))

    assert () == judgement.findings


@pytest.mark.parametrize(("slower", "of", "times"), [(4, 6, 1.5), (2, 3, 1.5), (4, 6, 1.8)])
def test_where_disks_differ_less_than_that_it_is_not_denied(slower: int, of: int, times: float) -> None:
    judgement = watch_bucketed(Pool(of, 0.7, 8e6, times * 8e6, slow=slower))

    assert "no single disk was found to be slow" in said(judgement)
    bound = judgement.bounds[0]
    assert pytest.approx(times, rel=0.1) == bound.apart
    assert (
        f"(the slowest took {bound.apart:.1f}x as long as the fastest: disks that are slower alike are"
        in said(judgement)
    )


def test_of_equal_disks_nothing_is_said_of_the_slowest() -> None:
    text = said(watch_bucketed(Pool(6, 0.7, 8e6)))

    assert "no disk was found to be slow" in text
    assert "the slowest took" not in text


def test_what_is_told_of_one_pool_has_all_of_its_disks() -> None:
    detector = watch(RAIDZ, noisy({"d0", "d1", "d2", "d3", "d4"}, 5.0))

    assert frozenset({"d0", "d1", "d2", "d3", "d4"}) == detector.judgement().slow_together
    assert said(detector.judgement()).startswith("tank: 5 disks are slower than the others")
