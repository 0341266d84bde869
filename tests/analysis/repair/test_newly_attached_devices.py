"""A disk that an event calls new explains the resilver: one marked beside it may only have been repaired."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, disk, group, pool
from zconsole.analysis.repair.newly_attached_devices import ATTACHED, with_doubt_beside_attached
from zconsole.analysis.vdevs.redundancy import in_words, pool_redundancy
from zconsole.analysis.vdevs.resilver_targets import with_resilver_targets
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Scan, Vdev

START = int(NOW) - 3600
RUNS = Scan("resilver", "scanning", start=START, percent=40.0)
OLD, BACK, NEW = (
    disk("a", guid=1),
    disk("b", guid=2, is_resilvering=True),
    disk("c", guid=3, is_resilvering=True),
)
THREE = group("mirror-0", OLD, BACK, NEW)
BOTH_LACK = "no redundancy left in mirror-0"
IN_DOUBT = "mirror-0 survives at most 1 more failure, perhaps none"


def event(guid: int, at: float, event_class: str = ATTACHED, **fields: str) -> Event:
    return Event(at, event_class, "tank", None, (("vdev_guid", hex(guid)), *fields.items()))


def said_with(*events: Event, tops: tuple[Vdev, ...] = (THREE,), scan: Scan = RUNS) -> str:
    read = with_doubt_beside_attached(with_resilver_targets(pool(*tops, scan=scan)), events)
    return "; ".join(in_words(each) for each in pool_redundancy(read))


FAILED_SINCE = event(3, START + 60, "resource.fs.zfs.statechange", vdev_state="FAULTED")


@pytest.mark.parametrize(
    ("words", "events"),
    [
        (BOTH_LACK, ()),
        (IN_DOUBT, (event(3, START - 5),)),
        (IN_DOUBT, (event(3, START + 5),)),
        # The resilver that began then has ended, or was begun again for something else.
        (BOTH_LACK, (event(3, START - 900),)),
        # It has failed since: it may lack what was written meanwhile, as the other one.
        (BOTH_LACK, (event(3, START - 5), FAILED_SINCE)),
        # Both are new.
        (BOTH_LACK, (event(2, START - 9), event(3, START - 5))),
        # The new one is another disk.
        (BOTH_LACK, (event(1, START - 5),)),
    ],
)
def test_what_is_marked_beside_a_device_that_was_attached_is_in_doubt(
    words: str, events: tuple[Event, ...]
) -> None:
    assert words == said_with(*events)


def test_so_it_is_in_another_vdev() -> None:
    mirrors = (group("mirror-0", OLD, NEW), group("mirror-1", disk("d", guid=4), BACK))

    assert "no redundancy left in mirror-0; mirror-1 survives at most 1 failure, perhaps none" == said_with(
        event(3, START - 5), tops=mirrors
    )


def test_the_new_device_alone_is_what_is_filled() -> None:
    assert "no redundancy left in mirror-0" == said_with(
        event(3, START - 5), tops=(group("mirror-0", OLD, NEW),)
    )
