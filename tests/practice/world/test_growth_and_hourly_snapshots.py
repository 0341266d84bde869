"""Pools fill, and hourly snapshots come and go."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import run
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.io.io_simulation import Simulation

EPOCH = 1_795_219_200.0


def test_a_pool_fills_slowly_and_the_books_stay_right() -> None:
    world = demo_world(EPOCH)
    pool = world.pools["bulk"]
    before = pool.allocated, pool.datasets["bulk/backup/pbs"].referenced
    simulation = Simulation(world)

    simulation.advance(100.0)

    grown = pool.datasets["bulk/backup/pbs"].referenced - before[1]
    assert 0 < grown
    assert pool.allocated - before[0] == pytest.approx(grown * 512 / pool.root.children[0].ratio, rel=0.01)
    used, available = run(world, "zfs list -Hp -o used,avail bulk").stdout.split()
    assert pool.usable == int(used) + int(available)


def test_hourly_snapshots_come_and_the_oldest_go() -> None:
    world = demo_world(EPOCH)
    simulation = Simulation(world)
    before = run(world, "zfs list -H -o name -t snapshot tank/home/anna").stdout.splitlines()

    simulation.advance(3600.0)

    after = run(world, "zfs list -H -o name -t snapshot tank/home/anna").stdout.splitlines()
    assert len(before) == len(after)
    assert "tank/home/anna@autosnap_2026-11-21_01:00:00_hourly" in after
    assert 'history_internal_name = "destroy"' in run(world, "zpool events -v").stdout
