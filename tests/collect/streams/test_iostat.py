"""Samples with each disk's busy time, which is measured as often as there is time for."""

from __future__ import annotations

import pytest

from tests.doubles.machines import ROW
from tests.doubles.scripted_host import ScriptedHost, ScriptedStream
from zconsole.base.clock import ManualClock
from zconsole.collect.streams.iostat import IoStream
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.system.diskstats import DISKSTATS

POOL = Pool("tank", "ONLINE", 1, (Vdev("sda", "disk", "data", "ONLINE", path="/dev/sda"),))


class CountingHost(ScriptedHost):
    """Counts how often it is asked for a file."""

    reads = 0

    async def read(self, path: str, *, max_bytes: int = 0) -> bytes:
        self.reads += 1
        return await super().read(path, max_bytes=max_bytes)


def diskstats(busy_ms: int) -> bytes:
    return b"8 0 sda 1 0 8 1 1 0 8 1 0 %d 1\n" % busy_ms


@pytest.mark.parametrize(("slack", "reads"), [(1.0, 12), (4.0, 3), (12.0, 1)])
async def test_busy_is_measured_over_as_long_as_there_is_slack(slack: float, reads: int) -> None:
    host, clock = CountingHost(), ManualClock()
    feed = host.streams["zpool iostat"] = ScriptedStream()
    stream = IoStream(host, clock, ("tank",), 1.0, slack=slack)
    stream.describe([POOL], Inventory(disks=(Disk("sda", "/dev/sda", "disk"),)))
    bursts, busy = stream.bursts(), []

    for second in range(12):
        host.files[DISKSTATS] = diskstats(250 * second)
        rows = "\n".join(ROW.format(name=name, ops=1) for name in ("tank", "sda"))
        feed.feed(f"{second}\n{rows}\n".encode())
        (sample,) = await anext(bursts)
        busy.append(sample.busy)
        clock.advance(1)
    await bursts.aclose()

    assert reads == host.reads
    assert {(), (None, 0.25)} >= set(busy)
    assert (None, 0.25) in busy or slack == 12


async def test_disks_of_pools_without_io_are_measured_less_often() -> None:
    """And the first I/O after that is measured from its own beginning."""
    host, clock = CountingHost(), ManualClock()
    feed = host.streams["zpool iostat"] = ScriptedStream()
    stream = IoStream(host, clock, ("tank",), 1.0)
    stream.describe([POOL], Inventory(disks=(Disk("sda", "/dev/sda", "disk"),)))
    bursts, busy, busy_ms = stream.bursts(), [], 0

    for second in range(24):
        is_idle = 2 <= second < 20
        busy_ms += 0 if is_idle else 500
        host.files[DISKSTATS] = diskstats(busy_ms)
        rows = "\n".join(ROW.format(name=name, ops=0 if is_idle else 9) for name in ("tank", "sda"))
        printed = rows.replace("\t5\t", "\t0\t") if is_idle else rows
        feed.feed(f"{second}\n{printed}\n".encode())
        (sample,) = await anext(bursts)
        busy.append(sample.busy)
        clock.advance(1)
    await bursts.aclose()

    assert host.reads <= 12
    assert [(None, 0.0)] == list(dict.fromkeys(busy[7:20]))
    assert [(), (None, 0.5), (None, 0.5)] == busy[20:23]
