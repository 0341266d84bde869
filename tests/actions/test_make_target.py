"""Pools and vdevs of a screen as targets."""

from __future__ import annotations

from tests.actions.pool.shelf import leaf, mirror, tank
from zconsole.actions.intent import Target, TargetKind
from zconsole.actions.make_target import target_of_pool, target_of_vdev


def test_a_pool_is_its_own_target() -> None:
    assert Target(TargetKind.POOL, "tank", "tank") == target_of_pool("tank")


def test_a_device_and_a_group_of_devices_are_told_apart_and_known_by_guid() -> None:
    group = mirror("ONLINE", "OFFLINE")
    device = leaf("a")

    assert Target(TargetKind.VDEV, "tank", "mirror-0", group.guid) == target_of_vdev(tank(group), group)
    assert Target(TargetKind.LEAF, "tank", "a", device.guid) == target_of_vdev(tank(device), device)
