"""Plans carried out on the practice host: the tree that it has afterwards is the one that was shown."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan, Risk
from zconsole.base.clock import ManualClock
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import read_version
from zconsole.collect.read_pool_status_and_space import read_pool
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.prepare_plan import prepare
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.practice import PracticeHost, create_world

MIRRORS = "mirror 0 1 mirror 2 3 special mirror 4 5 log 6 cache 7 spare 8"
LONG_S = 100_000.0  # longer than anything that goes on in such small pools


@dataclass
class Bench:
    """A practice host, what reads it, and the time that it lives in."""

    host: PracticeHost
    clock: ManualClock
    reader: Reader

    async def plan(self, action: str, target: str, *words: str, **options: str | bool) -> Plan:
        return await prepare(self.reader, intent(action, target, *words, options=options))

    async def run(self, *argv: str) -> Completed:
        return await self.host.run(Command(argv, effect=Effect.CHANGE))

    async def carry_out(self, made: Plan) -> None:
        """Do every step of a plan that nothing speaks against."""
        assert not made.is_refused, made.refusals
        for step in made.steps:
            done = await self.run(*step.argv)
            assert (0, b"") == (done.status, done.stderr), step.argv

    async def pool(self, name: str = "tank") -> Pool:
        return await read_pool(self.reader.asker, name, await read_version(self.reader.asker))

    def serial(self, number: int) -> str:
        return self.host.world.disks[number].serial

    def name(self, number: int) -> str:
        """What zpool status calls the vdev on a disk."""
        return self.host.world.disks[number].link


async def bench(layout: str = MIRRORS, *, disks: int = 14) -> Bench:
    """A host with a pool of that layout."""
    clock = ManualClock(1_795_219_200.0)
    host = PracticeHost(clock=clock, world=create_world(layout, disks=disks))
    await host.connect()
    asker = Asker(host)
    return Bench(host, clock, Reader(asker, clock, Privilege(asker)))


def tree(pool: Pool | None, there: Bench) -> list[str]:
    """The tree: class, depth, type, and of each device its serial, by whatever link it is named."""
    assert pool is not None
    links = {link: disk.serial for disk in there.host.world.disks for link in disk.links}

    def lines(vdev: Vdev, depth: int) -> list[str]:
        name = vdev.name.rpartition("/")[2]
        called = links.get(name, name) if vdev.is_leaf else vdev.type
        return [
            f"{vdev.vdev_class}{'.' * depth}{called}",
            *(line for child in vdev.children for line in lines(child, depth + 1)),
        ]

    return [line for top in pool.vdevs for line in lines(top, 0)]


REPLACED = ("mirror 0 1 mirror 2 3", "raidz2 0 1 2 3 4", "raidz1 0 1 2 raidz1 3 4 5")


@pytest.mark.parametrize("layout", REPLACED)
async def test_a_faulted_disk_is_replaced(layout: str) -> None:
    there = await bench(layout)
    assert 0 == (await there.run("zpool", "offline", "-f", "tank", there.name(1))).status

    made = await there.plan("replace", "tank", there.name(1), there.serial(10))
    await there.carry_out(made)
    there.clock.advance(LONG_S)

    assert Risk.CAUTION is made.risk
    assert tree(made.after, there) == tree(await there.pool(), there)
    assert "ONLINE" == (await there.pool()).state


async def test_while_it_is_replaced_the_tree_is_the_one_foretold() -> None:
    there = await bench("mirror 0 1 mirror 2 3")
    for top in there.host.world.pools["tank"].tops("normal"):
        top.allocated = 4 << 30
    await there.run("zpool", "offline", "-f", "tank", there.name(1))

    made = await there.plan("replace", "tank", there.name(1), there.serial(10))
    await there.carry_out(made)
    during = await there.pool()
    again = await there.plan("detach", "tank", made.steps[0].argv[-1].rpartition("/")[2])
    await there.carry_out(again)

    assert "replacing" in {each.type for each in during.walk()}
    assert [(0, 0, 1)] == [
        (each.before, each.during, each.after) for each in made.redundancy if each.vdev == "mirror-0"
    ]
    assert "stop the replacement" in again.title
    assert tree(again.after, there) == tree(await there.pool(), there)
    assert tree(made.before, there) == tree(await there.pool(), there)


async def test_a_spare_steps_in_and_goes_back() -> None:
    there = await bench()
    await there.run("zpool", "offline", "tank", there.name(1))

    stepping_in = await there.plan("replace", "tank", there.name(1), there.name(8))
    await there.carry_out(stepping_in)
    there.clock.advance(LONG_S)
    serving = await there.pool()
    back = await there.plan("detach", "tank", there.name(8))
    await there.carry_out(back)

    assert tree(stepping_in.after, there) == tree(serving, there)
    assert tree(back.after, there) == tree(await there.pool(), there)
    assert ["AVAIL"] == [each.state for each in (await there.pool()).of_class("spare")]


async def test_a_lone_disk_is_mirrored_and_the_mirror_taken_apart() -> None:
    there = await bench("0 mirror 2 3")

    attached = await there.plan("attach", "tank", there.name(0), there.serial(9))
    await there.carry_out(attached)
    there.clock.advance(LONG_S)
    mirrored = await there.pool()
    detached = await there.plan("detach", "tank", there.name(0))
    await there.carry_out(detached)

    assert tree(attached.after, there) == tree(mirrored, there)
    assert tree(detached.after, there) == tree(await there.pool(), there)
    assert Risk.DESTRUCTIVE is detached.risk


async def test_a_raidz_becomes_wider() -> None:
    there = await bench("raidz1 0 1 2")

    made = await there.plan("attach", "tank", "raidz1-0", there.serial(9))
    await there.carry_out(made)
    there.clock.advance(LONG_S)

    assert tree(made.after, there) == tree(await there.pool(), there)


ADDED = (
    ("mirror 0 1", "mirror {9} {10}"),
    ("mirror 0 1", "log mirror {9} {10}"),
    ("mirror 0 1", "cache {9} {10} spare {11}"),
    ("mirror 0 1", "special mirror {9} {10} dedup mirror {11} {12}"),
    ("raidz1 0 1 2", "raidz1 {9} {10} {11}"),
    ("raidz1 0 1 2", "raidz1 {9} {10} {11} {12}"),
    ("0", "{9} {10}"),
)


@pytest.mark.parametrize(("layout", "words"), ADDED)
async def test_vdevs_are_added_as_they_were_drawn(layout: str, words: str) -> None:
    there = await bench(layout)
    told = words.format(*map(there.serial, range(14))).split()

    made = await there.plan("add", "tank", *told)
    await there.carry_out(made)

    assert [0] == [each.status for each in made.rehearsals]
    assert tree(made.after, there) == tree(await there.pool(), there)


async def test_a_vdev_that_zfs_calls_a_mismatch_is_added_only_where_it_is_told_so() -> None:
    """Its own refusal of the rehearsal would refuse the plan."""
    there = await bench("raidz1 0 1 2")

    made = await there.plan("add", "tank", "raidz2", *map(there.serial, (9, 10, 11, 12)))

    assert "--allow-replication-mismatch" in made.steps[0].argv
    assert 0 == made.rehearsals[0].status


@pytest.mark.parametrize("number", [6, 7, 8])
async def test_logs_caches_and_spares_are_removed(number: int) -> None:
    there = await bench()

    made = await there.plan("remove", "tank", there.name(number))
    await there.carry_out(made)

    assert tree(made.after, there) == tree(await there.pool(), there)


async def test_a_data_vdev_is_moved_away() -> None:
    there = await bench("mirror 0 1 mirror 2 3 mirror 4 5")

    made = await there.plan("remove", "tank", "mirror-1")
    await there.carry_out(made)
    there.clock.advance(LONG_S)

    assert tree(made.after, there) == tree(await there.pool(), there)


async def test_a_pool_of_mirrors_is_split() -> None:
    there = await bench("mirror 0 1 mirror 2 3")

    made = await there.plan("split", "tank", "half")
    await there.carry_out(made)

    assert tree(made.after, there) == tree(await there.pool(), there)


CREATED = (
    "mirror {9} {10}", "raidz2 {9} {10} {11} {12}", "{9}", "mirror {9} {10} log {11} cache {12} spare {13}",
    "draid1:2d:5c:1s {9} {10} {11} {12} {13}",
)  # fmt: skip


@pytest.mark.parametrize("words", CREATED)
async def test_a_pool_is_created_as_it_was_drawn(words: str) -> None:
    there = await bench("mirror 0 1")
    told = words.format(*map(there.serial, range(14))).split()

    made = await there.plan(
        "create-pool", "new", *told, ashift="12", compression="zstd", mountpoint="/srv/new"
    )
    await there.carry_out(made)

    assert [0] == [each.status for each in made.rehearsals]
    assert tree(made.after, there) == tree(await there.pool("new"), there)


async def test_a_disk_of_an_exported_pool_is_free_once_its_label_is_cleared() -> None:
    there = await bench("mirror 0 1")
    await there.carry_out(await there.plan("create-pool", "old", there.serial(9)))
    await there.run("zpool", "export", "old")

    before = await there.plan("add", "tank", "spare", there.serial(9))
    cleared = await there.plan("labelclear", there.serial(9))
    await there.carry_out(cleared)
    after = await there.plan("add", "tank", "spare", there.serial(9))

    assert ["foreign-pool"] == [each.rule for each in before.refusals]
    assert there.serial(9) == cleared.target
    assert not after.is_refused
    await there.carry_out(after)


REFUSED = (
    ("replace tank {0} {1}", "in-use"),
    ("attach tank {0} {4}", "in-use"),
    ("add tank log {7}", "in-use"),
    ("detach tank {6}", "only-mirrors"),
    ("remove tank {0}", "only-tops"),
)


@pytest.mark.parametrize(("line", "rule"), REFUSED)
async def test_what_is_refused_here_the_host_refuses_as_well(line: str, rule: str) -> None:
    there = await bench()
    action, pool, *words = line.split()
    numbers = [int(word.strip("{}")) if word.startswith("{") else None for word in words]
    names = [
        word if number is None else there.name(number) if at == 0 or action != "add" else there.serial(number)
        for at, (word, number) in enumerate(zip(words, numbers, strict=True))
    ]

    made = await there.plan(action, pool, *names)

    assert rule in [each.rule for each in made.refusals]
    for step in made.steps:
        assert 0 != (await there.run(*step.argv)).status
