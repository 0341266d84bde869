"""Which scan of several is told, and which work of the devices is not over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import disk, group, scrubbed
from zconsole.model.pools.pool import Scan, VdevProgress
from zconsole.zfs.status.newest_scan_and_initialize_trim import in_order, leaf_activities

OLD, LATE = scrubbed(days_ago=9), scrubbed(days_ago=1, function="resilver")
RUNNING = replace(OLD, state="scanning", end=None)
REBUILD = replace(RUNNING, function="resilver", vdev="mirror-1")


@pytest.mark.parametrize(
    ("told", "scans"),
    [
        (LATE, [OLD, None, LATE]),
        (RUNNING, [RUNNING, LATE]),
        (replace(RUNNING, state="paused"), [LATE, replace(RUNNING, state="paused")]),
        (REBUILD, [replace(RUNNING, state="paused"), REBUILD, OLD]),
        (None, [None, None]),
    ],
)
def test_the_running_scan_comes_before_the_last_one_that_ended(told: Scan | None, scans: list[Scan]) -> None:
    first, beside = in_order(scans)

    assert told == first
    assert len([each for each in scans if each is not None]) == len(beside) + (first is not None)


def test_work_of_devices_that_ended_is_not_told() -> None:
    def doing(name: str, state: str) -> object:
        return disk(name, activities=(VdevProgress("trim", state, 40.0, None),))

    tops = (group("mirror-0", doing("a", "active"), doing("b", "completed")), doing("c", "suspended"))  # type: ignore[arg-type]

    assert [("trim", "a", "active", 40.0), ("trim", "c", "suspended", 40.0)] == [
        (each.kind, each.vdev, each.state, each.percent)
        for each in leaf_activities(tops)  # type: ignore[arg-type]
    ]
