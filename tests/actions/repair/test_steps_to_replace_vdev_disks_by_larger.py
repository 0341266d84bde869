"""Every disk of a vdev to a larger one: whose turn it is, what is offered, what holds it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import mine, ran, trouble_at
from tests.doubles.shelves import TB, blank, leaf, serial
from zconsole.actions.repair.healthy_vdev_procedures import asked_repair
from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes
from zconsole.model.host.host_state import HostState
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Scan, Vdev
from zconsole.model.repair import Procedure, ProcedureKind, Repair, RepairStepKind, RepairStepState

GROW = Procedure(ProcedureKind.GROW, "tank", "mirror-0")
LARGE = partition_bytes(8 * TB)
DAY = 86400
SCRUBBED = Scan("scrub", "finished", end=int(NOW) - 3 * DAY, errors=0)
LONG_AGO = replace(SCRUBBED, end=int(NOW) - 60 * DAY)
COPIED = Scan("resilver", "finished", end=int(NOW) - 3600, errors=0, repaired_bytes=2 * TB)
REPLACE, AFTER = RepairStepKind.REPLACE, RepairStepKind.AFTER_CARE


def mirror(*members: Vdev, **of_top: object) -> Vdev:
    given = {"size_bytes": 4 * TB, "allocated_bytes": 2 * TB, **of_top}
    return replace(group("mirror-0", *members, configured_ashift=12), **given)  # type: ignore[arg-type]


def large(number: int, **values: object) -> Disk:
    return blank(number, size_bytes=8 * TB, **values)


def grow(state: HostState, *entries: Entry) -> Repair:
    return asked_repair(state, entries, NOW, GROW)


def offered(repair: Repair, kind: RepairStepKind = REPLACE) -> list[str]:
    return [each.words for each in repair.step(kind).offers]


def held(repair: Repair) -> list[str]:
    return [each.id for each in repair.not_now]


SOUND = mirror(leaf(0), leaf(1))
BROKEN = mirror(leaf(0), leaf(1, "FAULTED"))
OTHER = group("mirror-1", leaf(2), leaf(3, "FAULTED"))


def test_the_first_disk_is_offered_for_a_larger_one_and_the_gain_is_told() -> None:
    state = trouble_at(
        SOUND, disks=[large(8)], unused=1, scan=SCRUBBED, size_bytes=4 * TB,
        usable_used_bytes=2 * TB, usable_available_bytes=2 * TB,
    )  # fmt: skip

    repair = grow(state)

    assert [f"replace {serial(0)} with {serial(8)}"] == offered(repair)
    assert RepairStepState.NOW is repair.step(REPLACE).state
    told = " ".join(repair.step(RepairStepKind.TRIAGE).found)
    assert "0 of 2 disks of mirror-0 are larger than the 3.64 TiB" in told
    assert "with 7.28 TiB in each tank grows by about" in told


def test_a_disk_of_the_same_size_is_no_larger_one() -> None:
    repair = grow(trouble_at(SOUND, unused=2, scan=SCRUBBED))

    assert [] == offered(repair)
    assert "no unused disk in the host is larger than" in repair.step(RepairStepKind.NEW_DISK).found[0]


def test_a_turning_disk_is_not_offered_for_one_without_moving_parts() -> None:
    state = trouble_at(
        SOUND, disks=[replace(mine(0), is_rotational=False), large(8, is_rotational=True)], scan=SCRUBBED
    )

    assert [] == offered(grow(state))


def test_the_size_that_all_can_have_is_offered_before_one_that_would_stay_unused() -> None:
    state = trouble_at(SOUND, disks=[blank(7, size_bytes=6 * TB), large(8), large(9)], scan=SCRUBBED)

    assert [serial(8), serial(9), serial(7)] == [each.split()[-1] for each in offered(grow(state))]


def test_the_next_disk_waits_for_the_resilver_of_the_one_before() -> None:
    coming = group("replacing-0", leaf(0), leaf(8, physical_bytes=LARGE, is_resilvering=True))
    running = Scan("resilver", "scanning", percent=40.0)

    repair = grow(trouble_at(mirror(coming, leaf(1)), disks=[large(9)], scan=running))

    assert RepairStepKind.RESILVER is (repair.current.kind if repair.current else None)
    assert f"then replace {serial(1)} in the same way" in repair.step(AFTER).found[0]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (trouble_at(SOUND, disks=[large(8)], scan=SCRUBBED), []),
        (trouble_at(SOUND, disks=[large(8)], scan=None), ["scrub-first"]),
        (trouble_at(SOUND, disks=[large(8)], scan=LONG_AGO), ["scrub-first"]),
        (trouble_at(SOUND, disks=[large(8)], scan=COPIED), []),
        (
            trouble_at(SOUND, disks=[large(8)], scan=replace(COPIED, errors=1)),
            ["resilver-errors", "scrub-first"],
        ),
        (trouble_at(SOUND, disks=[large(8)], scan=replace(COPIED, repaired_bytes=TB)), ["scrub-first"]),
        (
            trouble_at(SOUND, disks=[large(8)], scan=Scan("resilver", "scanning", percent=4.0)),
            ["resilver-runs", "scrub-first"],
        ),
        (trouble_at(BROKEN, disks=[large(8)], scan=SCRUBBED), ["repair-first"]),
        (
            trouble_at(SOUND, OTHER, disks=[large(8)], scan=SCRUBBED),
            ["other-vdev-first"],
        ),
        (trouble_at(SOUND, disks=[large(8)], scan=SCRUBBED, checkpoint_bytes=1), ["checkpoint"]),
    ],
    ids=[
        "sound", "never scrubbed", "old scrub", "a resilver that read all", "one with errors",
        "one that read a part", "a resilver runs", "a failed disk", "another vdev", "checkpoint",
    ],
)  # fmt: skip
def test_what_holds_a_replacement_that_is_only_wanted(state: HostState, expected: list[str]) -> None:
    repair = grow(state)

    assert expected == held(repair)
    assert bool(expected) is (RepairStepState.HELD is repair.step(REPLACE).state)
    assert expected or offered(repair)
    assert not any(each.startswith("replace") for each in offered(repair)) or not expected


def test_without_a_free_bay_one_taken_offline_for_it_is_pulled_and_goes_on() -> None:
    top = mirror(leaf(0), leaf(1, "OFFLINE"))

    waiting = grow(trouble_at(top, scan=SCRUBBED))
    swapped = grow(trouble_at(top, gone=[1], disks=[large(8)], scan=SCRUBBED))

    assert RepairStepKind.TAKE_OUT is (waiting.current.kind if waiting.current else None)
    assert [f"replace {serial(1)} with {serial(8)}"] == offered(swapped)


def test_once_all_are_larger_the_vdev_is_expanded_by_one_of_them() -> None:
    top = mirror(leaf(0, physical_bytes=LARGE), leaf(1, physical_bytes=LARGE), expandable_bytes=4 * TB)

    step = grow(trouble_at(top, scan=COPIED)).step(AFTER)

    assert RepairStepState.NOW is step.state
    assert [("online", ("1000",), (("expand", True),))] == [
        (each.action, each.arguments, each.options) for each in step.offers
    ]


def test_after_the_expansion_a_scrub_is_left_and_then_nothing() -> None:
    grown = mirror(leaf(0, physical_bytes=LARGE), leaf(1, physical_bytes=LARGE))
    run = ran("online", "1000")
    run = replace(run, steps=(StepEntry(("zpool", "online", "-e", "tank", leaf(0).name)),))

    copied = grow(trouble_at(grown, scan=COPIED), run)
    verified = grow(trouble_at(grown, scan=SCRUBBED), run)

    assert [f"scrub {copied.pool}"] == offered(copied, AFTER)
    assert verified.current is None
    assert "every disk of mirror-0 has 7.28 TiB" in verified.step(AFTER).found[0]


def test_a_scrub_that_is_wanted_first_is_offered() -> None:
    repair = grow(trouble_at(SOUND, disks=[large(8)], scan=None))

    assert [f"scrub {repair.pool}"] == offered(repair)
