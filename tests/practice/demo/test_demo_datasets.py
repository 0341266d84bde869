"""The datasets of the demonstration host."""

from __future__ import annotations

from tests.practice.laboratory import run
from zconsole.practice.demo.demo_datasets import HOSTILE
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.world.host_world import World

EPOCH = 1_795_219_200.0


def test_hostile_text_reaches_the_other_side_unchanged() -> None:
    """The practice host must not clean what a real host would not."""
    world = demo_world(EPOCH)

    value = run(world, "zfs get -Hp -o value com.example:note tank/scratch").stdout

    assert HOSTILE + "\n" == value
    assert "\x1b" in value


def test_the_accounts_of_the_demonstration_add_up() -> None:
    """Children, snapshots and the dataset itself are what is used; the pool has room for all of it."""
    for pool in demo_world(EPOCH).pools.values():
        world = demo_world(EPOCH)
        parts = "usedbydataset,usedbysnapshots,usedbychildren,usedbyrefreservation"
        rows = _rows(run(world, f"zfs list -Hp -o name,used,{parts},avail -r {pool.name}").stdout)
        for name, used, *rest in rows:
            assert int(used) == sum(map(int, rest[:4])), name
            assert 0 <= int(rest[4])
        usable = world.pools[pool.name].usable
        assert usable == int(rows[0][1]) + int(rows[0][6])


def test_the_demonstration_holds_thousands_of_snapshots_and_clones_of_clones() -> None:
    world = demo_world(EPOCH)

    snapshots = run(world, "zfs list -H -t snapshot -o name").stdout.splitlines()
    origins = dict(_rows(run(world, "zfs list -H -o name,origin -t all").stdout))

    assert 3000 < len(snapshots) < 6000
    clones = [name for name, origin in origins.items() if origin != "-"]
    assert any(origins[name].partition("@")[0] in clones for name in clones)


def _rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.split("\n") if line]


def test_a_plan_that_one_program_saves_is_of_the_objects_that_the_next_one_has() -> None:
    """Both start the demonstration on one day, minutes apart: identities, and times in seconds, are equal."""
    one, other = (demo_world(EPOCH + 36_300.0 + more) for more in (0.0, 840.0))

    assert _identities(one) == _identities(other)
    assert len(_identities(one)) > 2000


def _identities(world: World) -> set[tuple[str, int, int, int]]:
    return {
        (dataset.name, each.guid, each.createtxg, int(each.creation))
        for pool in world.pools.values()
        for dataset in pool.datasets.values()
        for each in (dataset, *dataset.snapshots)
    }
