"""`zpool status` of the practice host stands beside what OpenZFS 2.4 printed."""

from __future__ import annotations

import json
import re

import pytest

from tests.conftest import CAPTURES
from tests.practice.laboratory import captured, mirrors, run
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.world.scan_trim_removal_expansion_states import LeafActivity
from zconsole.practice.world.vdev_states_and_drive_unplugging import set_state


@pytest.mark.parametrize(
    ("file", "command"),
    [("zpool_status_v.txt", "zpool status -v"), ("zpool_status_vPsit.txt", "zpool status -vPsit")],
)
def test_the_text_is_the_same_to_the_byte(file: str, command: str) -> None:
    assert captured(file) == run(mirrors(), command).stdout


def test_the_order_of_flags_does_not_matter() -> None:
    expected = run(mirrors(), "zpool status -vPsit").stdout

    assert expected == run(mirrors(), "zpool status -t -is tank -Pv").stdout


def test_exact_counts_are_printed_of_every_vdev_not_of_disks_only() -> None:
    """A blank of slow I/Os is a dash for people, and 0 where `-p` asks for numbers."""
    rounded = run(mirrors(), "zpool status -s tank").stdout
    exact = run(mirrors(), "zpool status -sp tank").stdout

    assert re.search(r"mirror-0 +ONLINE +0 +0 +0 +-\n", rounded)
    assert re.search(r"mirror-0 +ONLINE +0 +0 +0 +0\n", exact)


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


def test_several_pools_stand_one_below_the_other() -> None:
    text = run(demo_world(1_795_219_200.0), "zpool status tank bulk").stdout

    assert text.index("pool: tank") < text.index("\n\n  pool: bulk")


def test_another_hostid_than_that_of_the_import_is_told() -> None:
    """check_status of libzfs_status.c: behind a resilver, before all else."""
    world = mirrors()
    world.hostid += 2

    said = run(world, "zpool status tank").stdout

    assert "status: Mismatch between pool hostid and system hostid on imported pool.\n" in said
    assert "ZFS-8000-EY" in said
