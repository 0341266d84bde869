"""`zfs send`: estimates and streams."""

from __future__ import annotations

import io

import pytest

from tests.practice.send_receive.two_pools import received, sent, two_pools
from tests.practice.zfs.stage import MIB, Stage
from zconsole.model.datasets.send_stream import StreamFault
from zconsole.zfs.stream.stream_snapshots_and_damage import read_streams

MADE = ("zfs create tank/a", "zfs create tank/a/b", "zfs create -V 64M tank/v")


def test_a_send_is_estimated_without_being_made() -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1")
    stage.write("tank/a", 8)
    stage.does("zfs snapshot tank/a@s2")
    stage.write("tank/a", 4)
    stage.does("zfs snapshot tank/a@s3")

    full = stage.does("zfs send -nvP tank/a@s1").split()
    steps = stage.does("zfs send -nvP -I s1 tank/a@s3").splitlines()

    assert ["full", "tank/a@s1"] == full[:2]
    assert 0 < int(full[2]) - 98304 < 2000
    assert ["incremental\ts1\ttank/a@s2", "incremental\ts2\ttank/a@s3", "size"] == [
        line.rpartition("\t")[0] for line in steps
    ]
    assert 12 * MIB < int(steps[-1].split()[1]) < 13 * MIB
    assert 1 == stage.refuses("zfs send -nvP -i nosuch tank/a@s3")[0]


@pytest.fixture
def stage() -> Stage:
    return two_pools()


def prop(stage: Stage, name: str, key: str) -> str:
    return stage.get(name, key)


def test_a_stream_is_as_long_as_it_was_said_to_be(stage: Stage) -> None:
    for line in ("tank/a@1", "-i @1 tank/a@2"):
        said = int(stage.does(f"zfs send -nvP {line}").rpartition("\t")[2])

        length = len(sent(stage, f"zfs send {line}"))

        assert abs(length - said) < 1024


def test_a_bookmark_serves_as_the_base(stage: Stage) -> None:
    received(stage, "zfs receive -u vault/a", sent(stage, "zfs send tank/a@1"))
    stage.does("zfs bookmark tank/a@1 tank/a#1")
    stage.does("zfs destroy tank/a@1")

    reply = received(stage, "zfs receive -u vault/a", sent(stage, "zfs send -i tank/a#1 tank/a@2"))

    assert (0, "") == (reply.status, reply.stderr)
    assert prop(stage, "tank/a@2", "referenced") == prop(stage, "vault/a@2", "referenced")


def test_what_a_token_is_about_may_be_gone(stage: Stage) -> None:
    received(stage, "zfs receive -s -u vault/a", sent(stage, "zfs send tank/a@1")[:300_000])
    token = prop(stage, "vault/a", "receive_resume_token")
    stage.does("zfs destroy tank/a@1")

    status, words = stage.refuses(f"zfs send -nvP -t {token}")

    assert (255, "cannot resume send: 'tank/a@1' used in the initial send no longer exists\n") == (
        status,
        words,
    )


def test_a_stream_that_breaks_off_is_truncated(stage: Stage) -> None:
    stage.world.breaks_streams_after = 500_000

    _, problem = read_streams(io.BytesIO(sent(stage, "zfs send tank/a@1")))

    assert problem is not None
    assert StreamFault.TRUNCATED is problem.fault
