"""The pools of the demonstration host as time goes by."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import run
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.io.io_simulation import Simulation
from zconsole.practice.libvirt.guests import chain

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


def test_the_images_of_a_guest_are_files_of_their_dataset_whose_space_has_them() -> None:
    world = demo_world(EPOCH)
    (on_files,) = [each for each in world.guests if each.name == "mail01"]
    images = list(chain(world.images, on_files.disks[0].source))
    taken = sum(each.allocated_bytes for each in images)

    used = int(run(world, "zfs get -Hp -o value usedbydataset tank/vm/images").stdout)
    sizes = [int(run(world, f"du -sx0 -B1 -- {each.path}").stdout.split("\t")[0]) for each in images]

    assert [each.allocated_bytes for each in images] == pytest.approx(sizes, abs=1 << 13)
    assert 0 <= used - taken < 1 << 20
    assert all(each.allocated_bytes <= each.virtual_bytes for each in images)
