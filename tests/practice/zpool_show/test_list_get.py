"""`zpool list` and `zpool get` beside real answers."""

from __future__ import annotations

import json

from tests.conftest import CAPTURES
from tests.practice.laboratory import captured, mirrors, ordered, run
from zconsole.practice import create_world


def test_the_pool_list_is_the_same_to_the_byte() -> None:
    """The headings of classes are padded with blanks even for scripts: so they are here."""
    assert captured("zpool_list_Hpv.tsv") == run(mirrors(), "zpool list -Hpv").stdout


def test_the_pool_list_as_json_has_the_same_members_and_values() -> None:
    expected = ordered(captured("zpool_list.json"))

    got = ordered(run(mirrors(), "zpool list -j --json-int -v").stdout)

    assert [path for path, _ in expected] == [path for path, _ in got]
    for (path, value), (_, ours) in zip(expected, got, strict=True):
        if "guid" not in path and "cache" not in path:
            assert value == ours, path


def test_chosen_columns_come_in_their_order_and_under_short_names() -> None:
    expected = captured("zpool_list_Hp_cols.tsv").strip().split("\t")

    columns = "name,size,alloc,free,checkpoint,expandsz,frag,cap,dedup,health,altroot,guid,ashift"
    got = run(mirrors(), f"zpool list -Hp -o {columns}").stdout.strip().split("\t")

    assert expected[:-2] == got[:-2]
    assert expected[-1] == got[-1]


def test_people_get_headers_and_rounded_numbers() -> None:
    header, row = run(mirrors(), "zpool list").stdout.strip().split("\n")

    assert "NAME   SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT" == header
    assert "tank  22.5G   364M  22.1G        -         -     0%     1%  1.00x    ONLINE  -" == row


def test_a_guid_beyond_63_bits_is_clamped_in_json_properties_as_libzfs_does() -> None:
    world = mirrors()
    pool = world.pools["tank"]
    pool.root.guid |= 1 << 63

    document = json.loads(run(world, "zpool get -j --json-int guid").stdout)["pools"]["tank"]

    assert (1 << 63) - 1 == document["properties"]["guid"]["value"]
    assert pool.guid == document["pool_guid"]


def test_a_capture_of_another_raidz_lists_alike() -> None:
    world = create_world("raidz2 0 1 2 3 4 5", pool="bulk")
    world.pools["bulk"].root.children[0].allocated = 238755840

    assert (
        captured("zpool_list_Hpv.tsv", CAPTURES / "2.4" / "raidz2-healthy")
        == run(world, "zpool list -Hpv").stdout
    )
