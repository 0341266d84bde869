"""The demonstration has copies that stand as a tool leaves them, and that can be gone on with."""

from __future__ import annotations

import pytest

from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply, Sending, Taking
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.host_world import World
from zconsole.practice.world.snapshot_space import writings

EPOCH = 1_795_219_200.0
BEHIND = {
    "tank-db/postgres": 0,
    "tank-db/mysql": 5,
    "tank-home/anna": 2,
    "tank-home/gita": 7,
    "tank-home/henk": 30,
}


@pytest.fixture
def world() -> World:
    return demo_world(EPOCH)


def pair(world: World, name: str) -> tuple[PracticeDataset, PracticeDataset]:
    """A copy's source, and the copy."""
    source = world.pools["tank"].datasets["tank/" + name.removeprefix("tank-")]
    return source, world.pools["vault"].datasets[f"vault/replica/{name}"]


@pytest.mark.parametrize("name", BEHIND)
def test_a_copy_has_the_snapshots_of_its_source_up_to_some_moment(world: World, name: str) -> None:
    """With their guids, names and sizes, and nothing of its own since."""
    source, copy = pair(world, name)
    there = [(each.guid, each.name, each.creation, each.referenced) for each in copy.snapshots]
    here = [(each.guid, each.name, each.creation, each.referenced) for each in source.snapshots]

    assert here[len(here) - BEHIND[name] - len(there) :][: len(there)] == there
    assert 0 == copy.written
    assert copy.creation > copy.snapshots[0].creation
    assert [
        writings(source)[each] for each in source.snapshots if each.guid in {guid for guid, *_ in there[1:]}
    ] == [writings(copy)[each] for each in copy.snapshots[1:]]


def test_one_hangs_by_a_single_snapshot(world: World) -> None:
    source, copy = pair(world, "tank-home/henk")

    assert 1 == len({each.guid for each in source.snapshots} & {each.guid for each in copy.snapshots})


def test_the_receive_that_was_cut_can_go_on(world: World) -> None:
    source, copy = pair(world, "tank-home/gita")
    assert copy.partial is not None
    rest = answer(world, ["zfs", "send", "-t", copy.partial.token])
    taking = answer(world, ["zfs", "receive", "-s", "-u", copy.name])
    assert isinstance(rest, Sending)
    assert isinstance(taking, Taking)

    for chunk in rest.chunks:
        taking.feed(chunk)
    ended = taking.end()

    assert (0, "") == (ended.status, ended.stderr)
    assert source.snapshots[-3].guid == copy.snapshots[-1].guid
    told = answer(world, ["zfs", "get", "-Ho", "value", "receive_resume_token", copy.name])
    assert isinstance(told, Reply)
    assert "-\n" == told.stdout
