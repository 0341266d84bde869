"""Every reason not to replace a device now: a case in which it holds, and one in which it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group, in_class, scrubbed
from tests.doubles.repair_worlds import (
    changed,
    facts_of,
    held_by,
    mine,
    place_of,
    slow_disk,
    the_repair,
    trouble_at,
)
from tests.doubles.shelves import leaf
from zconsole.analysis.repair.reasons_not_to_replace import days_since_scrub, failing_survivors
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, PoolActivity, Scan, Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import RepairStepKind, RepairStepState

BROKEN = group("mirror-0", leaf(0), leaf(1, "FAULTED", note="too many errors"))
RESILVER = Scan("resilver", "scanning", start=int(NOW) - 60, percent=41.0, issued_bytes=5)
PULLED = group("raidz2-0", leaf(0), leaf(1, "REMOVED"), leaf(2, "FAULTED"), leaf(3))
PENDING = DiskHealth(protocol="ATA", is_passing=True, pending=3)
DYING = DiskHealth(protocol="ATA", is_passing=False, crc_errors=1203)
CRC = DiskHealth(protocol="ATA", is_passing=True, crc_errors=1203)


def slow(**values: object) -> HostState:
    top = group("mirror-0", leaf(0), leaf(1))
    return trouble_at(top, slow=[slow_disk(1, "mirror-0")], **values)  # type: ignore[arg-type]


def activity(kind: str, state: str = "active") -> PoolActivity:
    return PoolActivity(kind, "raidz1-0", state, percent=12.0)


def with_spare(*, filling: bool) -> Vdev:
    return group("mirror-0", leaf(0), group("spare-1", leaf(1, "FAULTED"), leaf(2, is_resilvering=filling)))


CASES: list[tuple[str, HostState, HostState]] = [
    (
        "suspended",
        trouble_at(BROKEN, state="SUSPENDED"),
        trouble_at(BROKEN),
    ),
    (
        "vdev-lost",
        trouble_at(group("mirror-0", leaf(0, "UNAVAIL"), leaf(1, "UNAVAIL")), gone=[0, 1]),
        trouble_at(group("mirror-0", leaf(0), leaf(1, "UNAVAIL")), gone=[1]),
    ),
    (
        "checkpoint",
        trouble_at(BROKEN, checkpoint_bytes=4096, checkpoint_created=int(NOW)),
        trouble_at(BROKEN),
    ),
    (
        "vdevs-moving",
        # An expansion pauses until a failed disk of its raidz is replaced: zpool-attach(8).
        trouble_at(BROKEN, activities=(activity("removal"),)),
        trouble_at(BROKEN, activities=(activity("raidz_expand"), activity("trim"))),
    ),
    (
        "vdevs-moving",
        trouble_at(BROKEN, activities=(activity("removal"),)),
        trouble_at(BROKEN, activities=(activity("removal", "canceled"),)),
    ),
    (
        "check-cable",
        trouble_at(group("mirror-0", leaf(0), leaf(1, "REMOVED"))),
        trouble_at(group("mirror-0", leaf(0), leaf(1, "REMOVED")), gone=[1]),
    ),
    (
        "check-cable",
        trouble_at(group("mirror-0", leaf(0), leaf(1, read_errors=Count(3))), health={1: CRC}),
        trouble_at(group("mirror-0", leaf(0), leaf(1, read_errors=Count(3))), health={1: DYING}),
    ),
    (
        "put-back",
        trouble_at(PULLED, gone=[1], events=[changed(2, 30), changed(1, 1)]),
        trouble_at(PULLED, gone=[1, 2], events=[changed(1, 30), changed(2, 1)]),
    ),
    (
        "moved",
        trouble_at(group("mirror-0", leaf(0), leaf(1, "UNAVAIL", path="/dev/disk/by-id/ata-old-part1"))),
        trouble_at(group("mirror-0", leaf(0), leaf(1, "UNAVAIL")), gone=[1], disks=[mine(7)]),
    ),
    (
        "unexplained",
        trouble_at(group("mirror-0", leaf(0), leaf(1, checksum_errors=Count(2)))),
        trouble_at(group("mirror-0", leaf(0), leaf(1, "DEGRADED", read_errors=Count(20)))),
    ),
    (
        "unexplained",
        trouble_at(group("mirror-0", leaf(0), leaf(1, "DEGRADED", checksum_errors=Count(20)))),
        trouble_at(group("mirror-0", leaf(0), leaf(1, "FAULTED", checksum_errors=Count(20)))),
    ),
    (
        "gone",
        trouble_at(group("mirror-0", leaf(0), leaf(1, "REMOVED")), gone=[1]),
        trouble_at(group("mirror-0", leaf(0), leaf(1, "REMOVED", read_errors=Count(4))), gone=[1]),
    ),
    (
        "read-only",
        trouble_at(group("mirror-0", leaf(0), leaf(1, "FAULTED")), readonly="on"),
        trouble_at(group("mirror-0", leaf(0), leaf(1, "FAULTED"))),
    ),
    (
        "resilver-runs",
        trouble_at(with_spare(filling=True), scan=RESILVER),
        trouble_at(with_spare(filling=False)),
    ),
    (
        "resilver-runs",
        trouble_at(group("raidz2-0", leaf(1, "FAULTED"), group("replacing-1", leaf(0), leaf(2)), leaf(3)),
                   scan=RESILVER),
        trouble_at(
            group("raidz2-0", leaf(1, "FAULTED"), leaf(0), leaf(3)), scan=replace(RESILVER, state="finished")
        ),
    ),
    (
        "other-vdev-first",
        trouble_at(
            group("raidz2-0", leaf(0), leaf(1, "FAULTED"), leaf(2), leaf(3)),
            group("raidz2-1", leaf(4, "FAULTED"), leaf(5, "FAULTED"), leaf(6), leaf(7)),
        ),
        trouble_at(
            group("raidz2-0", leaf(0), leaf(1, "FAULTED"), leaf(2), leaf(3)),
            group("raidz2-1", leaf(4, "FAULTED"), leaf(5), leaf(6), leaf(7)),
        ),
    ),
    (
        "other-vdev-first",
        trouble_at(
            group("mirror-0", leaf(0), leaf(1)), group("mirror-1", leaf(4, "FAULTED"), leaf(5)),
            slow=[slow_disk(1, "mirror-0")],
        ),
        trouble_at(BROKEN, group("mirror-1", leaf(4, "FAULTED"), leaf(5))),  # both are equally bare
    ),
    (
        "scrub-first",
        slow(scan=scrubbed(days_ago=60)),
        slow(scan=scrubbed(days_ago=10)),
    ),
    ("scrub-first", slow(scan=None), trouble_at(BROKEN, scan=None)),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "holds", "does_not"), CASES)
def test_each_reason_holds_where_it_should_and_nowhere_else(
    rule: str, holds: HostState, does_not: HostState
) -> None:
    assert rule in held_by(holds, 1)
    assert rule not in held_by(does_not, 1)


def test_a_failed_disk_of_a_sound_rest_is_held_by_nothing() -> None:
    assert [] == held_by(trouble_at(BROKEN, unused=1), 1)


def test_its_own_resilver_does_not_hold_a_replacement() -> None:
    under_way = group(
        "mirror-0", leaf(0), group("replacing-1", leaf(1, "FAULTED"), leaf(2, is_resilvering=True))
    )

    assert [] == held_by(trouble_at(under_way, scan=RESILVER), 1)


def test_a_log_does_not_wait_for_a_vdev_without_redundancy() -> None:
    log = in_class(leaf(1, "FAULTED", note="too many errors"), "log")

    assert [] == held_by(trouble_at(group("mirror-0", leaf(2, "FAULTED"), leaf(3)), log), 1)


def test_only_a_finished_scrub_has_read_everything() -> None:
    ages = [
        days_since_scrub(facts_of(trouble_at(BROKEN, scan=scan)))
        for scan in (
            scrubbed(days_ago=3),
            scrubbed(days_ago=3, function="resilver"),
            scrubbed(days_ago=3, state="canceled"),
            None,
        )
    ]

    assert [3.0, None, None, None] == ages


def test_survivors_that_are_not_sound_are_found() -> None:
    tops = group("raidz2-0", leaf(0, read_errors=Count(3)), leaf(1, "FAULTED"), leaf(2), leaf(3))
    facts = facts_of(trouble_at(tops, slow=[slow_disk(3, "raidz2-0")], health={2: PENDING}))

    found = failing_survivors(facts, place_of(facts, 1))

    assert [1000, 1002, 1003] == [each.guid for each in found]


@pytest.mark.parametrize(
    ("is_held", "verdict", "health"),
    [
        (True, {"first_at": NOW - 97}, {}),
        (False, {"first_at": NOW - 600}, {}),
        (False, {"first_at": NOW - 97}, {1: PENDING}),
    ],
)
def test_a_disk_that_is_slow_for_minutes_and_nothing_else_is_watched_first(
    verdict: dict[str, float], health: dict[int, DiskHealth], *, is_held: bool
) -> None:
    found = replace(slow_disk(1, "mirror-0"), **verdict)  # type: ignore[arg-type]
    top = group("mirror-0", leaf(0), leaf(1))
    state = trouble_at(top, slow=[found], health=health, scan=scrubbed(days_ago=1))

    assert is_held is ("slow-minutes" in held_by(state, 1))
    if is_held:
        assert RepairStepState.HELD is the_repair(state, 1).step(RepairStepKind.REPLACE).state
