"""`zfs send` and `zfs receive`: real streams that change the other pool as ZFS does."""

from __future__ import annotations

import io

import pytest

from tests.practice.zfs.stage import Stage
from zconsole.model.datasets.send_stream import SendStream
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Sending
from zconsole.practice.ready_made_pools import create_pool
from zconsole.practice.world import dataset_writes_and_snapshots
from zconsole.zfs.stream.stream_snapshots_and_damage import read_streams


@pytest.fixture
def stage() -> Stage:
    """Two pools, the first with tank/a: 8 MiB at @1, 4 more and 2 rewritten at @2, and another @3."""
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
    found = answer(stage.world, line.split())
    assert isinstance(found, Sending), found
    return b"".join(found.chunks)


def told(stream: bytes) -> SendStream:
    (found,), problem = read_streams(io.BytesIO(stream), verify=True)
    assert problem is None
    return found


def prop(stage: Stage, name: str, key: str) -> str:
    return stage.get(name, key)


@pytest.mark.slow
def test_a_stream_is_read_as_a_real_one_with_good_checksums(stage: Stage) -> None:
    full = told(sent(stage, "zfs send -L -e -c tank/a@1"))
    step = told(sent(stage, "zfs send -i tank/a@1 tank/a@2"))
    package = told(sent(stage, "zfs send -I tank/a@1 tank/a@3"))

    assert "tank/a@1" == full.snapshots[0].name
    assert str(full.snapshots[0].guid) == prop(stage, "tank/a@1", "guid")
    assert (None, full.snapshots[0].guid) == (full.snapshots[0].from_guid, step.snapshots[0].from_guid)
    assert ["tank/a@2", "tank/a@3"] == [each.name for each in package.snapshots]
    assert all(each.is_checksum_good for each in (*full.snapshots, *step.snapshots, *package.snapshots))
