"""Exercise full-pool: guests are paused, because their pool has no space; snapshots hold it.

As QEMU and ZFS behave: a guest whose write fails with ENOSPC is paused, and is paused again at its next write
when it is resumed before there is space.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final

from zconsole.base.fixed_width_formatting import duration, percent, size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.exercise import ExerciseState, Handwork, RackBay, RackDisk, Remark, RemarkKind
from zconsole.practice.demo.demo_datasets import BUSY, CALM, DatasetMaker
from zconsole.practice.demo.demo_host import allocate, scrubbed, start_pool
from zconsole.practice.exercises.exercise_starting_world import POOL, bare_shelf, cable_of, serial_in
from zconsole.practice.libvirt.guests import (
    IO_ERROR,
    PAUSED,
    RUNNING,
    SHUT_OFF,
    ZVOL,
    PracticeGuest,
    PracticeGuestDisk,
    PracticeImage,
)
from zconsole.practice.libvirt.storage_of_images import dataset_that_holds
from zconsole.practice.world.dataset_writes_and_snapshots import append, available
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import Load

NAME: Final = "full-pool"
TOLD: Final = (
    "Mail and the web shop answer nobody. No disk has failed, and nobody has changed anything.\n"
    "Find out why, get both guests running again without losing data, and leave at least a twentieth of tank "
    "free: they go on writing."
)
BAYS_USED: Final = (1, 2, 3, 4)
FREE_ENOUGH: Final = 0.05  # share of the pool
NO_SPACE: Final = "no space"
_IMAGES: Final = "tank/vm/images"
_IMAGE: Final = f"/{_IMAGES}/mail01.qcow2"
_SHOP: Final = "tank/vm/shop01"
_GIB: Final = 1 << 30
_LEAST_BYTES: Final = 1 << 20  # of space for a guest's next write
_WRITES_PER_S: Final = 6 << 20  # bytes of each guest that runs


@dataclass(frozen=True, slots=True)
class SpaceSight:
    """Guests by state, and the datasets and snapshots that there are."""

    guests: tuple[tuple[str, int], ...]
    datasets: frozenset[str]
    snapshots: int
    free_bytes: int

    @property
    def has_space(self) -> bool:
        """Whether a guest can write."""
        return self.free_bytes >= _LEAST_BYTES


def full_pool_world(now: float, seed: int = 1) -> World:
    """The world in which guests have just filled tank."""
    world = bare_shelf(BAYS_USED, now, seed)
    world.lacking -= {"virsh", "qemu-img"}
    layout = ["mirror", *(serial_in(bay) for bay in BAYS_USED[:2])]
    layout += ["mirror", *(serial_in(bay) for bay in BAYS_USED[2:])]
    pool = start_pool(world, POOL, layout, age_days=1204, txg=7_204_118)
    make = DatasetMaker(world, pool)
    make.filesystem("tank/home", 1400, BUSY)
    backup = make.filesystem("tank/backup", 2300, CALM, recordsize="1048576")
    make.filesystem("tank/vm")
    images = make.filesystem(_IMAGES, 620, BUSY)
    shop = make.volume(_SHOP, 900, 510, BUSY)
    make.early_snapshot(images, "before-migration", days_ago=71, used=410 * _GIB)
    make.early_snapshot(shop, "before-upgrade", days_ago=64, used=230 * _GIB)
    make.finish()
    append(pool, backup, max(0, available(pool, backup)) >> 12 << 12)
    allocate(pool, (1.0,) * len(pool.tops("normal")))
    pool.load = Load(60, 65536, 2, 16384, sync_writes=1, swing=0.1)
    scrubbed(world, pool, days_ago=11.2, hours=3.1)
    world.images[_IMAGE] = PracticeImage(_IMAGE, "qcow2", 900 * _GIB, images.referenced, 65536)
    for name, source, kind in (("mail01", _IMAGE, "qcow2"), ("shop01", f"{ZVOL}{_SHOP}", "raw")):
        disk = PracticeGuestDisk("vda", source, kind, error=NO_SPACE)
        world.guests.append(PracticeGuest(name, [disk], state=PAUSED, reason=IO_ERROR))
    world.events.sort(key=lambda event: event.at)
    return world


class FullPoolExercise:
    """A running exercise. `do` and `state` may be called from any thread, all else from the host's."""

    def __init__(self, world: World) -> None:
        self._world, self._pool = world, world.pools[POOL]
        self._remarks: list[Remark] = []
        self._restored_s: float | None = None
        self._has_freed = False
        world.on_step = self._step
        self._state = self._describe()

    def state(self) -> ExerciseState:
        """The exercise now."""
        return self._state

    def do(self, _work: Handwork) -> None:
        """The rack does not help here."""

    def look(self) -> SpaceSight:
        """Guests, datasets and space now."""
        datasets = self._pool.datasets
        return SpaceSight(
            tuple((each.name, each.state) for each in self._world.guests),
            frozenset(datasets),
            sum(len(each.snapshots) for each in datasets.values()),
            self._free_bytes(),
        )

    def note(self, before: SpaceSight) -> None:
        """Remark on what a command has changed."""
        now, at_s = self.look(), self._world.elapsed
        gone = sorted(before.datasets - now.datasets)
        if gone:
            words = f"{', '.join(gone)} was destroyed: snapshots would have freed enough"
            self._remarks.append(Remark(RemarkKind.RISKY, words, at_s))
        if not before.has_space and now.has_space and not gone and not self._has_freed:
            self._has_freed = True
            taken = before.snapshots - now.snapshots
            words = f"{size(now.free_bytes)} came free by destroying snapshots alone ({taken})"
            self._remarks.append(Remark(RemarkKind.GOOD, words, at_s))
        states = dict(now.guests)
        for name, was in before.guests:
            self._note_guest(name, was, states.get(name), has_space=now.has_space)
        self._describe_again()

    def catch_up(self) -> bool:
        """Whether handwork was carried out: there is none in this exercise."""
        self._describe_again()
        return False

    def _note_guest(self, name: str, was: int, is_now: int | None, *, has_space: bool) -> None:
        at_s = self._world.elapsed
        if was == PAUSED and is_now == RUNNING and has_space:
            words = f"{name} was resumed once there was space: it goes on where it stood"
            self._remarks.append(Remark(RemarkKind.GOOD, words, at_s))
        elif was == PAUSED and is_now == RUNNING:
            words = f"{name} was resumed while {POOL} had no space: it is paused again at its next write"
            self._remarks.append(Remark(RemarkKind.RISKY, words, at_s))
        elif was == PAUSED and is_now in {SHUT_OFF, None}:
            words = f"{name} was powered off while it was paused: what it had not written is lost"
            self._remarks.append(Remark(RemarkKind.RISKY, words, at_s))

    def _step(self, span: float) -> None:
        """Let the guests write, and pause those whose write finds no space."""
        for guest in self._world.guests:
            if guest.state != RUNNING:
                continue
            dataset = dataset_that_holds(self._world, guest.disks[0].source)
            if dataset is None:
                continue
            amount = int(_WRITES_PER_S * span) >> 12 << 12
            left = available(self._pool, dataset)
            append(self._pool, dataset, min(amount, max(0, left)) >> 12 << 12)
            if left < max(amount, _LEAST_BYTES):
                guest.state, guest.reason, guest.disks[0].error = PAUSED, IO_ERROR, NO_SPACE
        is_well = not self._not_running() and self._free_share() >= FREE_ENOUGH
        if not is_well:
            self._restored_s = None
        elif self._restored_s is None:
            self._restored_s = self._world.elapsed

    def _free_bytes(self) -> int:
        return max(0, available(self._pool, self._pool.datasets[POOL]))

    def _free_share(self) -> float:
        return self._free_bytes() / self._pool.usable

    def _not_running(self) -> list[str]:
        return [each.name for each in self._world.guests if each.state != RUNNING]

    def _left(self) -> Iterator[Remark]:
        for each in self._world.guests:
            if each.state == PAUSED:
                first = "" if self.look().has_space else "free space, then "
                yield Remark(RemarkKind.LEFT, f"{each.name} is paused: {first}resume it")
            elif each.state != RUNNING:
                yield Remark(RemarkKind.LEFT, f"{each.name} is off: start it")
        if self._free_share() < FREE_ENOUGH:
            words = f"{POOL} has {percent(100 * self._free_share())} free: it is full again soon"
            yield Remark(RemarkKind.LEFT, words)

    def _outcome(self) -> str:
        stopped = self._not_running()
        if stopped:
            verb = "does" if len(stopped) == 1 else "do"
            return f"{' and '.join(stopped)} {verb} not run; {POOL} has {size(self._free_bytes())} free."
        if self._restored_s is None:
            return f"All guests run; {POOL} has only {size(self._free_bytes())} free."
        took = duration(self._restored_s)
        return f"All guests run again, with {size(self._free_bytes())} free in {POOL}, after {took}."

    def _describe_again(self) -> None:
        self._state = self._describe()

    def _describe(self) -> ExerciseState:
        kinds = list(RemarkKind)
        remarks = sorted(
            (*self._remarks, *self._left()),
            key=lambda each: (kinds.index(each.kind), inf if each.at_s is None else each.at_s),
        )
        in_bays = {disk.bay: disk for disk in self._world.disks if disk.bay is not None}
        bays = tuple(
            RackBay(bay, RackDisk(disk.serial, disk.model, disk.size), cable=cable_of(bay))
            for bay, disk in sorted(in_bays.items())
        )
        return ExerciseState(
            NAME, TOLD, self._world.elapsed, bays, (), self._outcome(), self._restored_s, 0.0, tuple(remarks)
        )
