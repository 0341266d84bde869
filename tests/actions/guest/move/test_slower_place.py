"""A move to a pool where the guest's I/O is slower says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.actions.checks.drafts import draft
from tests.analysis.build import disk, group, in_class
from tests.doubles.moving_guests import NEW, MovingGuest
from tests.doubles.plan_worlds import filesystem, host, pool, volume
from tests.doubles.repair_worlds import slow_disk
from tests.doubles.replicating import directly
from zconsole.actions.guest.move.slower_place import warn_of_slower_place
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Pool, Scan, Vdev
from zconsole.model.pools.slow_disk import Judgement
from zconsole.service.prepare_execute_and_recover_plans import Operator

KIB = 1 << 10
SOURCE = volume("tank/web01")  # with blocks of 16 KiB


def top(pool_name: str, kind: str, number: int, **values: object) -> Vdev:
    leaves = [disk(f"{pool_name}{at}", path=f"/dev/{pool_name}{at}") for at in range(number)]
    return group(f"{kind}-0", *leaves, vdev_type=kind, configured_ashift=12, size_bytes=1 << 40, **values)


def facts(
    new: Pool | None = None,
    *,
    rotating: Sequence[str] = (),
    unknown: Sequence[str] = (),
    old: Pool | None = None,
    slow: Sequence[tuple[str, str]] = (),
) -> PlanFacts:
    """Two pools on mirrored disks, tank and bulk; `rotating` are the pools whose disks rotate."""
    pools = (
        old or pool("tank", vdevs=(top("tank", "mirror", 2),)),
        new or pool("bulk", vdevs=(top("bulk", "mirror", 2),)),
    )
    disks = tuple(
        Disk(
            leaf.name,
            f"/dev/{leaf.name}",
            "disk",
            is_rotational=None if each.name in unknown else each.name in rotating,
        )
        for each in pools
        for leaf in each.walk()
        if leaf.is_leaf
    )
    return host(
        [SOURCE, filesystem("tank"), filesystem("bulk")],
        pools=pools,
        inventory=Inventory(disks, ()),
        slow_disks=tuple(slow),
    )


def warned(made: PlanFacts, source: Dataset | None = SOURCE, target: str = "bulk/web01") -> list[str]:
    found = draft()
    warn_of_slower_place(found, source, target, made, made)
    return found.warnings


def test_a_place_like_the_old_one_is_not_warned_of() -> None:
    assert [] == warned(facts())
    assert [] == warned(facts(rotating=("tank", "bulk")))


def test_rotating_disks_instead_of_others() -> None:
    (said,) = warned(facts(rotating=("bulk",)))

    assert said.startswith("the disks of bulk rotate, and those of tank do not: a read that the ARC has not")


def test_faster_disks_and_unknown_ones_are_not_warned_of() -> None:
    assert [] == warned(facts(rotating=("tank",)))
    assert [] == warned(facts(rotating=("bulk",), unknown=("tank",)))
    assert [] == warned(facts(unknown=("bulk",)))


def test_flushes_that_lose_their_log_device() -> None:
    log = in_class(disk("slog", path="/dev/slog"), "log")
    tank = pool("tank", vdevs=(top("tank", "mirror", 2), log))

    (said,) = warned(facts(old=tank, rotating=("tank", "bulk")))

    assert said.startswith("bulk has no log device, and tank has")


def test_mirrors_that_become_a_raidz_read_less_and_small_blocks_take_more() -> None:
    raidz = pool("bulk", vdevs=(top("bulk", "raidz1", 8),), ashift=12)

    reads, space = warned(facts(raidz))

    assert reads.startswith("raidz1-0 of bulk: a read of one block there waits for several disks")
    assert space.startswith("volblocksize=16.0 KiB of tank/web01 is poor on raidz1-0 of bulk: 1 GiB of data")


def test_large_blocks_on_a_raidz_are_about_reads_alone() -> None:
    raidz = pool("bulk", vdevs=(top("bulk", "raidz2", 8),), ashift=12)

    (reads,) = warned(facts(raidz), replace(SOURCE, volblocksize_bytes=128 * KIB))

    assert "a read of one block" in reads


def test_what_was_as_poor_before_is_not_warned_of() -> None:
    both = [pool(name, vdevs=(top(name, "raidz2", 8),), ashift=12) for name in ("tank", "bulk")]

    assert [] == warned(facts(both[1], old=both[0]))


def test_a_slow_disk_and_a_resilver_there() -> None:
    bulk = pool("bulk", vdevs=(top("bulk", "mirror", 2),), scan=Scan("resilver", "scanning"))

    slow, resilver = warned(facts(bulk, slow=[("tank", "tank0"), ("bulk", "bulk1")]))

    assert slow.startswith("bulk1 of bulk is slower than the other disks there at present")
    assert resilver.startswith("bulk is resilvering")


def test_within_one_pool_nothing_becomes_slower() -> None:
    made = facts(rotating=("bulk",), slow=[("tank", "tank0")])

    assert [] == warned(made, target="tank/vm/web01")
    assert [] == warned(made, source=None)


async def test_the_plan_has_the_warning() -> None:
    moving = MovingGuest()
    for leaf in moving.nas_world.pools["tank"].leaves():
        assert leaf.disk is not None
        leaf.disk.rotates = False

    made = await moving.plan("guest-move", "web01", NEW)

    assert [] == [each.rule for each in made.refusals]
    assert any(
        each.startswith("the disks of vault rotate, and those of tank do not") for each in made.warnings
    )


async def test_a_running_console_knows_of_slow_disks_there() -> None:
    moving = MovingGuest()
    verdict = replace(slow_disk(0, "mirror-0"), disk="vault1")
    pools = (PoolState("vault", judgement=Judgement("vault", 60, 2, (verdict,))), PoolState("tank"))
    console = Operator(
        [moving.nas],
        clock=moving.clock,
        policies=moving.policies,
        journal=moving.journal,
        write=directly,
        state_of=lambda host: HostState(host, pools=pools),
    )

    made = await moving.plan("guest-move", "web01", NEW, operator=console)

    assert any(
        each.startswith("vault1 of vault is slower than the other disks there") for each in made.warnings
    )
    assert not any("slower than" in each for each in (await moving.plan("guest-move", "web01", NEW)).warnings)
