"""Streams between two pools of a real guest over SSH: whole, cut, gone on with; and kept in files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from tests.lab import guests
from tests.lab.acting import OPTIONS, Acting, PatientHost
from tests.lab.guests import Guest, said
from tests.lab.trees import pool_on_a_file
from zconsole.base.clock import SystemClock
from zconsole.cli import run as zconsole
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host_address import Address
from zconsole.model.run import Run, RunState
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

MIB: Final = 1 << 20
FILES: Final = "cd /{}/.zfs/snapshot/3 && md5sum *"
WRITE: Final = "dd if=/dev/urandom of=/src/fs/{name} bs=1M count={count} conv=fsync 2>/dev/null"
BREAK_OFF: Final = """\
while :; do
  pid=$(pgrep -x mbuffer)
  [ "$(sed -n "s/^wchar: //p" "/proc/${pid:-none}/io" || echo 0)" -gt 6291456 ] && break
  sleep 0.05
done
kill -9 "$pid"
"""
OTHER: Final = "other"  # the same guest, reached by another name


@dataclass
class Sending:
    """Who acts on the guest, which is there under two names, and what was told."""

    acting: Acting
    hosts: tuple[PatientHost, PatientHost]
    told: list[Run] = field(default_factory=list)

    @property
    def passed(self) -> int:
        """Bytes that went through, as it was last told."""
        steps = self.told[-1].steps if self.told else ()
        return steps[-1].moved.bytes if steps and steps[-1].moved is not None else 0

    async def cut(
        self,
        how: Callable[[Run], object],
        *words: str,
        after: int,
        action: str = "receive",
        **options: str,
    ) -> Run:
        """Receive, and do this once so many bytes went through."""
        made = await self.acting.plan(action, *words, **options)
        assert not made.is_refused, made.refusals
        self.told.clear()
        running = asyncio.create_task(self.acting.run(made))
        while not running.done() and self.passed < after:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.05)
        assert not running.done(), running.result()
        how(self.told[-1])
        return await running


@pytest.fixture
def pools(bare_guest: Guest) -> Iterator[Guest]:
    """Two pools; src/fs@1 has 24 MiB."""
    for name in ("src", "dst"):
        pool_on_a_file(bare_guest, name=name)
    bare_guest.ssh(
        f"zfs create -o compression=lz4 src/fs; {WRITE.format(name='one', count=24)}; zfs snapshot src/fs@1"
    )
    yield bare_guest
    bare_guest.wipe()


@pytest.fixture
async def nas(pools: Guest, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Sending]:
    """Who acts on it."""
    config = Path.home() / ".ssh" / "config"
    more = guests.ssh_config(pools, OTHER, known_hosts=pools.known_hosts)
    config.write_text(f"{config.read_text()}\n{more}")
    hosts = PatientHost(Address(ssh_alias), OPTIONS), PatientHost(Address(OTHER), OPTIONS)
    for host in hosts:
        await host.connect()
    clock, journal = SystemClock(), Journal(tmp_path / "journal.sqlite")
    told: list[Run] = []
    operator = Operator(
        hosts, clock=clock, policies=Policies(clock=clock), journal=journal, publish=told.append
    )
    try:
        yield Sending(Acting(pools, hosts[0], operator, journal), hosts, told)
    finally:
        for host in hosts:
            await host.close()
        journal.close()


def cut_link(host: PatientHost) -> None:
    """As a network does."""
    link = host._link
    assert link is not None
    link.connection.abort()


def guids(guest: Guest, name: str) -> tuple[str, ...]:
    """Of the snapshot at both ends."""
    return tuple(said(guest, f"zfs get -Hpo value guid src/fs@{name} dst/fs@{name}").split())


def token(guest: Guest) -> str:
    return said(guest, "zfs get -Ho value receive_resume_token dst/fs")


async def test_all_of_it_then_increments_from_a_snapshot_and_from_a_bookmark(nas: Sending) -> None:
    guest, acting = nas.acting.guest, nas.acting
    await acting.do("receive", "dst/fs", "src/fs@1")
    assert "on no 0" == said(guest, "zfs get -Hpo value readonly,mounted,written dst/fs | xargs")

    guest.ssh(f"{WRITE.format(name='two', count=2)}; zfs snapshot src/fs@2")
    await acting.do("receive", "dst/fs", "src/fs@2")
    guest.ssh("zfs bookmark src/fs@2 src/fs#2; zfs destroy src/fs@1; zfs destroy src/fs@2")
    guest.ssh(f"{WRITE.format(name='three', count=1)}; zfs snapshot src/fs@3")
    made = await acting.do("receive", "dst/fs", "src/fs")

    sender = made.steps[0].sender
    assert sender is not None
    assert ("-i", "src/fs#2", "src/fs@3") == sender.argv[-3:]
    first, second = guids(guest, "3")
    assert first == second
    assert "dst/fs@1 dst/fs@2 dst/fs@3" == said(guest, "zfs list -H -t snapshot -o name dst/fs | xargs")
    guest.ssh("zfs mount dst/fs")
    sent, received = (said(guest, FILES.format(name)) for name in ("src/fs", "dst/fs"))
    assert sent.count("\n") >= 2
    assert sent == received


async def test_snapshots_between_come_along_from_what_is_another_host_to_us(nas: Sending) -> None:
    guest, acting = nas.acting.guest, nas.acting
    await acting.do("receive", "dst/fs", "src/fs@1", **{"from": OTHER})
    for name in ("2", "3"):
        guest.ssh(f"{WRITE.format(name=name, count=1)}; zfs snapshot src/fs@{name}")

    made = await acting.do("receive", "dst/fs", "src/fs@3", intermediates=True, **{"from": OTHER})

    assert OTHER in made.title
    assert "dst/fs@1 dst/fs@2 dst/fs@3" == said(guest, "zfs list -H -t snapshot -o name dst/fs | xargs")


async def goes_on(nas: Sending, run: Run, most: int = 22 * MIB) -> None:
    """What had come is there, and the rest comes, which is less than all."""
    guest, acting = nas.acting.guest, nas.acting
    assert RunState.FAILED is run.state, run
    assert token(guest).startswith("1-"), run
    assert "resume-receive dst/fs" in run.words
    assert {"partial"} == await acting.refused("receive", "dst/fs", "src/fs@1")

    made = await acting.do("resume-receive", "dst/fs")

    sender = made.steps[0].sender
    assert sender is not None
    assert sender.size_bytes is not None
    assert sender.size_bytes < most
    first, second = guids(guest, "1")
    assert first == second


async def test_one_that_is_stopped_goes_on(nas: Sending) -> None:
    run = await nas.cut(lambda run: nas.acting.operator.stop(run.id), "dst/fs", "src/fs@1", after=6 * MIB)

    assert "it was stopped" in run.words
    await goes_on(nas, run)


async def test_one_whose_link_is_cut_at_the_receiver_goes_on(nas: Sending) -> None:
    """Nobody saw its end: the host is asked, once nothing of it runs there any more."""
    run = await nas.cut(
        lambda _: cut_link(nas.hosts[0]), "dst/fs", "src/fs@1", after=6 * MIB, **{"from": OTHER}
    )

    assert any(each.state is RunState.SETTLING for each in nas.told)
    await goes_on(nas, run)


async def test_one_whose_link_is_cut_at_the_sender_goes_on(nas: Sending) -> None:
    run = await nas.cut(
        lambda _: cut_link(nas.hosts[1]), "dst/fs", "src/fs@1", after=6 * MIB, **{"from": OTHER}
    )

    assert f"{OTHER}: zfs send" in run.words
    await goes_on(nas, run)


async def test_one_that_was_cut_is_given_up(nas: Sending) -> None:
    guest, acting = nas.acting.guest, nas.acting
    await nas.cut(lambda run: acting.operator.stop(run.id), "dst/fs", "src/fs@1", after=4 * MIB)

    await acting.do("abort-receive", "dst/fs")

    assert "dst" == said(guest, "zfs list -Ho name -r dst")


async def test_a_target_that_changed_is_refused_and_left_as_it_is(nas: Sending) -> None:
    guest, acting = nas.acting.guest, nas.acting
    await acting.do("receive", "dst/fs", "src/fs@1")
    guest.ssh("zfs set readonly=off dst/fs && zfs mount dst/fs && echo mine > /dst/fs/mine && zpool sync dst")
    guest.ssh("zfs snapshot src/fs@2")

    made = await acting.plan("receive", "dst/fs", "src/fs@2")

    assert ["changed"] == [each.rule for each in made.refusals]
    assert ["rollback"] == [wanted.action for _, wanted in made.alternatives]
    assert "mine" == said(guest, "cat /dst/fs/mine")
    guest.ssh("zfs snapshot dst/fs@own && zfs set readonly=on dst/fs")
    assert "changed" in await acting.refused("receive", "dst/fs", "src/fs@2")


async def test_a_receiver_without_room_keeps_what_came(nas: Sending) -> None:
    """The plan refuses it; where room goes meanwhile, ZFS tells."""
    guest, acting = nas.acting.guest, nas.acting
    guest.ssh("zfs create -o reservation=$(($(zfs get -Hpo value available dst) - 12582912)) dst/kept")
    assert {"space"} == await acting.refused("receive", "dst/fs", "src/fs@1")
    guest.ssh("zfs set reservation=none dst/kept")
    made = await acting.plan("receive", "dst/fs", "src/fs@1")
    guest.ssh("zfs set reservation=$(($(zfs get -Hpo value available dst) - 12582912)) dst/kept")

    run = await acting.run(made)

    assert run.state in {RunState.FAILED, RunState.REFUSED}, run
    guest.ssh("zfs destroy dst/kept")
    if run.state is RunState.FAILED:
        assert "out of space" in run.words
        await goes_on(nas, run)


# Syncoid


async def test_syncoid_brings_every_snapshot_and_is_counted(nas: Sending) -> None:
    guest, acting = nas.acting.guest, nas.acting
    guest.ssh(f"{WRITE.format(name='two', count=8)}; zfs snapshot src/fs@2")

    made = await acting.do("syncoid", "dst/fs", "src/fs")

    assert "on no" == said(guest, "zfs get -Ho value readonly,mounted dst/fs | xargs")
    assert all(len(set(guids(guest, name))) == 1 for name in ("1", "2"))
    told = [run.steps[-1].moved for run in nas.told if run.steps and run.steps[-1].moved is not None]
    assert 32 * MIB <= told[-1].bytes < 40 * MIB
    assert {24, 8} <= {round((each.total_bytes or 0) / MIB) for each in told}
    assert "NEWEST SNAPSHOT: 2" in nas.told[-1].steps[-1].said
    assert made.undo is not None

    guest.ssh(f"{WRITE.format(name='three', count=1)}; zfs snapshot src/fs@3")
    await acting.do("syncoid", "dst/fs", "src/fs")

    for name in ("src/fs", "dst/fs"):
        assert "1 2 3" == said(guest, f"zfs list -H -t snapshot -o name {name} | cut -d@ -f2 | xargs")


async def test_syncoid_whose_stream_breaks_off_is_gone_on_with(nas: Sending) -> None:
    nas.acting.guest.ssh(f"({BREAK_OFF}) > /dev/null 2>&1 &")
    made = await nas.acting.plan("syncoid", "dst/fs", "src/fs")

    run = await nas.acting.run(made)

    assert "failed" in run.steps[-1].said
    await goes_on(nas, run)


async def test_syncoid_that_is_stopped_goes_on(nas: Sending) -> None:
    """Its stream is so long that it does not come to its end while the word to stop is on its way."""
    more = WRITE.format(name="more", count=150)
    nas.acting.guest.ssh(f"zfs destroy src/fs@1; {more}; zfs snapshot src/fs@1", timeout_s=300)
    run = await nas.cut(
        lambda run: nas.acting.operator.stop(run.id), "dst/fs", "src/fs", after=6 * MIB, action="syncoid"
    )

    assert "" == said(nas.acting.guest, "pgrep -f '[s]yncoid|[z]fs send' || true")
    await goes_on(nas, run, most=160 * MIB)


async def test_syncoid_whose_link_is_cut_is_settled_by_what_is_there(nas: Sending) -> None:
    """It goes on without us, or ends with its link: either way it is told as the host has it."""
    run = await nas.cut(lambda _: cut_link(nas.hosts[0]), "dst/fs", "src/fs", after=6 * MIB, action="syncoid")

    if run.state is RunState.DONE:
        first, second = guids(nas.acting.guest, "1")
        assert first == second
    else:
        await goes_on(nas, run)


# What lies in files


STREAMS: Final = "/var/tmp/streams"  # noqa: S108 - of the guest
MAKE: Final = f"""\
mkdir -p {STREAMS} && cd {STREAMS} && rm -f *
for name in 2 3 4 5 6 7 8; do
  dd if=/dev/urandom of=/src/fs/f$name bs=128k count=2 conv=fsync 2>/dev/null
  zfs snapshot src/fs@$name
done
zfs send -Lec src/fs@1 > 1-full.zfs
zfs send -Lec -i @1 src/fs@2 > 2.zfs
zfs send -Lec -I @2 src/fs@4 > 3-4.zfs
zfs send -Lec -i @5 src/fs@6 > 6-on-5.zfs
zfs send -Lec -i @7 src/fs@8 > 8-on-7.zfs
zfs send -Lec -i @4 src/fs@5 | head -c 200000 > 5-cut.zfs
"""


def test_a_chain_of_real_streams_is_read_and_its_gaps_are_named(
    pools: Guest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pools.ssh(MAKE)
    pools.copy_out(STREAMS, tmp_path)
    folder = next(tmp_path.rglob("1-full.zfs")).parent
    real = dict(
        line.split("\t") for line in said(pools, "zfs list -Hp -t snapshot -o name,guid src/fs").splitlines()
    )

    assert 1 == zconsole(["stream", str(folder), "--json", "--verify"])

    document = json.loads(capsys.readouterr().out)
    found = {
        sent["name"]: sent["guid"]
        for file in document["files"]
        for stream in file["streams"]
        for sent in stream["snapshots"]
    }
    assert {name: guid for name, guid in real.items() if name != "src/fs@7"} == found
    brings = [each["name"] for receive in document["receives"] for each in receive["brings"]]
    assert ["src/fs@1", "src/fs@2", "src/fs@3", "src/fs@4"] == brings
    problems = {file["name"]: file["problem"]["kind"] for file in document["files"] if file["problem"]}
    assert {"5-cut.zfs": "truncated"} == problems
    assert [real["src/fs@7"]] == [each["guid"] for each in document["missing"]]
    lost = {each["name"] for each in document["unrestorable"]}
    assert {"src/fs@5", "src/fs@6", "src/fs@8"} == lost

    for receive in document["receives"]:
        pools.ssh(f"cd {STREAMS} && zfs receive -u dst/fs < {receive['file']}")
    restored = said(pools, "zfs list -Hp -t snapshot -o guid dst/fs").split()
    assert [real[name] for name in brings] == restored
