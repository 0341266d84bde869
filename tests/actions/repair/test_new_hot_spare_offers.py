"""A new hot spare after a repair."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import TB, aux, blank, leaf, link
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Scan

SOUND = group("mirror-0", leaf(0), leaf(1))
ENDED = Scan("resilver", "finished", start=int(NOW) - 7200, end=int(NOW) - 600, errors=0)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (trouble_at(SOUND, scan=ENDED, unused=2), [("spare", link(2))]),
        (trouble_at(SOUND, scan=ENDED), []),
        (trouble_at(SOUND, aux(5, "spare"), scan=ENDED, unused=1), []),
        (trouble_at(SOUND, scan=ENDED, disks=[blank(7, size_bytes=3 * TB)]), []),
    ],
    ids=["an unused disk fits", "no disk", "a spare waits", "too small"],
)
def test_an_unused_disk_is_offered_to_a_pool_without_a_spare(
    state: HostState, expected: list[tuple[str, str]]
) -> None:
    (repair,) = repairs(state, (), NOW)

    assert repair.current is not None
    assert expected == [each.arguments for each in repair.current.offers if each.action == "add"]
    assert bool(expected) is ("tank has no hot spare" in repair.current.found)
