"""What the rest of a pool asks for first, as evidence of its findings."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, disk, group, host, pool
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.pools.pool import Scan
from zconsole.views.findings.by_id.what_to_do import what_to_do

HALVES = (
    group("mirror-0", disk("a", "FAULTED"), disk("b"), disk("c", is_resilvering=True)),
    group("mirror-1", disk("d", "FAULTED"), disk("e"), disk("f")),
)
FIRST = "Let the running resilver end"


@pytest.mark.parametrize(("rebuilt", "told"), [(None, {"a", "d"}), ("mirror-0", {"a"}), ("mirror-1", {"d"})])
def test_a_replacement_waits_for_the_resilver_of_the_pool_and_for_a_rebuild_of_its_own_vdev(
    rebuilt: str | None, told: set[str]
) -> None:
    scan = Scan("resilver", "scanning", percent=40.0, vdev=rebuilt)
    found = findings(host(pool(*HALVES, scan=scan)), NOW, Thresholds())

    waiting = {
        each.evidence["vdev"] for each in found if each.id == "device-faulted" if FIRST in what_to_do(each)
    }

    assert told == waiting


def test_without_a_resilver_nothing_waits() -> None:
    found = findings(host(pool(*HALVES)), NOW, Thresholds())

    assert [] == [each.id for each in found if FIRST in what_to_do(each)]


def test_each_of_two_rebuilds_ends_before_a_replacement_in_its_vdev() -> None:
    first, second = (Scan("resilver", "scanning", percent=40.0, vdev=f"mirror-{at}") for at in (0, 1))
    found = findings(host(pool(*HALVES, scan=first, scans_beside=(second,))), NOW, Thresholds())

    waiting = {
        each.evidence["vdev"] for each in found if each.id == "device-faulted" and FIRST in what_to_do(each)
    }
    assert {"a", "d"} == waiting
