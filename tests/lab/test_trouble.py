"""Actions on a host where something goes wrong: changed by another, cut off, full, or suspended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.hosts.sshd import Wire
from tests.lab import guests
from tests.lab.acting import OPTIONS, Acting, PatientHost, acting_on
from tests.lab.guests import Guest, said
from tests.lab.pools import pool_of_layout
from tests.lab.stuck import Stuck
from zconsole.execution.outcomes import uncertain_step
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.hosts.host_address import Address
from zconsole.model.run import RunState
from zconsole.service import prepare_execute_and_recover_plans as operator_module

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

WAIT = "for i in $(seq 300); do {test} && exit 0; sleep 0.2; done; exit 1"
REPLACES = "pgrep -f '^zpool replace' >/dev/null"
REPLACED = "zpool history tank | grep -c 'zpool replace'; true"
KILL_ITS_SSHD = "kill -KILL $(ps -o ppid= -p $(pgrep -f '^zpool replace'))"
FILL = "dd if=/dev/urandom of=/full/data/most bs=1M count=60 conv=fsync 2>/dev/null"
FILL_UP = (  # each write to a pool that is nearly full may wait for a txg: let them be few
    "for time in 1 2 3; do for size in 1M 128k 16k 4k; do"
    " dd if=/dev/urandom of=/full/data/more-$size-$time bs=$size conv=fsync 2>/dev/null;"
    " done; zpool sync full; done"
)
GONE = "another boot:1:1"  # a console that is no more


@pytest.fixture
def tank(guest: Guest) -> Guest:
    """A guest with a mirror, and a spare disk in bay 9."""
    pool_of_layout(guest, "mirror {0} {1}")
    return guest


def wait(guest: Guest, test: str) -> None:
    """Until a line of shell is true in the guest."""
    guest.ssh(WAIT.format(test=test))


def name_of(guest: Guest, bay: int) -> str:
    """How `zpool status` calls the disk in a bay."""
    return guest.disk(bay).rpartition("/")[2]


def states(guest: Guest) -> dict[str, str]:
    """The state of each vdev of tank."""
    lines = said(guest, "zpool status tank | sed -n '/NAME/,/^$/p'").splitlines()[1:]
    return {words[0]: words[1] for line in lines if len(words := line.split()) > 1}


# Changed by another


async def test_a_plan_is_stale_once_the_host_is_another(nas: Acting) -> None:
    """Between confirmation and run somebody takes the other half of the mirror offline."""
    guest = nas.guest
    made = await nas.plan("offline", "tank", name_of(guest, 0))
    guest.ssh(f"zpool offline tank {name_of(guest, 1)}")

    run = await nas.run(made)

    assert RunState.STALE is run.state
    assert any(f"{name_of(guest, 1)} was ONLINE, is OFFLINE" in each for each in run.differences)
    assert {"waiting"} == {step.state for step in run.steps}
    assert "ONLINE" == states(guest)[name_of(guest, 0)]
    assert () == nas.journal.entries()


async def test_another_snapshot_of_the_same_name_is_not_destroyed(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh("zfs snapshot tank@a")
    made = await nas.plan("destroy", "tank@a")
    guest.ssh("zfs destroy tank@a && zfs snapshot tank@a")

    run = await nas.run(made)

    assert RunState.STALE is run.state
    assert "tank@a" == said(guest, "zfs list -Ht snapshot -o name")


# Cut off


class Meddler(PatientHost):
    """Does something right before a change is sent."""

    before: Callable[[], Awaitable[None]] | None = None

    async def run(self, command: Command) -> Completed:
        if command.effect is Effect.CHANGE and self.before is not None:
            await self.before()
        return await super().run(command)


@dataclass(frozen=True, slots=True)
class Meddled:
    """Who acts on a guest, over a wire of ours, and what is done to them meanwhile."""

    acting: Acting
    meddler: Meddler
    wire: Wire

    @property
    def guest(self) -> Guest:
        return self.acting.guest


def reach_through(port: int, guest: Guest, alias: str, folder: Path) -> None:
    """Let the user's ~/.ssh/config lead to the guest by another port."""
    known = folder / "known_hosts"
    known.write_text(guest.known_hosts.read_text().replace(f":{guest.port} ", f":{port} "))
    config = Path(os.environ["HOME"], ".ssh", "config")
    config.write_text(guests.ssh_config(replace(guest, port=port), alias, known_hosts=known))


