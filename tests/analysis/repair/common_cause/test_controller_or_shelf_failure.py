"""Several disks of one controller or shelf that fail at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group, in_class
from tests.doubles.repair_worlds import caused, changed, facts_of, held_by, mine, place_of, trouble_at
from tests.doubles.shelves import kname, leaf
from tests.doubles.troubled_pools import RUNS
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.repair.common_cause.controller_or_shelf_failure import SharedTrouble, shared_trouble
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.shelf_and_disk_path import DiskPath, Shelves
from zconsole.model.repair import RepairCause, RepairStepKind
from zconsole.views.repair.remedy_of_finding import remedies

SAS = "/dev/disk/by-path/pci-0000:03:00.0-sas-exp0x50014380{shelf}-phy{phy}-lun-0"
ATA = "/dev/disk/by-path/pci-0000:0{controller}:00.0-ata-{port}"


def host(failed: dict[int, float], links: list[str], state: str = "UNAVAIL") -> HostState:
    """Six disks as a raidz2, some failed so many minutes ago; `links` are by number."""
    tops = group("raidz2-0", *(leaf(at, state if at in failed else "ONLINE") for at in range(6)))
    events = [changed(at, ago) for at, ago in failed.items()]
    made = trouble_at(tops, events=events)
    assert made.inventory.value is not None
    disks = tuple(replace(mine(at), links=(link,), children=()) for at, link in enumerate(links))
    known = replace(
        made.inventory.value,
        disks=disks,
        links=tuple((leaf(at).path or "", disk.name) for at, disk in enumerate(disks)),
    )
    return replace(made, inventory=Reading(known, 0.0))


def of_the_first(state: HostState) -> SharedTrouble | None:
    facts = facts_of(state)
    return shared_trouble(facts, place_of(facts, 0).member)


TWO_SHELVES = [SAS.format(shelf=at // 3, phy=at) for at in range(6)]
TWO_CONTROLLERS = [ATA.format(controller=at // 3 + 1, port=at) for at in range(6)]
ONE_CONTROLLER = [ATA.format(controller=1, port=at) for at in range(6)]


@pytest.mark.parametrize(
    ("cause", "failed", "links"),
    [
        (RepairCause.SHELF, {0: 10, 1: 10, 2: 9}, TWO_SHELVES),
        (RepairCause.SHELF, {0: 10, 1: 8}, TWO_SHELVES),
        (RepairCause.CONTROLLER, {0: 10, 1: 10, 2: 9}, TWO_CONTROLLERS),
        (RepairCause.CONTROLLER, dict.fromkeys(range(6), 10), ONE_CONTROLLER),
    ],
)
def test_disks_of_one_place_that_failed_within_minutes(
    cause: RepairCause, failed: dict[int, float], links: list[str]
) -> None:
    found = of_the_first(host(failed, links))

    assert found is not None
    assert cause is found.cause


@pytest.mark.parametrize(
    ("failed", "links"),
    [
        ({0: 10}, TWO_SHELVES),  # one disk
        ({0: 10, 1: 60}, TWO_SHELVES),  # not at once
        ({0: 10, 3: 10}, TWO_SHELVES),  # of two shelves
        ({0: 10, 1: 10}, ONE_CONTROLLER),  # the others on the only controller are well
    ],
)
def test_what_is_no_sign_of_a_shared_cause(failed: dict[int, float], links: list[str]) -> None:
    assert of_the_first(host(failed, links)) is None


def test_a_whole_shelf_holds_the_replacement_and_two_disks_of_it_do_not() -> None:
    whole, part = host({0: 10, 1: 10, 2: 9}, TWO_SHELVES), host({0: 10, 1: 8}, TWO_SHELVES)

    assert "all 3 disks of the pool on one shelf" in caused(whole, 0).words
    assert "check-shelf" in held_by(whole, 0)
    assert "2 of 3 disks" in caused(part, 0).words
    assert "check-shelf" not in held_by(part, 0)


def test_errors_on_several_disks_count_like_failures() -> None:
    tops = group("raidz2-0", *(leaf(at, checksum_errors=Count(9 if at < 3 else 0)) for at in range(6)))
    state = host({}, TWO_CONTROLLERS)
    pool = state.pools[0].pool.value
    assert pool is not None
    erring = replace(
        state,
        pools=(replace(state.pools[0], pool=Reading(replace(pool, vdevs=(tops,)), 0.0)),),
        events=tuple(changed(at, 10) for at in range(3)),
    )

    assert RepairCause.CONTROLLER is caused(erring, 0).cause


def test_where_the_kernel_tells_the_expander_that_is_taken() -> None:
    state = host({0: 10, 1: 10, 2: 9}, ONE_CONTROLLER)
    assert state.inventory.value is not None
    ways = tuple(DiskPath(kname(at), "0000:03:00.0", expander=f"expander-6:{at // 3}") for at in range(6))
    known = replace(state.inventory.value, shelves=Shelves(paths=ways))

    found = of_the_first(replace(state, inventory=Reading(known, 0.0)))

    assert found is not None
    assert (RepairCause.SHELF, "expander-6:0", 3) == (found.cause, found.where, found.of)


def with_spares(*spares: Vdev, failed: Sequence[int], of_shelf: int) -> HostState:
    """A raidz3 on two shelves, the first three disks of it dead; the spares 8 and 9 are on one shelf."""
    parts = [leaf(at, "UNAVAIL" if at < 3 else "ONLINE") for at in range(6)]
    parts[: len(spares)] = [
        group(f"spare-{at}", parts[at], in_class(spare, "spare")) for at, spare in enumerate(spares)
    ]
    entries = [in_class(replace(each, state="INUSE", is_resilvering=False), "spare") for each in spares]
    events = [changed(at, 10) for at in failed]
    made = trouble_at(group("raidz3-0", *parts), *entries, events=events, state="DEGRADED", scan=RUNS)
    assert made.inventory.value is not None
    shelves = {at: of_shelf if at > 7 else at // 3 for at in (*range(6), 8, 9)}
    disks = tuple(replace(mine(at), links=(SAS.format(shelf=of, phy=at),)) for at, of in shelves.items())
    links = tuple((leaf(at).path or "", kname(at)) for at in shelves)
    return replace(made, inventory=Reading(replace(made.inventory.value, disks=disks, links=links), 0.0))


def test_a_spare_that_failed_with_the_shelf_is_one_of_its_disks_and_counted_once() -> None:
    state = with_spares(leaf(8, "UNAVAIL"), leaf(9, "UNAVAIL"), failed=(0, 1, 2, 8, 9), of_shelf=0)
    found = of_the_first(state)
    (repair,) = repairs(state, (), NOW)

    assert found is not None
    assert (5, True) == (found.of, found.is_all)
    told = repair.step(RepairStepKind.TRIAGE).found
    assert any(
        "the spare SER0009 (at 0:0:9:0) that stood in for SER0001 is UNAVAIL too" in each for each in told
    )
    assert "return of" not in repair.step(RepairStepKind.AFTER_CARE).found[0]


def test_spares_that_stand_in_for_the_disks_of_a_shelf_are_returned_and_nothing_is_replaced() -> None:
    filled = (leaf(8, is_resilvering=True), leaf(9, is_resilvering=True))
    state = with_spares(*filled, failed=(0, 1, 2), of_shelf=1)
    (repair,) = repairs(state, (), NOW)
    told = remedies(state, NOW)
    of_spares = [told(each) for each in findings(state, NOW, Thresholds()) if each.id == "spare-in-use"]

    assert [2, 1] == [len(of_spares), len(set(of_spares))]
    assert of_spares[0].startswith("Now: bring them online again")
    assert ("onto the spares SER0008 and SER0009: resilver 40%",) == repair.step(
        RepairStepKind.RESILVER
    ).found
    after = repair.step(RepairStepKind.AFTER_CARE).found
    assert ("return of the spares SER0008 and SER0009, scrub, report",) == after
