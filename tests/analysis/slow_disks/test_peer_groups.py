"""Which disks are alike: by status and inventory, or by the names of the rows alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import disk, group, in_class, pool
from tests.analysis.slow_disks.streams import AT, IDLE, row, sample
from zconsole.analysis.slow_disks.peer_groups import PeerGroups, inferred_layout, layout_of
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.iostat import IoSample
from zconsole.zfs.iostat.iostat_stream import row_names


def vdevs(layout: PeerGroups) -> dict[str, list[str]]:
    """The disks of each top-level vdev."""
    return {
        layout.members[group[0]].vdev: [layout.members[at].disk for at in group] for group in layout.vdevs
    }


def classes(layout: PeerGroups) -> list[list[str]]:
    return [[layout.members[at].disk for at in group] for group in layout.classes]


def seen(*names: str, tops: tuple[str, ...] = ()) -> IoSample:
    """A sample with these rows; those of `tops` have space of their own."""
    rows = [row(name, IDLE, is_top=name in tops) for name in names]
    return IoSample("tank", AT, tuple(rows))


@pytest.mark.parametrize(
    ("expected", "names"),
    [
        ({"mirror-0": ["a", "b"], "mirror-1": ["c", "d"]}, "mirror-0 a b mirror-1 c d"),
        ({"raidz2-0": ["a", "b", "c", "d"]}, "raidz2-0 a b c d"),
        ({"raidz-0": ["a", "b", "c"]}, "raidz-0 a b c"),
        ({"draid2:4d:8c:1s-0": ["a", "b", "draid2-0-0"]}, "draid2:4d:8c:1s-0 a b draid2-0-0"),
        ({"mirror-0": ["a", "b", "c"]}, "mirror-0 a replacing-1 b c"),
        ({"raidz1-0": ["a", "b", "hot", "c"]}, "raidz1-0 a spare-1 b hot c"),
    ],
)
def test_names_tell_the_tree(expected: dict[str, list[str]], names: str) -> None:
    assert expected == vdevs(inferred_layout(seen("tank", *names.split(), tops=("tank",))))


def test_disks_with_space_of_their_own_are_vdevs_and_each_others_peers() -> None:
    layout = inferred_layout(seen("tank", "a", "b", "c", tops=("tank", "a", "b", "c")))

    assert {"a": ["a"], "b": ["b"], "c": ["c"]} == vdevs(layout)
    assert [["a", "b", "c"]] == classes(layout)


def test_a_lone_disk_behind_a_mirror_is_not_of_it() -> None:
    layout = inferred_layout(seen("tank", "mirror-0", "a", "b", "c", tops=("tank", "mirror-0", "c")))

    assert {"mirror-0": ["a", "b"], "c": ["c"]} == vdevs(layout)


def test_a_blank_line_begins_another_class() -> None:
    names = ("tank", "mirror-0", "a", "b", "mirror-1", "c", "d", "e")
    layout = inferred_layout(seen(*names, tops=("tank", "mirror-0", "mirror-1", "e")), (4, 7))

    assert [["a", "b"], ["c", "d"], ["e"]] == classes(layout)


def test_status_tells_roles_and_the_inventory_kinds() -> None:
    of = pool(
        group("mirror-0", disk("a", path="/dev/a1"), disk("b", path="/dev/b1")),
        in_class(group("mirror-1", disk("c", path="/dev/c1"), disk("d", path="/dev/d1")), "log"),
    )
    disks = Inventory(
        tuple(
            Disk(name, f"/dev/{name}", "disk", is_rotational=rotates, transport=transport,
                 children=(Disk(f"{name}1", f"/dev/{name}1", "part"),))
            for name, rotates, transport in (
                ("a", True, "sata"), ("b", False, "sata"), ("c", False, "nvme"), ("d", False, "nvme"),
            )
        )
    )  # fmt: skip

    layout = layout_of(of, disks, sample(0, row_names(of)[1:], lambda *_: IDLE))

    assert [("a", "data", "HDD"), ("b", "data", "SSD"), ("c", "log", "NVMe"), ("d", "log", "NVMe")] == [
        (member.disk, member.role, member.kind) for member in layout.members
    ]
    assert [["a"], ["b"], ["c", "d"]] == classes(layout)
    assert [("mixed-vdev", "tank mirror-0")] == [(each.id, each.subject) for each in layout.findings]


def test_disks_of_a_model_are_a_class_when_there_are_three() -> None:
    of = pool(group("raidz1-0", *(disk(name, path=f"/dev/{name}") for name in "abcde")))
    disks = Inventory(
        tuple(
            Disk(name, f"/dev/{name}", "disk", is_rotational=True, model="X" if name in "abc" else "Y")
            for name in "abcde"
        )
    )

    layout = layout_of(of, disks, sample(0, row_names(of)[1:], lambda *_: IDLE))

    assert [["a", "b", "c"], ["a", "b", "c", "d", "e"]] == classes(layout)


def test_rows_that_status_does_not_have_are_left_out() -> None:
    of = pool(group("mirror-0", disk("a"), disk("b")))

    layout = layout_of(of, None, sample(0, ("mirror-0", "a", "b", "mirror-1", "x", "y"), lambda *_: IDLE))

    assert ["a", "b"] == [member.disk for member in layout.members]


def test_equal_names_in_a_vdev_are_two_disks() -> None:
    of = pool(group("mirror-0", disk("a"), replace(disk("a"), guid=7)))

    layout = layout_of(of, None, sample(0, ("mirror-0", "a", "a"), lambda *_: IDLE))

    assert (2, 3) == layout.places