@pytest.fixture
async def meddled(tank: Guest, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Meddled]:
    """Acts on the guest over a wire that can be cut."""
    wire = Wire(tank.port)
    await wire.start()
    reach_through(wire.port, tank, ssh_alias, tmp_path)
    meddler = Meddler(Address(ssh_alias), OPTIONS)
    async with acting_on(tank, ssh_alias, tmp_path / "journal.sqlite", meddler) as acting:
        yield Meddled(acting, meddler, wire)
    await wire.stop()


async def test_a_replacement_that_was_never_sent_did_not_happen(meddled: Meddled) -> None:
    """The wire is cut in the moment in which the command is to go out: nothing was done, and that is said."""
    guest, acting = meddled.guest, meddled.acting
    made = await acting.plan("replace", "tank", name_of(guest, 1), "LAB0009")

    async def cut() -> None:
        meddled.wire.cut()

    meddled.meddler.before = cut
    run = await acting.run(made)

    assert RunState.FAILED is run.state, run
    assert "nothing was sent" in run.words or "it did not happen" in run.words
    assert ["failed"] == [step.state for step in run.steps]
    assert {name_of(guest, 0), name_of(guest, 1)} <= set(states(guest))
    assert "0" == said(guest, REPLACED)


@pytest.mark.parametrize("end", ["wire", "sshd"])
async def test_a_replacement_whose_end_was_not_seen_is_settled_and_not_sent_again(
    meddled: Meddled, end: str
) -> None:
    """While `zpool replace` labels the new disk the wire is cut, or the session's sshd killed."""
    guest, acting = meddled.guest, meddled.acting
    made = await acting.plan("replace", "tank", name_of(guest, 1), "LAB0009")
    cutting: list[asyncio.Task[None]] = []

    async def cut_once_it_runs() -> None:
        await asyncio.to_thread(wait, guest, REPLACES)
        if end == "wire":
            meddled.wire.cut()
        else:
            await asyncio.to_thread(guest.ssh, KILL_ITS_SSHD)

    async def before() -> None:
        cutting.append(asyncio.create_task(cut_once_it_runs()))

    meddled.meddler.before = before
    guest.slow(9, 20)
    try:
        run = await acting.run(made)
        await asyncio.gather(*cutting)
    finally:
        guest.slow(9, 0)

    assert RunState.DONE is run.state, run
    assert "it happened" in run.steps[0].settled
    assert made.steps[0].argv[-1].rpartition("/")[2] in states(guest)
    assert "1" == said(guest, REPLACED)
    (entry,) = acting.journal.entries()
    assert ("done", RunState.DONE) == (entry.steps[0].state, entry.state)


# Full


@pytest.fixture
def full(tank: Guest) -> Iterator[Guest]:
    """A guest with a small pool `full` that has no space left, and a snapshot of what fills it."""
    tank.ssh("mkdir -p /files && truncate -s 200M /files/f && zpool create -f full /files/f")
    tank.ssh("zfs create full/data && dd if=/dev/urandom of=/full/data/some bs=1M count=10 2>/dev/null")
    yield tank
    tank.ssh("zpool destroy -f full")


def room(guest: Guest) -> int:
    """MiB that files in full/data can take."""
    guest.ssh("zpool sync full")
    return int(said(guest, "zfs get -Hpo value available full/data")) >> 20


async def test_on_a_full_pool_only_what_frees_space_is_planned_and_done(full: Guest, nas: Acting) -> None:
    """ZFS itself refuses the same; and a snapshot that alone holds the space can be destroyed."""
    full.ssh(f"{FILL}; zfs snapshot full/data@kept; {FILL_UP}", check=False)

    assert {"full"} == await nas.refused("checkpoint", "full")
    await nas.lacks_space("snapshot", "full/data@more")
    assert "out of space" in full.ssh("zfs snapshot full/data@more 2>&1", check=False)
    assert "No space left" in full.ssh("dd if=/dev/zero of=/full/data/b bs=1M count=8 2>&1", check=False)
    full.ssh("rm -f /full/data/most")
    assert 0 == room(full)
    made = await nas.do("destroy", "full/data@kept")
    wait(full, "zpool sync full; [ $(zpool get -Hpo value freeing full) = 0 ]")

    assert 50 < room(full)
    assert 50 << 20 < (made.frees_bytes or 0)


