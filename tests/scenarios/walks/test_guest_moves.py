"""Whatever is done to a guest and its storage, the console starts it nowhere without all that it wrote."""

from __future__ import annotations

import asyncio

import pytest

from tests.doubles.moving_guests import NEW, OLD
from tests.scenarios.walks.another_user_of_guests import ACTS
from tests.scenarios.walks.guest_moves import GuestMoves, walk_seed, walk_seeds
from zconsole.model.run import RunState

CHUNKS = 4
SEEDS = 4_000


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_move_of_a_guest_leaves_behind_what_it_wrote(chunk: int, request: pytest.FixtureRequest) -> None:
    """4,000 seeds with --long, 32 otherwise."""
    seeds = SEEDS // CHUNKS // (1 if request.config.getoption("--long") else 125)
    first = chunk * SEEDS // CHUNKS

    walked = walk_seeds(range(first, first + seeds))

    assert [] == walked.failures
    assert walked.ends[RunState.DONE.value] > 0
    assert walked.ends["refused"] > 0


def test_the_same_seed_is_the_same_walk() -> None:
    first, again = (asyncio.run(walk_seed(2)).log for _ in range(2))

    assert first == again


@pytest.mark.parametrize("seed", range(4))
def test_another_user_acts_on_every_kind_of_walk(seed: int) -> None:
    moves = GuestMoves(seed)
    moves.user.guest_writes()

    for name in ACTS:
        moves.user.acts(name)

    assert set(ACTS) <= {each.partition("another user: ")[2] for each in moves.log}


def test_a_write_follows_the_blocks() -> None:
    """Into a snapshot, out of the live data by a rollback, and away with the last that has it."""
    moves = GuestMoves(1)
    moves.user.guest_writes()
    moves.user.old(f"zfs snapshot {OLD}@a")
    moves.user.guest_writes()
    place = moves.hosts.nas_world.pools["tank"].datasets[OLD]
    first, second = sorted(moves.writes.expected)
    moves.user.old(f"zfs rollback {OLD}@a")

    assert {second} == moves.writes.lacking("vda", place, moves.writes.expected)
    assert {second} == moves.writes.forget_lost()
    assert {first} == moves.writes.expected


def test_an_empty_disk_in_the_place_of_the_guests_is_not_expected_to_have_what_it_wrote() -> None:
    moves = GuestMoves(1)
    moves.hosts.guest.disks[0].source = f"/dev/zvol/{NEW}"
    moves.writes.write("vda", moves.hosts.nas_world.pools["tank"].datasets[OLD])

    moves.user.acts("creates the new place anew")

    assert set() == moves.writes.expected
