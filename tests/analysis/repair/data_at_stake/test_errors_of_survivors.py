"""Repairs where what is left counts errors: the only copy, unsound siblings, copies that are wrong alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group, in_class
from tests.doubles.repair_worlds import the_repair, trouble_at
from tests.doubles.shelves import leaf
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, PoolActivity, Scan
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, Repair, RepairStepKind, RepairStepState
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import remedies

ROTTEN = Count(45)
DYING = DiskHealth(protocol="ATA", is_passing=False, crc_errors=0)


def offered(repair: Repair) -> list[str]:
    """The actions that it offers."""
    return [offer.action for step in repair.steps for offer in step.offers]


def bare(**values: object) -> HostState:
    """Two bare disks of which one counts errors."""
    return trouble_at(leaf(0, **values), leaf(1), unused=1)


def raidz(sibling: str = "DEGRADED", **of_pool: object) -> HostState:
    """A raidz1 with a failed disk and one with checksum errors."""
    failed = leaf(1, "FAULTED", read_errors=Count(3), write_errors=Count(20))
    unsound = leaf(0, sibling, checksum_errors=ROTTEN)
    return trouble_at(group("raidz1-0", unsound, failed, leaf(2), vdev_type="raidz1"), unused=1, **of_pool)


def alike(first: int, second: int, **of_pool: object) -> HostState:
    """A mirror whose disks count so many checksum errors."""
    top = group("mirror-0", leaf(0, checksum_errors=Count(first)), leaf(1, checksum_errors=Count(second)))
    return trouble_at(top, unused=1, **of_pool)


@pytest.mark.parametrize("errors", [0, 9])
def test_the_only_copy_is_copied_off_before_anything_is_cleared_or_scrubbed(errors: int) -> None:
    state = replace(bare(read_errors=Count(3)))
    state = trouble_at(leaf(0, read_errors=Count(3)), leaf(1), unused=1, error_count=errors)
    repair = the_repair(state, 0)

    assert due_in_words(repair).startswith("copy what matters off SER0000, or attach a second disk to it")
    assert "attach" == offered(repair)[0]
    assert {"clear", "scrub"} & {*offered(repair)} == set()
    assert "redundancy never drops" not in " ".join(each.reason for each in repair.steps)
    told = next(each for each in findings(state, NOW, Thresholds()) if each.id == "device-errors")
    assert remedies(state, NOW)(told).startswith("Now: copy what matters off SER0000")


def test_a_failed_disk_that_answers_serves_beside_a_sibling_with_errors_until_it_is_replaced() -> None:
    repair = the_repair(raidz(), 1)

    assert due_in_words(repair).startswith("clear SER0001 while it still answers")
    assert "errors are counted of SER0000" in repair.safety
    assert "clear" in offered(repair)
    assert "despite" in dict(repair.step(RepairStepKind.REPLACE).offers[0].options)


@pytest.mark.parametrize(
    "state",
    [
        trouble_at(group("mirror-0", leaf(0), leaf(1, "FAULTED")), unused=1),
        raidz(scan=Scan("resilver", "scanning", start=int(NOW) - 60, percent=2.0)),
        replace(raidz(), smart=trouble_at(leaf(0), leaf(1), health={1: DYING}).smart),
    ],
    ids=["sound siblings", "a resilver runs", "it calls itself failing"],
)
def test_in_other_cases_it_is_not_cleared_first(state: HostState) -> None:
    assert "unsound-siblings" not in {each.id for each in the_repair(state, 1).not_now}


def test_copies_that_are_wrong_alike_were_wrong_before_they_were_written() -> None:
    repair = the_repair(alike(8, 8, error_count=8), 0)

    assert Certainty.LIKELY is repair.certainty
    assert due_in_words(repair).startswith("test the memory of the host, restore the damaged files")
    assert RepairStepState.HELD is repair.step(RepairStepKind.REPLACE).state


@pytest.mark.parametrize("state", [alike(8, 8), alike(8, 7, error_count=8)], ids=["no lost block", "unlike"])
def test_errors_that_are_not_alike_are_the_disks_own(state: HostState) -> None:
    assert "same-errors" not in {each.id for each in the_repair(state, 0).not_now}


def test_a_cache_with_errors_is_watched_since_no_scrub_reads_it() -> None:
    cache = in_class(leaf(2, checksum_errors=Count(77)), "cache")
    repair = the_repair(trouble_at(group("mirror-0", leaf(0), leaf(1)), cache), 2)

    assert due_in_words(repair).startswith("clear the errors of SER0002 and watch whether they come back")
    assert "scrub" not in offered(repair)


def test_lost_files_of_a_bare_disk_are_not_the_first_thing_to_be_seen_to() -> None:
    state = trouble_at(leaf(0, read_errors=Count(3)), leaf(1), error_count=9)
    lost = next(each for each in findings(state, NOW, Thresholds()) if each.id == "data-errors")

    assert remedies(state, NOW)(lost).startswith("Now: copy what matters off SER0000")


def test_the_vdev_names_what_is_due_once() -> None:
    state = raidz(state="DEGRADED")
    vdev = next(each for each in findings(state, NOW, Thresholds()) if each.id == "vdev-no-redundancy")

    assert "Also:" not in remedies(state, NOW)(vdev)


def test_a_disk_that_is_gone_comes_back_before_its_siblings_with_errors_fill_another() -> None:
    """Only it has whole what the other half cannot return."""
    top = group("mirror-0", leaf(0, checksum_errors=Count(7)), leaf(1, "REMOVED"))
    state = trouble_at(top, gone=[1], unused=1, state="DEGRADED")
    repair = the_repair(state, 1)
    vdev = next(each for each in findings(state, NOW, Thresholds()) if each.id == "vdev-no-redundancy")

    assert due_in_words(repair).startswith("put SER0001 back, or reconnect it (slot, cable, power; parts")
    assert RepairStepState.HELD is repair.step(RepairStepKind.REPLACE).state
    assert "SER0001" in remedies(state, NOW)(vdev)
    assert "put" in remedies(state, NOW)(vdev)


def test_of_several_failed_devices_one_that_is_only_gone_comes_first() -> None:
    top = group(
        "raidz2-0", leaf(0), leaf(1, "FAULTED", write_errors=Count(20)), leaf(2, "UNAVAIL"), leaf(3),
        vdev_type="raidz2",
    )  # fmt: skip
    first = repairs(trouble_at(top, gone=[2], unused=1), (), NOW)[0]

    assert leaf(2).name == first.device.name
    assert "back in its slot it lacks only what was written since" in first.alarm


def test_a_resilver_with_errors_is_not_offered_to_be_thrown_away() -> None:
    old, new = leaf(0, "FAULTED"), leaf(4, checksum_errors=Count(9))
    top = group("raidz1-0", group("replacing-0", old, new), leaf(1), leaf(2), vdev_type="raidz1")
    ended = Scan("resilver", "finished", start=int(NOW) - 900, end=int(NOW) - 300, percent=100.0, errors=9)

    repair = the_repair(trouble_at(top, scan=ended, error_count=9), 0)

    assert "detach" not in offered(repair)


def test_damaged_blocks_are_read_from_the_old_disk_before_the_resilver_is_begun_again() -> None:
    old, new = leaf(0, "FAULTED"), leaf(4, checksum_errors=Count(12))
    top = group("raidz1-0", group("replacing-0", old, new), leaf(1), leaf(2), vdev_type="raidz1")
    ended = Scan("resilver", "finished", start=int(NOW) - 900, end=int(NOW) - 300, percent=100.0, errors=12)

    repair = the_repair(trouble_at(top, scan=ended, error_count=12), 0)

    assert due_in_words(repair).startswith(
        "bring SER0000 back by clear: it may have the damaged blocks whole"
    )
    assert "clear" in offered(repair)


def test_a_resilver_that_nothing_shows_is_not_waited_for_without_end() -> None:
    top = group(
        "raidz1-0", group("replacing-0", leaf(0, "FAULTED"), leaf(4)), leaf(1), leaf(2), vdev_type="raidz1"
    )

    repair = the_repair(trouble_at(top), 0)

    assert "if no resilver begins within a minute, start it (zpool resilver tank)" == due_in_words(repair)


RUNNING = Scan("resilver", "scanning", start=int(NOW) - 900, percent=5.0)


def replaced(old: str, new: str, **of_pool: object) -> HostState:
    """A raidz1 in which a disk is being replaced."""
    pair = group("replacing-0", leaf(0, old), leaf(4, new, write_errors=Count(9)))
    return trouble_at(group("raidz1-0", pair, leaf(1), leaf(2), vdev_type="raidz1"), unused=1, **of_pool)


@pytest.mark.parametrize("scan", [RUNNING, None])
def test_a_new_disk_that_failed_has_nothing_that_the_others_lack(scan: Scan | None) -> None:
    repair = the_repair(replaced("ONLINE", "FAULTED", scan=scan, error_count=12), 0)

    assert "good-copies" not in {each.id for each in repair.not_now}
    assert due_in_words(repair).startswith("stop the replacement by SER0004")


def test_a_resilver_whose_only_target_failed_is_not_waited_for() -> None:
    state = replaced("UNAVAIL", "FAULTED", scan=RUNNING, state="DEGRADED")
    about = {"vdev-no-redundancy", "pool-degraded", "device-faulted"}

    said = [remedies(state, NOW)(each) for each in findings(state, NOW, Thresholds()) if each.id in about]

    assert 4 == len(said)
    assert [] == [each for each in said if "Let the running resilver end" in each or "wait for" in each]


def test_a_spare_that_failed_while_it_was_filled_is_not_waited_for() -> None:
    held = group("spare-0", leaf(0, "REMOVED"), leaf(2, "FAULTED", write_errors=Count(9)))
    state = trouble_at(group("mirror-0", held, leaf(1)), gone=[0], unused=1, scan=RUNNING)

    assert "resilver-runs" not in {each.id for each in the_repair(state, 0).not_now}


def test_a_spare_that_a_resilver_writes_to_stays() -> None:
    held = group("spare-1", leaf(1), leaf(4, is_resilvering=True))
    state = trouble_at(group("raidz1-0", leaf(0), held, leaf(2), vdev_type="raidz1"), scan=RUNNING)

    assert "detach" not in offered(the_repair(state, 1))


def test_what_a_bad_resilver_left_open_is_on_the_failed_half() -> None:
    ended = Scan("resilver", "finished", start=int(NOW) - 900, end=int(NOW) - 300, percent=100.0, errors=12)
    state = trouble_at(group("mirror-0", leaf(0), leaf(1, "FAULTED")), unused=1, scan=ended)

    assert due_in_words(the_repair(state, 1)).startswith("bring SER0001 back first")


def test_counters_are_evidence_until_a_replacement_is_complete() -> None:
    ended = Scan("resilver", "finished", start=int(NOW) - 900, end=int(NOW) - 300, percent=100.0, errors=0)
    pair = group("replacing-0", leaf(0, "DEGRADED", checksum_errors=Count(300)), leaf(4))
    state = trouble_at(group("raidz1-0", pair, leaf(1), leaf(2), vdev_type="raidz1"), scan=ended)

    assert 1 == len(repairs(state, (), NOW))


def test_under_a_checkpoint_no_resilver_completes_a_replacement() -> None:
    ended = Scan("resilver", "finished", start=int(NOW) - 900, end=int(NOW) - 300, percent=100.0, errors=0)
    state = replaced("FAULTED", "ONLINE", scan=ended, checkpoint_bytes=1)

    assert due_in_words(the_repair(state, 0)).startswith("discard the checkpoint if you do not need it")


def test_damaged_data_is_not_evacuated_without_its_other_copy() -> None:
    moving = PoolActivity("removal", "mirror-1", "active", 10.0)
    half = group("mirror-1", leaf(2, checksum_errors=Count(12)), leaf(3, "FAULTED"))
    state = trouble_at(
        group("mirror-0", leaf(0), leaf(1)), replace(half, is_removing=True), activities=(moving,), unused=1
    )

    assert due_in_words(the_repair(state, 3)).startswith(
        "stop it (zpool remove -s tank): mirror-1 counts errors"
    )
