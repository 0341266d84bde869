"""`dd` on the practice host: read by the parser of the real one, and as slow as the drive."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import mirrors, run
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import World
from zconsole.system.dd_disk_reads import MIB, PIECE_MIB, Piece, parse_piece, read_piece


def read(world: World, skip_mib: int = 0, at: int = 0) -> Reply:
    """A piece of a drive, read by the console's own command."""
    return run(world, " ".join(read_piece(_path(world, at), skip_mib).argv))


def _path(world: World, at: int) -> str:
    return f"/dev/disk/by-id/{world.disks[at].links[0]}"


def piece(reply: Reply) -> Piece:
    """What the console understands of it."""
    return parse_piece(reply.stderr)


def test_a_piece_has_its_bytes_and_the_console_reads_their_number() -> None:
    reply = read(mirrors())

    assert 0 == reply.status
    assert PIECE_MIB * MIB == piece(reply).read_bytes


def test_at_the_end_of_a_drive_less_is_read_and_beyond_it_nothing() -> None:
    world = mirrors()
    whole = world.disks[0].size // MIB

    assert 10 * MIB == piece(read(world, whole - 10)).read_bytes
    assert 0 == piece(read(world, whole + 10)).read_bytes


def test_a_slow_drive_takes_longer() -> None:
    world = mirrors()
    before = piece(read(world)).seconds
    world.disks[0].slow_factor = 4.0

    assert pytest.approx(4 * before, rel=0.01) == piece(read(world)).seconds


def test_bad_sectors_are_in_the_middle() -> None:
    world = mirrors()
    world.disks[0].health.pending = 8
    middle = world.disks[0].size // MIB // 2

    assert 0 == read(world).status
    assert 1 == read(world, middle).status
    assert "Input/output error" in read(world, middle).stderr
    assert 0 == read(world, middle, at=1).status


@pytest.mark.parametrize("said", ["No such file or directory", "Permission denied", "does not do this"])
def test_what_the_real_one_refuses_or_this_one_does_not_do(said: str) -> None:
    world = mirrors()
    line = " ".join(read_piece("/dev/nothing" if "No such" in said else _path(world, 0), 0).argv)
    if "Permission" in said:
        world.user_id = 1000
    if "does not" in said:
        line = line.replace("of=/dev/null", "of=/dev/sda")

    reply = run(world, line)
    assert 1 == reply.status
    assert said in reply.stderr
