"""What is said of disks whose SMART data was recorded, and of counters that grow."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.analysis.vdevs.smart_assessment import Blame, complaints
from zconsole.model.finding import Severity
from zconsole.model.pools.smart_health import DiskHealth, EarlierHealth, SelfTest
from zconsole.system.smartctl import parse_health

H = DiskHealth
CAPTURES = Path(__file__).parents[2] / "captures" / "smart"
WEEK_S = 7 * 86400.0


def of(name: str) -> DiskHealth:
    found = parse_health((CAPTURES / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(found, DiskHealth)
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "sata-failing",
            [
                "critical: SMART predicts failure: Reallocated_Sector_Ct",
                "warning: 8 pending sectors (unreadable)",
                "warning: 1975 sectors reallocated",
            ],
        ),
        ("sata-bad-cable", ["info: 3118119 CRC errors on the cable"]),
        ("sata-reallocated", ["warning: 387 sectors reallocated"]),
        ("sata-packed-raw-values", []),
        ("sata-ssd-worn", []),
        ("sata-ssd-all-logs", []),
        ("sata-usb-bridge", []),
        ("sas-sound", []),
        ("scsi-old", []),
        ("sas-grown-defects", ["warning: 56 grown defects"]),
        (
            "scsi-uncorrected",
            ["warning: 536 uncorrectable errors reported", "warning: 260 grown defects"],
        ),
        ("nvme-sound", []),
        ("nvme-media-errors", ["warning: 7 uncorrectable errors reported"]),
        (
            "nvme-backup-failed",
            ["critical: SMART predicts failure", "warning: the backup of its volatile cache has failed"],
        ),
    ],
)
def test_what_is_said_of_real_disks(name: str, expected: list[str]) -> None:
    assert expected == [f"{each.severity.word}: {each.words}" for each in complaints(of(name))]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (H(crc_errors=12), H(crc_errors=12), "info: 12 CRC errors on the cable, none new in 7 d"),
        (H(crc_errors=12), H(crc_errors=40), "warning: 40 CRC errors on the cable, 28 new in 7 d"),
        (H(reallocated=3), H(reallocated=3), "info: 3 sectors reallocated, none new in 7 d"),
        (H(reallocated=1), H(reallocated=3), "warning: 3 sectors reallocated, 2 new in 7 d"),
        (
            H(reported_uncorrectable=1),
            H(reported_uncorrectable=1),
            "info: 1 uncorrectable error reported, none new in 7 d",
        ),
        (H(pending=9), H(pending=8), "warning: 8 pending sectors (unreadable)"),
    ],
)
def test_a_counter_that_grows_weighs_more(before: DiskHealth, now: DiskHealth, expected: str) -> None:
    (found,) = complaints(now, EarlierHealth(before, WEEK_S))

    assert expected == f"{found.severity.word}: {found.words}"


def test_crc_errors_blame_the_cable_and_heat_the_cooling() -> None:
    found = complaints(DiskHealth(crc_errors=5, temperature_c=61, pending=1))

    assert {"crc-errors": Blame.CABLE, "hot": Blame.COOLING, "pending-sectors": Blame.DISK} == {
        each.id: each.blame for each in found
    }


@pytest.mark.parametrize(
    ("temperature", "limit", "is_hot"), [(59, None, False), (60, None, True), (69, 70, False), (70, 70, True)]
)
def test_a_disk_is_too_hot_at_its_own_limit(temperature: int, limit: int | None, *, is_hot: bool) -> None:
    health = DiskHealth(temperature_c=temperature, temperature_limit_c=limit)

    assert is_hot is bool(complaints(health))


@pytest.mark.parametrize(
    ("spare", "severity"),
    [(16, None), (15, Severity.WARNING), (10, Severity.CRITICAL), (0, Severity.CRITICAL)],
)
def test_spare_blocks_near_their_threshold(spare: int, severity: Severity | None) -> None:
    found = complaints(DiskHealth(available_spare=spare, spare_threshold=10))

    assert severity == (found[0].severity if found else None)


def test_a_virtual_disk_that_keeps_no_spare_blocks_is_sound() -> None:
    """NVMe disks of virtual machines tell of 0 % left and a threshold of 0 %."""
    assert () == complaints(DiskHealth(available_spare=0, spare_threshold=0))
    assert () != complaints(DiskHealth(available_spare=0, spare_threshold=1))
    assert () != complaints(DiskHealth(available_spare=1, spare_threshold=0))


def test_a_failed_self_test_says_when_and_why() -> None:
    test = SelfTest(has_passed=False, words="Completed: read failure", at_hours=4711)

    (found,) = complaints(DiskHealth(self_test=test))

    assert "self-test failed at 4711 h: Completed: read failure" == found.words


def test_the_worst_is_said_first() -> None:
    found = complaints(DiskHealth(is_passing=False, crc_errors=1, pending=1))

    assert [Severity.CRITICAL, Severity.WARNING, Severity.INFO] == [each.severity for each in found]
