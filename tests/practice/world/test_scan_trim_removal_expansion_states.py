"""Which background work runs."""

from __future__ import annotations

import pytest

from zconsole.practice.world.scan_trim_removal_expansion_states import (
    Expansion,
    LeafActivity,
    PracticeScan,
    Rebuild,
    Removal,
)

SCRUB = PracticeScan("SCRUB", "SCANNING", 1)


@pytest.mark.parametrize(
    ("expected", "work"),
    [
        (True, SCRUB),
        (True, PracticeScan("SCRUB", "SCANNING", 1, paused_at=5)),
        (False, PracticeScan("RESILVER", "FINISHED", 1)),
        (False, PracticeScan("SCRUB", "CANCELED", 1)),
        (True, LeafActivity("ACTIVE", 0, 10, 1)),
        (False, LeafActivity("SUSPENDED", 5, 10, 1)),
        (False, Rebuild("COMPLETE", 1, 10, 1.0)),
        (True, Removal(0, "SCANNING", 1, 10, 1.0)),
        (False, Expansion(0, "FINISHED", 1, 10, 1.0)),
    ],
)
def test_work_runs_until_its_end_even_while_it_is_paused(work: PracticeScan, *, expected: bool) -> None:
    assert expected is work.is_running
