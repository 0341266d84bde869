"""`zfs receive`: streams change the other pool as in ZFS."""

from __future__ import annotations

import io

import pytest

from tests.practice.send_receive.two_pools import received, sent, two_pools
from tests.practice.zfs.stage import MIB, Stage
from zconsole.model.datasets.send_stream import SendStream
from zconsole.practice.world import dataset_writes_and_snapshots
from zconsole.zfs.stream.resume_token import parse_resume_token
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


def test_full_and_increments_give_the_same_snapshots(stage: Stage) -> None:
    first = received(stage, "zfs receive -s -u -o readonly=on vault/a", sent(stage, "zfs send tank/a@1"))
    then = received(stage, "zfs receive -s -u vault/a", sent(stage, "zfs send -I @1 tank/a@3"))

    assert [(0, ""), (0, "")] == [(each.status, each.stderr) for each in (first, then)]
    for name in ("1", "2", "3"):
        for key in ("guid", "creation", "referenced", "logicalreferenced"):
            assert prop(stage, f"tank/a@{name}", key) == prop(stage, f"vault/a@{name}", key), (name, key)
    assert ("0", "no", "on", "-") == tuple(
        prop(stage, "vault/a", key) for key in ("written", "mounted", "readonly", "receive_resume_token")
    )
    assert prop(stage, "tank/a", "guid") != prop(stage, "vault/a", "guid")
    assert prop(stage, "tank/a", "used") == prop(stage, "vault/a", "used")


@pytest.mark.parametrize("line", ["tank/a@1", "-i @1 tank/a@2"])
def test_a_receive_that_is_cut_goes_on_where_it_was(stage: Stage, line: str) -> None:
    if "-i" in line:
        received(stage, "zfs receive -u vault/a", sent(stage, "zfs send tank/a@1"))
    stream = sent(stage, f"zfs send {line}")

    cut = received(stage, "zfs receive -s -u vault/a", stream[: len(stream) // 2])
    token = prop(stage, "vault/a", "receive_resume_token")
    wanted = parse_resume_token(token)
    rest = sent(stage, f"zfs send -t {token}")
    again = received(stage, "zfs receive -s -u vault/a", rest[: len(rest) // 2])
    token = prop(stage, "vault/a", "receive_resume_token")
    reply = received(stage, "zfs receive -s -u vault/a", sent(stage, f"zfs send -t {token}"))

    assert (1, True) == (cut.status, "Partially received snapshot is saved" in cut.stderr)
    assert str(wanted.to_guid) == prop(stage, line.rsplit(maxsplit=1)[-1], "guid")
    assert told(rest).snapshots[0].resumes_at is not None
    assert len(rest) < 0.6 * len(stream)
    assert (1, 0, "") == (again.status, reply.status, reply.stderr)
    name = line.rsplit(maxsplit=1)[-1].partition("@")[2]
    assert prop(stage, f"tank/a@{name}", "guid") == prop(stage, f"vault/a@{name}", "guid")
    assert "-" == prop(stage, "vault/a", "receive_resume_token")
    assert prop(stage, f"tank/a@{name}", "referenced") == prop(stage, "vault/a", "referenced")


def test_without_s_nothing_is_left_of_a_receive_that_is_cut(stage: Stage) -> None:
    stream = sent(stage, "zfs send tank/a@1")

    assert 1 == received(stage, "zfs receive -u vault/a", stream[:100_000]).status
    assert "vault/a" not in stage.names()


def test_a_receive_is_given_up(stage: Stage) -> None:
    stream = sent(stage, "zfs send tank/a@1")
    received(stage, "zfs receive -s -u vault/a", stream[:300_000])
    stage.does("zfs receive -A vault/a")
    assert "vault/a" not in stage.names()

    received(stage, "zfs receive -s -u vault/a", stream)
    received(stage, "zfs receive -s -u vault/a", sent(stage, "zfs send -i @1 tank/a@2")[:300_000])
    stage.does("zfs receive -A vault/a")

    assert {"vault/a", "vault/a@1"} <= stage.names()
    assert "-" == prop(stage, "vault/a", "receive_resume_token")
    assert (1, "'vault/a' does not have any resumable receive state to abort\n") == stage.refuses(
        "zfs receive -A vault/a"
    )


def test_what_zfs_refuses_is_refused_in_its_words(stage: Stage) -> None:
    one, two, step = (sent(stage, f"zfs send {line}") for line in ("tank/a@1", "tank/a@2", "-i @1 tank/a@2"))
    received(stage, "zfs receive -s -u vault/a", one)

    exists = received(stage, "zfs receive -s -u vault/a", two)
    missing = received(stage, "zfs receive -s -u vault/x/y", two)
    nowhere = received(stage, "zfs receive -s -u vault/x", step)
    stage.does("zfs create vault/z")
    unlike = received(stage, "zfs receive -s -u vault/z", step)
    dataset_writes_and_snapshots.write(
        stage.world.pools["vault"], stage.world.pools["vault"].datasets["vault/a"], MIB
    )
    changed = received(stage, "zfs receive -s -u vault/a", step)

    words = [
        " ".join(each.stderr.split("\n")).strip() for each in (exists, missing, nowhere, unlike, changed)
    ]
    new, more = "cannot receive new filesystem stream: ", "cannot receive incremental stream: "
    assert f"{new}destination 'vault/a' exists must specify -F to overwrite it" == words[0]
    assert f"cannot open 'vault/x': dataset does not exist {new}unable to restore to destination" == words[1]
    assert f"{more}destination 'vault/x' does not exist" == words[2]
    assert f"{more}most recent snapshot of vault/z does not match incremental source" == words[3]
    assert f"{more}destination vault/a has been modified since most recent snapshot" == words[4]


def test_a_pool_without_room_keeps_what_came(stage: Stage) -> None:
    stage.write("tank/a", 1)
    vault = stage.world.pools["vault"]
    room = dataset_writes_and_snapshots.available(vault, vault.datasets["vault"])
    stage.does(f"zfs create -o reservation={room - 5 * MIB} vault/kept")

    reply = received(stage, "zfs receive -s -u vault/a", sent(stage, "zfs send tank/a@1"))

    assert (1, True) == (
        reply.status,
        reply.stderr.startswith("cannot receive new filesystem stream: out of space"),
    )
    assert "-" != prop(stage, "vault/a", "receive_resume_token")
