"""The names of vdevs with -g, -L and -P."""

from __future__ import annotations

from tests.practice.laboratory import mirrors, run


def test_guids_and_device_names_replace_names_when_asked_for() -> None:
    world = mirrors()
    mirror = world.pools["tank"].root.children[0]

    assert f"\t  {mirror.guid}" in run(world, "zpool status -g").stdout
    assert "\t    sda " in run(world, "zpool status -L").stdout
    assert "\t    /dev/sda1 " in run(world, "zpool status -LP").stdout
