"""The pools of the demonstration host as time goes by."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import run
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.io.io_simulation import Simulation

EPOCH = 1_795_219_200.0


def test_the_resilver_of_the_demonstration_moves_on_and_ends_with_the_spare_in_use() -> None:
    world = demo_world(EPOCH)
    simulation = Simulation(world)
    scan = world.pools["vault"].scan
    assert scan is not None
    issued = scan.issued
    spare = world.pools["vault"].spares[0]

    simulation.advance(60.0)
    assert issued < scan.issued
    assert spare.meter.write_bytes == pytest.approx(scan.issued - issued, rel=0.05)
    for _ in range(20):
        simulation.advance(world.elapsed + 60)

    assert "FINISHED" == scan.state
    text = run(world, "zpool status vault").stdout
    assert "  scan: resilvered 3." in text
    assert "INUSE     currently in use" in text
    assert "status: One or more devices are faulted in response to persistent errors.\n" in text
    assert "sysevent.fs.zfs.resilver_finish" in run(world, "zpool events").stdout
    written = spare.meter.write_bytes
    simulation.advance(world.elapsed + 30)
    assert spare.meter.write_bytes - written < 30 * 50e6
