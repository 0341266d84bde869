"""`zpool status` of the practice host stands beside what OpenZFS 2.4 printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.conftest import CAPTURES
from tests.practice.laboratory import captured, mirrors, ordered, run
from zconsole.practice import World, create_world
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.world import pool_health
from zconsole.practice.world.background_work import LeafActivity, PracticeScan
from zconsole.practice.world.vdev_states import set_state
from zconsole.practice.zpool_show.scan_text import scan_text

STATES = sorted(
    path.parent
    for path in (CAPTURES / "2.4").glob("*/zpool_status.json")
    if path.stat().st_size and (path.parent / "zpool_status_v.txt").exists()
)
VOLATILE = ("guid", "alloc_space")


@pytest.mark.parametrize(
    ("file", "command"),
    [("zpool_status_v.txt", "zpool status -v"), ("zpool_status_vPsit.txt", "zpool status -vPsit")],
)
def test_the_text_is_the_same_to_the_byte(file: str, command: str) -> None:
    assert captured(file) == run(mirrors(), command).stdout


def test_the_order_of_flags_does_not_matter() -> None:
    expected = run(mirrors(), "zpool status -vPsit").stdout

    assert expected == run(mirrors(), "zpool status -t -is tank -Pv").stdout


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("zpool_status.json", "zpool status -j --json-int -vsit"),
        ("zpool_status_flat.json", "zpool status -j --json-int --json-flat-vdevs -vs"),
    ],
)
def test_the_json_has_the_same_members_in_the_same_order_with_the_same_values(
    file: str, command: str
) -> None:
    expected = ordered(captured(file))

    got = ordered(run(mirrors(), command).stdout)

    assert [path for path, _ in expected] == [path for path, _ in got]
    for (path, value), (_, ours) in zip(expected, got, strict=True):
        assert type(value) is type(ours), path
        if not path.endswith(VOLATILE):
            assert value == ours, path


def test_exact_counts_are_printed_of_every_vdev_not_of_disks_only() -> None:
    """A blank of slow I/Os is a dash for people, and 0 where `-p` asks for numbers."""
    rounded = run(mirrors(), "zpool status -s tank").stdout
    exact = run(mirrors(), "zpool status -sp tank").stdout

    assert re.search(r"mirror-0 +ONLINE +0 +0 +0 +-\n", rounded)
    assert re.search(r"mirror-0 +ONLINE +0 +0 +0 +0\n", exact)


def test_a_new_pool_holds_metadata_on_its_special_vdev_and_nothing_elsewhere() -> None:
    """What nothing is allocated on has no such member, and no feature is active for want of use."""
    world = create_world("mirror 0 1 special mirror 2 3 log 4 cache 5")

    members = dict(ordered(run(world, "zpool status -j tank").stdout))

    allocated = [path.rsplit("/", 2)[1] for path in members if path.endswith("/alloc_space")]
    assert ["tank", "mirror-1"] == allocated
    assert "\tenabled\t" in run(world, "zpool get -Hp feature@bookmarks tank").stdout
    assert "\tactive\t" in run(world, "zpool get -Hp feature@allocation_classes tank").stdout


def test_json_without_json_int_writes_numbers_as_text() -> None:
    text = json.loads(run(mirrors(), "zpool status -j").stdout)
    exact = json.loads(run(mirrors(), "zpool status -jp").stdout)

    assert "22.5G" == text["pools"]["tank"]["vdevs"]["tank"]["total_space"]
    assert "24159191040" == exact["pools"]["tank"]["vdevs"]["tank"]["total_space"]


@pytest.mark.parametrize("folder", STATES, ids=lambda folder: folder.name)
def test_every_paragraph_that_zfs_writes_of_these_conditions_is_known(folder: Path) -> None:
    """The words of the captures are the words of the practice host, to the byte."""
    known = {
        (words.status, words.action, words.message)
        for words in vars(pool_health).values()
        if isinstance(words, pool_health.StatusAdvice)
    }
    known_states = {words[0] for words in known}

    for pool in json.loads(captured("zpool_status.json", folder))["pools"].values():
        if pool.get("status") in known_states:
            assert (pool["status"], pool["action"], pool.get("msgid")) in known


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


def test_a_spare_at_work_stands_in_both_places_and_the_resilver_is_told_first() -> None:
    world = demo_world(1_795_219_200.0)

    text = run(world, "zpool status vault").stdout

    assert "status: One or more devices is currently being resilvered." in text
    assert "\t    spare-1                              DEGRADED     0     0     0\n" in text
    assert "FAULTED     14   486     0  too many errors\n" in text
    assert "ONLINE       0     0     0  (resilvering)\n" in text
    assert "INUSE     currently in use\n" in text


def test_an_offline_disk_degrades_what_stands_above_it() -> None:
    world = mirrors()
    pool = world.pools["tank"]
    set_state(world, pool, pool.root.children[0].children[1], "OFFLINE")

    text = run(world, "zpool status -v").stdout

    expected = captured("zpool_status_v.txt", CAPTURES / "2.4" / "disk-offline").split("\n")
    for line in expected:
        if line.startswith(("status:", "action:", "\t  mirror-0", "\t    wwn-0x5000c500a0000001")):
            assert line in text.split("\n")


def test_a_healthy_pool_is_called_so_when_only_problems_are_asked_for() -> None:
    assert "all pools are healthy\n" == run(mirrors(), "zpool status -x").stdout
    assert "pool 'tank' is healthy\n" == run(mirrors(), "zpool status -x tank").stdout


def test_trims_and_initializes_are_told_when_asked_for() -> None:
    world = mirrors()
    leaf = world.pools["tank"].root.children[0].children[0]
    leaf.trim = LeafActivity("ACTIVE", done=11, total=100, at=1795218982)
    leaf.initialize = LeafActivity("COMPLETE", done=100, total=100, at=1795218982)

    row = run(world, "zpool status -it").stdout.split("\n")[7]

    assert "(100% initialized, completed at Fri Nov 20 23:56:22 2026)" in row
    assert "(11% trimmed, started at Fri Nov 20 23:56:22 2026)" in row


def test_a_disk_that_spins_cannot_be_trimmed() -> None:
    world = demo_world(1_795_219_200.0)
    document = json.loads(run(world, "zpool status -j --json-int -t bulk").stdout)

    disk = next(iter(document["pools"]["bulk"]["vdevs"]["bulk"]["vdevs"]["raidz2-0"]["vdevs"].values()))

    assert (1, None) == (disk["trim_notsup"], disk.get("trim_state"))
    assert "ONLINE       0     0     0  (trim unsupported)\n" in run(world, "zpool status -t bulk").stdout


def test_guids_and_device_names_replace_names_when_asked_for() -> None:
    world = mirrors()
    mirror = world.pools["tank"].root.children[0]

    assert f"\t  {mirror.guid}" in run(world, "zpool status -g").stdout
    assert "\t    sda " in run(world, "zpool status -L").stdout
    assert "\t    /dev/sda1 " in run(world, "zpool status -LP").stdout


def test_errors_are_counted_and_listed() -> None:
    world = mirrors()
    pool = world.pools["tank"]
    pool.error_count, pool.error_files = 2, ["/tank/a", "tank/b:<0x1>"]

    assert "errors: 2 data errors, use '-v' for a list\n" in run(world, "zpool status").stdout
    listed = run(world, "zpool status -v").stdout
    assert listed.endswith("following files:\n\n        /tank/a\n        tank/b:<0x1>\n")
    document = json.loads(run(world, "zpool status -j --json-int -v").stdout)
    assert 2 == document["pools"]["tank"]["error_count"]
    assert ["/tank/a", "tank/b:<0x1>"] == document["pools"]["tank"]["errlist"]


def test_a_raidz_reports_the_share_of_each_disk() -> None:
    """The sizes of a real raidz2 of six, to the byte."""
    expected = dict(ordered(captured("zpool_status.json", CAPTURES / "2.4" / "raidz2-healthy")))

    got = dict(ordered(run(_raidz2(), "zpool status -j --json-int -vsit").stdout))

    assert list(expected) == list(got)
    for path, value in expected.items():
        if path.endswith(("total_space", "def_space", "rep_dev_size", "phys_space")):
            assert value == got[path], path


def _raidz2() -> World:
    return create_world("raidz2 0 1 2 3 4 5", pool="bulk")


def test_several_pools_stand_one_below_the_other() -> None:
    text = run(demo_world(1_795_219_200.0), "zpool status tank bulk").stdout

    assert text.index("pool: tank") < text.index("\n\n  pool: bulk")
