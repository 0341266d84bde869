"""The host of the exercises before anything happens."""

from __future__ import annotations

import pytest

from tests.practice.exercises.learner import EPOCH
from tests.practice.laboratory import run
from zconsole.practice.exercises.catalogue import SCRIPTS
from zconsole.practice.exercises.exercise_starting_world import shelf_world
from zconsole.practice.exercises.starting_shelf_and_timed_faults import Script


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_pool_is_healthy_and_each_disk_is_in_its_bay(script: Script) -> None:
    world = shelf_world(script, EPOCH)

    assert "all pools are healthy\n" == run(world, "zpool status -x").stdout
    bays = [disk.bay for disk in world.disks if disk.is_present and disk.bay is not None]
    assert sorted(int(word) for word in script.layout.split() if word.isdigit()) == sorted(bays)
    assert [serial for serial, _ in script.table] == [d.serial for d in world.disks if not d.is_present]
    assert len(world.disks) == len({disk.kname for disk in world.disks})
    assert "spares" in run(world, "zpool status").stdout or not script.has_spare
