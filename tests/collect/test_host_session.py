"""A session turns a host's answers, silences and failures into state."""

from __future__ import annotations

import pytest

from tests.collect.guests.test_read_guests import VIRSH
from tests.doubles.machines import host_of, iostat
from tests.doubles.noting_host import Noting
from tests.doubles.scripted_host import HANG, ScriptedStream, failed
from tests.doubles.watched_host import watching
from zconsole.base.clock import ManualClock
from zconsole.base.errors import HostKeyUnknown, HostUnreachable
from zconsole.collect.host_session import (
    KSTAT_AT_LEAST_EVERY_S,
    KSTAT_EVERY_S,
    MACHINE_AFTER_S,
    NAMES_TOLD_EVERY_S,
)
from zconsole.model.host.host_state import LinkState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.ready_made_pools import create_pool

COMMANDS_PER_S = 0.05  # a session of four is six processes

MIRRORS = [
    "tank", "mirror-0", "wwn-0x5000c500a0000000", "wwn-0x5000c500a0000001",
    "mirror-1", "wwn-0x5000c500a0000002", "wwn-0x5000c500a0000003",
    "mirror-2", "wwn-0x5000c500a0000004", "wwn-0x5000c500a0000005",
    "wwn-0x5000c500a0000006", "wwn-0x5000c500a0000007",
]  # fmt: skip


async def test_a_host_is_read_whole() -> None:
    """Connected, the session knows version, pools with sizes and usable space, disks and hostname."""
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        state = await watched.until(
            lambda s: s.pools and s.pools[0].pool.value and s.inventory.value and s.hostname
        )

        pool = state.pools[0].pool.value
        assert pool is not None
        assert LinkState.UP is state.link.state
        assert ("tank", "ONLINE", 24159191040) == (pool.name, pool.state, pool.size_bytes)
        assert pool.usable_bytes is not None
        assert "storage24" == state.hostname


async def test_samples_arrive_with_their_pool() -> None:
    """A sample is in the state as soon as its last row came, without waiting for the next second."""
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.value)

        watched.host.streams["zpool iostat"].feed(iostat(1_800_000_001, MIRRORS))

        state = await watched.until(lambda s: s.pools[0].samples)
        assert MIRRORS == [row.name for row in state.pools[0].samples[-1].rows]


async def test_a_pool_that_suspends_leaves_the_stream_and_comes_back() -> None:
    """The iostat stream is started anew without a suspended pool, and again when it is back."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["ls -1p /proc/spl/kstat/zfs"] = b"bulk/\ntank/\n"
    host.files["/proc/spl/kstat/zfs/bulk/state"] = b"ONLINE\n"
    host.answers["zpool status -j --json-int -vsitP bulk"] = HANG
    host.answers[f"{VIRSH} domstats"] = failed(
        "virsh", 127, b"virsh: command not found"
    )  # are guests paused?
    host.streams[f"{VIRSH} event"] = ScriptedStream()
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        await watched.pass_time(2 * KSTAT_EVERY_S)
        host.files["/proc/spl/kstat/zfs/bulk/state"] = b"SUSPENDED\n"
        await watched.pass_time(2 * KSTAT_EVERY_S)
        suspended = watched.state.pool("bulk")
        host.files["/proc/spl/kstat/zfs/bulk/state"] = b"ONLINE\n"
        await watched.pass_time(2 * KSTAT_EVERY_S)

        streams = [line for line in host.commands if line.startswith("zpool iostat")]
        assert suspended is not None
        assert "SUSPENDED" == suspended.state
        assert [("bulk", "tank"), ("tank",), ("bulk", "tank")] == [
            tuple(line.split()[5:-1]) for line in streams
        ]


async def test_a_lost_link_is_said_and_made_anew() -> None:
    """The last values stay, with their age; the reason and the time of the next try are told."""
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.value)

        watched.host.cut()

        down = await watched.until(lambda s: s.link.state is LinkState.DOWN)
        await watched.pass_time(60)
        up = await watched.until(lambda s: s.link.state is LinkState.UP)
        assert "lost" in down.link.reason
        assert down.link.retry_at is not None
        assert down.pools[0].pool.value is not None
        assert up.pools[0].pool.value is not None
        assert 2 == watched.host.connects


async def test_an_unreachable_host_is_tried_again_at_once_when_asked() -> None:
    """`refresh` does not wait for the backoff."""
    host = host_of("2.4", "healthy-mirrors")
    host.connect_errors = [HostUnreachable("nas1 refused the connection")]
    async with watching(host) as watched:
        await watched.until(lambda s: s.link.state is LinkState.DOWN)

        watched.session.refresh()

        await watched.until(lambda s: s.link.state is LinkState.UP)
        assert 0.0 == watched.clock.monotonic()


async def test_an_unknown_key_waits_for_the_user() -> None:
    """No time makes an unknown host key known."""
    host = host_of("2.4", "healthy-mirrors")
    host.connect_errors = [HostKeyUnknown("nas1", "SHA256:abc", hint="zconsole trust nas1 SHA256:abc")]
    async with watching(host) as watched:
        state = await watched.until(lambda s: s.link.state is LinkState.REFUSED)

        await watched.pass_time(600, step_s=60)

        assert 1 == host.connects
        assert ("SHA256:abc", None) == (state.link.fingerprint, state.link.retry_at)


async def test_a_host_without_zfs_says_so_with_the_ways_on() -> None:
    """The sentence names what is missing and what to do."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["zfs version"] = failed("zfs version", 127, b"zfs: command not found")
    async with watching(host) as watched:
        state = await watched.until(lambda s: s.link.state is LinkState.REFUSED)

        assert "no ZFS on nas1" in state.link.reason
        assert "--demo" in state.link.hint


