"""Disks that hang where it is easily overlooked: seldom, at rebuilds, after a rest, one I/O at a time."""

from __future__ import annotations

import pytest

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
)
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.analysis.slow_disks.verdict_sentence import verdict_sentence
from zconsole.cli.commands.state.slow import exit_code
from zconsole.model.pools.slow_disk import Judgement
from zconsole.views.findings.slow_disk_document import judgement_lines
from zconsole.views.layout.styled_text import plain

HELD = Did(active=12)


def recording(names: tuple[str, ...], act: Act, seconds: int) -> Judgement:
    detector = Detector(inferred_layout, has_bounds=True)
    for number in range(seconds):
        detector.feed(sample(number, names, act))
    return detector.judgement()


def pauses_of(disks: str, every: int, lasts: int) -> Act:
    return lambda number, name: HELD if name in disks and number % every >= every - lasts else HEALTHY


@pytest.mark.parametrize("disk", ["b", "e"])
def test_a_disk_that_pauses_seldom_and_always_alone_is_told_by_exit_code(disk: str) -> None:
    judgement = recording(MIRRORS, pauses_of(disk, 60, 8), 600)

    assert (set(), 1) == (named(judgement), exit_code([judgement], []))
    assert [(disk,)] == [one.disks for one in judgement.pausing]
    said = [plain(line) for line in judgement_lines(judgement)]
    assert said[0].startswith(f"tank: {disk} left I/O waiting again and again (see below)")
    assert any("too short for a verdict each time" in each for each in said)
    assert () == judgement.not_answering


def test_disks_that_pause_in_turn_are_chance() -> None:
    def act(number: int, name: str) -> Did:
        return HELD if name == "abcdef"[number // 60 % 6] and number % 60 >= 54 else HEALTHY

    judgement = recording(MIRRORS, act, 360)

    assert ((), 0) == (judgement.pausing, exit_code([judgement], []))
    assert 6 == len(judgement.pauses)


@pytest.mark.parametrize("disks", ["abcdef", "ace"])
def test_disks_that_pause_together_five_times_in_a_watch_are_a_finding(disks: str) -> None:
    assert 1 == exit_code([recording(MIRRORS, pauses_of(disks, 40, 7), 220)], [])
    assert 0 == exit_code([recording(MIRRORS, pauses_of(disks, 40, 7), 140)], [])


def test_a_pool_that_lets_an_io_through_now_and_then_does_not_answer() -> None:
    def act(number: int, _: str) -> Did:
        return HEALTHY if number < 10 else Did(1, 4000, active=30) if number % 4 == 0 else Did(active=30)

    judgement = recording(MIRRORS, act, 90)

    assert 1 == exit_code([judgement], [])
    assert 15 < judgement.not_answering[0].times


def test_a_disk_that_hangs_for_half_a_minute_after_a_rest_is_told() -> None:
    def act(number: int, name: str) -> Did:
        if number < 70:
            return IDLE
        return HELD if name == "b" and number < 95 else HEALTHY

    judgement = recording(MIRRORS, act, 120)

    assert {"b"} == named(judgement)
    assert "does not answer" in verdict_sentence(judgement.verdicts[0]) or judgement.verdicts[0].stalls


def test_a_disk_that_is_written_by_a_resilver_and_hangs_is_told() -> None:
    source, target = Did(60, 10, 30, 12, scrub=True), Did(0, None, 90, 12)

    def act(number: int, name: str) -> Did:
        if name == "a":
            return source
        return HEALTHY if name != "b" else HELD if number >= 30 else target

    assert {"b"} == named(judge(MIRRORS, act, 60))


def test_a_side_of_a_mirror_that_is_written_no_more_is_undecided() -> None:
    def act(number: int, name: str) -> Did:
        return IDLE if name == "b" and number >= 20 else HEALTHY

    (one,) = judge(MIRRORS, act, 60).undecided

    assert (
        "b",
        "no write in the last 40 s, while mirror-0 was written: it is out, or see whether it answers",
    ) == (
        one.disk,
        one.reason,
    )
    assert () == judge(MIRRORS, lambda *_: Did(30, 10), 60).undecided


@pytest.mark.parametrize("names", [RAIDZ, LONE])
def test_without_a_pause_nothing_is_told(names: tuple[str, ...]) -> None:
    assert ((), ()) == ((judged := recording(names, lambda *_: HEALTHY, 60)).pauses, judged.undecided)


def test_a_single_disk_has_no_peers_that_answered_and_its_pause_is_over() -> None:
    def act(number: int, _: str) -> Did:
        return HELD if 20 <= number < 40 else HEALTHY

    judgement = judge(("a",), act, 44)

    said = [plain(line) for line in judgement_lines(judgement)]
    assert said[0].startswith("tank: 1 of 1 disk was slow for a while")
    assert "a did not answer: for 19 s or more, with 12 I/Os outstanding" == verdict_sentence(
        judgement.verdicts[0]
    )
    assert not any("its peers" in each or "others" in each for each in said)
