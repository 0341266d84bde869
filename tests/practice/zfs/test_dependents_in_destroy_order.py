"""What depends on a dataset comes in the order in which ZFS destroys it."""

from __future__ import annotations

from tests.practice.zfs.stage import Stage, golden_image
from zconsole.practice.zfs.dataset_lookup import name_of
from zconsole.practice.zfs.dependents_in_destroy_order import dependents


def test_the_dependents_of_an_image_are_those_that_a_real_host_listed() -> None:
    """The order in which a real `zfs destroy -r` named them."""
    stage = golden_image()
    real = (
        "tank/vm1-test",
        "tank/vm1@patched",
        "tank/vm1",
        "tank/vm3",
        "tank/vm2",
        "tank/images@gold",
    )

    found = [name_of(each) for each in dependents(stage.pool, stage.dataset("tank/images"))]

    assert ["tank/images@daily-1", "tank/images@daily-2", *real] == found


def test_children_come_before_the_snapshots_of_their_parent() -> None:
    stage = Stage("zfs create tank/a", "zfs create tank/a/b", "zfs snapshot -r tank/a@s")

    assert ["tank/a/b@s", "tank/a/b", "tank/a@s"] == [
        name_of(each) for each in dependents(stage.pool, stage.dataset("tank/a"))
    ]


def test_what_is_destroyed_meanwhile_is_not_met() -> None:
    stage = Stage("zfs create tank/a", "zfs create tank/a/b", "zfs create tank/a/c")
    walk = dependents(stage.pool, stage.dataset("tank/a"))

    first = name_of(next(walk))
    stage.does("zfs destroy tank/a/c")

    assert ("tank/a/b", []) == (first, [name_of(each) for each in walk])
