"""The practice host knows the console's script by its words, and prints the same rows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from zconsole.practice.libvirt import frozen_snapshot as practice
from zconsole.practice.libvirt.guests import PracticeGuest
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.host_world import World
from zconsole.practice.zfs.snapshots import snapshot as taken
from zconsole.system.libvirt import frozen_snapshot_script as script
from zconsole.system.libvirt.frozen_snapshot_script import (
    SCRIPT,
    FreezeOutcome,
    FrozenSnapshot,
    freeze_outcome,
    frozen_snapshot_argv,
)


@pytest.fixture
def world() -> World:
    made = create_world("mirror 0 1")
    made.lacking -= {"virsh"}
    made.guests += [PracticeGuest("web01"), PracticeGuest("db02")]
    return made


def take(world: World, *, is_where_possible: bool = False) -> tuple[Reply, FreezeOutcome]:
    guests = tuple((each.uuid, each.name) for each in world.guests)
    argv = frozen_snapshot_argv(FrozenSnapshot(10, guests, ("zfs", "snapshot", "tank@a"), is_where_possible))
    reply = answer(world, argv, SCRIPT.encode())
    assert isinstance(reply, Reply)
    return reply, freeze_outcome(argv, reply.stdout)


def test_it_has_the_words_of_the_script() -> None:
    for name in ("MARK", "NO_SNAPSHOT", "NOT_FROZEN", "STILL_FROZEN", "FREEZE_STATUS"):
        assert getattr(script, name) == getattr(practice, name)
    assert script.FROZEN_GUESTS == practice.PROPERTY


def test_all_are_frozen_for_it(world: World) -> None:
    reply, outcome = take(world)

    assert (0, FreezeOutcome(("web01", "db02"))) == (reply.status, outcome)


def test_a_snapshot_that_fails_thaws_them(world: World) -> None:
    answer(world, ("zfs", "snapshot", "tank@a"))
    reply, _ = take(world)

    assert practice.NO_SNAPSHOT == reply.status
    assert not any(each.is_frozen for each in world.guests)


def test_one_that_cannot_be_frozen_decides_by_the_policy(world: World) -> None:
    world.guests[1].freezes = False

    assert practice.NO_SNAPSHOT == take(world)[0].status
    reply, outcome = take(world, is_where_possible=True)
    assert (0, ("web01",)) == (reply.status, outcome.consistent)


@pytest.mark.parametrize("trouble", ["is_frozen", "does_agent_answer"])
def test_what_another_has_frozen_and_an_agent_that_hangs_are_left_so(world: World, trouble: str) -> None:
    setattr(world.guests[1], trouble, trouble == "is_frozen")

    reply, outcome = take(world)

    assert (practice.NO_SNAPSHOT, ()) == (reply.status, outcome.stuck)
    assert [False, trouble == "is_frozen"] == [each.is_frozen for each in world.guests]


def test_an_agent_that_hangs_frozen_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def snapshot(world: World, args: Sequence[str]) -> Reply:
        world.guests[1].does_agent_answer = False
        return taken(world, args)

    monkeypatch.setattr(practice, "snapshot", snapshot)

    reply, outcome = take(world)

    assert practice.STILL_FROZEN == reply.status
    assert ["db02"] == [name for name, _ in outcome.stuck]


def test_another_script_is_not_answered(world: World) -> None:
    assert practice.frozen_snapshot(world, ("-s", "--", "tank")) is None
