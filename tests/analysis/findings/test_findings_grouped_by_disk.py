"""A disk has one line, its worst finding; the others are told within it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import slow_disk, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.findings_grouped_by_disk import by_disk, folded
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.smart_health import DiskHealth

SICK = DiskHealth(protocol="ATA", is_passing=True, pending=24)
DYING = DiskHealth(protocol="ATA", is_passing=False, pending=24, model="ST4000NM")


def failed(health: DiskHealth = SICK) -> HostState:
    """A disk that failed with all that a disk can have, and a spare that stands in."""
    bad = leaf(1, "FAULTED", note="too many errors", write_errors=Count(486), slow_ios=Count(7))
    spare = Vdev("spare-0", "spare", "data", "DEGRADED", children=(bad, leaf(3)))
    top = group("mirror-0", leaf(0), spare)
    return trouble_at(top, health={1: health}, slow=[slow_disk(1, "mirror-0")])


def judged(state: HostState) -> tuple[Finding, ...]:
    return findings(state, NOW, Thresholds())


def test_a_failed_disk_is_one_line_with_all_that_is_known_of_it() -> None:
    found = judged(failed())

    (line,) = (each for each in folded(found) if each.disk)

    assert "device-faulted" == line.id
    assert {"device-errors", "slow-ios", "disk-slow", "pending-sectors", "spare-in-use"} == {
        each.id for each in line.folded
    }
    for words in ("486 write errors", "7 slow I/Os", "5.4x the latency", "24 pending sectors", "stands in"):
        assert words in line.words
    assert 1 == line.words.count("stands in")
    assert "tank" == line.repaired_pool


def test_the_worst_comes_first_and_what_zfs_says_is_still_told() -> None:
    (line,) = (each for each in folded(judged(failed(DYING))) if each.disk)

    assert ("smart-failing", Severity.CRITICAL) == (line.id, line.severity)
    assert f"{serial(1)}: SMART predicts failure; also FAULTED (too many errors)" in line.words


def test_no_finding_is_lost_and_those_on_no_disk_stay_lines() -> None:
    found = judged(failed())
    lines = folded(found)

    told = [each for line in lines for each in (replace(line, folded=()), *line.folded)]
    assert sorted(each.id for each in found) == sorted(each.id for each in told)
    assert [each.id for each in found if not each.disk] == [each.id for each in lines if not each.disk]


def test_the_findings_of_each_disk_come_worst_first_and_those_on_none_are_left_out() -> None:
    found = judged(failed())

    (of_disk,) = by_disk(found).values()

    assert "device-faulted" == of_disk[0].id
    assert [each for each in found if each.disk] == of_disk


def test_two_disks_are_two_lines() -> None:
    top = group("raidz2-0", leaf(0), *(leaf(at, "FAULTED", read_errors=Count(1)) for at in (1, 2)), leaf(3))

    assert 2 == sum(1 for each in folded(judged(trouble_at(top))) if each.disk)


@pytest.mark.parametrize(
    ("finding", "pool", "health"),
    [
        ("pending-sectors", "tank", SICK),
        ("worn", "tank", DiskHealth(protocol="NVMe", is_passing=True, wear=104)),
        ("hot", "", DiskHealth(protocol="ATA", is_passing=True, temperature_c=66)),
    ],
)
def test_what_smart_has_against_the_disk_names_its_repair_and_the_cooling_none(
    finding: str, pool: str, health: DiskHealth
) -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)), health={1: health})

    (line,) = (each for each in judged(state) if each.disk)

    assert (finding, pool) == (line.id, line.repaired_pool)
    assert bool(pool) is bool(repairs(state, (), NOW))


@pytest.mark.parametrize(
    ("need", "health"),
    [("suspect", SICK), ("suspect", DYING), (None, DiskHealth(protocol="ATA", reallocated=3))],
)
def test_the_spare_stays_beside_a_disk_that_smart_warns_of(need: str | None, health: DiskHealth) -> None:
    whole = group("spare-0", leaf(1), leaf(3))
    state = trouble_at(group("mirror-0", leaf(0), whole), health={1: health})

    (found,) = (each for each in judged(state) if each.id == "spare-in-use")

    assert (need, need is not None) == (found.evidence["need"], found.evidence["is_needed"])
