"""A running exercise: what happens in time, hands at the rack, and what is told of it."""

from __future__ import annotations

import random

import pytest

from tests.practice.exercises.learner import NEW, Learner
from zconsole.model.exercise import ChangeCable, Handwork, Insert, Pull, RackDisk
from zconsole.practice.exercises.catalogue import SCRIPTS
from zconsole.practice.exercises.exercise_starting_world import BAYS, CABLES, cable_of, serial_in


async def test_the_state_has_the_rack_and_the_table() -> None:
    learner = await Learner.begin("new-disk-too-small")

    state = learner.state()

    assert BAYS == len(state.bays)
    assert RackDisk("ZC13A01K", "ST4000NM0035-1V4107", 4_000_787_030_016) == state.bays[0].disk
    assert (None, "B", False) == (state.bays[5].disk, state.bays[5].cable, state.bays[5].is_lit)
    assert ["Z1Y0A3W7", "ZA20C9XV", "Z1Y0A41C"] == [disk.serial for disk in state.on_table]
    assert (0.0, None) == (state.reduced_s, state.restored_s)


async def test_a_disk_that_was_pulled_is_on_the_table_behind_the_new_ones() -> None:
    learner = await Learner.begin("failed-disk")

    await learner.pull(2, lit=False)

    assert [NEW, "ZC17K2P9", "ZC13A0R7"] == [disk.serial for disk in learner.state().on_table]


async def test_a_lit_lamp_is_seen_at_the_rack() -> None:
    learner = await Learner.begin("failed-disk")

    await learner.do("ledctl --listed-only locate=/dev/sdc")
    await learner.wait(2)

    assert [2] == [bay.number for bay in learner.state().bays if bay.is_lit]


@pytest.mark.parametrize(
    "work",
    [
        Pull(9),
        Insert(NEW, 1),
        Insert("ZC13A01K", 9),
        Insert("nothing", 9),
        Insert(NEW, BAYS + 1),
        ChangeCable("Z"),
    ],
)
async def test_what_cannot_be_done_at_a_rack_is_not_done(work: Handwork) -> None:
    learner = await Learner.begin("slow-disk")
    before = learner.state().bays, learner.state().on_table

    await learner.by_hand(work)

    assert before == (learner.state().bays, learner.state().on_table)


async def test_what_happens_again_and_again_happens_in_time() -> None:
    learner = await Learner.begin("slow-disk")
    health = learner.host.world.disk(serial_in(4)).health
    assert 16 == health.pending

    await learner.wait(239)
    assert 18 == health.pending
    await learner.wait(1)

    assert 20 == health.pending


async def test_a_later_failure_waits_for_the_resilver_onto_a_new_disk() -> None:
    learner = await Learner.begin("second-failure")
    await learner.wait(3600)
    assert "ONLINE" == learner.exercise.look().seats[serial_in(1)].state

    await learner.insert(NEW, 7)
    await learner.do(f"zpool replace tank {{5}} {NEW}")
    await learner.until_idle()

    assert "FAULTED" == learner.exercise.look().seats[serial_in(1)].state


async def test_time_with_less_redundancy_is_counted() -> None:
    learner = await Learner.begin("second-failure")

    await learner.wait(600)

    assert 600.0 == pytest.approx(learner.state().reduced_s, abs=5)


def test_each_bay_has_one_cable() -> None:
    assert {"A": 4, "B": 4, "C": 4} == {name: len(bays) for name, bays in CABLES.items()}
    assert ["A", "B", "C"] == [cable_of(bay) for bay in (4, 5, 12)]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("seed", range(6))
async def test_whatever_a_learner_does_the_exercise_goes_on(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    learner = await Learner.begin(SCRIPTS[seed].name)
    pool, disks = learner.host.pool("tank"), [disk.serial for disk in learner.host.world.disks]
    commands = ("replace tank {leaf} {disk}", "offline tank {leaf}", "online tank {leaf}", "scrub tank")

    for _ in range(20):
        await learner.by_hand(
            chance.choice(
                (
                    Pull(chance.randint(1, BAYS)),
                    Insert(chance.choice(disks), chance.randint(1, BAYS)),
                    ChangeCable(chance.choice("ABC")),
                )
            )
        )
        leaf = chance.choice(list(pool.leaves())).guid
        line = "clear tank" if pool.is_suspended else chance.choice(commands)
        await learner.ask("zpool " + line.format(leaf=leaf, disk=chance.choice(disks)))
        await learner.wait(chance.choice((1, 30, 300)))

        state = learner.state()
        in_bays = [bay.disk.serial for bay in state.bays if bay.disk is not None]
        on_table = [disk.serial for disk in state.on_table]
        assert sorted(disks[1:]) == sorted((*in_bays, *on_table))  # all but the one of the system
        assert pool.is_suspended is ("tank is suspended." == state.outcome)
