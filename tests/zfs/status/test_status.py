"""What only the JSON of `zpool status` can look like, and which of the two is asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Count, Pool, PoolActivity, Scan, VdevProgress
from zconsole.zfs.status.status import parse_status, parse_status_json, status, status_text

SCAN = {
    "function": "SCRUB",
    "state": "SCANNING",
    "start_time": 100,
    "end_time": 0,
    "to_examine": 1000,
    "examined": 900,
    "skipped": 200,
    "processed": 5,
    "errors": 1,
    "scrub_pause": 0,
    "issued": 400,
}


def output_of(leaf: dict[str, Any] | None = None, **more: Any) -> bytes:
    """The JSON of a pool of one disk, with other or further keys."""
    disk = {"name": "sdb", "vdev_type": "disk", "guid": 7, "state": "ONLINE", **(leaf or {})}
    root = {"name": "tank", "vdev_type": "root", "state": "ONLINE", "vdevs": {"sdb": disk}}
    pool = {"name": "tank", "state": "ONLINE", "pool_guid": 9, "vdevs": {"tank": root}, **more}
    return json.dumps({"pools": {"tank": pool}}).encode()


def pool_of(leaf: dict[str, Any] | None = None, **more: Any) -> Pool:
    (pool,) = parse_status_json(output_of(leaf, **more))
    return pool


def test_json_is_asked_for_where_there_is_some() -> None:
    new, old = ZfsVersion("zfs-2.3.0-1"), ZfsVersion("zfs-2.2.7-2")

    assert ("zpool", "status", "-j", "--json-int", "-vsitP", "tank") == status("tank", version=new).argv
    assert ("zpool", "status", "-vsitpP", "tank") == status("tank", version=old).argv
    assert status("tank", version=old) == status_text("tank")


def test_the_answer_is_read_as_it_was_asked_for() -> None:
    text = b"  pool: tank\n state: UNAVAIL\nconfig: The configuration cannot be determined.\n"

    assert (Pool("tank", "UNAVAIL"),) == parse_status(text, ZfsVersion("zfs-2.1.11"))
    assert (Pool("tank", "UNAVAIL"),) == parse_status(text, ZfsVersion("zfs-2.4.4"))
    assert "tank" == parse_status(output_of(), ZfsVersion("zfs-2.4.4"))[0].name


def test_what_json_leaves_out_is_unknown() -> None:
    pool = pool_of()

    assert (None, None, None) == (pool.error_count, pool.size_bytes, pool.read_errors)
    assert (None, None, None) == (pool.vdevs[0].slow_ios, pool.vdevs[0].path, pool.vdevs[0].size_bytes)
    assert None is pool.scan


def test_no_pool_is_an_empty_answer() -> None:
    assert () == parse_status_json(b'{"pools": {}}')


def test_unknown_keys_are_passed_over_and_unknown_words_kept() -> None:
    pool = pool_of({"state": "HIBERNATING", "mood": {"is": [1, None]}}, weather=[{}], outlook={"a": 1})

    assert "HIBERNATING" == pool.vdevs[0].state


def test_a_class_of_a_newer_zfs_is_kept() -> None:
    nursery = {"sdc": {"name": "sdc", "vdev_type": "disk", "state": "ONLINE"}}

    assert ["data", "nursery"] == [vdev.vdev_class for vdev in pool_of(nursery=nursery).vdevs]


@pytest.mark.parametrize("words", ["DEGRADED_POOL", "One or more devices.\n\tAnd so on.\n"])
def test_the_status_may_be_a_word_or_prose(words: str) -> None:
    assert " ".join(words.split()) == pool_of(status=words).status


def test_numbers_and_dates_may_be_strings() -> None:
    scan = {name: value if isinstance(value, str) else str(value) for name, value in SCAN.items()}
    scan |= {"start_time": "Fri Nov 20 23:52:16 2026", "end_time": "-", "to_examine": "1K"}

    pool = pool_of({"checksum_errors": "1.10K", "read_errors": "-"}, scan_stats=scan, error_count="7")

    assert Count(1126, is_rounded=True) == pool.vdevs[0].checksum_errors
    assert None is pool.vdevs[0].read_errors
    assert 7 == pool.error_count
    assert pool.scan is not None
    assert (1795218736, None, 1024) == (pool.scan.start, pool.scan.end, pool.scan.to_examine_bytes)


@pytest.mark.parametrize(
    ("changes", "scan"),
    [
        ({}, Scan("scrub", "scanning", 100, None, 50.0, 1000, 900, 400, 800, 5, 1)),
        ({"scrub_pause": 150}, Scan("scrub", "paused", 100, None, 50.0, 1000, 900, 400, 800, 5, 1)),
        (
            {"state": "FINISHED", "end_time": 200},
            Scan("scrub", "finished", 100, 200, 100.0, 1000, 900, 400, 800, 5, 1),
        ),
        (
            {"function": "RESILVER", "state": "CANCELED", "end_time": 200},
            Scan("resilver", "canceled", 100, 200, None, 1000, 900, 400, 800, 5, 1),
        ),
        ({"to_examine": 200}, Scan("scrub", "scanning", 100, None, None, 200, 900, 400, 0, 5, 1)),
        ({"state": "DREAMING"}, Scan("scrub", "dreaming", 100, None, None, 1000, 900, 400, 800, 5, 1)),
        ({"function": "NONE", "state": "NONE"}, None),
    ],
)
def test_a_scan_is_told_in_every_form(changes: dict[str, Any], scan: Scan | None) -> None:
    assert scan == pool_of(scan_stats=SCAN | changes).scan


def test_a_scrub_of_errors_that_runs_outranks_a_scrub_that_is_over() -> None:
    errors = {
        "err_scrub_func": "ERRORSCRUB",
        "err_scrub_state": "ERRORSCRUBBING",
        "err_scrub_start_time": 300,
        "err_scrub_end_time": 0,
        "err_scrub_examined": 1,
        "err_scrub_to_examine": 3,
        "err_scrub_pause": 0,
    }

    scan = pool_of(scan_stats=SCAN | {"state": "FINISHED", "end_time": 200} | errors).scan

    assert Scan("error scrub", "scanning", 300, None, 25.0) == scan


def test_a_sequential_resilver_is_told_by_its_scanned_bytes() -> None:
    rebuild = {
        "state": "ACTIVE",
        "start_time": 300,
        "scanned": 90,
        "issued": 30,
        "rebuilt": 10,
        "to_scan": 100,
        "pass_skipped": 20,
    }
    over = SCAN | {"state": "FINISHED", "end_time": 200}

    scan = pool_of(scan_stats=over | {"rebuild_stats": {"mirror-0": {**rebuild, "errors": 0}}}).scan

    assert Scan("resilver", "scanning", 300, None, 90.0, 100, 90, 30, 80, 10, 0) == scan


@pytest.mark.parametrize(
    ("key", "stats", "activity"),
    [
        (
            "removal_stats",
            {
                "name": "mirror-1",
                "state": "SCANNING",
                "removing_vdev": 1,
                "start_time": 5,
                "copied": 1,
                "to_copy": 4,
            },
            PoolActivity("removal", "mirror-1", "active", 25.0, 5),
        ),
        (
            "removal_stats",
            {"name": "mirror-1", "state": "CANCELED", "removing_vdev": 1, "start_time": 5, "end_time": 6},
            PoolActivity("removal", "mirror-1", "canceled", None, 5, 6),
        ),
        (
            "raidz_expand_stats",
            {
                "name": "raidz1",
                "state": "SCANNING",
                "expanding_vdev": 3,
                "reflowed": 1,
                "to_reflow": 2,
                "waiting_for_resilver": 1,
            },
            PoolActivity("raidz_expand", "raidz1-3", "suspended", 50.0),
        ),
        (
            "checkpoint_stats",
            {"state": "DISCARDING", "space": 5},
            PoolActivity("checkpoint_discard", None, "active"),
        ),
    ],
)
def test_an_activity_is_told_in_every_form(key: str, stats: dict[str, Any], activity: PoolActivity) -> None:
    pool = pool_of(**{key: stats})

    assert (activity,) == pool.activities
    assert None is pool.checkpoint_bytes


def test_an_initialize_that_is_under_way_is_an_activity_of_the_pool_too() -> None:
    leaf = {
        "init_state": "SUSPENDED",
        "initialized": 1,
        "to_initialize": 4,
        "init_time": 9,
        "trim_state": "COMPLETE",
    }

    pool = pool_of(leaf)

    assert (PoolActivity("initialize", "sdb", "suspended", 25.0, 9),) == pool.activities
    assert VdevProgress("trim", "complete", 100.0) == pool.vdevs[0].activities[1]


@pytest.mark.parametrize(
    ("leaf", "note"),
    [
        ({"aux": "EXTERNAL"}, "external device fault"),
        ({"aux": "SPARED"}, "currently in use"),
        ({"aux": "SPARED", "used_by": "bulk"}, "in use by pool 'bulk'"),
        ({"aux": "SOMETHING_NEW"}, "SOMETHING_NEW"),
        ({"aux": "NONE"}, ""),
        ({"not_present": 1, "was": "/dev/sdb1"}, "was /dev/sdb1"),
        ({"configured_ashift": 9, "physical_ashift": 12}, "block size: 512B configured, 4096B native"),
        ({"noalloc": 1}, "(non-allocating)"),
        ({"noalloc": 1, "removing": 1}, ""),
        ({"scan_processed": 4}, ""),
    ],
)
def test_a_note_is_in_the_words_of_the_text(leaf: dict[str, Any], note: str) -> None:
    assert note == pool_of(leaf).vdevs[0].note


@pytest.mark.parametrize(
    ("function", "leaf", "note", "is_resilvering"),
    [
        ("RESILVER", {"scan_processed": 4, "resilver_deferred": 1}, "", True),
        ("RESILVER", {"resilver_deferred": 1}, "(awaiting resilver)", False),
        ("RESILVER", {"scan_processed": 4, "state": "DEGRADED"}, "", True),
        ("RESILVER", {"scan_processed": 4, "state": "OFFLINE"}, "", False),
        ("RESILVER", {"scan_processed": 4, "state": "FAULTED"}, "", False),
        ("RESILVER", {"resilver_deferred": 1, "state": "CANT_OPEN"}, "", False),
        ("SCRUB", {"scan_processed": 4}, "(repairing)", False),
        ("SCRUB", {"scan_processed": 4, "resilver_deferred": 1}, "(repairing) (awaiting resilver)", False),
        ("SCRUB", {"scan_processed": 4, "state": "OFFLINE"}, "", False),
    ],
)
def test_what_a_scan_does_to_a_device_is_told_while_it_runs_and_the_device_works(
    function: str, leaf: dict[str, Any], note: str, is_resilvering: bool
) -> None:
    (vdev,) = pool_of(leaf, scan_stats=SCAN | {"function": function}).vdevs

    assert (note, is_resilvering) == (vdev.note, vdev.is_resilvering)


def test_a_device_that_was_put_off_lacks_its_data_though_no_scan_runs() -> None:
    assert "(awaiting resilver)" == pool_of({"resilver_deferred": 1}).vdevs[0].note


@pytest.mark.parametrize(
    ("aux", "state"),
    [
        ("OPEN_FAILED", "UNAVAIL"),
        ("CORRUPT_DATA", "FAULTED"),
        ("BAD_LOG", "FAULTED"),
        ("SPLIT_POOL", "SPLIT"),
    ],
)
def test_an_inner_word_of_zfs_is_told_as_text_tells_it(aux: str, state: str) -> None:
    assert state == pool_of({"state": "CANT_OPEN", "aux": aux}).vdevs[0].state
    assert "OFFLINE" == pool_of({"state": "CLOSED"}).vdevs[0].state


def test_a_full_path_for_a_name_is_made_the_name_that_zpool_prints() -> None:
    path = "/dev/disk/by-id/wwn-0x5000c500a0000000-part1"

    assert "wwn-0x5000c500a0000000" == pool_of({"name": path, "path": path}).vdevs[0].name
    assert "/srv/disk" == pool_of({"name": "/srv/disk", "path": "/srv/disk"}).vdevs[0].name


def test_a_list_of_errors_that_is_not_to_be_had_is_no_list() -> None:
    pool = pool_of(error_count=3, errlist="List of errors unavailable: permission denied")

    assert (3, ()) == (pool.error_count, pool.error_files)


def test_a_name_that_is_no_utf8_is_kept_apart_from_others() -> None:
    output = output_of(errlist=["/tank/X", "/tank/Y"]).replace(b"X", b"\xff").replace(b"Y", b"\xfe")

    (pool,) = parse_status_json(output)

    assert (r"/tank/\xff", r"/tank/\xfe") == pool.error_files


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (b"", "truncated"),
        (b"[]", "expected an object"),
        (b"{}", "output.pools: expected an object"),
        (b'{"pools": []}', "output.pools: expected an object"),
        (b'{"pools": {"tank": 3}}', "output.pools.tank: expected an object"),
        (b'{"pools": {"tank": {"state": "ONLINE"}}}', "output.pools.tank.name: expected a string"),
        (b'{"pools": {"tank": {"name": "tank"}}}', "output.pools.tank.vdevs: expected the vdev tree"),
        (b"[" * 100_000, "zpool status"),
        (output_of({"guid": "x"}), "vdevs.sdb.guid: expected a number"),
        (output_of({"guid": -1}), "vdevs.sdb.guid: expected a number"),
        (output_of({"guid": True}), "vdevs.sdb.guid: expected a number"),
        (output_of({"guid": 1.5}), "vdevs.sdb.guid: expected a number"),
        (output_of({"state": 1}), "vdevs.sdb.state: expected a string"),
        (output_of({"read_errors": "many"}), "vdevs.sdb.read_errors: expected a number"),
        (output_of({"read_errors": []}), "vdevs.sdb.read_errors: expected a number"),
        (output_of({"vdevs": [1]}), "vdevs.sdb.vdevs: expected an object"),
        (output_of(errlist=[1]), "tank.errlist: expected a list of strings"),
        (output_of(errlist={}), "tank.errlist: expected a list of strings"),
        (output_of(scan_stats=[]), "tank.scan_stats: expected an object"),
        (output_of(scan_stats={"function": "SCRUB", "start_time": "soon"}), "start_time: expected a date"),
    ],
)
def test_a_value_of_the_wrong_kind_is_an_error_that_says_where(output: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_status_json(output)


def test_a_tree_without_end_is_an_error() -> None:
    leaf: dict[str, Any] = {"name": "sdb", "vdev_type": "disk", "state": "ONLINE"}
    for _ in range(40):
        leaf = {"name": "spare-0", "vdev_type": "spare", "state": "ONLINE", "vdevs": {"x": leaf}}

    with pytest.raises(ParseError, match="nested too deeply"):
        parse_status_json(output_of({"vdevs": {"x": leaf}}))
