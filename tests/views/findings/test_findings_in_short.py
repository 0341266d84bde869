"""Findings below a list."""

from __future__ import annotations

from zconsole.model.finding import Finding, Severity
from zconsole.views.findings.findings_in_short import line_with_serials, told_once
from zconsole.views.layout.styled_text import plain

DISK = "ata-ST4000NM0035-1V4107_ZC13A0R7"
OTHER = "ata-ST4000NM0035-1V4107_ZC13A01K"


def degraded(*causes: str) -> Finding:
    return Finding(
        "pool-degraded", Severity.WARNING, "tank", "DEGRADED for 8h", {"pool": "tank", "causes": causes}
    )


FAULTED = Finding(
    "vdev-faulted", Severity.WARNING, f"tank {DISK}", f"{DISK} is FAULTED", {"pool": "tank", "vdev": DISK},
    disk="tank/1",
)  # fmt: skip


def test_a_pool_that_is_degraded_by_disks_that_are_told_is_not_told_beside_them() -> None:
    assert [FAULTED] == list(told_once((degraded(f"{DISK} FAULTED"), FAULTED)))


def test_a_pool_that_is_degraded_by_another_disk_too_is_told() -> None:
    whole = degraded(f"{DISK} FAULTED", f"{OTHER} REMOVED")

    assert [whole, FAULTED] == list(told_once((whole, FAULTED)))


def test_a_pool_that_is_degraded_without_a_known_cause_is_told() -> None:
    assert [degraded(), FAULTED] == list(told_once((degraded(), FAULTED)))


def test_disks_are_told_by_the_serial_numbers_printed_on_them() -> None:
    assert "▲ tank: ZC13A0R7 is FAULTED" == plain(line_with_serials(FAULTED))
    assert "▲ ZC13A0R7 is FAULTED" == plain(line_with_serials(FAULTED, FAULTED.summary))
