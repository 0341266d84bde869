"""SMART answers of real disks, given by a disk of a practice host, and what its own disks count."""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from tests.conftest import CAPTURES
from tests.sentences.practised.reading import EPOCH, Practised, host_of, read
from zconsole.base.clock import ManualClock
from zconsole.cli.readings_for_findings import KeptSamples
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.practice.demo.demo_drives import demo_disks, io_errors
from zconsole.practice.practice_host import PracticeHost
from zconsole.practice.ready_made_pools import create_pool
from zconsole.practice.world.host_world import World
from zconsole.storage.disks.disk_health_samples import DiskHealthStore

DAY = 86_400.0
RECORDED = tuple(sorted((CAPTURES / "smart").glob("*.json")))


class WithRecordedSmart(PracticeHost):
    """A practice host one disk of which answers `smartctl` with a recording."""

    recording: Path | None = None
    disk = ""

    async def run(self, command: Command) -> Completed:
        """Answer, `smartctl` on that disk from the recording."""
        path = command.argv[-1]
        if (
            self.recording is None
            or command.argv[0] != "smartctl"
            or self.world.disk(path).kname != self.disk
        ):
            return await super().run(command)
        answer = self.recording.read_bytes()
        status = json.loads(answer).get("smartctl", {}).get("exit_status", 0)
        outcome = Outcome.FAILED if status else Outcome.DONE
        return Completed(command, outcome, status, answer, b"")


async def scenes() -> AsyncIterator[Practised]:
    """Each scene."""
    for recording in RECORDED:
        world = _world()
        clock = ManualClock(EPOCH)
        host = WithRecordedSmart(clock=clock, world=world)
        host.recording, host.disk = recording, "nvme0n1" if "nvme" in recording.name else "sda"
        await host.connect()
        state = await read(host, clock, disks=True)
        yield Practised(f"smart/{recording.stem}", state, clock.now())
        pool, leaf = world.leaf_of(world.disk(host.disk)) or (None, None)
        assert pool is not None
        assert leaf is not None
        io_errors(world, pool, leaf, count=5, at=world.now - 60)
        leaf.read_errors = 5
        yield Practised(
            f"smart/{recording.stem}, read errors", await read(host, clock, disks=True), clock.now()
        )
    with tempfile.TemporaryDirectory() as folder:
        async for each in _twice(DiskHealthStore(Path(folder) / "health.sqlite")):
            yield each
    for bit in range(6):
        world = _world()
        world.disk("nvme0n1").health = replace(world.disk("nvme0n1").health, warnings=1 << bit, spare=4)
        clock = ManualClock(EPOCH)
        host = await host_of(world, clock)
        state = await read(host, clock, disks=True)
        yield Practised(f"practice: warning {1 << bit} of an NVMe disk", state, clock.now())


async def _twice(store: DiskHealthStore) -> AsyncIterator[Practised]:
    """Disks that are read nine days apart: CRC errors that stand still and that grow, and pending sectors."""
    world = _world()
    pool = world.pools["tank"]
    steady, growing, _, flash = (world.disk(name) for name in ("sda", "sdb", "sdc", "nvme0n1"))
    steady.health, growing.health = replace(steady.health, crc=7), replace(growing.health, crc=7)
    world.disk("sdc").health = replace(growing.health, pending=24, crc=0, uncorrectable=3)
    steady.health.failing, growing.health.self_test_failed_at = "Reallocated_Sector_Ct", 20_001
    flash.health = replace(flash.health, warnings=2, temperature=71, wear=103)
    clock = ManualClock(EPOCH)
    host = await host_of(world, clock)
    kept = KeptSamples(store, None)
    await read(host, clock, kept, disks=True)
    clock.advance(9 * DAY)
    growing.health.crc = 31
    state = await read(host, clock, kept, disks=True)
    yield Practised("practice: SMART data of nine days", state, clock.now())
    for leaf in pool.tops("normal")[0].children:
        leaf.read_errors = 4
        io_errors(world, pool, leaf, count=4, at=world.now - 60)
    state = await read(host, clock, kept, disks=True)
    yield Practised("practice: errors and SMART data of nine days", state, clock.now())


def _world() -> World:
    world = World("storage1", now=EPOCH)
    world.disks = [each for each in demo_disks() if each.kname in {"sda", "sdb", "sdc", "nvme0n1", "nvme1n1"}]
    for each in world.disks:
        each.signatures = ()
    create_pool(world, "tank", ["mirror", "sda", "sdb", "special", "mirror", "nvme0n1", "nvme1n1"])
    return world
