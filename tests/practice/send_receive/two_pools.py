"""Two practice pools with three snapshots of one dataset, and what is sent and received there."""

from __future__ import annotations

from tests.practice.zfs.stage import Stage
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply, Sending, Taking
from zconsole.practice.ready_made_pools import create_pool
from zconsole.practice.world import dataset_writes_and_snapshots


def two_pools() -> Stage:
    """Tank with tank/a: 8 MiB at @1, 4 more and 2 rewritten at @2, and another @3; and an empty vault."""
    stage = Stage("zfs create tank/a")
    create_pool(stage.world, "vault", ["mirror", "LAB0009", "LAB0010"])
    stage.write("tank/a", 8)
    stage.does("zfs snapshot tank/a@1")
    dataset_writes_and_snapshots.delete(stage.pool, stage.dataset("tank/a"), 0.25)
    stage.write("tank/a", 4)
    stage.does("zfs snapshot tank/a@2")
    stage.write("tank/a", 1)
    stage.does("zfs snapshot tank/a@3")
    return stage


def sent(stage: Stage, line: str) -> bytes:
    """The stream that a command line sends."""
    found = answer(stage.world, line.split())
    assert isinstance(found, Sending), found
    return b"".join(found.chunks)


def received(stage: Stage, line: str, stream: bytes, piece: int = 100_000) -> Reply:
    """The end of a command line that is fed in pieces that keep to no record's bounds."""
    found = answer(stage.world, line.split())
    assert isinstance(found, Taking), found
    for start in range(0, len(stream), piece):
        reply = found.feed(stream[start : start + piece])
        if reply is not None:
            return reply
    return found.end()
