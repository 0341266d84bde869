"""What becomes of new vdevs in a pool."""

from __future__ import annotations

from zconsole.practice import create_world
from zconsole.practice.world.new_pools_and_vdevs import FRESH, Spec, enlist, use_first
from zconsole.practice.world.pools_and_vdevs import PracticeVdev


def test_a_new_vdev_gets_the_number_of_one_that_is_gone() -> None:
    world = create_world("mirror 0 1 mirror 2 3 mirror 4 5", disks=6)
    pool = world.pools["tank"]
    gone = pool.root.children.pop(1)

    enlist(world, pool, Spec(tops=[PracticeVdev("mirror", world.guid(), children=gone.children)]))

    assert [0, 1, 2] == [top.vdev_id for top in pool.root.children]


def test_the_metadata_of_a_new_pool_is_on_its_special_vdev() -> None:
    world = create_world("mirror 0 1 special mirror 2 3", disks=4)
    pool = world.pools["tank"]
    for top in pool.root.children:
        top.allocated = 0

    use_first(pool)

    assert {"normal": 0, "special": FRESH} == {top.vdev_class: top.allocated for top in pool.root.children}
