"""Each exercise to its good end and to a bad one."""

from __future__ import annotations

import pytest

from tests.practice.exercises.learner import NEW, OTHER_NEW, Learner
from zconsole.base.clock import ManualClock
from zconsole.model.exercise import RemarkKind
from zconsole.model.exercise_names import EXERCISES
from zconsole.practice.exercises import full_pool
from zconsole.practice.exercises.catalogue import SCRIPTS, open_exercise

GOOD, RISKY, LEFT = RemarkKind.GOOD, RemarkKind.RISKY, RemarkKind.LEFT
DONE = "tank is fully redundant again after "


def test_the_names_are_those_of_the_command_line() -> None:
    assert list(EXERCISES) == [*(script.name for script in SCRIPTS), full_pool.NAME]
    with pytest.raises(KeyError):
        open_exercise("fire", ManualClock(0.0))


async def test_a_failed_disk_is_replaced_and_the_spare_waits_again() -> None:
    learner = await Learner.begin("failed-disk")
    assert ["ZC13A0R7 is still part of tank: replace it"] == learner.said(LEFT)

    await learner.pull(2)
    await learner.insert(NEW, 2)
    await learner.do(f"zpool replace tank {{2}} {NEW}")
    await learner.until_idle()
    await learner.wait(60)
    await learner.verified()

    assert [] == learner.said(RISKY)
    assert [] == learner.said(LEFT)
    assert [
        "ZC13A0R7 was pulled from bay 2 with its locate LED on",
        "a scrub has verified that tank is redundant again",
    ] == learner.said(GOOD)
    assert learner.state().outcome.startswith(DONE)
    assert "AVAIL" in (await learner.ask("zpool status tank")).stdout.decode()


async def test_the_partner_of_a_failed_disk_pulled_by_mistake_stops_the_pool() -> None:
    learner = await Learner.begin("failed-disk")

    await learner.pull(1, lit=False)
    await learner.wait(90)

    assert "tank is suspended." == learner.state().outcome
    stood = ["ZC13A01K was pulled, the last good copy of mirror-0: tank was suspended"]
    assert stood == [words for words in learner.said(RISKY) if "pulled" in words]
    assert "tank is suspended: put its disks back, then zpool clear tank" in learner.said(LEFT)
    await learner.insert("ZC13A01K", 1)
    await learner.do("zpool clear tank")
    assert ["ZC13A01K was put back: ZFS had little to resilver"] == learner.said(GOOD)
    assert not learner.host.pool("tank").is_suspended


async def test_a_slow_disk_stays_until_its_replacement_is_complete() -> None:
    learner = await Learner.begin("slow-disk")

    await learner.insert(NEW, 7)
    await learner.do(f"zpool replace tank {{4}} {NEW}")
    await learner.until_idle()
    assert ["ZC13A1JN is still in bay 4: take it out"] == learner.said(LEFT)[:1]
    await learner.pull(4)
    await learner.verified()

    assert [] == [*learner.said(RISKY), *learner.said(LEFT)]
    assert "ZC13A1JN stayed in use until its replacement was complete" in learner.said(GOOD)
    assert 0.0 == learner.state().reduced_s


async def test_a_replacement_that_runs_is_no_praise_and_a_source_that_was_pulled_earns_none() -> None:
    learner = await Learner.begin("slow-disk")
    stayed = "ZC13A1JN stayed in use until its replacement was complete"

    await learner.insert(NEW, 7)
    await learner.do(f"zpool replace tank {{4}} {NEW}")
    await learner.wait(300)
    assert stayed not in learner.said(GOOD)
    await learner.pull(4)
    assert "ZC13A1JN is being replaced: wait until the resilver ends" in learner.said(LEFT)
    assert stayed not in learner.said(GOOD)
    await learner.insert("ZC13A1JN", 4)
    await learner.until_idle()

    assert "ZC13A1JN" not in learner.exercise.look().seats
    assert stayed not in learner.said(GOOD)


async def test_a_scrub_that_was_stopped_verifies_nothing() -> None:
    learner = await Learner.begin("failed-disk")
    await learner.until_idle()
    await learner.pull(2)
    await learner.insert(NEW, 2)
    await learner.do(f"zpool replace tank {{2}} {NEW}")
    await learner.until_idle()
    await learner.do("zpool scrub tank")
    assert "a scrub verifies that tank is redundant again" in learner.said(GOOD)

    await learner.do("zpool scrub -s tank")
    await learner.wait(2)

    assert "no scrub has verified the new copies yet: zpool scrub tank" in learner.said(LEFT)
    assert not any("scrub" in words for words in learner.said(GOOD))


async def test_a_slow_disk_pulled_in_use_and_a_good_one_replaced() -> None:
    learner = await Learner.begin("slow-disk")

    await learner.pull(4, lit=False)
    await learner.insert(NEW, 7)
    await learner.do(f"zpool replace tank {{5}} {NEW}")
    await learner.wait(600)

    assert [
        "ZC13A1JN was pulled without its locate LED: the disks next to it are healthy",
        "ZC13A1JN was pulled while tank used it: take it offline first, or replace it first",
        "ZC13B0T4 was replaced, which is healthy: a needless resilver of hours",
    ] == learner.said(RISKY)
    assert "tank is not fully redundant yet." == learner.state().outcome
    assert learner.state().reduced_s > 500


