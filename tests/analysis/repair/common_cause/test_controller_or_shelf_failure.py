"""Several disks of one controller or shelf that fail at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import caused, changed, facts_of, held_by, mine, place_of, trouble_at
from tests.doubles.shelves import kname, leaf
from zconsole.analysis.repair.common_cause.controller_or_shelf_failure import SharedTrouble, shared_trouble
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.pool import Count
from zconsole.model.pools.shelf_and_disk_path import DiskPath, Shelves
from zconsole.model.repair import RepairCause

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
