"""A link that is cut on receipt, over a real sshd: the journal has the truth, and no other end before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from asyncssh.channel import SSHClientChannel
from asyncssh.packet import SSHPacket

from tests.hosts.sshd import Wire
from tests.lab.acting import OPTIONS, Acting, PatientHost, acting_on
from tests.lab.guests import Guest
from tests.lab.pools import pool_of_layout
from tests.lab.test_trouble import reach_through
from zconsole.actions.plan import Plan
from zconsole.execution.outcomes import uncertain_step
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.hosts.host_address import Address
from zconsole.hosts.process_list_and_command_search import OWN_STAT, parse_stat
from zconsole.model.run import Run, RunState

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]

LATE_S = 28
MINUTE_S = 75.0
SNAPSHOT = "tank/home@a"
WRAPPER = "/usr/local/sbin/zfs"  # before the real one in the console's PATH
IS_THERE = f"zfs list -H -o name {SNAPSHOT} 2>/dev/null; true"


@dataclass(eq=False)
class Cutting(PatientHost):
    """Cuts the wire once a change was received, before anything of it is heard."""

    wire: Wire
    guest: Guest
    stops: bool = False  # its sshd, before the change is sent
    stopped: list[int] = field(default_factory=list)
    has_stopped: asyncio.Event = field(default_factory=asyncio.Event)
    address: str = ""

    def __post_init__(self) -> None:
        super().__init__(Address(self.address), OPTIONS)

    async def run(self, command: Command) -> Completed:
        if command.effect is not Effect.CHANGE:
            return await super().run(command)
        if self.stops:
            own = parse_stat((await super().run(OWN_STAT)).stdout.decode())
            assert own is not None
            self.stopped.append(own.parent)
        running = asyncio.create_task(super().run(command))
        if self.stops:
            await self.has_stopped.wait()
            await asyncio.sleep(2)  # what was sent is in its socket
        else:
            await asyncio.to_thread(
                self.guest.ssh,
                f"for i in $(seq 300); do pgrep -fx 'sleep {LATE_S}' >/dev/null && exit; sleep 0.1; done",
            )
        self.wire.cut()
        return await running


@dataclass(frozen=True, slots=True)
class Bench:
    """Who acts on a guest over a wire that is cut."""

    acting: Acting
    host: Cutting
    guest: Guest

    @property
    def is_there(self) -> bool:
        return SNAPSHOT in self.guest.ssh(IS_THERE)

    async def plan(self) -> Plan:
        made = await self.acting.plan("destroy", SNAPSHOT)
        assert not made.is_refused, made.refusals
        return made

    async def known(self, within_s: float) -> Run:
        """What becomes of the run, looked at until it is known."""
        async with asyncio.timeout(within_s):
            while True:
                (run,) = await self.acting.operator.recover(self.host.label, patience_s=MINUTE_S)
                if run.state is not RunState.UNKNOWN:
                    return run
                await asyncio.sleep(2)


@pytest.fixture
def tank(guest: Guest) -> Iterator[Guest]:
    """A guest with a pool, a snapshot, and nothing of ours in its PATH in the end."""
    pool_of_layout(guest, "mirror {0} {1}")
    guest.ssh(f"zfs create tank/home && zfs snapshot {SNAPSHOT}")
    yield guest
    guest.ssh(f"rm -f {WRAPPER}")


@pytest.fixture
async def bench(tank: Guest, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Bench]:
    wire = Wire(tank.port)
    await wire.start()
    reach_through(wire.port, tank, ssh_alias, tmp_path)
    host = Cutting(wire, tank, address=ssh_alias)
    async with acting_on(tank, ssh_alias, tmp_path / "journal.sqlite", host) as acting:
        yield Bench(acting, host, tank)
    for each in host.stopped:  # one that stays stopped keeps the lock
        tank.ssh(f"kill -KILL {each} 2>/dev/null; true")
    await wire.stop()


def delay(guest: Guest, plan: Plan) -> None:
    """Let the plan's first command come to ZFS only after a while."""
    (program, *words), *_ = (step.argv for step in plan.steps)
    wrapper = WRAPPER.replace("/zfs", f"/{program}")
    guest.ssh(
        f"real=$(command -v {program}); printf '%s\\n' '#!/bin/sh'"
        f' \'test "$*" = "{" ".join(words)}" && sleep {LATE_S}\' "exec $real \\"\\$@\\"" > {wrapper}'
        f" && chmod 755 {wrapper}"
    )


async def test_a_command_that_comes_to_zfs_28_seconds_after_the_cut_is_done(bench: Bench) -> None:
    """Seen before: `failed: it did not happen`, for ever, while it had."""
    plan = await bench.plan()
    delay(bench.guest, plan)

    run = await bench.acting.run(plan)

    assert RunState.DONE is run.state, run.words
    assert not bench.is_there
    (entry,) = bench.acting.journal.entries()
    assert (RunState.DONE, "done") == (entry.state, entry.steps[0].state)
    assert "it happened" in entry.steps[0].settled


@pytest.mark.parametrize("signal", ["CONT", "KILL"])
async def test_what_a_stopped_sshd_has_received_is_unknown_until_it_cannot_start_it(
    bench: Bench, signal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has agreed to a channel, and does not read the command: before that none would be sent."""
    opens = SSHClientChannel._open

    async def opened(channel: SSHClientChannel[bytes], kind: bytes, *words: bytes) -> SSHPacket:
        packet = await opens(channel, kind, *words)
        if bench.host.stopped and not bench.host.has_stopped.is_set():
            await asyncio.to_thread(bench.guest.ssh, f"kill -STOP {bench.host.stopped[0]}")
            bench.host.has_stopped.set()
        return packet

    monkeypatch.setattr(SSHClientChannel, "_open", opened)
    monkeypatch.setattr(uncertain_step, "SETTLE_FOR_S", 20.0)
    bench.host.stops = True
    plan = await bench.plan()

    run = await bench.acting.run(plan)
    assert RunState.UNKNOWN is run.state, run.words
    before = bench.acting.journal.entries()[0]
    bench.guest.ssh(f"kill -{signal} {bench.host.stopped[0]}")
    known = await bench.known(within_s=400.0)

    assert "which received it, may still start it" in run.words
    assert (RunState.UNKNOWN, None) == (before.state, before.ended)
    (entry,) = bench.acting.journal.entries()
    assert entry.state is known.state
    assert (known.state is RunState.FAILED) is bench.is_there, known.words
    assert "KILL" != signal or known.state is RunState.FAILED
    assert "found out 20" in entry.steps[0].settled
