"""Top-level vdevs are told class by class."""

from __future__ import annotations

from tests.analysis.build import disk, in_class
from zconsole.zfs.status.vdev_class_order import in_class_order


def test_classes_come_in_the_order_of_zpool_status_and_an_unknown_one_last() -> None:
    classes = ("future", "spare", "data", "cache", "log", "data")
    vdevs = [in_class(disk(f"{each}{at}"), each) for at, each in enumerate(classes)]

    names = [each.name for each in in_class_order(vdevs)]

    assert ["data2", "data5"] == names[:2]  # of one class as they were
    assert "future0" == names[-1]
    assert {"log4", "cache3", "spare1"} == set(names[2:5])
