"""Host of the exercises: a shelf of twelve bays behind two cables, one pool, and disks on a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.practice.demo.demo_datasets import BUSY, CALM, DatasetMaker
from zconsole.practice.demo.demo_drives import DriveMake, sata, system_disk
from zconsole.practice.demo.demo_host import allocate, scrubbed, start_pool
from zconsole.practice.exercises.starting_shelf_and_timed_faults import Script
from zconsole.practice.world.drives import DriveKind, PracticeDisk, PracticeHealth
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import Load

BAYS: Final = 12
POOL: Final = "tank"
CABLES: Final = {"A": range(1, 5), "B": range(5, 9), "C": range(9, 13)}  # four bays each
_KIB: Final = 1024
_4T: Final = "4T"
MAKES: Final = {
    "3T": DriveMake("ST3000NM0033-9ZM178", 3_000_592_982_016, "0x5000c500", DriveKind.HDD),
    _4T: DriveMake("ST4000NM0035-1V4107", 4_000_787_030_016, "0x5000c500", DriveKind.HDD),
    "6T": DriveMake("ST6000NM0115-1YZ110", 6_001_175_126_016, "0x5000c500", DriveKind.HDD),
}
SERIALS: Final = (
    "ZC13A01K", "ZC13A0R7", "ZC13A11M", "ZC13A1JN", "ZC13B0T4", "ZC13B0TX",
    "ZC13B2QE", "ZC13C09D", "ZC13C0F5", "ZC13C1H8", "ZC13C1HB", "ZC13D0PW",
)  # fmt: skip


def serial_in(bay: int) -> str:
    """The serial of the disk that is in a bay at the beginning."""
    return SERIALS[bay - 1]


def cable_of(bay: int) -> str:
    """The cable behind a bay."""
    return next(name for name, bays in CABLES.items() if bay in bays)


def shelf_world(script: Script, now: float, seed: int = 1) -> World:
    """The world of a script before anything happens."""
    world = bare_shelf([int(word) for word in script.layout.split() if word.isdigit()], now, seed)
    for slot, (serial, make) in enumerate(script.table, start=len(world.disks)):
        disk = _disk(slot, serial, make)
        disk.bay, disk.is_present, disk.health.hours = None, False, 3
        world.disks.append(disk)
    _pool(world, [serial_in(int(word)) if word.isdigit() else word for word in script.layout.split()])
    world.events.sort(key=lambda event: event.at)
    return world


def bare_shelf(used: Iterable[int], now: float, seed: int = 1) -> World:
    """A shelf with disks in these bays, and no pool."""
    world = World("storage1", now=now, seed=seed)
    world.bays = BAYS
    world.disks = [system_disk(), *(_disk(bay, serial_in(bay), _4T) for bay in used)]
    return world


def _disk(slot: int, serial: str, make: str) -> PracticeDisk:
    disk = sata(slot, serial, MAKES[make])
    disk.bay = slot
    disk.health = PracticeHealth(hours=31_200 + 7 * slot, temperature=33 + slot % 4)
    return disk


def _pool(world: World, words: list[str]) -> None:
    pool = start_pool(world, POOL, words, age_days=1204, txg=7_204_118)
    make = DatasetMaker(world, pool)
    make.filesystem("tank/home", 210, BUSY)
    make.filesystem("tank/mail", 96, BUSY)
    make.filesystem("tank/backup", 200, CALM, recordsize="1048576")
    make.volume("tank/vm", 200, 120, BUSY)
    make.finish()
    allocate(pool, (1.0,) * len(pool.tops("normal")))
    pool.load = Load(
        90, 64 * _KIB, 70, 64 * _KIB, sync_writes=12, swing=0.25, growth=4.0e5, grows="tank/home"
    )
    scrubbed(world, pool, days_ago=11.2, hours=1.4)
