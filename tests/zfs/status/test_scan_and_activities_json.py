"""Scans, removals, expansions and checkpoints in the JSON of `zpool status`."""

from __future__ import annotations

import pytest

from zconsole.model.pools.pool import PoolActivity, Scan
from zconsole.zfs.json_node import JsonNode
from zconsole.zfs.status.scan_and_activities_json import (
    is_resilvering,
    read_activities,
    read_checkpoint,
    read_scans,
    rebuilding,
)

SCRUB = {
    "function": "SCRUB", "state": "SCANNING", "start_time": 100, "to_examine": 1000, "examined": 700,
    "skipped": 200, "issued": 400, "processed": 5, "errors": 1,
}  # fmt: skip
REBUILD = {
    "name": "mirror-0",
    "state": "ACTIVE",
    "start_time": 50,
    "to_scan": 100,
    "scanned": 25,
    "issued": 20,
}


def pool(**stats: object) -> JsonNode:
    return JsonNode("zpool status", "pool", stats)


def test_a_pool_without_a_scan_has_none() -> None:
    assert (None, ()) == read_scans(pool())
    assert (None, ()) == read_scans(pool(scan_stats={"function": "NONE", "state": "NONE"}))


def test_done_is_what_was_issued_of_what_is_not_skipped() -> None:
    scan, _ = read_scans(pool(scan_stats=SCRUB))

    assert scan is not None
    assert ("scrub", "scanning", 50.0) == (scan.function, scan.state, scan.percent)
    assert (1000, 800, 400) == (scan.to_examine_bytes, scan.to_issue_bytes, scan.issued_bytes)


@pytest.mark.parametrize(
    ("state", "percent", "changes"),
    [
        ("paused", 50.0, {"scrub_pause": 200}),
        ("finished", 100.0, {"state": "FINISHED", "end_time": 300}),
        ("canceled", None, {"state": "CANCELED", "end_time": 300}),
        ("scanning", None, {"to_examine": 0}),
    ],
)
def test_a_scan_in_each_state(state: str, percent: float | None, changes: dict[str, object]) -> None:
    scan, _ = read_scans(pool(scan_stats={**SCRUB, **changes}))

    assert scan is not None
    assert (state, percent) == (scan.state, scan.percent)


def test_a_sequential_resilver_that_runs_outranks_a_scrub_that_is_over() -> None:
    over = {**SCRUB, "state": "FINISHED", "end_time": 999, "rebuild_stats": {"mirror-0": REBUILD}}

    scan, _ = read_scans(pool(scan_stats=over))

    assert (
        Scan(
            "resilver", "scanning", 50, percent=25.0, to_examine_bytes=100, examined_bytes=25,
            issued_bytes=20, to_issue_bytes=100, vdev="mirror-0",
        ) == scan
    )  # fmt: skip
    assert frozenset({"mirror-0"}) == rebuilding(pool(scan_stats=over))


def test_a_scrub_of_known_errors_is_told_in_blocks() -> None:
    stats = {
        "function": "NONE", "err_scrub_func": "ERRORSCRUB", "err_scrub_state": "ERRORSCRUBBING",
        "err_scrub_start_time": 10, "err_scrub_examined": 1, "err_scrub_to_examine": 3,
    }  # fmt: skip

    scan, _ = read_scans(pool(scan_stats=stats))

    assert scan is not None
    assert ("error scrub", "scanning", 25.0) == (scan.function, scan.state, scan.percent)
    assert scan.issued_bytes is None


def test_what_runs_decides_what_counts_mean() -> None:
    assert (False, False) == is_resilvering(pool())
    assert (True, False) == is_resilvering(pool(scan_stats=SCRUB))
    assert (True, True) == is_resilvering(pool(scan_stats={**SCRUB, "function": "RESILVER"}))


def test_a_removal_that_is_over_is_of_a_number_and_one_that_runs_of_a_name() -> None:
    stats = {"name": "/dev/sdb1", "removing_vdev": 1, "start_time": 5, "copied": 25, "to_copy": 100}

    (running,) = read_activities(pool(removal_stats={**stats, "state": "SCANNING"}))
    (over,) = read_activities(pool(removal_stats={**stats, "state": "FINISHED", "end_time": 9}))

    assert PoolActivity("removal", "sdb", "active", 25.0, 5) == running
    assert PoolActivity("removal", "vdev 1", "finished", 100.0, 5, 9) == over


def test_an_expansion_waits_for_a_resilver() -> None:
    stats = {"name": "raidz1", "expanding_vdev": 0, "state": "SCANNING", "reflowed": 1, "to_reflow": 2}

    (going,) = read_activities(pool(raidz_expand_stats=stats))
    (waiting,) = read_activities(pool(raidz_expand_stats={**stats, "waiting_for_resilver": 1}))

    assert ("raidz1-0", "active", 50.0) == (going.vdev, going.state, going.percent)
    assert "suspended" == waiting.state


def test_a_checkpoint_exists_or_is_being_discarded() -> None:
    kept = pool(checkpoint_stats={"state": "EXISTS", "space": 7, "start_time": 9})
    going = pool(checkpoint_stats={"state": "DISCARDING", "space": 7})

    assert (7, 9) == read_checkpoint(kept)
    assert [] == list(read_activities(kept))
    assert (None, None) == read_checkpoint(going)
    assert [PoolActivity("checkpoint_discard", None, "active")] == list(read_activities(going))
