"""What comes first where several things are wrong, and what is not offered meanwhile."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, group, in_class
from tests.doubles.repair_worlds import the_repair, trouble_at
from tests.doubles.shelves import leaf, mirror, planned, world
from zconsole.actions.plan import Risk
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, PoolActivity, Scan
from zconsole.model.repair import RepairStepKind, RepairTrouble
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import remedies

ROTTEN = Count(9)
RUNS = Scan("resilver", "scanning", start=int(NOW) - 900, percent=5.0)
REMOVAL = PoolActivity("removal", "mirror-1", "active", percent=10.0)


def told(state: HostState, finding: str) -> str:
    """What to do about the first finding of an id."""
    found = next(each for each in findings(state, NOW, Thresholds()) if each.id == finding)
    return remedies(state, NOW)(found)


def offered(state: HostState, number: int) -> set[str]:
    return {offer.action for step in the_repair(state, number).steps for offer in step.offers}


def test_a_device_that_only_has_to_come_online_is_before_one_that_needs_a_new_disk() -> None:
    offline = group("raidz1-0", leaf(0), leaf(1), leaf(2, "OFFLINE"), vdev_type="raidz1")
    faulted = group("mirror-1", leaf(3), leaf(4, "FAULTED", read_errors=Count(30)))

    order = [each.device.label for each in repairs(trouble_at(faulted, offline, unused=1), (), NOW)]

    assert ["SER0002", "SER0004"] == order


def test_a_disk_that_is_to_come_online_is_pulled_only_to_replace_it() -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1, "OFFLINE")))

    assert "to replace it, pull" in the_repair(state, 1).step(RepairStepKind.TAKE_OUT).found[0]


def test_errors_are_cleared_once_an_offline_copy_is_back() -> None:
    spare = group("spare-0", leaf(0, "OFFLINE"), leaf(2))
    state = trouble_at(group("mirror-0", spare, leaf(1, checksum_errors=ROTTEN)), unused=1)

    assert "until SER0000 is in use again" in due_in_words(the_repair(state, 1))
    assert {"clear", "scrub"} & offered(state, 1) == set()
    assert "until SER0000 is in use again" in told(state, "device-errors")
    assert told(state, "device-offline").startswith("Now: bring SER0000 online")


def test_no_errors_anywhere_are_cleared_before_what_has_damaged_blocks_is_back() -> None:
    damaged = group("mirror-0", leaf(0, checksum_errors=ROTTEN), leaf(1, "FAULTED"))
    other = group("mirror-1", leaf(2), leaf(3, checksum_errors=Count(2)))
    state = trouble_at(other, damaged, unused=1, error_count=12)

    assert "SER0001" == repairs(state, (), NOW)[0].device.label
    assert "until SER0001 is in use again" in due_in_words(the_repair(state, 3))
    assert "clear" not in offered(state, 3)


def test_a_device_without_its_label_is_not_brought_back_for_damaged_blocks() -> None:
    gone = leaf(1, "UNAVAIL", note="corrupted data")
    state = trouble_at(group("mirror-0", leaf(0, checksum_errors=ROTTEN), gone), unused=1, error_count=12)

    assert due_in_words(the_repair(state, 1)).startswith("replace SER0001 with SER0002")


def test_the_only_new_disk_is_kept_for_the_vdev_that_holds_data() -> None:
    special = in_class(group("mirror-1", leaf(2, "FAULTED"), leaf(3, checksum_errors=ROTTEN)), "special")
    log = in_class(leaf(4, "FAULTED", write_errors=Count(3)), "log")
    state = trouble_at(mirror(0, 0, 1), special, log, unused=1, error_count=12)

    chosen = the_repair(state, 4).step(RepairStepKind.NEW_DISK)

    assert any("kept for SER0002" in words for words in chosen.found)


def test_a_disk_that_is_being_replaced_is_not_put_back() -> None:
    replacing = group("replacing-0", leaf(0, "REMOVED"), leaf(6, is_resilvering=True))
    ill = leaf(1, "DEGRADED", read_errors=Count(50))
    state = trouble_at(group("raidz2-0", replacing, ill, leaf(2), leaf(3)), gone=(0,), scan=RUNS)

    assert "by mistake" not in told(state, "pool-degraded")


def test_two_that_may_have_been_pulled_are_put_back_both() -> None:
    ill = leaf(0, "DEGRADED", read_errors=Count(50))
    top = group("raidz2-0", ill, leaf(1, "REMOVED"), leaf(2, "REMOVED"), leaf(3), leaf(4))

    said = told(trouble_at(top, gone=(1, 2)), "device-degraded")

    assert said.startswith("Now: repair SER0001 first: put SER0001 and SER0002 back")


def test_two_resilvers_are_waited_for_in_one_sentence() -> None:
    both = [
        group(f"replacing-{at}", leaf(at, "FAULTED"), leaf(6 + at, is_resilvering=True)) for at in range(2)
    ]
    state = trouble_at(group("raidz2-0", *both, leaf(2), leaf(3)), scan=RUNS)

    assert 1 == told(state, "pool-degraded").count("wait for the")


def test_the_only_copy_is_not_mirrored_under_a_checkpoint_which_is_read_before_it_goes() -> None:
    bad = leaf(0, "DEGRADED", read_errors=ROTTEN)
    state = trouble_at(bad, leaf(1), unused=1, error_count=12, checkpoint_bytes=1 << 30)

    assert "attach" not in due_in_words(the_repair(state, 0))
    assert "attach" not in offered(state, 0)
    said = told(state, "pool-degraded")
    assert not said.startswith("First discard")
    assert "--rewind-to-checkpoint tank) before you discard it" in said


def test_a_checkpoint_is_not_in_the_way_of_what_only_has_to_come_online() -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1, "OFFLINE")), checkpoint_bytes=1 << 30)

    assert "discard" not in told(state, "pool-degraded")


def test_a_removal_is_stopped_in_every_sentence_about_what_failed_meanwhile() -> None:
    top = group("mirror-0", leaf(0, checksum_errors=ROTTEN), leaf(1, "FAULTED"))
    state = trouble_at(top, mirror(1, 2, 3), unused=1, activities=(REMOVAL,))

    for each in ("vdev-no-redundancy", "pool-degraded", "device-faulted", "device-errors"):
        assert told(state, each).startswith("Now: stop it (zpool remove -s tank)"), each


def test_a_spare_with_errors_is_not_kept_in_the_place_of_what_it_stands_in_for() -> None:
    spare = group("spare-4", leaf(4), leaf(7, checksum_errors=Count(4)))
    listed = in_class(replace(leaf(7), state="INUSE"), "spare")
    facts = world(group("raidz3-0", *map(leaf, range(4)), spare, vdev_type="raidz3"), listed)

    made = planned(facts, "detach", "tank", "1007")

    assert () == made.alternatives


def test_a_sibling_that_failed_to_write_lacks_what_the_failed_one_has() -> None:
    """`vdev_stat_update` puts the txg of a failed write into what the leaf is missing."""
    top = group("mirror-0", leaf(0, "FAULTED", read_errors=Count(40)), leaf(1, write_errors=Count(12)))
    repair = the_repair(trouble_at(top, unused=1), 0)

    assert due_in_words(repair).startswith("clear SER0000 while it still answers")
    assert "errors are counted of SER0001" in repair.safety


def test_nothing_is_replaced_while_a_checkpoint_is_being_discarded() -> None:
    discard = PoolActivity("checkpoint_discard", None, "active")
    state = trouble_at(group("mirror-0", leaf(0, "FAULTED"), leaf(1)), unused=1, activities=(discard,))

    assert due_in_words(the_repair(state, 0)).startswith("wait until the checkpoint is discarded")
    assert told(state, "device-faulted").startswith("Now: wait until the checkpoint is discarded")


def test_a_resilver_that_ended_under_a_checkpoint_completes_nothing() -> None:
    ended = Scan("resilver", "finished", start=int(NOW) - 9000, end=int(NOW) - 7200, percent=100.0, errors=0)
    state = trouble_at(
        mirror(0, 0, 1), scan=ended, checkpoint_bytes=1 << 30, checkpoint_created=int(NOW) - 3 * 86400
    )

    after = next(each for each in repairs(state, (), NOW) if each.trouble is RepairTrouble.AFTER_CARE)

    assert "redundant again" not in after.safety
    assert "then start a resilver (zpool resilver tank)" in after.safety


def test_while_a_scrub_runs_nothing_is_cleared() -> None:
    scrub = Scan("scrub", "scanning", start=int(NOW) - 900, percent=98.0)
    top = group("raidz2-0", leaf(0, checksum_errors=Count(3)), leaf(1), leaf(2), leaf(3), vdev_type="raidz2")
    state = trouble_at(top, unused=1, scan=scrub)

    assert due_in_words(the_repair(state, 0)).startswith("wait for the running scrub")


def test_a_full_pool_whose_space_a_checkpoint_holds_is_not_relieved_by_snapshots() -> None:
    state = trouble_at(
        mirror(0, 0, 1), usable_used_bytes=97 << 40, usable_available_bytes=3 << 40,
        checkpoint_bytes=27 << 40, checkpoint_created=int(NOW) - 9 * 86400,
    )  # fmt: skip

    assert told(state, "capacity-critical").startswith("First discard the checkpoint if you do not need it")


def test_a_spare_is_filled_before_a_disk_that_may_have_what_its_sibling_lacks_goes_out() -> None:
    spare = group("spare-0", leaf(0, "FAULTED", read_errors=Count(9)), leaf(6, is_resilvering=True))
    state = trouble_at(group("raidz1-0", spare, leaf(1), leaf(2), vdev_type="raidz1"), scan=RUNS)

    assert "pull nothing that serves" in told(state, "vdev-no-redundancy")


def test_a_distributed_spare_stays_while_another_was_rebuilt_and_nothing_was_scrubbed() -> None:
    top = group(
        "draid2:4d:10c:2s-0",
        group("spare-0", leaf(0), replace(leaf(90), name="draid2-0-0", type="dspare")),
        group("spare-1", leaf(1, "FAULTED"), replace(leaf(91), name="draid2-0-1", type="dspare")),
        *map(leaf, range(2, 10)),
        vdev_type="draid2",
    )
    ended = Scan("resilver", "finished", start=int(NOW) - 900, end=int(NOW) - 600, percent=100.0, errors=0)
    scrub = Scan("scrub", "finished", start=int(NOW) - 500, end=int(NOW) - 100, percent=100.0, errors=0)

    assert "Leave the spare in, and scrub the pool" in told(trouble_at(top, scan=ended), "spare-in-use")
    assert "detach" in told(trouble_at(top, scan=scrub), "spare-in-use")
    made = planned(world(top, pool={"scan": ended}), "detach", "tank", "1090")
    assert Risk.DESTRUCTIVE is made.risk
    assert any("scrub first" in words for words in made.warnings)
