"""Several disks that count about the same errors: what they share is checked before one is replaced."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import caused, the_repair, trouble_at
from tests.doubles.shelves import leaf
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import RepairCause
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import remedies

PENDING = DiskHealth(protocol="ATA", is_passing=True, pending=24, crc_errors=0)


def writes(number: int, errors: int, state: str = "FAULTED") -> Vdev:
    return leaf(number, state, write_errors=Count(errors))


def sums(number: int, errors: int, state: str = "DEGRADED") -> Vdev:
    return leaf(number, state, checksum_errors=Count(errors))


def five(*leaves: Vdev, **values: object) -> HostState:
    """A raidz2 of five with a disk to spare; those that are not given are sound."""
    sound = (leaf(at) for at in range(len(leaves), 5))
    return trouble_at(group("raidz2-0", *leaves, *sound, vdev_type="raidz2"), unused=1, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "state",
    [
        five(writes(0, 900), writes(1, 900), writes(2, 880, "ONLINE")),
        five(sums(0, 900), sums(1, 900), sums(2, 880), error_count=12),
    ],
    ids=["write errors", "checksum errors, and damaged blocks"],
)
def test_three_disks_that_count_the_same_are_not_replaced_one_by_one(state: HostState) -> None:
    repair = the_repair(state, 0)
    due = due_in_words(repair)
    told = {each.id: remedies(state, NOW)(each) for each in findings(state, NOW, Thresholds())}

    assert RepairCause.CABLE is caused(state, 0).cause
    assert due.startswith("check what the 3 disks share")
    assert ("SER0001", "SER0002") == tuple(each.label for each in repair.others)
    assert "rather than 3 disks at once" in " ".join(repair.steps[0].found)
    assert due in told["pool-degraded"]
    assert "shared-cause" in told


def test_damaged_blocks_may_be_read_again_once_the_way_is_sound() -> None:
    state = five(sums(0, 900), sums(1, 900), sums(2, 880), error_count=12)
    damaged = next(each for each in findings(state, NOW, Thresholds()) if each.id == "data-errors")

    assert remedies(state, NOW)(damaged).startswith("Now: check what the 3 disks share")


@pytest.mark.parametrize(
    "state",
    [
        five(writes(0, 900), writes(1, 900)),
        five(writes(0, 900), writes(1, 500), writes(2, 40, "ONLINE")),
        five(writes(0, 3, "ONLINE"), writes(1, 3, "ONLINE"), writes(2, 3, "ONLINE")),
        five(
            leaf(0, "FAULTED", write_errors=Count(900), read_errors=Count(8)),
            writes(1, 900), writes(2, 900, "ONLINE"),
        ),
        five(writes(0, 900), writes(1, 900), writes(2, 900, "ONLINE"), health={0: PENDING}),
        five(
            leaf(0, "FAULTED", write_errors=Count(900), checksum_errors=Count(77)),
            writes(1, 900), writes(2, 900, "ONLINE"),
        ),
    ],
    ids=["two", "unlike", "few", "read errors", "SMART blames the disk", "other errors too"],
)  # fmt: skip
def test_in_other_cases_the_disk_is_not_cleared_of_blame(state: HostState) -> None:
    assert "at once" not in caused(state, 0).words


def test_blocks_that_a_raidz_cannot_restore_are_counted_on_every_disk_and_blame_none() -> None:
    """`vdev_raidz_io_done_unrecoverable` counts one on each disk of the block."""
    top = group(
        "raidz1-0", sums(0, 24, "ONLINE"), sums(1, 24, "ONLINE"), sums(2, 22, "ONLINE"), vdev_type="raidz1"
    )
    state = trouble_at(top, unused=1, error_count=12)

    assert "they blame none of them" in caused(state, 0).words
    assert due_in_words(the_repair(state, 0)).startswith("test the memory of the host")


def test_with_a_disk_out_of_it_such_blocks_tell_nothing_of_the_way() -> None:
    out = leaf(1, "FAULTED", read_errors=Count(30))
    top = group(
        "raidz1-0",
        sums(0, 12, "ONLINE"),
        out,
        sums(2, 12, "ONLINE"),
        sums(3, 12, "ONLINE"),
        vdev_type="raidz1",
    )
    state = trouble_at(top, unused=1, error_count=12)

    assert RepairCause.UNKNOWN is caused(state, 0).cause


def test_where_most_disks_count_errors_none_is_cleared_and_scrubbed_over_the_same_way() -> None:
    bad = [leaf(at, read_errors=Count(7 * at + 3), checksum_errors=Count(40 * at + 9)) for at in range(4)]
    state = trouble_at(group("raidz2-0", *bad, leaf(4), leaf(5), vdev_type="raidz2"), unused=1)

    assert "4 of the 6 disks of tank count errors" in caused(state, 0).words
    assert due_in_words(the_repair(state, 0)).startswith("check what the 4 disks share")
