"""Bay into which a disk goes back: its own, or any empty one where the pool knows the disk itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import facts_of, trouble_at
from tests.doubles.shelves import blank, leaf, shelf, used
from zconsole.analysis.repair.bay_to_put_back_into import put_back_in_words, to_be_put_back, where_it_goes
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.shelf_and_disk_path import Bay, Enclosure, Shelves

BY_SLOT = replace(leaf(1, "REMOVED"), path="/dev/disk/by-vdev/A1-part1")


def facts(*there: Disk, last_bay: str = "", gone: Vdev | None = None) -> PoolFacts:
    """A mirror whose disk 1 is gone, in a shelf of 6 bays: disk `n` is in bay `n`."""
    missing = gone or leaf(1, "REMOVED")
    state = trouble_at(group("mirror-0", leaf(0), missing), guid=7)
    hctls = [f"0:0:{at}:0" for at in range(6)]
    known = {each.hctl for each in there}
    bays = tuple(
        Bay(f"Slot {at}", f"f/{at}", at, (hctl,) if hctl in known else ()) for at, hctl in enumerate(hctls)
    )
    seen = replace(shelf(*there), shelves=Shelves((Enclosure("0:0:9:0", bays),)))
    last = DiskPlace(7, 1001, "SER0001", "ST4000NM", last_bay, "", 1.0)
    return facts_of(replace(state, inventory=Reading(seen, 0.0), places=(last,)))


def missing(found: PoolFacts) -> Vdev:
    return next(each.vdev for each in found.devices.values() if each.vdev.state == "REMOVED")


@pytest.mark.parametrize(
    ("named", "act", "where", "found"),
    [
        ("SER0001 (bay 1)", "put SER0001 back into bay 1", "", facts(used(0), last_bay="1")),
        (
            "SER0001",
            "put SER0001 back into any empty bay",
            (
                "SER0001: its bay is not known to this console; any empty bay will do (1-5), "
                "since ZFS knows the disk by its identity"
            ),
            facts(used(0)),
        ),
        (
            "SER0001",
            "put SER0001 back into any empty bay",
            (
                "SER0001: bay 2, where it was, has SER0002 now; any empty bay will do (1, 3-5), "
                "since ZFS knows the disk by its identity"
            ),
            facts(used(0), blank(2), last_bay="2"),
        ),
        (
            "SER0001",
            "put SER0001 back into any empty bay",
            (
                "SER0001: bay 0, where it was, has SER0000 now; SER0000 serves mirror-0: leave it in; "
                "any empty bay will do (1-5), since ZFS knows the disk by its identity"
            ),
            facts(used(0), last_bay="0"),
        ),
        (
            "SER0001",
            "put SER0001 back",
            (
                "SER0001: bay 2, where it was, has SER0002 now; take SER0002 out first: "
                "ZFS looks for the disk in its own bay"
            ),
            facts(used(0), blank(2), last_bay="2", gone=BY_SLOT),
        ),
    ],
)
def test_the_bay_is_named_where_it_is_free_and_what_is_in_it_where_it_is_not(
    named: str, act: str, where: str, found: PoolFacts
) -> None:
    gone = missing(found)

    assert named == to_be_put_back(found, gone)
    assert act == put_back_in_words(found, gone)
    assert where == where_it_goes(found, gone)


def test_the_bay_of_a_disk_that_was_never_seen_is_that_of_its_slot() -> None:
    gone = replace(leaf(1, "REMOVED"), phys_path="pci-0-scsi-0:0:2:0")
    found = facts(used(0), blank(2), gone=gone)

    assert "was in bay 2" == found.identity(missing(found)).where
