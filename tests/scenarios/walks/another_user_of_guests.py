"""Another user of the hosts between which a guest is moved: what that user does at any moment, by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts
from tests.doubles.moving_guests import GUEST, NEW, OLD, MovingGuest
from tests.doubles.replicating import MIB
from tests.scenarios.walks.what_the_guest_wrote import GuestWrites, place_of
from zconsole.practice import World
from zconsole.practice.libvirt.guests import (
    BY_USER,
    PAUSED,
    RUNNING,
    SHUT_OFF,
    ZVOL,
    PracticeGuest,
    PracticeGuestDisk,
)
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_writes_and_snapshots import OutOfSpace, write
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.zfs.mount_share import setting

VIRSH: Final = "virsh -q -c qemu:///system"
WRITTEN: Final = 2 * MIB
MOST_DISKS: Final = 3


@dataclass
class AnotherUser:
    """Acts on both hosts, or on the one. What this user takes away from the guest is expected no more."""

    hosts: MovingBetweenHosts | MovingGuest
    dice: random.Random
    writes: GuestWrites
    log: list[str]
    unread: set[str] = field(
        default_factory=set
    )  # hosts where a place was opened since a console has read it
    opened: set[PracticeDataset] = field(default_factory=set)  # places made writable by hand

    def acts(self, name: str) -> None:
        """Do it, and follow what that changes."""
        self.log.append(f"   another user: {name}")
        ACTS[name](self)
        self._settle()

    def guest_writes(self) -> None:
        """Each guest that runs writes to each of its disks that is writable."""
        for world, guest in self.guests():
            for disk in guest.disks if guest.state == RUNNING else ():
                place = place_of(world, disk)
                if place is None or setting(world, place, "readonly") == "on":
                    continue
                try:
                    write(world.pools[place.name.partition("/")[0]], place, WRITTEN)
                except OutOfSpace:
                    continue
                made = self.writes.write(disk.target, place)
                self.log.append(f"    the guest wrote {made} on {place.name}")
        self.writes.follow()

    def guests(self) -> list[tuple[World, PracticeGuest]]:
        """The guest on each host that has a definition of it."""
        return [(world, each) for world in self.worlds for each in world.guests if each.name == GUEST]

    @property
    def worlds(self) -> tuple[World, ...]:
        """Of the hosts, each once."""
        return tuple(dict.fromkeys((self.hosts.nas_world, self.hosts.vault_world)))

    def label(self, world: World) -> str:
        """Of the host."""
        return self.hosts.nas.label if world is self.hosts.nas_world else self.hosts.vault.label

    # What is done, and where

    def old(self, line: str) -> bool:
        """Type it on the host of the old place."""
        return self._type(self.hosts.nas_world, line)

    def new(self, line: str) -> bool:
        """Type it on the host of the new place."""
        return self._type(self.hosts.vault_world, line)

    def start(self, world: World) -> None:
        """Start the guest, which writes at once."""
        self._type(world, f"{VIRSH} start {self.hosts.guest.uuid}")
        self.guest_writes()

    def stop(self) -> None:
        """It writes to the end, and is off."""
        self.guest_writes()
        for _, guest in self.guests():
            guest.state = SHUT_OFF

    def open(self, name: str) -> None:
        """Make a place writable: this user says that it is the one that counts."""
        world, found = self._world(name), self._dataset(name)
        if self._type(world, f"zfs set readonly=off {name}") and found is not None:
            self.unread.add(self.label(world))
            self.opened.add(found)

    def prune(self, name: str) -> None:
        """Destroy one of its snapshots."""
        found = self._dataset(name)
        if found is not None and found.snapshots:
            self._type(self._world(name), f"zfs destroy {self.dice.choice(found.snapshots).full_name}")

    def from_last_snapshot(self, line: str) -> None:
        """Type this with the last snapshot of the new place."""
        found = self._dataset(NEW)
        if found is not None and found.snapshots:
            self.new(line.format(found.snapshots[-1].full_name))

    def touch(self) -> None:
        """Write something that is not the guest's to the new place."""
        found, world = self._dataset(NEW), self.hosts.vault_world
        if found is not None and setting(world, found, "readonly") != "on":
            write(world.pools["vault"], found, MIB)

    def attach(self) -> None:
        """Give the guest one more disk, on a volume of its own."""
        for world, guest in self.guests():
            if world is self.hosts.nas_world and len(guest.disks) < MOST_DISKS:
                name = f"tank/extra{len(guest.disks)}{self.dice.randrange(99)}"
                target = f"vd{'abc'[len(guest.disks)]}"
                if self.old(f"zfs create -s -V 16M {name}"):
                    guest.disks.append(PracticeGuestDisk(target, f"{ZVOL}{name}", "raw"))

    def pause(self) -> None:
        """Pause it."""
        for _, guest in self.guests():
            if guest.state == RUNNING:
                guest.state, guest.reason = PAUSED, BY_USER

    def save(self) -> None:
        """Save its memory, as libvirt does when the host is shut down."""
        for _, guest in self.guests():
            if guest.state == RUNNING:
                guest.state, guest.has_saved_memory = SHUT_OFF, True

    def another_guest(self) -> None:
        """Define one with the same disk."""
        world, disk = self.hosts.nas_world, self.hosts.guest.disks[0]
        if len(world.guests) == 1:
            shared = PracticeGuestDisk("vda", disk.source, disk.format)
            state = self.dice.choice((SHUT_OFF, RUNNING))
            world.guests.append(PracticeGuest("shares", [shared], state=state))

    def create_anew(self) -> None:
        """Create the new place. A disk of the guest that is there from then on is an empty one."""
        is_made = self.new(f"zfs create -s -V 128M {NEW}" if self.hosts.on_volume else f"zfs create {NEW}")
        for world, guest in self.guests() if is_made else ():
            for disk in guest.disks:
                place = place_of(world, disk)
                if place is not None and place.name == NEW:
                    self.log.append(f"    {disk.target} is a new disk")
                    self.writes.forget_disk(disk.target)

    def rename_back(self) -> None:
        """Give the new place its name again."""
        aside = next((each for each in self._names("vault") if each.startswith("vault/aside")), None)
        if aside is not None:
            self.new(f"zfs rename {aside} {NEW}")

    def _type(self, world: World, line: str) -> bool:
        reply = answer(world, line.split())
        assert isinstance(reply, Reply)
        self.writes.follow()
        self.log.append(f"    {line}: {reply.status} {reply.stderr.strip()[:90]}")
        return not reply.status

    def _settle(self) -> None:
        self.writes.follow()
        if lost := self.writes.forget_lost():
            self.log.append(f"    another user lost {sorted(lost)}")

    def _world(self, name: str) -> World:
        return self.hosts.nas_world if name.startswith("tank") else self.hosts.vault_world

    def _names(self, pool: str) -> list[str]:
        return sorted(self._world(pool).pools[pool].datasets)

    def _dataset(self, name: str) -> PracticeDataset | None:
        return self._world(name).pools[name.partition("/")[0]].datasets.get(name)


