"""What the learner did is read from what has changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.practice.exercises.learner import EPOCH, NEW
from tests.practice.laboratory import run
from zconsole.practice.exercises.catalogue import SCRIPTS
from zconsole.practice.exercises.exercise_starting_world import serial_in, shelf_world
from zconsole.practice.exercises.fault_effects import put_in, take_out
from zconsole.practice.exercises.record_of_learner_acts import Deed, acts_between, look, survives
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticeVdev

FAILED = serial_in(4)


def world() -> World:
    """A raidz2 of six, and a new disk in bay 7."""
    made = shelf_world(SCRIPTS[1], EPOCH)
    put_in(made, made.disk(NEW), 7)
    return made


def command(line: str) -> Callable[[World], None]:
    """Run a command line; {serial} is the disk of that serial."""

    def act(made: World) -> None:
        words = {disk.serial: f"/dev/disk/by-id/{disk.link}" for disk in made.disks}
        reply = run(made, " ".join(words.get(word, word) for word in line.split()))
        assert ("", 0) == (reply.stderr, reply.status)

    return act


@pytest.mark.parametrize(
    ("expected", "act"),
    [
        ([], command("zpool status tank")),
        ([(Deed.PULL, FAILED)], lambda made: take_out(made, made.disk(FAILED))),
        ([(Deed.INSERT, "ZC17K2P9")], lambda made: put_in(made, made.disk("ZC17K2P9"), 9)),
        ([(Deed.OFFLINE, FAILED)], command(f"zpool offline tank {FAILED}")),
        ([(Deed.REPLACE, NEW)], command(f"zpool replace tank {FAILED} {NEW}")),
        ([(Deed.ADD, NEW)], command(f"zpool add -f tank {NEW}")),
        ([(Deed.SCRUB, "")], command("zpool scrub tank")),
    ],
)
def test_an_act_is_told_by_what_has_changed(
    expected: list[tuple[Deed, str]], act: Callable[[World], None]
) -> None:
    made = world()
    before = look(made, made.pools["tank"])
    made.now += 60

    act(made)

    done = acts_between(before, look(made, made.pools["tank"]), 60.0)
    assert expected == [(each.deed, each.serial) for each in done]


def test_a_disk_that_comes_back_and_one_whose_counters_are_cleared() -> None:
    made = world()
    pool = made.pools["tank"]
    command(f"zpool offline tank {FAILED}")(made)
    next(leaf for leaf in pool.leaves() if leaf.disk is made.disk(serial_in(2))).read_errors = 4
    before = look(made, pool)

    command(f"zpool online tank {FAILED}")(made)
    command("zpool clear tank")(made)

    done = acts_between(before, look(made, pool), 60.0)
    assert [(Deed.CLEAR, serial_in(2)), (Deed.ONLINE, FAILED)] == [(each.deed, each.serial) for each in done]


def test_a_sight_tells_what_each_vdev_survives() -> None:
    made = world()
    pool = made.pools["tank"]
    assert {2} == {seat.survives for seat in look(made, pool).seats.values()}
    assert look(made, pool).is_whole

    command(f"zpool replace tank {FAILED} {NEW}")(made)
    seen = look(made, pool)
    assert (FAILED, 2, True, False) == (
        seen.seats[NEW].instead_of,
        seen.seats[NEW].survives,
        seen.is_resilvering,
        seen.is_whole,
    )
    take_out(made, made.disk(FAILED))
    assert 1 == look(made, pool).seats[serial_in(1)].survives


@pytest.mark.parametrize(
    ("expected", "kind", "parity", "missed"),
    [
        (1, "mirror", 0, (0, 0)),
        (0, "mirror", 0, (0, 9)),
        (-1, "mirror", 0, (9, 9)),
        (1, "raidz", 1, (0, 0, 0)),
        (-1, "raidz", 1, (9, 0, 9)),
    ],
)
def test_failures_that_a_vdev_survives(
    expected: int, kind: str, parity: int, missed: tuple[int, ...]
) -> None:
    children = [PracticeVdev("disk", at, missed=each) for at, each in enumerate(missed)]

    assert expected == survives(PracticeVdev(kind, 9, children, parity))
