"""Hybrid mirrors are told by which disks ZFS reads; a slow disk is none."""

from __future__ import annotations

import pytest

from tests.analysis.slow_disks.streams import HEALTHY, MIRRORS, Act, Did, judge, named
from zconsole.analysis.slow_disks.verdict_sentence import times_range, verdict_sentence
from zconsole.cli.commands.state.slow import exit_code
from zconsole.views.findings.slow_disk_document import judgement_lines
from zconsole.views.layout.styled_text import plain

SSD, HDD = Did(60, 0.2, 30, 0.3), Did(1, 8, 30, 9)


def hybrid(slow: str = "", times: float = 1.0) -> Act:
    """The second disk of each mirror rotates, and is read once in a while."""

    def act(number: int, name: str) -> Did:
        did = SSD if name in "ace" else HDD if number % 10 == 0 else Did(0, None, HDD.writes, HDD.write_ms)
        if name != slow or did.write_ms is None:
            return did
        return Did(did.reads, did.read_ms, did.writes, did.write_ms * times)

    return act


def test_the_rotating_halves_of_mirrors_are_not_named_and_the_mix_is_told() -> None:
    judgement = judge(MIRRORS, hybrid())

    assert set() == named(judgement)
    assert {"mixed-vdev"} == {each.id for each in judgement.findings}
    said = judgement.findings[0].summary
    assert said.startswith(
        "mirror-0 has disks that ZFS reads from (a: 200 us, as flash answers) beside disks that it hardly "
        "reads (b: reads 8.0 ms): "
    )
    assert said.endswith("What they are is not known; if all are of one kind, the latter are slow")


def test_a_slow_one_among_the_rotating_or_the_solid_halves_is_found() -> None:
    assert {"d"} == named(judge(MIRRORS, hybrid("d", 5)))
    assert {"c"} == named(judge(MIRRORS, hybrid("c", 5)))


def test_a_single_hybrid_mirror_has_no_disk_to_compare_with() -> None:
    judgement = judge(("mirror-0", "a", "b"), hybrid())

    assert set() == named(judgement)
    assert judgement.has_no_peers
    assert plain(next(judgement_lines(judgement))).startswith(
        "tank: no disk like it to compare with; 0 disks"
    )
    assert 3 == exit_code([judgement], [])


def test_a_slow_disk_that_gets_fewer_reads_is_no_other_kind_of_disk() -> None:
    """Its mirror alone has an unequal share; the others read both of their disks."""

    def act(_: int, name: str) -> Did:
        return Did(1, 90, 30, 90) if name == "d" else HEALTHY

    assert {"d"} == named(judge(MIRRORS, act))


def balanced(slow: str, times: float) -> Act:
    """Each mirror reads its disks by their queues: one that is slower gets so many times fewer reads."""

    def act(number: int, name: str) -> Did:
        if name not in slow.split():
            return Did(200, 8, 20, 8)
        reads = int(200 / times * (number + 1)) - int(200 / times * number)
        return Did(reads, times * 8 if reads else None, 20, times * 8)

    return act


THREE = ("mirror-0", "a", "b", "c")


@pytest.mark.parametrize("times", [13, 30, 100])
@pytest.mark.parametrize(
    ("names", "slow"),
    [(("mirror-0", "a", "b"), "b"), (THREE, "c"), ((*THREE, "mirror-1", "d", "e", "f"), "c")],
)
def test_a_disk_far_slower_from_the_first_second_is_no_other_medium(
    names: tuple[str, ...], slow: str, times: float
) -> None:
    judgement = judge(names, balanced(slow, times))

    assert {slow} == named(judgement)
    assert 1 == exit_code([judgement], [])
    assert f"has {times_range(times / 2, 2 * times)} the " in verdict_sentence(judgement.verdicts[0])


@pytest.mark.parametrize("names", [MIRRORS, MIRRORS[:6]])
def test_a_side_of_each_mirror_that_is_far_slower_is_told_with_its_ratio(names: tuple[str, ...]) -> None:
    judgement = judge(names, balanced("b d f", 25))

    assert set() == named(judgement)
    assert 1 == exit_code([judgement], [])
    assert "up to 25.0x (b, d" in judgement.findings[0].summary


def test_a_disk_of_a_mirror_of_flash_that_completed_nothing_is_no_other_medium() -> None:
    def act(_: int, name: str) -> Did:
        return Did(active=6) if name == "b" else Did(100, 0.2, 30, 0.2)

    judgement = judge(("mirror-0", "a", "b"), act)

    assert {"b"} == named(judgement)
    assert "does not answer" in verdict_sentence(judgement.verdicts[0])
