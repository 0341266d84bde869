"""A host that prints rubbish costs its own parts: the other hosts are live, and the loop goes on."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.collect.test_host_session import MIRRORS
from tests.doubles.machines import host_of, iostat
from tests.doubles.scripted_host import ScriptedHost
from tests.doubles.watched_host import watching
from zconsole.collect import fault_isolation
from zconsole.collect.streams import disk_inventory, pool_status
from zconsole.hosts.host import Command
from zconsole.model.host.host_state import LinkState

pytestmark = pytest.mark.usefixtures("only_own_time")

RUBBISH = {
    "a remove line without an end": b"  pool: tank\n state: ONLINE\nremove: expanded "
    + b"a copied a in " * 22_000
    + b"\nconfig:\n\n",
    "bytes that are no text": b"\xff" * (1 << 20),
    "NULs": b"\0" * (1 << 20) + b"\n",
    "one line": b"x" * (4 << 20) + b"\n",
    "lines": b"\n" * (1 << 20),
    "tabs": b"\t" * (1 << 20) + b"\n",
    "deep JSON": b'{"a":' * 100_000,
    "wide JSON": b"[" + b"[]," * 300_000 + b"1]",
    "an infinite number": b'{"pools": {"tank": {"name": "tank", "pool_guid": Infinity}}}\n',
    "a number of 4,300 digits": b'{"pools": {"tank": {"name": "tank", "pool_guid": ' + b"9" * 4301 + b"}}}\n",
    "no such date": b"2026-13-45.99:99:99 zpool create tank\n",
    "nothing": b"",
}
READ = (
    "zpool status",
    "zpool list",
    "zpool history",
    "zfs list",
    "lsblk",
    "ls -lR",
    "sh -c ls -l",
    "dmesg",
    "uname",
)
WORST_STALL_S = 1.5  # of the processor, in one go; the worst of these takes a tenth of it
WITHIN_S = 30.0


class Gauge:
    """How long the loop's longest single step took, of the processor's time."""

    def __init__(self) -> None:
        self.worst_s = 0.0

    async def run(self) -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0)
            self.worst_s = max(self.worst_s, time.thread_time() - before)


def _hostile(answer: bytes) -> ScriptedHost:
    """A host that connects well and tells its pools, and then answers everything alike."""
    host = host_of("2.4", "healthy-mirrors", label="rubbish")
    told = {"zfs version", "ls -1p /proc/spl/kstat/zfs"}
    host.answers = {known: answer for known, answer in host.answers.items() if known in told}
    host.answers |= dict.fromkeys(READ, answer)
    host.files = dict.fromkeys(host.files, answer)
    return host


@pytest.mark.parametrize("kind", RUBBISH)
async def test_the_other_host_stays_live(kind: str) -> None:
    """Whatever one host answers to every command and in every stream, the other's samples come."""
    gauge = Gauge()
    async with (
        asyncio.timeout(WITHIN_S),
        watching(host_of("2.4", "healthy-mirrors")) as sound,
        watching(_hostile(RUBBISH[kind])) as bad,
    ):
        measuring = asyncio.ensure_future(gauge.run())
        await bad.until(
            lambda s: (
                (s.pools and s.pools[0].pool.problem and s.inventory.taken_at is not None)
                or s.inventory.problem
            )
        )
        for stream in bad.host.streams.values():
            stream.feed(RUBBISH[kind])
        await sound.until(lambda s: s.pools and s.pools[0].pool.value)

        sound.host.streams["zpool iostat"].feed(iostat(1_800_000_001, MIRRORS))
        await sound.until(lambda s: s.pools[0].samples)

        measuring.cancel()
        assert LinkState.UP is sound.state.link.state
        assert "" == sound.state.pools[0].pool.problem
        assert LinkState.UP is bad.state.link.state
        assert bad.state.inventory.problem
        assert gauge.worst_s < WORST_STALL_S


class Stumbles(Exception):
    """What no code expects."""


def _stumble(*_: object, **__: object) -> None:
    raise Stumbles("over this")


async def test_a_fault_in_one_part_is_that_parts_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pools and I/O of the host go on; the disks say that zconsole itself failed there, and with what."""
    monkeypatch.setattr(disk_inventory, "read_disks", _stumble)
    monkeypatch.setattr(fault_isolation, "_reported", set())
    async with asyncio.timeout(WITHIN_S), watching(host_of("2.4", "healthy-mirrors")) as watched:
        state = await watched.until(
            lambda s: s.pools and s.pools[0].pool.value and s.inventory.problem and s.hostname
        )

        assert LinkState.UP is state.link.state
        assert "zconsole itself failed at the disks: Stumbles" in state.inventory.problem
        assert "" == state.pools[0].pool.problem


async def test_a_fault_outside_of_what_is_read_is_contained_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that works on with an answer may fail as well: its collector says so, and begins anew."""
    monkeypatch.setattr(pool_status, "degraded_since", _stumble)
    async with asyncio.timeout(WITHIN_S), watching(host_of("2.4", "healthy-mirrors")) as watched:
        state = await watched.until(lambda s: s.pools and s.pools[0].pool.problem and s.inventory.value)

        assert LinkState.UP is state.link.state
        assert "zconsole itself failed" in state.pools[0].pool.problem


async def test_a_library_that_a_host_confuses_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that no host should be able to cause at the connection is told, and not the end."""
    host = host_of("2.4", "healthy-mirrors")
    async with asyncio.timeout(WITHIN_S), watching(host) as watched:
        host.connect_errors.append(Stumbles("over a banner"))  # type: ignore[arg-type]
        host.cut()
        state = await watched.until(lambda s: s.link.state is LinkState.DOWN and "Stumbles" in s.link.reason)

        assert state.link.retry_at is not None


def test_what_is_read_by_default_is_bounded() -> None:
    assert Command(("true",)).max_bytes <= 64 << 20
