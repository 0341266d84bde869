"""`zpool status -j` beside real documents."""

from __future__ import annotations

import json

import pytest

from tests.conftest import CAPTURES
from tests.practice.laboratory import captured, mirrors, ordered, run
from zconsole.practice import World, create_world
from zconsole.practice.demo.demo_host import demo_world

VOLATILE = ("guid", "alloc_space")


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


def test_a_disk_that_spins_cannot_be_trimmed() -> None:
    world = demo_world(1_795_219_200.0)
    document = json.loads(run(world, "zpool status -j --json-int -t bulk").stdout)

    disk = next(iter(document["pools"]["bulk"]["vdevs"]["bulk"]["vdevs"]["raidz2-0"]["vdevs"].values()))

    assert (1, None) == (disk["trim_notsup"], disk.get("trim_state"))
    assert "ONLINE       0     0     0  (trim unsupported)\n" in run(world, "zpool status -t bulk").stdout


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
