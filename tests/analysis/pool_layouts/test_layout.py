"""Layouts that cannot be wrong."""

from __future__ import annotations

import pytest

from tests.analysis.pool_layouts.made import DRIVE
from zconsole.analysis.pool_layouts.layout import (
    DRAID,
    MIRROR,
    RAIDZ,
    STRIPE,
    Layout,
    PlannedVdev,
    VdevShape,
    draid,
)
from zconsole.base.errors import UsageError


def vdev(shape: VdevShape, vdev_class: str = "data", ashift: int = 12) -> PlannedVdev:
    return PlannedVdev(shape, (DRIVE,) * shape.width, vdev_class, ashift)


@pytest.mark.parametrize(
    ("name", "tolerates", "data_disks", "shape"),
    [
        ("stripe:1", 0, 1, VdevShape(STRIPE, 1)),
        ("mirror:3", 2, 1, VdevShape(MIRROR, 3)),
        ("raidz2:8", 2, 6, VdevShape(RAIDZ, 8, 2)),
        ("draid2:4d:11c:1s", 2, 4, VdevShape(DRAID, 11, 2, 4, 1)),
    ],
)
def test_a_shape_has_its_name_and_its_redundancy(
    name: str, tolerates: int, data_disks: int, shape: VdevShape
) -> None:
    assert (name, tolerates, data_disks) == (shape.name, shape.tolerates, shape.data_disks)


@pytest.mark.parametrize(
    "words",
    [
        (STRIPE, 0), (STRIPE, 2), (MIRROR, 1), (RAIDZ, 2, 2), (RAIDZ, 8, 4), (RAIDZ, 256, 1),
        (DRAID, 11, 0, 4, 1), (DRAID, 11, 2, 0, 1), (DRAID, 256, 2, 4, 1), (DRAID, 200, 2, 4, 101),
        (DRAID, 6, 2, 4, 1),
    ],
)  # fmt: skip
def test_an_impossible_shape_is_refused(words: tuple[str, int]) -> None:
    with pytest.raises(UsageError):
        VdevShape(*words)


@pytest.mark.parametrize(("data", "width"), [(8, 20), (5, 8), (1, 4)])
def test_a_draid_has_groups_of_eight_or_of_all_there_are(data: int, width: int) -> None:
    assert data == draid(2, width, None, 1).data


@pytest.mark.parametrize(
    ("words", "shape", "vdev_class", "ashift"),
    [
        ("is not a class", VdevShape(MIRROR, 2), "fast", 12),
        ("ashift 8", VdevShape(MIRROR, 2), "data", 8),
        ("ashift 17", VdevShape(MIRROR, 2), "data", 17),
        ("a spare is a disk of its own", VdevShape(MIRROR, 2), "spare", 12),
        ("a log is a disk or a mirror", VdevShape(RAIDZ, 3, 1), "log", 12),
    ],
)
def test_a_vdev_that_zfs_does_not_make_is_refused(
    words: str, shape: VdevShape, vdev_class: str, ashift: int
) -> None:
    with pytest.raises(UsageError, match=words):
        vdev(shape, vdev_class, ashift)


def test_each_place_takes_a_drive() -> None:
    with pytest.raises(UsageError, match="mirror:2 takes 2 drives, not 1"):
        PlannedVdev(VdevShape(MIRROR, 2), (DRIVE,))


def test_a_layout_is_named_as_it_is_typed() -> None:
    pair, lone = VdevShape(MIRROR, 2), VdevShape(STRIPE, 1)
    layout = Layout((vdev(pair), vdev(pair), vdev(pair, "special"), vdev(lone, "spare"), vdev(lone, "spare")))

    assert "mirror:2 x2 special mirror:2 spare stripe:2" == layout.name
    assert 8 == layout.drives
    assert 4 * DRIVE.size_bytes == layout.raw_bytes
    assert ["data", "data", "special"] == [each.vdev_class for each in layout.keepers]


def test_a_pool_needs_data() -> None:
    with pytest.raises(UsageError, match="at least one vdev for data"):
        Layout((vdev(VdevShape(MIRROR, 2), "log"),))
