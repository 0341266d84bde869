"""Clearing labels of devices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import (
    aux,
    blank,
    label,
    leaf,
    link,
    mirror,
    planned,
    rules,
    serial,
    used,
    world,
)
from zconsole.views.changes.plan import PlanForm, document
from zconsole.views.layout.styled_text import plain

PAIR = mirror(0, 0, 1)
UNREAD = {"labels_unread": frozenset({f"{link(4)}-part1"})}


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({"labels": ()}, "no-label"),
        ({"labels": None}, "label-unknown"),
        ({"labels": (), **UNREAD}, "label-unknown"),
        ({"labels": (), "labels_barred": UNREAD["labels_unread"], **UNREAD}, "label-unknown"),
        ({"elsewhere": (("backup1", 77),)}, "in-use-elsewhere"),
    ],
)
def test_labels_that_are_not_cleared(values: dict[str, object], rule: str) -> None:
    facts = world(PAIR, disks=[used(4, "bulk")], **{"labels": (label(4),), **values})

    assert [rule] == rules(planned(facts, "labelclear", serial(4)))


def test_the_label_of_a_device_in_use_is_not_cleared() -> None:
    facts = world(PAIR, aux(2, "spare"), labels=(label(0, "tank"), label(2, "", state="spare")))

    assert "in-use" in rules(planned(facts, "labelclear", serial(0)))
    assert "in-use" in rules(planned(facts, "labelclear", serial(2)))


def test_the_label_of_a_missing_member_is_not_cleared() -> None:
    """The pool has lost sight of it, and waits for it."""
    top = group("mirror-0", leaf(0), leaf(1, "UNAVAIL", path="/dev/disk/by-id/gone-part1"), guid=500)
    facts = world(top, disks=[used(1)])
    facts = replace(facts, labels=(label(1, "tank", pool_guid=facts.pools[0].guid, vdev_guid=1001),))

    assert "still-a-member" in rules(planned(facts, "labelclear", serial(1)))


@pytest.mark.parametrize(("state", "force"), [("destroyed", False), ("exported", True), ("active", True)])
def test_force_is_used_only_where_zfs_asks_for_it(state: str, *, force: bool) -> None:
    facts = world(PAIR, disks=[used(4, "bulk")], labels=(label(4, state=state),))

    made = planned(facts, "labelclear", serial(4))

    assert ([], force) == (rules(made), "-f" in made.steps[0].argv)


@pytest.mark.parametrize(
    ("loses", "values"),
    [
        (
            "all of bulk, which may still be importable: {disk} is its only device",
            {"top_type": "disk", "top_vdevs": 1},
        ),
        (
            "all of bulk, which may still be importable: it cannot be imported without {disk}",
            {"top_type": "disk", "top_vdevs": 2},
        ),
        (
            (
                "{disk} as a device of bulk; all of bulk, if its other devices cannot make up for it "
                "(not checked)"
            ),
            {"top_type": "mirror", "top_vdevs": 1},
        ),
        ("nothing but the role of {disk} as a spare device", {"state": "spare"}),
    ],
)
def test_what_is_lost_with_a_label_is_the_pool_and_not_an_object(
    loses: str, values: dict[str, object]
) -> None:
    facts = world(PAIR, disks=[used(4, "bulk")], labels=(label(4, **values),))

    made = planned(facts, "labelclear", serial(4))
    shown = [plain(each).rstrip() for each in document(made, PlanForm.SHORT)]

    assert (loses.format(disk=link(4)),) == made.loses
    assert f"LOST      {made.loses[0]}" == shown[0]
    assert not any("object" in each for each in shown[:2])


def test_a_disk_without_a_serial_is_told_by_its_world_wide_name() -> None:
    facts = world(PAIR, disks=[used(4, "bulk", serial="")], labels=())
    by_path = "/dev/disk/by-path/pci-0-scsi-0:0:4:0"
    facts = replace(facts, labels=(replace(label(4), path=f"{by_path}-part1"),))

    made = planned(facts, "labelclear", by_path)

    assert ([], blank(4).wwn) == (rules(made), made.target)
