"""Triage: what was found, and what is done before a replacement is thought of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group, scrubbed
from tests.doubles.guests_on_storage import guest_on, on_volume
from tests.doubles.repair_worlds import (
    changed,
    error,
    ran,
    slow_disk,
    the_repair,
    trouble_at,
    with_kernel,
)
from tests.doubles.shelves import leaf, serial
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.kernel_message import MessageKind
from zconsole.model.pools.pool import Count, Scan
from zconsole.model.pools.slow_disk import READ, Cost
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import RepairStep, RepairStepKind, RepairStepState

BROKEN = leaf(1, "FAULTED", note="too many errors", write_errors=Count(486))


def triage(state: HostState, *entries: object) -> RepairStep:
    return the_repair(state, 1, *entries).step(RepairStepKind.TRIAGE)  # type: ignore[arg-type]


def test_state_errors_and_reports_are_told_in_one_line() -> None:
    events = [error(1, 5), error(1, 4), error(1, 2), changed(1, 2)]

    step = triage(trouble_at(group("mirror-0", leaf(0), BROKEN), events=events))

    assert RepairStepState.DONE is step.state
    assert (
        f"{serial(1)} is FAULTED: too many errors; since 2027-01-15 07:55 UTC (5m): "
        "486 write errors, 3 error reports within 3m"
    ) == step.found[0]


def test_the_trouble_began_with_the_first_error_report() -> None:
    events = [error(1, 5), changed(1, 2)]
    repair = the_repair(trouble_at(group("mirror-0", leaf(0), BROKEN), events=events), 1)

    assert events[0].at == repair.since


def test_the_kernel_is_quoted_once_with_numbers_and_times() -> None:
    state = trouble_at(group("mirror-0", leaf(0), BROKEN))

    as_cause = triage(with_kernel(state, 1, MessageKind.MEDIUM, minutes_ago=60)).found
    beside = triage(with_kernel(state, 1, MessageKind.TIMEOUT, minutes_ago=60)).found

    assert "cause (certain): kernel: 1 medium error, 2027-01-15 07:00 UTC: the disk" in as_cause
    assert "kernel: 1 timeout, 2027-01-15 07:00 UTC" in beside
    assert 1 == sum("kernel" in each for each in as_cause)


def test_where_nothing_explains_it_the_kernel_that_could_not_be_asked_is_told() -> None:
    state = trouble_at(group("mirror-0", leaf(0), BROKEN))

    unasked = replace(state, kernel=Reading(problem="dmesg: Operation not permitted"))

    assert "the kernel's messages are not known: dmesg: Operation not permitted" in triage(unasked).found
    assert not any("kernel" in each for each in triage(state).found)


def test_survivors_that_are_not_sound_are_named() -> None:
    state = trouble_at(
        group("raidz2-0", leaf(0, checksum_errors=Count(3)), BROKEN, leaf(2), leaf(3)),
        slow=[slow_disk(2, "raidz2-0")],
        health={3: DiskHealth(protocol="ATA", is_passing=False)},
    )

    found = "\n".join(triage(state).found)

    assert f"{serial(0)} in the same raidz2-0 is also unsound: 3 checksum errors" in found
    assert f"{serial(2)} in the same raidz2-0 is also unsound: slower than its peers" in found
    assert f"{serial(3)} in the same raidz2-0 is also unsound: SMART: " in found


@pytest.mark.parametrize(
    ("is_told", "days", "members"),
    [(True, 60, 2), (False, 10, 2), (False, 60, 4)],
)
def test_an_old_scrub_is_no_reason_to_wait_without_redundancy(
    days: float, members: int, *, is_told: bool
) -> None:
    top = group("mirror-0", BROKEN, *(leaf(at + 2) for at in range(members - 1)))

    found = triage(trouble_at(top, scan=scrubbed(days_ago=days))).found

    assert is_told is any("do not wait for a scrub" in each for each in found)


class TestOffers:
    """What cures the cause without a new disk."""

    def of(self, state: HostState, *entries: object) -> list[str]:
        return [each.action for each in triage(state, *entries).offers]

    def test_a_disk_that_somebody_took_offline_is_brought_online(self) -> None:
        state = trouble_at(group("mirror-0", leaf(0), leaf(1, "OFFLINE")))

        assert ["online"] == self.of(state)
        assert RepairStepState.NOW is triage(state).state

    def test_not_so_where_this_procedure_did_it(self) -> None:
        state = trouble_at(group("mirror-0", leaf(0), leaf(1, "OFFLINE")))
        offline = ran("offline", "1001", title=f"take offline {leaf(1).name} of tank")

        assert RepairStepState.DONE is triage(state, offline).state

    def test_a_suspended_pool_is_cleared_once_its_disks_are_back(self) -> None:
        state = trouble_at(group("mirror-0", leaf(0), BROKEN), state="SUSPENDED")

        assert ["clear"] == self.of(state)
        assert () == the_repair(state, 1).step(RepairStepKind.TRIAGE).offers[0].arguments

    def test_errors_of_unknown_cause_are_cleared_and_a_scrub_tells(self) -> None:
        state = trouble_at(group("mirror-0", leaf(0), leaf(1, checksum_errors=Count(2))))

        assert ["clear", "scrub"] == self.of(state)
        assert RepairStepState.NOW is triage(state).state
        assert "if they come back" in triage(state).reason

    def test_a_disk_that_is_back_is_brought_online(self) -> None:
        assert ["online"] == self.of(trouble_at(group("mirror-0", leaf(0), leaf(1, "REMOVED"))))


def test_the_guests_that_wait_for_a_slow_disk_are_told_with_what_it_costs_them() -> None:
    verdict = replace(slow_disk(1, "mirror-0"), costs=(Cost(READ, 90e6, 50e6, 36e6, 30e6),))
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)), slow=[verdict])
    guests = Reading((guest_on("web01", on_volume("tank/vm/web01")),), 0.0)

    told = "adds 6.0 ms a read to web01 in the mean"
    assert told in triage(replace(state, guests=guests)).found
    assert not any("adds" in each for each in triage(state).found)


@pytest.mark.parametrize("failed", ["FAULTED", "REMOVED"])
def test_the_failed_disk_that_has_what_another_one_missed_is_brought_back_and_not_pulled(failed: str) -> None:
    """A raidz1: one disk was away and is resilvered, and another one failed meanwhile."""
    behind = replace(leaf(2), is_resilvering=True)
    scan = Scan("resilver", "scanning", percent=12.0)
    state = trouble_at(
        group("raidz1-0", leaf(0), leaf(1, failed), behind),
        scan=scan,
        gone=[1] if failed == "REMOVED" else [],
    )

    repair = the_repair(state, 1)
    step = repair.step(RepairStepKind.TRIAGE)
    pulls = [line for each in repair.steps for line in (*each.found, each.act) if line.startswith("pull ")]

    assert repair.safety.startswith(f"Not all of raidz1-0 can be read until {serial(1)} is back")
    assert RepairStepState.NOW is step.state
    assert step.reason.startswith(f"bring {serial(1)} back")
    assert [] == pulls
    assert [] == [each for one in repair.steps for each in one.offers if each.action in {"replace", "detach"}]
    assert "pull none" in repair.alarm
