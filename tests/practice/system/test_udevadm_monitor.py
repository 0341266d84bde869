"""udev's events of the practice host: of the time since the last look, each once."""

from __future__ import annotations

from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.system.udevadm_monitor import DiskEvents


def test_a_disk_that_goes_and_comes_is_told_once() -> None:
    world = create_world("mirror 0 1")
    world.disk_events.append(("add", "sdz"))
    events = DiskEvents(world)
    assert "" == events.news(), "it was there before"

    world.disk_events += [("remove", "sda"), ("add", "sda")]

    first, second = events.news().splitlines()
    assert first.endswith("remove   /devices/practice/block/sda (block)")
    assert second.endswith("add      /devices/practice/block/sda (block)")
    assert "" == events.news()