async def test_a_silent_stream_is_started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that says nothing for too long hangs, and is replaced."""
    monkeypatch.setattr("zconsole.collect.streams.restarting_stream.SILENCE_AT_LEAST_S", 0.05)
    monkeypatch.setattr("zconsole.collect.streams.restarting_stream.SILENCE_INTERVALS", 0)
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        state = await watched.until(lambda s: s.pools and s.pools[0].io_problem)
        await watched.pass_time(60)

        assert "stopped printing" in state.pools[0].io_problem
        assert watched.host.streams["zpool iostat"].starts > 1


async def test_samples_that_come_together_are_all_kept() -> None:
    """A link that stood still for a while gives several at once."""
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.value)

        watched.host.streams["zpool iostat"].feed(b"".join(iostat(at, MIRRORS) for at in (1, 2, 3)))

        state = await watched.until(lambda s: s.pools[0].samples)
        assert [1, 2, 3] == [sample.at for sample in state.pools[0].samples]


async def test_the_machine_and_the_user_are_known_a_while_after_the_connection() -> None:
    """A plan need not wait for them; after a lost link they are read again."""
    host = host_of("2.4", "healthy-mirrors")
    host.files["/etc/machine-id"] = b"0123456789abcdef0123456789abcdef\n"
    async with watching(host) as watched:
        early = await watched.until(lambda s: s.hostname)
        await watched.pass_time(MACHINE_AFTER_S)
        known = await watched.until(lambda s: s.machine)

        assert early.machine is None
        assert known.machine is not None
        assert ("007f0101", "root") == (known.machine.identity.hostid, known.machine.user.name)
        host.cut()
        down = await watched.until(lambda s: s.link.state is LinkState.DOWN)
        await watched.pass_time(60)
        up = await watched.until(lambda s: s.link.state is LinkState.UP)
        assert down.machine is not None
        assert up.machine is None or up.machine.connection == known.machine.connection


async def test_a_host_at_rest_is_asked_little() -> None:
    """Of four pools at rest: four commands each two minutes, and whatever the disks and settings need."""
    clock = ManualClock(1_800_000_000)
    world = create_world("mirror 0 1", pool="p0")
    for number in range(1, 4):
        create_pool(world, f"p{number}", ["mirror", *(f"LAB{2 * number + at:04d}" for at in range(2))])
    host = Noting(PracticeHost(clock=clock, world=world))
    async with watching(host, clock) as watched:
        await watched.pass_time(300)
        host.commands.clear()

        await watched.pass_time(1200)

        assert len(host.commands) <= 1200 * COMMANDS_PER_S, host.commands
        assert ["ONLINE"] * 4 == [pool.state for pool in watched.state.pools]
        assert all(pool.sample is not None for pool in watched.state.pools)


class Reads(Noting):
    """Notes the files that are read, too."""

    def __init__(self, inner: PracticeHost) -> None:
        super().__init__(inner)
        self.files: list[str] = []
        self.folders: list[str] = []

    async def list_folder(self, path: str) -> tuple[str, ...]:
        self.folders.append(path)
        return await super().list_folder(path)

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        self.files.append(path)
        return await super().read(path, max_bytes=max_bytes)


async def test_where_events_are_followed_states_are_read_seldom_and_what_happens_is_seen_at_once() -> None:
    clock = ManualClock(1_800_000_000)
    world = create_world("mirror 0 1", pool="p0")
    practice = PracticeHost(clock=clock, world=world)
    host = Reads(practice)
    async with watching(host, clock) as watched:
        await watched.pass_time(300)
        host.folders.clear()
        host.files.clear()

        await watched.pass_time(600)
        states = host.files.count("/proc/spl/kstat/zfs/p0/state")
        listings = host.folders.count("/proc/spl/kstat/zfs")

        create_pool(world, "p1", ["mirror", "LAB0002", "LAB0003"])
        await watched.pass_time(4)
        assert ["p0", "p1"] == sorted(pool.name for pool in watched.state.pools)
        practice.suspend("p1")
        await watched.pass_time(5)
        suspended = watched.state.pool("p1")

    assert 600 / KSTAT_AT_LEAST_EVERY_S * 0.9 <= states <= 600 / KSTAT_AT_LEAST_EVERY_S + 1
    assert 0 < listings <= 600 / NAMES_TOLD_EVERY_S + 1
    assert suspended is not None
    assert "SUSPENDED" == suspended.state
