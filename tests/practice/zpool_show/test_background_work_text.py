"""The lines of scans beside real ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CAPTURES
from tests.practice.laboratory import captured
from zconsole.practice.world.scan_trim_removal_expansion_states import PracticeScan
from zconsole.practice.zpool_show.background_work_text import scan_text

STATES = sorted(
    path.parent
    for path in (CAPTURES / "2.4").glob("*/zpool_status.json")
    if path.stat().st_size and (path.parent / "zpool_status_v.txt").exists()
)


@pytest.mark.parametrize("folder", STATES, ids=lambda folder: folder.name)
def test_finished_scans_are_written_as_zfs_writes_them(folder: Path) -> None:
    """The scan line of the text follows from the numbers of the JSON."""
    text = captured("zpool_status_v.txt", folder)
    for pool in json.loads(captured("zpool_status.json", folder))["pools"].values():
        stats = pool.get("scan_stats")
        if stats is None or stats.get("state") not in {"FINISHED", "CANCELED"}:
            continue
        if "in progress" in text or "paused" in text:
            continue  # it ended between the two commands
        scan = PracticeScan(
            stats["function"], stats["state"], start=stats["start_time"], end=stats["end_time"]
        )
        scan.processed, scan.errors = stats["processed"], stats["errors"]
        scan.seconds_paused = stats["scrub_spent_paused"]

        assert scan_text(scan, now=0.0) in text


def test_a_running_scrub_gives_no_estimate_before_it_is_fast() -> None:
    scan = PracticeScan(
        "SCRUB", "SCANNING", start=100, pass_start=100, to_examine=381034496, examined=381034496
    )
    scan.issued = scan.pass_issued = 13_700_000

    lines = scan_text(scan, now=102.0).split("\n")

    assert "\t363M / 363M scanned, 13.1M / 363M issued at 6.53M/s" == lines[1]
    assert "\t0B repaired, 3.60% done, no estimated completion time" == lines[2]


def test_a_paused_scrub_says_since_when() -> None:
    scan = PracticeScan("SCRUB", "SCANNING", start=1795227737, pass_start=1795227737, paused_at=1795227740)
    scan.to_examine, scan.examined, scan.issued = 219_152_384, 217_055_232, 202_931_000

    lines = scan_text(scan, now=1795228000.0).split("\n")

    assert "  scan: scrub paused since Sat Nov 21 02:22:20 2026" == lines[0]
    assert "\tscrub started on Sat Nov 21 02:22:17 2026" == lines[1]
    assert "\t0B repaired, 92.60% done" == lines[3]
