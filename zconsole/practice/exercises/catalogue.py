"""The exercises of --demo=NAME, as data."""

from __future__ import annotations

from typing import Final

from zconsole.base.clock import Clock
from zconsole.practice.exercises import full_pool
from zconsole.practice.exercises.exercise_starting_world import CABLES, shelf_world
from zconsole.practice.exercises.run_exercise import PracticeExercise
from zconsole.practice.exercises.starting_shelf_and_timed_faults import (
    Beat,
    Fails,
    Garbles,
    IsTaken,
    Script,
    Slows,
    Wears,
)
from zconsole.practice.practice_host import UPTIME_S, PracticeHost

_NEW: Final = (("ZC17K2M4", "4T"), ("ZC17K2P9", "4T"))
_BEHIND_B: Final = tuple(CABLES["B"])

SCRIPTS: Final = (
    Script(
        "failed-disk",
        "The phone rings at night: a disk of tank has failed. ZED has put the hot spare in its place. "
        "Two new disks of the same model are on the table.\n"
        "Find the failed disk, take it out, put a new one in, and leave tank as it was: redundant, "
        "verified, with an available hot spare.",
        "mirror 1 2 mirror 3 4 spare 5",
        _NEW,
        (Beat(Fails(2, 14, 486)),),
    ),
    Script(
        "slow-disk",
        "Users say that everything is slow since this morning. No disk has failed.\n"
        "Find the disk that slows down the others. Bays 7 to 12 are empty, and two new disks are on the "
        "table: a disk that can still be read is best replaced while it stays in.",
        "raidz2 1 2 3 4 5 6",
        _NEW,
        (
            Beat(Slows(4, 4.0, 37)),
            Beat(Slows(4, 4.0, 2), at_s=90, every_s=90),
            Beat(Wears(4, pending=16, reported=2)),
            Beat(Wears(4, pending=2), at_s=120, every_s=120),
        ),
    ),
    Script(
        "wrong-disk-pulled",
        "A disk of tank has failed. A colleague in the machine room says that he has just pulled it, but "
        "tank has lost a second disk, and the failed one still sits in its bay.\n"
        "The disk that he pulled is on the table, with two new ones. Which serial belongs where?",
        "raidz2 1 2 3 4 5 6",
        _NEW,
        (Beat(Fails(3, 9, 212)), Beat(IsTaken(4))),
    ),
    Script(
        "second-failure",
        "A disk of tank has failed. Two new disks are on the table.\n"
        "While the first one resilvers, watch the others: they are of the same age.",
        "raidz2 1 2 3 4 5 6",
        _NEW,
        (
            Beat(Fails(5, 22, 317)),
            Beat(Wears(1, pending=32), at_s=30),
            Beat(Fails(1, 31, 8), after_share=0.3),
        ),
    ),
    Script(
        "new-disk-too-small",
        "A disk of tank reports read errors and reallocates sectors. It still serves.\n"
        "Three disks from the cupboard are on the table, of different makes. Not all of them fit.",
        "mirror 1 2 mirror 3 4",
        (("Z1Y0A3W7", "3T"), ("ZA20C9XV", "6T"), ("Z1Y0A41C", "3T")),
        (
            Beat(Wears(1, reallocated=340, pending=56, uncorrectable=4, reported=61, reads=7)),
            Beat(Wears(1, reallocated=4, pending=8, reported=1, reads=1), at_s=120, every_s=120),
        ),
    ),
    Script(
        "cable",
        "Read errors on four disks of tank within minutes. No disk has failed yet.\n"
        "Two new disks and new cables are at hand. Bays 1 to 4 are behind cable A, 5 to 8 behind B, "
        "9 to 12 behind C.",
        "mirror 1 5 mirror 2 6 mirror 3 7 mirror 4 8",
        _NEW,
        (
            Beat(Garbles(_BEHIND_B, crc=41, errors=3)),
            Beat(Garbles(_BEHIND_B, crc=6, errors=1), at_s=45, every_s=45),
        ),
        bad_cable="B",
    ),
)


def open_exercise(name: str, clock: Clock, seed: int = 1) -> PracticeHost:
    """The practice host with an exercise; raises KeyError for an unknown name."""
    if name == full_pool.NAME:
        return _full_pool(clock, seed)
    script = next((each for each in SCRIPTS if each.name == name), None)
    if script is None:
        raise KeyError(name)
    return open_script(script, clock, seed)


def open_script(script: Script, clock: Clock, seed: int = 1) -> PracticeHost:
    """The practice host with the exercise of a script."""
    world = shelf_world(script, clock.now(), seed)
    host = PracticeHost(clock=clock, seed=seed, world=world)
    host.simulation.live_through(UPTIME_S)
    host.exercise = PracticeExercise(script, world)
    return host


def _full_pool(clock: Clock, seed: int) -> PracticeHost:
    world = full_pool.full_pool_world(clock.now(), seed)
    host = PracticeHost(clock=clock, seed=seed, world=world)
    host.simulation.live_through(UPTIME_S)
    host.exercise = full_pool.FullPoolExercise(world)
    return host
