"""Record of an exercise: sights of the pool and the rack, and the acts that changed them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.exercises.starting_shelf_and_timed_faults import Script
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import REDUNDANT, PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import kind_name


class Deed(Enum):
    """Kinds of acts."""

    PULL = "pull"
    INSERT = "insert"
    CABLE = "cable"
    OFFLINE = "offline"
    ONLINE = "online"
    REPLACE = "replace"
    ADD = "add"
    DETACH = "detach"
    CLEAR = "clear"
    SCRUB = "scrub"


@dataclass(frozen=True, slots=True)
class Seat:
    """A disk in the pool: its vdev, its state, and how many further failures the vdev survives."""

    vdev: str
    state: str
    is_current: bool
    survives: int
    errors: int
    instead_of: str = ""  # the serial of the disk that it replaces or stands in for

    @property
    def is_used(self) -> bool:
        """Whether ZFS reads and writes it."""
        return self.state in {"ONLINE", "DEGRADED"}


@dataclass(frozen=True, slots=True)
class Sight:
    """The pool and the rack at one moment; disks by serial."""

    seats: Mapping[str, Seat]
    bays: Mapping[str, int]  # of the disks in the rack
    lit: frozenset[str]
    idle_spares: frozenset[str]
    is_suspended: bool
    is_resilvering: bool
    scrub_begun: int  # epoch seconds of the newest scrub
    scrub_ended: int | None

    @property
    def is_whole(self) -> bool:
        """Whether every vdev has the redundancy that it was made with."""
        return not self.is_suspended and all(
            seat.is_current and seat.state == "ONLINE" and not seat.instead_of for seat in self.seats.values()
        )


@dataclass(frozen=True, slots=True)
class Act:
    """Something that the learner did."""

    at_s: float
    deed: Deed
    serial: str
    before: Sight
    after: Sight


@dataclass(frozen=True, slots=True)
class Record:
    """An exercise until now."""

    script: Script
    at_fault: frozenset[str]  # serials of the disks that must leave
    acts: tuple[Act, ...]
    now: Sight
    began: float  # epoch seconds
    restored_s: float | None  # when the pool became whole
    reduced_s: float
    suspended_s: float
    is_cable_new: bool
    is_reduced: bool = False  # a vdev survives fewer failures now than at the beginning
    outlasted: Mapping[str, float] = field(default_factory=dict)  # see `CopyWatch.outlasted`

    def acts_of(self, *deeds: Deed) -> list[Act]:
        """The acts of some kinds, in order."""
        return [act for act in self.acts if act.deed in deeds]


class CopyWatch:
    """Watch on replacements: whether the old disk was in use for the whole of each.

    `outlasted` has the new disks whose old disk was, with the second at which each was complete.
    """

    def __init__(self) -> None:
        self.outlasted: dict[str, float] = {}
        self._running: dict[str, tuple[str, bool]] = {}  # new disk: the old one, and whether it was in use

    def see(self, sight: Sight, at_s: float) -> None:
        """Take in the pool as it is now."""
        seats = sight.seats
        for new, (old, was_in_use) in tuple(self._running.items()):
            if new in seats and seats[new].instead_of == old:
                continue
            del self._running[new]
            if was_in_use and old not in seats and new in seats and seats[new].is_current:
                self.outlasted[new] = at_s
        for new, seat in seats.items():
            if seat.instead_of in seats:
                was_in_use = self._running.get(new, ("", True))[1]
                self._running[new] = seat.instead_of, was_in_use and seats[seat.instead_of].is_used


def survives(vdev: PracticeVdev) -> int:
    """How many further failures a vdev survives without loss; -1 is lost already."""
    if vdev.is_leaf:
        return 0 if vdev.is_current else -1
    left = [survives(child) for child in vdev.children]
    if vdev.kind in REDUNDANT:
        return sum(each + 1 for each in left) - 1
    return vdev.parity - sum(each < 0 for each in left)


def look(world: World, pool: PracticePool) -> Sight:
    """The pool and the rack now."""
    seats: dict[str, Seat] = {}
    for top in pool.present:
        name, left = f"{kind_name(top)}-{top.vdev_id}", survives(top)
        for leaf in top.leaves():
            if leaf.disk is None:
                continue
            above = pool.root.parent_of(leaf)
            old = above.children[0] if above is not None and above.kind in {"spare", "replacing"} else leaf
            instead = old.disk.serial if old is not leaf and old.disk is not None else ""
            errors = leaf.read_errors + leaf.write_errors + leaf.checksum_errors
            seats[leaf.disk.serial] = Seat(name, leaf.state, leaf.is_current, left, errors, instead)
    scan = pool.scan
    is_scrub = scan is not None and scan.function == "SCRUB" and scan.state != "CANCELED"
    idle = (spare for spare in pool.spares if pool.spare_state(spare) == "AVAIL" and spare.is_there)
    return Sight(
        seats,
        {disk.serial: disk.bay for disk in world.disks if disk.is_present and disk.bay is not None},
        frozenset(world.lit),
        frozenset(spare.disk.serial for spare in idle if spare.disk is not None),
        pool.is_suspended,
        pool.resilver is not None or pool.is_rebuilding,
        scan.start if scan is not None and is_scrub else 0,
        scan.end if scan is not None and is_scrub and scan.state == "FINISHED" else None,
    )


def acts_between(before: Sight, after: Sight, at_s: float) -> Iterator[Act]:
    """The acts that one command, or one handgrip, was."""

    def act(deed: Deed, serial: str = "") -> Act:
        return Act(at_s, deed, serial, before, after)

    yield from (act(Deed.PULL, serial) for serial in before.bays if serial not in after.bays)
    yield from (act(Deed.INSERT, serial) for serial in after.bays if serial not in before.bays)
    for serial, seat in after.seats.items():
        old = before.seats.get(serial)
        if old is None:
            replaced = seat.instead_of or next(iter(before.seats.keys() - after.seats.keys()), "")
            yield act(Deed.REPLACE if replaced else Deed.ADD, serial)
        elif old.state != seat.state and seat.state == "OFFLINE":
            yield act(Deed.OFFLINE, serial)
        elif old.state != seat.state and seat.state == "ONLINE" and serial in before.bays:
            yield act(Deed.ONLINE, serial)
        if old is not None and old.errors > seat.errors:
            yield act(Deed.CLEAR, serial)
    yield from (act(Deed.DETACH, serial) for serial in before.seats if serial not in after.seats)
    if after.scrub_begun > before.scrub_begun:
        yield act(Deed.SCRUB)