ACTS: Final[dict[str, Callable[[AnotherUser], object]]] = {
    "starts the guest at the old host": lambda user: user.start(user.hosts.nas_world),
    "starts the guest at the new host": lambda user: user.start(user.hosts.vault_world),
    "shuts the guest off": AnotherUser.stop,
    "lets the guest write": AnotherUser.guest_writes,
    "pauses the guest": AnotherUser.pause,
    "saves the guest": AnotherUser.save,
    "attaches a disk": AnotherUser.attach,
    "defines a guest with the same disk": AnotherUser.another_guest,
    "undefines the guest at the old host": lambda user: user.old(f"{VIRSH} undefine {user.hosts.guest.uuid}"),
    "undefines the guest at the new host": lambda user: user.new(f"{VIRSH} undefine {user.hosts.guest.uuid}"),
    "snapshots the old place": lambda user: user.old(f"zfs snapshot {OLD}@timer{user.dice.randrange(99)}"),
    "snapshots the new place": lambda user: user.new(f"zfs snapshot {NEW}@timer{user.dice.randrange(99)}"),
    "prunes the old place": lambda user: user.prune(OLD),
    "prunes the new place": lambda user: user.prune(NEW),
    "renames the old place": lambda user: user.old(f"zfs rename {OLD} tank/aside"),
    "renames the new place": lambda user: user.new(f"zfs rename {NEW} vault/aside{user.dice.randrange(99)}"),
    "renames the new place back": AnotherUser.rename_back,
    "destroys the new place": lambda user: user.new(f"zfs destroy -r {NEW}"),
    "creates the new place anew": AnotherUser.create_anew,
    "rolls the new place back": lambda user: user.from_last_snapshot("zfs rollback {}"),
    "clones the new place": lambda user: user.from_last_snapshot(
        f"zfs clone {{}} vault/clone{user.dice.randrange(99)}"
    ),
    "mounts the new place": lambda user: user.new(f"zfs mount {NEW}"),
    "unmounts the new place": lambda user: user.new(f"zfs unmount {NEW}"),
    "writes to the new place": AnotherUser.touch,
    "makes the old place writable": lambda user: user.open(OLD),
    "makes the new place writable": lambda user: user.open(NEW),
    "makes the new place read-only": lambda user: user.new(f"zfs set readonly=on {NEW}"),
}
