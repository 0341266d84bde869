"""The status of pools: each read by itself, and a bad answer beside the last good one."""

from __future__ import annotations

import asyncio

from tests.doubles.machines import host_of, iostat
from tests.doubles.scripted_host import HANG
from tests.doubles.watched_host import watching
from zconsole.collect.streams.pool_status import STATUS_EVERY_S
from zconsole.model.host.host_state import LinkState

MIRRORS = [
    "tank", "mirror-0", "wwn-0x5000c500a0000000", "wwn-0x5000c500a0000001",
    "mirror-1", "wwn-0x5000c500a0000002", "wwn-0x5000c500a0000003",
    "mirror-2", "wwn-0x5000c500a0000004", "wwn-0x5000c500a0000005",
    "wwn-0x5000c500a0000006", "wwn-0x5000c500a0000007",
]  # fmt: skip


async def test_a_status_follows_the_names_at_once() -> None:
    """However late the names of the pools come, nobody looks at names alone until a pause is over."""
    host = host_of("2.4", "healthy-mirrors")
    names = host.late["ls -1p /proc/spl/kstat/zfs"] = asyncio.Event()
    async with watching(host) as watched:
        await watched.until(lambda s: s.inventory.value and s.hostname)
        assert not watched.state.pools

        names.set()

        async with asyncio.timeout(10):
            await watched.until(lambda s: s.pools and s.pools[0].pool.value)
        assert 0.0 == watched.clock.monotonic()


async def test_a_hanging_status_costs_its_own_pool_only_and_is_asked_once() -> None:
    """A second `zpool status` is not sent while the first hangs; I/O and events go on."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["zpool status -j"] = HANG
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.problem)
        await watched.pass_time(10 * STATUS_EVERY_S)

        watched.host.streams["zpool iostat"].feed(iostat(1, MIRRORS) + b"2\n")
        state = await watched.until(lambda s: s.pools[0].samples)

        assert 1 == sum(line.startswith("zpool status") for line in host.commands)
        assert "hangs" in state.pools[0].pool.problem
        assert LinkState.UP is state.link.state


async def test_a_status_cut_short_keeps_the_last_good_one() -> None:
    """Half a JSON is a problem beside the old value, never a smaller pool."""
    host = host_of("2.4", "healthy-mirrors")
    whole = host.answers["zpool status -j"]
    assert isinstance(whole, bytes)
    async with watching(host) as watched:
        first = await watched.until(lambda s: s.pools and s.pools[0].pool.value)

        host.answers["zpool status -j"] = whole[: len(whole) // 2]
        host.answers["zpool status -vsitpP"] = b"  pool: tank\n state: ONL"
        watched.session.refresh()
        await watched.pass_time(2)

        state = await watched.until(lambda s: s.pools[0].pool.problem)
        assert first.pools[0].pool.value == state.pools[0].pool.value
