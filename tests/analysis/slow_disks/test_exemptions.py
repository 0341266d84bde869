"""What looks like a slow disk and is none: nobody is named, and what there is to say is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import disk, group, pool
from tests.analysis.slow_disks.streams import (
    HEALTHY,
    IDLE,
    LONE,
    MIRRORS,
    MS,
    RAIDZ,
    Act,
    Did,
    judge,
    named,
    one_slow,
    slow,
    watch,
)
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Pool, Vdev, VdevProgress
from zconsole.model.pools.slow_disk import WRITE, WRITE_COLLAPSE

BUSY = Did(30, 40, 30, 45)


def mirrors(**changes: Vdev) -> Pool:
    """The pool of MIRRORS, with some leaves replaced."""

    def leaf(name: str) -> Vdev:
        return changes.get(name) or disk(name, path=f"/dev/{name}1")

    return pool(
        *(group(f"mirror-{at}", leaf(one), leaf(two)) for at, (one, two) in enumerate(("ab", "cd", "ef")))
    )


def inventory(**rotational: bool) -> Inventory:
    """A disk for each letter."""
    return Inventory(
        tuple(
            Disk(name, f"/dev/{name}", "disk", is_rotational=rotates, model="M",
                 children=(Disk(f"{name}1", f"/dev/{name}1", "part"),))
            for name, rotates in rotational.items()
        )
    )  # fmt: skip


def test_a_resilver_target_is_left_out_and_its_source_is_not_blamed() -> None:
    target = disk("b", is_resilvering=True)
    source, written = Did(200, 25, 30, 30), Did(0, None, 300, 60)

    judgement = judge(
        MIRRORS,
        lambda _, name: source if name == "a" else written if name == "b" else HEALTHY,
        pool=mirrors(b=target),
    )

    assert set() == named(judgement)
    assert {"b": "it is being resilvered"} == {one.disk: one.reason for one in judgement.undecided}


def test_without_status_a_resilver_target_is_known_by_what_the_others_do() -> None:
    """They are read by the scan; it is written as none of them."""
    source, target = Did(80, 10, 5, 10, scrub=True), Did(0, None, 40, 90)

    assert set() == named(judge(RAIDZ, lambda _, name: target if name == "d2" else source))


READ_FOR_REBUILD = Did(60, 10, 5, 12, rebuild=True)
REBUILT = Did(0, None, 60, 90, rebuild=True)
DRAID = ("draid2:4d:10c:1s-0", *(f"d{at}" for at in range(10)))
SPREAD = Did(60, 10, 40, 12, rebuild=True)  # spare space is on all disks of a draid


def test_the_target_of_a_rebuild_is_let_pass_and_said_to_be_written() -> None:
    judgement = judge(
        MIRRORS,
        lambda _, name: READ_FOR_REBUILD if name == "c" else REBUILT if name == "d" else HEALTHY,
    )

    assert set() == named(judgement)
    assert {
        "d": "not compared in 60 of 60 samples: a resilver or rebuild writes it and reads the others"
    } == {one.disk: one.reason for one in judgement.undecided}


def test_a_slow_disk_that_a_rebuild_reads_is_found() -> None:
    late = replace(slow(6, READ_FOR_REBUILD), rebuild=True)

    judgement = judge(MIRRORS, lambda _, name: late if name == "c" else REBUILT if name == "d" else HEALTHY)

    assert {"c"} == named(judgement)
    assert ("a", "b", "e", "f") == judgement.verdicts[0].peers


def test_a_slow_disk_is_found_while_a_draid_is_rebuilt_onto_its_spare_space() -> None:
    late = replace(slow(4, SPREAD), rebuild=True)
    judgement = judge(DRAID, lambda _, name: IDLE if name == "d0" else late if name == "d5" else SPREAD)

    assert {"d5"} == named(judgement)
    assert ["d0"] == [one.disk for one in judgement.undecided]
    assert "d0" not in judgement.verdicts[0].peers


def test_a_draid_that_is_rebuilt_has_no_slow_disk_by_that() -> None:
    judgement = judge(DRAID, lambda _, name: IDLE if name == "d0" else SPREAD)

    assert (set(), ["d0"]) == (named(judgement), [one.disk for one in judgement.undecided])


def test_spare_space_that_is_written_does_not_exempt_the_disks_of_a_draid() -> None:
    """ZFS marks those as resilvering that it has written to, beside the spare itself."""
    marked = [disk(name, path=f"/dev/{name}1", is_resilvering=name in {"d7", "d8"}) for name in DRAID[2:]]
    spare = group(
        "spare-0", disk("d0", state="FAULTED"), disk("draid2-0-0", type="dspare", is_resilvering=True)
    )
    layout = pool(group(DRAID[0], spare, *marked))
    late = replace(slow(4, SPREAD), rebuild=True)

    judgement = judge(DRAID, lambda _, name: late if name == "d7" else SPREAD, pool=layout)

    assert ({"d7"}, ()) == (named(judgement), judgement.undecided)


def test_a_target_that_is_written_all_the_time_is_not_said_to_have_no_io() -> None:
    source, target = Did(80, 10, 5, 10, scrub=True), Did(0, None, 300, 40)

    judgement = judge(RAIDZ, lambda _, name: target if name == "d2" else source)

    assert ["not compared in 60 of 60 samples: a resilver or rebuild writes it and reads the others"] == [
        one.reason for one in judgement.undecided
    ]


@pytest.mark.parametrize("names", [RAIDZ, MIRRORS])
def test_a_disk_that_is_trimmed_alone_is_said_to_be_trimmed(names: tuple[str, ...]) -> None:
    trimming = replace(slow(8), trim=True)

    judgement = judge(names, one_slow(names[2], trimming))

    assert ["not compared in 60 of 60 samples: it was trimmed, and most of its peers were not"] == [
        one.reason for one in judgement.undecided
    ]


def test_a_scrub_that_reads_all_disks_names_none() -> None:
    scrubbed = Did(300, 60, 5, 70, scrub=True)

    assert set() == named(judge(RAIDZ, lambda number, _: scrubbed if number > 20 else HEALTHY))


def test_a_slow_disk_is_found_while_a_scrub_runs() -> None:
    scrubbed = Did(300, 20, 5, 20, scrub=True)
    late = replace(slow(6, scrubbed), scrub=True)

    assert {"d1"} == named(judge(RAIDZ, lambda _, name: late if name == "d1" else scrubbed))


def test_a_disk_that_trims_while_the_others_do_not_is_let_pass() -> None:
    trimming = replace(slow(8), trim=True)

    assert set() == named(judge(MIRRORS, one_slow("d", trimming)))


def test_when_all_trim_a_slow_one_is_still_found() -> None:
    trimming, late = replace(HEALTHY, trim=True), replace(slow(8), trim=True)

    assert {"d"} == named(judge(MIRRORS, lambda _, name: late if name == "d" else trimming))


def test_a_disk_that_is_initialized_is_left_out() -> None:
    initialized = disk("b", activities=(VdevProgress("initialize", "active", 12.0),))

    judgement = judge(MIRRORS, one_slow("b", slow(8)), pool=mirrors(b=initialized))

    assert set() == named(judgement)
    assert ["it is being initialized"] == [one.reason for one in judgement.undecided]


def test_an_ended_initialization_excuses_nothing() -> None:
    initialized = disk("b", activities=(VdevProgress("initialize", "complete", 100.0),))

    assert {"b"} == named(judge(MIRRORS, one_slow("b", slow(8)), pool=mirrors(b=initialized)))


def test_hybrid_mirrors_are_a_finding_about_the_layout_said_once() -> None:
    disks = inventory(a=False, b=True, c=False, d=True, e=False, f=True)

    judgement = judge(
        MIRRORS,
        lambda _, name: BUSY if name in "bdf" else Did(30, 0.4, 30, 0.5),
        pool=mirrors(),
        inventory=disks,
    )

    assert set() == named(judgement)
    assert ["tank mirror-0", "tank mirror-1", "tank mirror-2"] == [
        finding.subject for finding in judgement.findings
    ]
    assert {"mixed-vdev"} == {finding.id for finding in judgement.findings}


def test_within_hybrid_mirrors_like_is_held_against_like() -> None:
    disks = inventory(a=False, b=True, c=False, d=True, e=False, f=True)

    def act(_: int, name: str) -> Did:
        return slow(5, BUSY) if name == "d" else BUSY if name in "bf" else Did(30, 0.4, 30, 0.5)

    assert {"d"} == named(judge(MIRRORS, act, pool=mirrors(), inventory=disks))


def test_hybrid_mirrors_without_an_inventory_are_withdrawn() -> None:
    """Both sides rotate by their latencies: which are of another kind is not known."""
    judgement = judge(MIRRORS, lambda _, name: BUSY if name in "bdf" else Did(30, 3, 30, 3))

    assert set() == named(judgement)
    assert ["half-slow"] == [finding.id for finding in judgement.findings]
    assert "and more load does not explain it" in judgement.findings[0].summary


def test_half_of_a_class_at_once_is_no_disk() -> None:
    judgement = judge(
        RAIDZ, lambda number, name: slow(9) if name in {"d0", "d3", "d5", "d6"} and number > 20 else HEALTHY
    )

    assert set() == named(judgement)
    assert ["half-slow"] == [finding.id for finding in judgement.findings]


def test_two_of_four_that_were_healthy_before_are_two_slow_disks() -> None:
    judgement = judge(LONE, lambda number, name: slow(9) if name in "bd" and number >= 20 else HEALTHY)

    assert {"b", "d"} == named(judgement)


def test_a_whole_vdev_slow_alike_is_a_finding_and_no_disk() -> None:
    judgement = judge(MIRRORS, lambda _, name: slow(5) if name in "cd" else HEALTHY)

    assert set() == named(judgement)
    assert [("vdev-slow", "tank mirror-1")] == [(each.id, each.subject) for each in judgement.findings]


def test_the_latency_of_a_slow_vdev_is_that_of_the_operations_that_are_named() -> None:
    far, near = Did(100, 28, 100, 3.5), Did(100, 8, 100, 1)

    found = judge(MIRRORS, lambda _, name: far if name in "cd" else near, 300).findings[0]

    own_ms, reference_ms = {"reads": (28, 8), "writes": (3.5, 1)}[str(found.evidence["operations"])]
    assert pytest.approx(own_ms * MS, rel=0.1) == found.evidence["mean_ns"]
    assert pytest.approx(reference_ms * MS, rel=0.1) == found.evidence["reference_ns"]


def test_beside_a_named_disk_it_is_not_said_that_none_of_the_vdev_stands_out() -> None:
    times = {"c": 5.0, "d": 15.0}

    alike = judge(MIRRORS, lambda _, name: slow(5) if name in "cd" else HEALTHY)
    one_more = judge(MIRRORS, lambda _, name: slow(times[name]) if name in times else HEALTHY)

    assert {"d"} == named(one_more)
    assert ["no disk of it stands out", "d is slower still"] == [
        each.findings[0].summary.rpartition("; ")[2] for each in (alike, one_more)
    ]


def test_what_was_said_of_a_vdev_is_forgotten_when_it_has_long_been_untrue() -> None:
    def act(number: int, name: str) -> Did:
        return slow(5) if name in "cd" and number < 30 else HEALTHY

    assert ["vdev-slow"] == [finding.id for finding in judge(MIRRORS, act, 300).findings]
    assert () == judge(MIRRORS, act, 700).findings


def test_a_vdev_that_carries_more_is_not_called_slow() -> None:
    busy = Did(300, 22, 300, 25)

    assert () == judge(MIRRORS, lambda _, name: busy if name in "cd" else HEALTHY).findings


def test_a_disk_that_carries_much_more_owes_it_to_that() -> None:
    busy = Did(200, 24, 200, 28)

    assert set() == named(judge(LONE, one_slow("b", busy)))


@pytest.mark.parametrize("names", [RAIDZ, MIRRORS, LONE], ids=["raidz", "mirrors", "lone"])
def test_two_slow_disks_do_not_hide_each_other(names: tuple[str, ...]) -> None:
    disks = [name for name in names if "-" not in name][1::3][:2]

    judgement = judge(names, lambda number, name: slow(8) if name in disks and number > 10 else HEALTHY)

    assert set(disks) == named(judgement)


def test_a_disk_that_wakes_up_is_not_slow() -> None:
    """It answers after twelve seconds, and what had to wait behind it with it."""

    def act(number: int, name: str) -> Did:
        if number < 70:
            return IDLE
        if name == "c" and number < 82:
            return Did(active=4)
        if name == "c" and number < 84:
            return Did(4, 9000)
        return HEALTHY

    assert set() == named(judge(MIRRORS, act, 140))


def test_a_disk_that_collapses_at_writing_after_minutes_of_it_may_be_shingled() -> None:
    def act(number: int, name: str) -> Did:
        if name == "d2" and number >= 200:
            return Did(20, 10, 40, 400, write_bytes=2e6)
        return Did(20, 10, 200, 12, write_bytes=1e8)

    (verdict,) = judge(RAIDZ, act, 260).verdicts

    assert ("d2", WRITE_COLLAPSE, (WRITE,)) == (verdict.disk, verdict.kind, verdict.operations)
    assert verdict.ratio > 10


def test_writing_slowly_from_the_beginning_is_no_collapse() -> None:
    (verdict,) = judge(RAIDZ, one_slow("d2", Did(30, 10, 30, 400))).verdicts

    assert "slow" == verdict.kind


def test_too_little_io_is_an_answer() -> None:
    def act(number: int, name: str) -> Did:
        return Did(2, 100 if name == "a" else 9) if number % 20 == 0 else IDLE

    judgement = judge(MIRRORS, act)

    assert set() == named(judgement)
    assert judgement.is_too_little
    assert 6 == len(judgement.undecided)
    assert "too little I/O to tell: 6 operations in 3 of 60 samples" == judgement.undecided[0].reason


def test_a_disk_without_peers_is_undecided() -> None:
    judgement = judge(("a",), lambda *_: slow(40))

    assert set() == named(judgement)
    assert judgement.undecided[0].reason.startswith("no similar disk had I/O to compare with")


def test_synchronous_writes_are_named_as_such() -> None:
    late = replace(slow(6, Did(0, None, 20, 8)), sync=True)
    healthy = Did(0, None, 20, 8, sync=True)

    (verdict,) = judge(MIRRORS, lambda _, name: late if name == "e" else healthy).verdicts

    assert ("write", "sync") == verdict.operations


def test_a_verdict_is_taken_back_when_the_disk_is_well_again() -> None:
    def act(number: int, name: str) -> Did:
        return slow(6) if name == "d" and 10 <= number < 40 else HEALTHY

    during, after = judge(MIRRORS, act, 40), judge(MIRRORS, act, 80)

    assert [True] == [verdict.is_ongoing for verdict in during.verdicts]
    assert [(False, 10, 39)] == [
        (verdict.is_ongoing, verdict.first_sample, verdict.last_sample) for verdict in after.verdicts
    ]


def test_a_verdict_without_any_io_since_lapses() -> None:
    act: Act = lambda number, name: IDLE if number >= 20 else slow(6) if name == "d" else HEALTHY  # noqa: E731

    assert [True] == [verdict.is_ongoing for verdict in judge(MIRRORS, act, 600).verdicts]
    assert [False] == [verdict.is_ongoing for verdict in judge(MIRRORS, act, 640).verdicts]


def test_a_dead_disk_is_not_judged() -> None:
    detector = watch(MIRRORS, one_slow("b", IDLE), pool=mirrors(b=disk("b", "FAULTED")))

    assert 5 == detector.judgement().disks
    assert () == detector.judgement().undecided


def test_log_and_data_disks_are_not_held_against_each_other() -> None:
    of = pool(
        group("mirror-0", disk("a"), disk("b")),
        group("mirror-1", disk("c"), disk("d"), vdev_type="mirror"),
    )
    log = replace(of.vdevs[1], vdev_class="log")

    judgement = judge(
        ("mirror-0", "a", "b", "mirror-1", "c", "d"),
        lambda _, name: slow(6) if name in "cd" else HEALTHY,
        pool=replace(of, vdevs=(of.vdevs[0], log)),
    )

    assert (set(), ()) == (named(judgement), judgement.findings)
