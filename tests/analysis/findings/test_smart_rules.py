"""Findings on disks by their SMART data: each id in a state that has it; the rest is left to the list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.analysis.build import group
from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import blank, leaf, serial, shelf, used
from zconsole.analysis.findings.smart_rules import IDS, findings_of_disks
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.smart_health import DiskHealth, EarlierHealth, HealthRecord, SelfTest
from zconsole.system.smartctl import parse_health

SMART = Path(__file__).parents[2] / "captures" / "smart"
WEEK_S = 7 * 86400.0
H = DiskHealth
INFO, WARNING, CRITICAL = Severity.INFO, Severity.WARNING, Severity.CRITICAL


def host(health: DiskHealth, *, disk: Disk | None = None, before: DiskHealth | None = None) -> HostState:
    """A mirror on disks 0 and 1, and disk 2 in no pool; the SMART data is of `disk`, disk 0 by default."""
    pool = pool_of(group("mirror-0", leaf(0), leaf(1), guid=500), name="tank")
    of = disk or used(0)
    disks = shelf(*(of if of.name == each.name else each for each in (used(0), used(1), blank(2))))
    earlier = None if before is None else EarlierHealth(before, WEEK_S)
    record = HealthRecord(disk_identity(of), health, 900.0, health, 900.0, earlier)
    return HostState(
        "nas",
        pools=(PoolState("tank", "ONLINE", Reading(pool, 1.0)),),
        inventory=Reading(disks, 1.0),
        smart=Reading((record,), 1.0),
    )


def judged(state: HostState) -> tuple[Finding, ...]:
    return tuple(findings_of_disks(state))


SPEAKING: list[tuple[str, Severity, str, HostState]] = [
    ("smart-failing", CRITICAL, "SMART predicts failure", host(H(is_passing=False))),
    (
        "smart-attribute",
        CRITICAL,
        "below the maker's threshold: Spin_Retry_Count",
        host(H(failing_attributes=("Spin_Retry_Count",))),
    ),
    ("pending-sectors", WARNING, "24 pending sectors (unreadable)", host(H(pending=24))),
    (
        "pending-sectors",
        WARNING,
        "24 pending sectors (unreadable), 16 new in 7 d",
        host(H(pending=24), before=H(pending=8)),
    ),
    (
        "uncorrectable-sectors",
        WARNING,
        "1 sector uncorrectable in offline tests",
        host(H(offline_uncorrectable=1)),
    ),
    ("uncorrectable-errors", WARNING, "3 uncorrectable errors reported", host(H(reported_uncorrectable=3))),
    (
        "reallocated-sectors",
        WARNING,
        "12 grown defects, 4 new in 7 d",
        host(H("SCSI", reallocated=12), before=H("SCSI", reallocated=8)),
    ),
    ("nvme-warning", CRITICAL, "the disk has gone read-only", host(H("NVMe", critical_warning=8))),
    (
        "spare-blocks",
        CRITICAL,
        "9 % of the spare blocks left (threshold 10 %)",
        host(H("NVMe", available_spare=9, spare_threshold=10)),
    ),
    ("worn", WARNING, "103 % of the rated endurance used", host(H("NVMe", wear=103))),
    (
        "crc-errors",
        WARNING,
        "40 CRC errors on the cable, 31 new in 7 d; the cable comes first",
        host(H(crc_errors=40), before=H(crc_errors=9)),
    ),
    (
        "hot",
        WARNING,
        "temperature 66 °C (limit 65 °C); the cooling comes first",
        host(H(temperature_c=66, temperature_limit_c=65)),
    ),
    (
        "self-test-failed",
        WARNING,
        "self-test failed at 28000 h: Completed: read failure",
        host(H(self_test=SelfTest(False, "Completed: read failure", 28000))),
    ),
]


@pytest.mark.parametrize(
    ("finding_id", "severity", "words", "state"), SPEAKING, ids=[words for _, _, words, _ in SPEAKING]
)
def test_a_disk_says_what_is_wrong_with_its_numbers(
    finding_id: str, severity: Severity, words: str, state: HostState
) -> None:
    (found,) = judged(state)

    assert (finding_id, severity, f"{serial(0)}: {words}") == (found.id, found.severity, found.summary)
    assert ("tank", serial(0), "sda") == tuple(found.evidence[each] for each in ("pool", "serial", "device"))


def test_every_id_has_a_case() -> None:
    assert {each for each, *_ in SPEAKING} == IDS


@pytest.mark.parametrize(
    "health",
    [
        H(),
        H(crc_errors=12),
        H(reallocated=3),
        H(reported_uncorrectable=1),
        H("NVMe", wear=95),
        H(temperature_c=64, temperature_limit_c=65),
        H(self_test=SelfTest(True, "Completed without error")),
    ],
)
def test_what_is_old_or_small_is_left_to_the_list_of_disks(health: DiskHealth) -> None:
    assert () == judged(host(health))


@pytest.mark.parametrize(
    ("disk", "severity"),
    [
        (used(0), CRITICAL),
        (blank(2), INFO),
        (used(2, "old"), INFO),
        (blank(2, fstype="ext4", mountpoints=("/",)), WARNING),
    ],
)
def test_it_is_as_bad_as_what_the_disk_is_used_for(disk: Disk, severity: Severity) -> None:
    (found,) = judged(host(H(is_passing=False), disk=disk))

    assert severity is found.severity


def test_a_disk_is_named_with_its_bay() -> None:
    in_a_bay = replace(used(0), links=("/dev/disk/by-vdev/A07",))
    state = host(H(pending=1))
    disks = tuple(
        in_a_bay if each.name == "sda" else each for each in (state.inventory.value or shelf()).disks
    )
    state = replace(state, inventory=Reading(replace(state.inventory.value or shelf(), disks=disks), 1.0))

    (found,) = judged(state)

    assert f"{serial(0)} (bay A07): 1 pending sector (unreadable)" == found.summary
    assert "A07" == found.evidence["bay"]


@pytest.mark.parametrize(
    ("capture", "expected"),
    [
        ("sata-failing", True),
        ("nvme-backup-failed", True),
        ("nvme-media-errors", True),
        ("sata-sound-old-cable", False),
        ("sas-sound", False),
        ("nvme-sound", False),
    ],
)
def test_real_disks(capture: str, *, expected: bool) -> None:
    health = parse_health((SMART / f"{capture}.json").read_text(encoding="utf-8"))
    assert isinstance(health, DiskHealth)

    assert expected is bool(judged(host(health)))
