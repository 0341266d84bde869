"""`zfs send` and `zfs receive`: real streams that change the other pool as ZFS does."""

from __future__ import annotations

import io

import pytest

from tests.practice.send_receive.two_pools import sent, two_pools
from tests.practice.zfs.stage import Stage
from zconsole.model.datasets.send_stream import SendStream
from zconsole.zfs.stream.stream_snapshots_and_damage import read_streams


@pytest.fixture
def stage() -> Stage:
    return two_pools()


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
