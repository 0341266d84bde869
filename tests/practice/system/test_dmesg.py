"""The kernel's messages of disks that fail, come and go."""

from __future__ import annotations

from tests.practice.laboratory import mirrors, run
from zconsole.practice.exercises.catalogue import SCRIPTS
from zconsole.practice.exercises.exercise_starting_world import shelf_world
from zconsole.practice.exercises.fault_effects import happen, take_out
from zconsole.practice.exercises.starting_shelf_and_timed_faults import Fails

EPOCH = 1_795_219_200.25
LINE = "dmesg --kernel --decode --time-format=iso --color=never"


def test_a_message_has_its_level_and_time_and_names_the_disk() -> None:
    world = shelf_world(SCRIPTS[0], EPOCH)
    disk = world.disk("ZC13A0R7")

    happen(world, Fails(2, 14, 486), {2: disk})
    take_out(world, disk)

    said = run(world, LINE).stdout.splitlines()
    assert said[3].startswith(
        "kern  :err   : 2026-11-21T00:00:00,250000+00:00 critical medium error, dev sdc, sector "
    )
    assert (
        "kern  :info  : 2026-11-21T00:00:00,250000+00:00 sd 0:0:2:0: [sdc] Synchronizing SCSI cache"
        == said[-2]
    )


def test_only_root_reads_the_messages() -> None:
    world = mirrors()
    assert "" == run(world, LINE).stdout

    world.user_id = 1000

    refused = run(world, LINE)
    assert (1, "dmesg: read kernel buffer failed: Operation not permitted\n") == (
        refused.status,
        refused.stderr,
    )


def test_other_words_are_refused() -> None:
    assert "does not do this" in run(mirrors(), "dmesg -w").stderr
