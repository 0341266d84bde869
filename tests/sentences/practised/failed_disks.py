"""Disks that fail, are pulled, come back or go together, on a shelf of the practice world."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from tests.sentences.practised.reading import EPOCH, Practised, do, read, worded
from zconsole.base.clock import ManualClock
from zconsole.practice.demo.demo_drives import io_errors
from zconsole.practice.exercises.exercise_starting_world import bare_shelf
from zconsole.practice.exercises.fault_effects import ask_for_spares, happen, take_out
from zconsole.practice.exercises.starting_shelf_and_timed_faults import Fails, Garbles, Wears
from zconsole.practice.practice_host import PracticeHost
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticeVdev
from zconsole.practice.world.vdev_states_and_drive_unplugging import plug, set_state, unplug

Act = Callable[["Shelf"], None]
MIRRORS = "mirror {1} {2} mirror {3} {4}"
RAIDZ2 = "raidz2 {1} {2} {3} {4} {5} {6}"
RAIDZ1 = "raidz1 {1} {2} {3} {4}"


class Shelf:
    """A host with twelve disks; disk 0 is that of the system."""

    def __init__(self) -> None:
        self.world: World = bare_shelf(range(1, 13), EPOCH)
        self.clock = ManualClock(EPOCH)
        self.host = PracticeHost("nas1", clock=self.clock, world=self.world)

    def leaf(self, bay: int) -> PracticeVdev:
        """The device of the disk in a bay."""
        found = self.world.leaf_of(self.world.disks[bay])
        assert found is not None
        return found[1]

    def errs(self, bay: int, **counted: int) -> None:
        """Errors that ZFS counts of a disk."""
        leaf, pool = self.leaf(bay), self.world.pools["tank"]
        for name, number in counted.items():
            setattr(leaf, name, number)
        io_errors(self.world, pool, leaf, count=3, at=self.world.now - 30)

    def fails(self, bay: int) -> None:
        """A disk that fails, with what it tells of itself and the kernel of it."""
        happen(self.world, Fails(bay, 14, 486), dict(enumerate(self.world.disks)))

    def pulled(self, bay: int) -> None:
        """A disk that is pulled."""
        take_out(self.world, self.world.disks[bay])

    def gone(self, bay: int) -> None:
        """A disk that vanishes."""
        unplug(self.world, self.world.disks[bay])

    def back(self, bay: int) -> None:
        """A disk that is there again, and of which ZFS was not told."""
        self.world.disks[bay].is_present = True

    def state(self, bay: int, state: str, aux: str | None = None) -> None:
        """A device in another state."""
        set_state(self.world, self.world.pools["tank"], self.leaf(bay), state, aux)


async def scenes() -> AsyncIterator[Practised]:
    """Each scene."""
    for name, layout, acts in CASES:
        shelf = Shelf()
        await shelf.host.connect()
        await do(shelf.host, worded(shelf.world, f"zpool create -o ashift=12 tank {layout}"))
        shelf.clock.advance(600)
        for act in acts:
            if isinstance(act, str):
                await do(shelf.host, worded(shelf.world, act))
            elif isinstance(act, float):
                shelf.clock.advance(act)
                await do(shelf.host, "uname -n")
            else:
                act(shelf)
        assert not shelf.world.pools["tank"].is_suspended, name  # or `zpool status` would not answer
        state = await read(shelf.host, shelf.clock, disks=True)
        yield Practised(f"practice: {name}", state, shelf.clock.now())


def _marked_failing(bay: int) -> Act:
    def act(shelf: Shelf) -> None:
        shelf.world.disks[bay].health = replace(shelf.world.disks[bay].health, is_passing=False)

    return act


def _behind(bay: int) -> Act:
    """A device that comes back and lacks what was written meanwhile, while another fails."""

    def act(shelf: Shelf) -> None:
        leaf = shelf.leaf(bay)
        leaf.missed, leaf.is_resilvering = 1 << 30, True

    return act


def _relabelled(bay: int) -> Act:
    return lambda shelf: shelf.state(bay, "UNAVAIL", "BAD_LABEL")


CASES: tuple[tuple[str, str, tuple[Act | str | float, ...]], ...] = (
    ("a failing disk taken offline", MIRRORS, (_marked_failing(2), "zpool offline tank {2}")),
    ("a sound disk taken offline", RAIDZ2, ("zpool offline tank {2}",)),
    ("a failed disk taken offline, and pulled", MIRRORS, (
        lambda s: s.fails(2), "zpool offline tank {2}", lambda s: s.pulled(2))),
    ("a disk that was pulled and is there again", MIRRORS, (lambda s: s.gone(2), 60.0, lambda s: s.back(2))),
    ("a disk that could not be opened", MIRRORS, (lambda s: s.state(2, "UNAVAIL"),)),
    ("two disks that could not be opened", RAIDZ2, (
        lambda s: s.state(2, "UNAVAIL"), lambda s: s.state(3, "UNAVAIL"))),
    ("a disk without its label", MIRRORS, (_relabelled(2),)),
    ("all but two disks gone together", "mirror {1} {5} mirror {2} {6} mirror {3} {7}", (
        lambda s: s.gone(5), lambda s: s.gone(6), lambda s: s.gone(7))),
    ("a failed disk, and a sound one pulled", RAIDZ2, (lambda s: s.fails(2), 300.0, lambda s: s.pulled(4))),
    ("a failed disk of a mirror, and its partner pulled", "mirror {1} {2} {3}", (
        lambda s: s.fails(2), 300.0, lambda s: s.pulled(1))),
    ("two failed disks", RAIDZ2, (lambda s: s.fails(2), lambda s: s.fails(4))),
    ("a replacement that failed", MIRRORS, (
        lambda s: s.fails(2), "zpool replace tank {2} {8}", lambda s: s.fails(8))),
    ("a spare that failed", f"{MIRRORS} spare {{9}}", (
        lambda s: s.fails(2), lambda s: ask_for_spares(s.world), lambda s: s.fails(9))),
    ("a cable that garbles", RAIDZ2, (
        lambda s: happen(s.world, Garbles((1, 2), 40, 3), dict(enumerate(s.world.disks))),)),
    ("a disk that wears", RAIDZ2, (
        lambda s: happen(s.world, Wears(2, pending=8, reads=0), dict(enumerate(s.world.disks))),)),
    ("a few checksum errors", RAIDZ2, (lambda s: s.errs(2, checksum_errors=4),)),
    ("read errors of two disks", MIRRORS, (
        lambda s: s.errs(1, read_errors=4), lambda s: s.errs(2, read_errors=4))),
    ("a lone disk with errors", "{1}", (lambda s: s.errs(1, read_errors=4),)),
    ("a raidz2 in which others lack data", RAIDZ2, (
        _behind(1), lambda s: s.fails(2), lambda s: s.fails(3))),
    ("a disk that came back, and a resilver", MIRRORS, (
        lambda s: s.gone(2), 600.0, lambda s: plug(s.world, s.world.disks[2]))),
    ("a failed log", f"{MIRRORS} log {{10}}", (lambda s: s.fails(10),)),
    ("a failed cache", f"{MIRRORS} cache {{10}}", (lambda s: s.fails(10),)),
    ("a checkpoint, and a failed disk", MIRRORS, ("zpool checkpoint tank", lambda s: s.fails(2))),
    ("a split pool", MIRRORS, ("zpool split tank half {2} {4}",)),
    ("a resilver, and another failed disk", MIRRORS, (
        lambda s: s.fails(2), "zpool replace tank {2} {8}", lambda s: s.fails(4))),
)  # fmt: skip
