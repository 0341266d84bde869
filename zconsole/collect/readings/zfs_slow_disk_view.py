"""ZFS's own view of slow disks, read once: counters, events, autosit."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import ZfsFacts
from zconsole.base.clock import Clock
from zconsole.base.errors import ZConsoleError
from zconsole.collect.host_state_store import with_reading
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_pool_status_and_space import read_pool
from zconsole.collect.streams.sit_out import read_sit_outs, vdevs_to_ask
from zconsole.hosts.host import Host
from zconsole.model.host.host_state import PoolState, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.slow_disk import SlowDiskVerdict
from zconsole.zfs.listing.events import parse_events, recent


async def read_own_view(
    host: Host, version: ZfsVersion, pool: PoolState, verdicts: tuple[SlowDiskVerdict, ...], clock: Clock
) -> tuple[PoolState, ZfsFacts]:
    """Read the pool again with ZFS's evidence on its slow disks; unreadable parts are unknown.

    `pool` is from before the disks were watched, so that the counts that have risen since are known.
    """
    asker = Asker(host)
    known = ZfsFacts(version)
    with suppress(ZConsoleError):
        fresh = Reading(await read_pool(asker, pool.name, version), clock.monotonic())
        pool = with_reading(pool, fresh, clock.now())
        known = replace(known, rises=pool.slow_io_rises)
    with suppress(ZConsoleError):
        answer = await asker.ask(recent(), kind="events", pool=pool.name)
        known = replace(known, events=parse_events(answer.decode("utf-8", "replace")))
    vdevs = vdevs_to_ask(pool.pool.value, verdicts)
    if version.has_autosit and vdevs:
        with suppress(ZConsoleError):
            known = replace(known, sit_outs=await read_sit_outs(asker, pool.name, vdevs))
    return pool, known
