"""Which disk is slow, how slow on what, since when, how sure, at what cost, and what to look at next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.slow_disks.bucketed_pool import Pool as BucketedPool
from tests.analysis.slow_disks.bucketed_pool import watch
from tests.analysis.slow_disks.streams import HEALTHY, MIRRORS, RAIDZ, Act, Did, judge, one_slow, slow
from tests.doubles.guests_on_storage import guest_on, on_volume
from tests.reports.json.test_slow_disks import CASES, INVENTORY, PAIR, mirrors
from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import ZfsFacts
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.slow_disk import Judgement, Undecided
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.findings.slow_disk_document import judgement_lines


def text(judgement: Judgement, of: Pool | None = None, inventory: Inventory | None = None) -> str:
    return "\n".join(printed(judgement_lines(judgement, host="nas1", pool=of, inventory=inventory)))


def test_the_sentence_has_the_disk_the_ratio_and_the_operation() -> None:
    said = text(judge(MIRRORS, one_slow("d", slow(6), since=20)), mirrors(), INVENTORY)

    assert "nas1 tank: 1 of 6 disks is slow; all 6 disks judged in 60 samples." in said
    assert "d has 3.0x to 12x the read latency of its peers (60 ms against 10 ms)" in said
    assert "reads     mean of " in said
    assert ": 60 ms, its peers " in said
    assert "writes    mean of " in said
    assert ": 72 ms, its peers " in said
    assert "which     d, in mirror-1, serial Sd, ST8000, /dev/d, slot 0:0:1:0" in said
    assert "since     2027-01-15 08:00:20 UTC, still so; certain enough after 5 samples" in said
    assert "peers     c, a, b, e, f" in said
    assert "a write of mirror-1 takes 72 ms, without this disk 12; of tank 32 ms, without 12" in said
    assert "smartctl -x /dev/d" in said


@pytest.mark.parametrize(
    ("words", "slow_ios"),
    [
        ("it has counted no slow I/O on this disk: it counts those of 30 s and more", 0),
        ("1 slow I/O of 30 s and more on this disk", 1),
        ("7 slow I/Os of 30 s and more on this disk", 7),
        ("its count of slow I/Os is not known", None),
    ],
)
def test_whether_zfs_agrees_is_said(words: str, slow_ios: int | None) -> None:
    assert f"ZFS       {words}" in text(judge(MIRRORS, one_slow("d", slow(6))), mirrors(slow_ios), INVENTORY)


def test_of_two_disks_alone_it_is_said_that_they_differ() -> None:
    judgement = judge(PAIR, lambda _, name: Did(30, 300) if name == "b" else Did(30, 8))

    said = text(judgement)

    assert "b and a differ: b has 19x to 75x the read latency of a (300 ms against 8.0 ms)" in said
    assert "exchange the slots of b and a" in said


def test_a_recording_has_no_times_and_no_words_of_zfs() -> None:
    said = text(judge(MIRRORS, one_slow("d", slow(6), since=20)))

    assert "since     sample 20, still so; certain enough after 5 samples" in said
    assert "UTC" not in said
    assert "ZFS" not in said


def test_what_is_over_is_told_as_such() -> None:
    said = text(judge(MIRRORS, CASES[3][1]))

    assert "nas1 tank: 1 of 6 disks was slow for a while; all 6 disks judged" in said
    assert "d had 3.0x to 12x the read latency of its peers (" in said
    assert "since     sample 0, until sample 19;" in said


def test_a_disk_that_was_slow_twice_is_one_disk() -> None:
    (one,) = judge(MIRRORS, CASES[3][1]).verdicts
    twice = Judgement(
        "tank", 300, 6, (one, replace(one, first_at=one.last_at + 100, last_at=one.last_at + 120))
    )

    assert "1 of 6 disks was slow for a while, 2 times; all 6 disks judged" in text(twice)


def test_stalls_are_counted() -> None:
    said = text(judge(MIRRORS, CASES[2][1]))

    assert "d stalls: 3 times it left I/O waiting, once for 3 s or more, with 3 I/Os outstanding; " in said
    assert "3 times I/O waited for it" in said
    assert "the kernel's log for timeouts and resets" in said


def test_a_wait_within_a_second_is_a_bound_from_below_and_its_cost_that_of_the_seconds_named() -> None:
    """One of three reads takes three seconds, now and then: the mean of its second is 1 s."""
    late, usual = Did(3, 1010, 3, 12), Did(3, 10, 3, 12)

    said = text(
        judge(RAIDZ, lambda number, name: late if name == "d2" and number % 20 in {5, 6, 7} else usual, 120)
    )

    assert (
        "d2 stalls: 6 times it left I/O waiting, once for 0.6 s or more; its peers answered each time" in said
    )
    assert "once for 0.6 s or more: that is the mean of a second; one I/O may have taken longer" in said
    (costs,) = (each for each in said.splitlines() if "a read of raidz2-0 takes up to" in each)
    assert costs.endswith("in 3 samples that show it alone, and not in the mean of the watch")


def test_what_a_slow_disk_of_a_raidz_costs_is_the_most_that_it_can_be() -> None:
    said = text(judge(RAIDZ, lambda _, name: slow(8) if name == "d3" else HEALTHY))

    assert "a read of raidz2-0 takes up to 62 ms, without this disk 10; of tank 62 ms, without 10" in said


def test_synchronous_writes_are_worth_a_word() -> None:
    sync = Did(0, None, 20, 8, sync=True)
    act: Act = lambda _, name: replace(sync, write_ms=60) if name == "d" else sync  # noqa: E731

    assert "synchronous writes among them: somebody waits for each" in text(judge(MIRRORS, act))


def test_many_undecided_disks_are_counted() -> None:
    judgement = Judgement(
        "tank", 60, 30, (), tuple(Undecided(f"d{at}", "r", "too little") for at in range(30))
    )

    said = text(judgement)

    assert "nas1 tank: too little I/O to tell; 0 disks judged in 60 samples." in said
    assert 9 == said.count("Undecided: ")
    assert "Undecided: 22 more." in said


def test_hostile_names_are_spelled_out() -> None:
    names = ("mirror-0", "a\x1b[2J", "b\u202e", "mirror-1", "c", "d")
    judgement = judge(names, lambda _, name: slow(6) if name.startswith("a") else HEALTHY)

    assert judgement.verdicts
    assert all(line.isprintable() for line in printed(judgement_lines(judgement, host="\x07")))


def test_the_guests_that_wait_are_named_with_what_it_costs_them_and_what_that_rests_on() -> None:
    judgement = judge(MIRRORS, one_slow("d", slow(6), since=20))
    guests = (guest_on("web01", on_volume("tank/vm/web01")), guest_on("other", on_volume("bulk/vm")))

    said = "\n".join(printed(judgement_lines(judgement, pool=mirrors(), inventory=INVENTORY, guests=guests)))

    assert "guests    adds 20 ms to a synchronous write of the guests that run on tank, in the mean" in said
    assert "1 guest: web01" in said
    assert "how the blocks of one guest are spread over the vdevs is not known" in said
    assert "guests" not in text(judgement, mirrors(), INVENTORY)


def test_what_buckets_hide_is_said_in_the_place_of_a_ratio() -> None:
    said = text(watch(BucketedPool(6, 0.01, 8.2e6, 8.6e6)))

    assert "tank: how much slower 1 disk is is not known; all 6 disks judged in 60 samples." in said
    assert (
        "Not known: d5 is slower than its peers by something from 1.0x to 4.0x: nearly all latencies" in said
    )
    assert "(reads 8.4 ms to 17 ms against 4.2 ms to 8.4 ms, writes" in said
    assert "slow: " not in said


def test_whole_vdevs_have_a_bound_of_their_own() -> None:
    said = text(watch(BucketedPool(6, 0.5, 8e6, 12.8e6, is_vdev_slow=True)))

    assert "raidz2-1 is slightly slower as a whole; all 6 disks judged" in said
    assert "Slightly slower: raidz2-1 as a whole is slightly slower than raidz2-0: 1." in said
    assert "Of whole vdevs, by the faster half of their disks: in reads none of 2 has more than 1." in said
    one_vdev = text(watch(BucketedPool(6, 0.5, 8e6)))
    assert "whole vdevs" not in one_vdev


def test_a_watch_without_histograms_says_that_tails_were_not_judged() -> None:
    judgement = watch(BucketedPool(6, 0.5, 8e6))
    without, beside = text(judgement), text(replace(judgement, has_tails=True))

    assert "no disk was found to be slow in the mean; all 6" in without
    assert "Not judged: the slowest of I/Os (tails), for which there were no histograms" in without
    assert "no disk was found to be slow; all 6" in beside
    assert "Not judged" not in beside


def test_slow_ios_of_before_are_no_agreement() -> None:
    known = ZfsFacts(rises=())
    judgement = judge(MIRRORS, one_slow("d", slow(6)))
    lines = judgement_lines(judgement, pool=mirrors(37), inventory=INVENTORY, known=known)
    said = "\n".join(printed(lines))

    assert "ZFS       it counts no slow I/O since the disk is slow" in said
    assert "37 slow I/Os of 30 s and more on this disk, none of them since it is slow" in said
    assert "agrees" not in said


def test_peers_that_are_not_judged_themselves_are_explained() -> None:
    judgement = judge(MIRRORS, one_slow("d", slow(6)))
    undecided = (Undecided("a", "mirror-0", "too little I/O"),)

    assert "disks without a verdict serve as peers all the same" in text(
        replace(judgement, undecided=undecided)
    )
    assert "serve as peers" not in text(judgement)


def test_vdevs_that_were_not_compared_are_said_not_to_be() -> None:
    judgement = replace(watch(BucketedPool(6, 0.5, 8e6)), vdevs=2)

    assert "Whole vdevs were not compared with each other." in text(judgement)


def test_a_small_ratio_within_a_step_of_the_buckets_says_so() -> None:
    said = text(watch(BucketedPool(6, 0.1, 7.6e6, 9e6, operations=100)))

    assert "Slightly slower: d5 is slightly slower than its peers: 1." in said
    assert "ZFS's power-of-two buckets can make any ratio from 1.0x to" in said


def test_microseconds_are_printed_as_such() -> None:
    said = text(watch(BucketedPool(6, 0.5, 1e5, 1.5e5, operations=100)))

    assert " us against " in said
    assert "0.1 ms" not in said
