"""Several disks with errors from one cause on the way to them are one finding, before those of each disk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import error, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.shared_cause_rules import ID, findings_of_shared_causes
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count
from zconsole.model.pools.smart_health import DiskHealth

CRC = DiskHealth(protocol="ATA", is_passing=True, crc_errors=1203, pending=0)
DYING = DiskHealth(protocol="ATA", is_passing=False, crc_errors=1203)


def erring(*numbers: int, health: DiskHealth = CRC) -> HostState:
    """Two mirrors; some of their disks have errors."""
    leaves = [leaf(at, read_errors=Count(3 if at in numbers else 0)) for at in range(4)]
    tops = group("mirror-0", *leaves[:2]), group("mirror-1", *leaves[2:])
    return trouble_at(*tops, health=dict.fromkeys(numbers, health), events=[error(numbers[0], 15)])


def test_disks_with_crc_errors_are_one_finding_before_those_of_each() -> None:
    first, *others = findings(erring(1, 3), NOW, Thresholds())

    assert (ID, "tank", "tank") == (first.id, first.subject, first.repaired_pool)
    assert (
        f"{serial(1)} and 1 other disk have errors: check cable, backplane and controller first; "
        "since 2027-01-15 07:45 UTC"
    ) == first.summary
    assert (serial(1), serial(3)) == first.evidence["disks"]
    assert ["device-errors", "device-errors"] == [each.id for each in others if each.id == "device-errors"]


@pytest.mark.parametrize(
    "state",
    [
        erring(1),
        erring(1, 3, health=DYING),
        replace(erring(1, 3), pools=()),
        replace(erring(1, 3), smart=erring(1).smart),
    ],
)
def test_one_disk_or_disks_that_call_themselves_failing_are_none(state: HostState) -> None:
    assert [] == list(findings_of_shared_causes(state, NOW))
