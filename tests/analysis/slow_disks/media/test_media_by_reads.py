"""Hybrid mirrors are told by which disks ZFS reads; a slow disk is none."""

from __future__ import annotations

from tests.analysis.slow_disks.streams import HEALTHY, MIRRORS, Act, Did, judge, named

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
    assert said.startswith("mirror-0 has disks that ZFS reads from beside disks that it hardly reads: ")


def test_a_slow_one_among_the_rotating_or_the_solid_halves_is_found() -> None:
    assert {"d"} == named(judge(MIRRORS, hybrid("d", 5)))
    assert {"c"} == named(judge(MIRRORS, hybrid("c", 5)))


def test_a_single_hybrid_mirror_has_no_disk_to_compare_with() -> None:
    assert set() == named(judge(("mirror-0", "a", "b"), hybrid()))


def test_a_slow_disk_that_gets_fewer_reads_is_no_other_kind_of_disk() -> None:
    """Its mirror alone has an unequal share; the others read both of their disks."""

    def act(_: int, name: str) -> Did:
        return Did(1, 90, 30, 90) if name == "d" else HEALTHY

    assert {"d"} == named(judge(MIRRORS, act))
