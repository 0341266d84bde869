"""A scrub comes before the replacement of a disk with sectors that it cannot read and that do not grow."""

from __future__ import annotations

import pytest

from tests.analysis.build import group, scrubbed
from tests.doubles.repair_worlds import grown, held_by, trouble_at
from tests.doubles.shelves import leaf
from zconsole.analysis.repair.unreadable_sectors import UNREADABLE
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.smart_health import DiskHealth

PENDING = DiskHealth(protocol="ATA", is_passing=True, pending=8, reallocated=24)
MIRROR = group("mirror-0", leaf(0), leaf(1))


@pytest.mark.parametrize(
    ("is_held", "health", "top"),
    [
        (True, PENDING, MIRROR),
        (True, DiskHealth(protocol="ATA", is_passing=True, offline_uncorrectable=2), MIRROR),
        (False, DiskHealth(protocol="ATA", is_passing=False, pending=8), MIRROR),
        (False, DiskHealth(protocol="ATA", is_passing=True, pending=8, reallocated=600), MIRROR),
        (False, PENDING, leaf(1)),  # nothing to repair from
        (False, PENDING, group("mirror-0", leaf(0, "FAULTED"), leaf(1))),
    ],
)
def test_a_scrub_comes_first_where_it_has_something_to_repair_from(
    is_held: bool, health: DiskHealth, top: Vdev
) -> None:
    state = trouble_at(top, health={1: health}, unused=1, scan=scrubbed(days_ago=3))

    assert is_held is (UNREADABLE in held_by(state, 1))


def test_a_number_that_grows_is_not_scrubbed_away() -> None:
    state = trouble_at(MIRROR, health={1: PENDING}, unused=1, scan=scrubbed(days_ago=3))

    before = DiskHealth(protocol="ATA", is_passing=True, pending=2, reallocated=24)
    assert UNREADABLE not in held_by(grown(state, 1, before), 1)