async def test_a_healthy_disk_that_was_pulled_is_put_back_first() -> None:
    learner = await Learner.begin("wrong-disk-pulled")
    assert "ZC13A1JN is healthy and not in its bay: put it back" in learner.said(LEFT)

    await learner.insert("ZC13A1JN", 4)
    await learner.until_idle()
    await learner.pull(3)
    await learner.insert(NEW, 3)
    await learner.do(f"zpool replace tank {{3}} {NEW}")
    await learner.until_idle()
    await learner.verified()

    assert [] == [*learner.said(RISKY), *learner.said(LEFT)]
    assert "ZC13A1JN was put back: ZFS had little to resilver" in learner.said(GOOD)


async def test_a_healthy_disk_that_was_pulled_is_replaced() -> None:
    learner = await Learner.begin("wrong-disk-pulled")

    await learner.insert(NEW, 4)
    await learner.do(f"zpool replace tank {{4}} {NEW}")
    await learner.until_idle()

    assert ["ZC13A1JN was replaced, which is healthy: a needless resilver of hours"] == learner.said(RISKY)
    assert ["ZC13A11M is still part of tank: replace it"] == learner.said(LEFT)


async def test_a_second_failure_is_waited_out_and_both_disks_are_replaced() -> None:
    learner = await Learner.begin("second-failure")
    assert ["ZC13B0T4 is still part of tank: replace it"] == learner.said(LEFT)

    await learner.pull(5)
    await learner.insert(NEW, 5)
    await learner.do(f"zpool replace tank {{5}} {NEW}")
    await learner.until_idle()
    assert ["ZC13A01K is still part of tank: replace it"] == learner.said(LEFT)
    await learner.pull(1)
    await learner.insert(OTHER_NEW, 1)
    await learner.do(f"zpool replace tank {{1}} {OTHER_NEW}")
    await learner.until_idle()
    await learner.verified()

    assert [] == [*learner.said(RISKY), *learner.said(LEFT)]
    assert learner.state().outcome.startswith(DONE)


async def test_a_third_disk_pulled_after_the_second_failure_stops_the_pool() -> None:
    learner = await Learner.begin("second-failure")

    await learner.insert(NEW, 7)
    await learner.do(f"zpool replace tank {{5}} {NEW}")
    while b"FAULTED     31" not in (await learner.ask("zpool status tank")).stdout:
        await learner.wait(60)
    await learner.pull(2, lit=False)
    await learner.wait(60)

    assert "tank is suspended." == learner.state().outcome
    assert [
        "ZC13A0R7 was pulled, the last good copy of raidz2-0: tank was suspended",
        "tank was suspended for 1m: nothing could be read or written",
    ] == sorted(learner.said(RISKY))


async def test_of_three_disks_from_the_cupboard_one_fits() -> None:
    learner = await Learner.begin("new-disk-too-small")

    await learner.insert("ZA20C9XV", 5)
    await learner.do("zpool replace tank {1} ZA20C9XV")
    await learner.until_idle()
    await learner.pull(1)
    await learner.verified()

    assert [] == [*learner.said(RISKY), *learner.said(LEFT)]
    assert "ZC13A01K stayed in use until its replacement was complete" in learner.said(GOOD)


async def test_a_failing_disk_is_taken_out_for_one_that_is_too_small() -> None:
    learner = await Learner.begin("new-disk-too-small")

    await learner.do("zpool offline tank {1}")
    await learner.pull(1)
    await learner.insert("Z1Y0A3W7", 1)
    refused = await learner.ask("zpool replace tank {1} Z1Y0A3W7")

    assert b"device is too small" in refused.stderr
    assert [
        "ZC13A01K was taken offline first: mirror-0 would not have survived another failure",
        "Z1Y0A3W7 was inserted, which is too small (3.00 TB): read the label first",
    ] == learner.said(RISKY)
    assert "tank is not fully redundant yet." == learner.state().outcome


async def test_a_bad_cable_is_changed_and_no_disk() -> None:
    learner = await Learner.begin("cable")
    assert ["several disks report errors: check what they share"] == learner.said(LEFT)

    await learner.wait(120)
    counted = learner.host.world.disk("ZC13B0T4").health.crc
    await learner.change("B")
    await learner.until_idle()
    await learner.wait(300)
    await learner.verified()

    assert (41 + 6 * 2, counted) == (counted, learner.host.world.disk("ZC13B0T4").health.crc)
    assert [] == [*learner.said(RISKY), *learner.said(LEFT)]
    assert "cable B was changed before any disk" in learner.said(GOOD)
    assert learner.state().outcome.startswith(DONE)


async def test_disks_behind_a_bad_cable_are_replaced_in_vain() -> None:
    learner = await Learner.begin("cable")

    await learner.do("zpool clear tank")
    await learner.do("zpool offline tank {5}")
    await learner.pull(5)
    await learner.insert(NEW, 5)
    await learner.do(f"zpool replace tank {{5}} {NEW}")
    await learner.until_idle()
    await learner.change("A")

    assert learner.host.world.disk(NEW).health.crc > 0
    risky = learner.said(RISKY)
    assert "the counters were cleared before the cause was repaired: the evidence is lost" in risky
    assert "ZC13B0T4 was replaced, but the cable is at fault: new disks report errors too" in risky
    assert "cable A was changed, which was sound: its disks were missing meanwhile" in risky
    assert ["several disks report errors: check what they share"] == learner.said(LEFT)[:1]