async def test_a_pool_that_fills_up_before_the_step_gives_zfss_own_words(
    full: Guest, meddled: Meddled
) -> None:
    """What ZFS refuses is refused, in its own words, and nothing is left half done."""
    made = await meddled.acting.plan("snapshot", "full/data@new")
    assert not made.is_refused

    async def fill() -> None:
        await asyncio.to_thread(full.ssh, f"{FILL}; {FILL_UP}", check=False)

    meddled.meddler.before = fill
    run = await meddled.acting.run(made)

    assert RunState.FAILED is run.state, run
    assert "out of space" in run.words
    assert "" == said(full, "zfs list -Ht snapshot -o name -r full")


# Suspended


@pytest.fixture
def stuck(tank: Guest) -> Iterator[Stuck]:
    """A pool whose only disk can be made to fail, well for now."""
    found = Stuck(tank, 12)
    found.make()
    yield found
    found.remove()


async def test_of_a_suspended_pool_everything_but_clear_is_refused(stuck: Stuck, nas: Acting) -> None:
    """And the other pools are acted on as ever."""
    stuck.fail()

    for action in ("scrub", "export", "destroy"):
        assert "suspended" in await nas.refused(action, "stuck")
    await nas.do("scrub", "tank")
    stuck.mend()
    made = await nas.plan("clear", "stuck")
    assert not made.is_refused
    assert (await nas.run(made)).state in {RunState.DONE, RunState.UNKNOWN}
    stuck.await_online()


async def test_to_clear_a_pool_whose_disk_still_fails_comes_to_an_end(
    stuck: Stuck, nas: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever ZFS says to it, the console does not hang, and the pool is still told to be suspended."""
    monkeypatch.setattr(uncertain_step, "SETTLE_FOR_S", 20.0)
    stuck.fail()
    made = await nas.plan("clear", "stuck")

    async with asyncio.timeout(300):
        run = await nas.run(made)

    assert run.state.is_end
    assert RunState.STALE is not run.state
    assert {"suspended"} == await nas.refused("scrub", "stuck")


async def test_a_pool_that_is_suspended_after_the_plan_was_confirmed_is_left_alone(
    stuck: Stuck, nas: Acting
) -> None:
    made = await nas.plan("snapshot", "stuck@a")
    stuck.fail()

    run = await nas.run(made)

    assert run.state in {RunState.STALE, RunState.REFUSED}
    assert {"waiting"} == {step.state for step in run.steps}
    stuck.heal()
    assert "" == said(stuck.guest, "zfs list -Ht snapshot -o name -r stuck")


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The console that acts passes for one that is no more."""
    monkeypatch.setattr(operator_module, "console_id", lambda: GONE)


@pytest.mark.usefixtures("ended")  # before the console is made
async def test_a_step_that_hangs_in_a_suspended_pool_is_unknown_and_settled_once_it_is_resumed(
    stuck: Stuck, meddled: Meddled, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It never hangs the console, is never taken for done, and is never sent again."""
    monkeypatch.setattr(uncertain_step, "SETTLE_FOR_S", 20.0)
    made = await meddled.acting.plan("snapshot", "stuck@a")
    soon = replace(made, steps=tuple(replace(step, timeout_s=5.0) for step in made.steps))

    async def lose() -> None:
        await asyncio.to_thread(stuck.lose)

    meddled.meddler.before = lose
    async with asyncio.timeout(300):
        run = await meddled.acting.run(soon)
    meddled.meddler.before = None
    stuck.heal()
    stuck.guest.ssh("for i in $(seq 300); do pgrep -f '^zfs snapshot' >/dev/null || break; sleep 0.2; done")
    await meddled.acting.operator.recover(meddled.acting.host.label)

    assert RunState.UNKNOWN is run.state, run
    (entry,) = meddled.acting.journal.entries()
    is_there = "stuck@a" == said(stuck.guest, "zfs list -Ht snapshot -o name -r stuck")
    assert (RunState.DONE if is_there else RunState.FAILED) is entry.state
