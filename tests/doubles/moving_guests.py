"""A practice host with two pools and the guest web01 on one of them, whose storage is moved to the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.doubles.replicating import MIB, PipedHost, Replicating
from zconsole.actions.plan import Plan
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.hosts.host import Command, Completed, Effect, Piped
from zconsole.model.run import Run
from zconsole.practice import PracticeHost
from zconsole.practice.libvirt.guests import SHUT_OFF, ZVOL, PracticeGuest, PracticeGuestDisk, PracticeImage

GUEST, OLD, NEW = "web01", "tank/web01", "vault/web01"
IMAGE, DATA = "disk.qcow2", "data.qcow2"


class ConsoleKilled(BaseException):
    """A console that is gone before a command is sent."""


def kill_console() -> None:
    """For `MovingGuest.meanwhile`."""
    raise ConsoleKilled


class Meanwhile(PipedHost):
    """Something happens right before one of the commands that change the host."""

    def __init__(self, inner: PracticeHost, what: str, number: int, act: Callable[[], object]) -> None:
        super().__init__(inner)
        self.left = number
        self.what = what
        self.act = act

    def _look(self, command: Command) -> None:
        is_change = command.effect is Effect.CHANGE and command.argv != TAKE_AS_ROOT
        if is_change and in_short(command.argv) == self.what:
            self.left -= 1
            if not self.left:
                self.act()

    async def run(self, command: Command) -> Completed:
        self._look(command)
        return await super().run(command)

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        self._look(command)
        async with super().pipe(command) as running:
            yield running


@dataclass
class MovingGuest(Replicating):
    """`on_volume`: the disk is a volume; otherwise a qcow2 file on a file system."""

    is_one: bool = True
    on_volume: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        world = self.nas_world
        world.lacking -= {"virsh", "qemu-img"}
        self.type(f"zfs create -s -V 128M {OLD}" if self.on_volume else f"zfs create {OLD}")
        self.fill(16, OLD)
        path = f"{ZVOL}{OLD}" if self.on_volume else f"/{OLD}/{IMAGE}"
        kind = "raw" if self.on_volume else "qcow2"
        if not self.on_volume:
            world.images[path] = PracticeImage(path, kind, 128 * MIB, 16 * MIB, 65536)
        self.guest = PracticeGuest(GUEST, [PracticeGuestDisk("vda", path, kind)])
        world.guests.append(self.guest)

    def add_disk(self) -> None:
        """A second disk on the same file system."""
        path = f"/{OLD}/{DATA}"
        self.nas_world.images[path] = PracticeImage(path, "qcow2", 128 * MIB, 16 * MIB, 65536)
        self.guest.disks.append(PracticeGuestDisk("vdb", path, "qcow2"))

    def meanwhile(self, what: str, number: int, act: Callable[[], object]) -> Meanwhile:
        """Do this right before the command of this name that is sent as the n-th of its kind, once."""
        assert isinstance(self.nas.inner, PracticeHost)
        host = Meanwhile(self.nas.inner, what, number, act)
        self.nas = self.vault = host
        self.operator = self.another()
        return host

    def start(self) -> None:
        """Somebody starts it where it is defined, and it writes there."""
        self.type(f"virsh -q -c qemu:///system start {self.guest.uuid}")
        for place in dict.fromkeys(NEW if disk.source.count(NEW) else OLD for disk in self.guest.disks):
            self.fill(5, place)

    def start_and_stop(self) -> None:
        """The same, and shuts it off again."""
        self.start()
        self.guest.state = SHUT_OFF

    async def again(self, target: str = NEW, **options: str | bool) -> Plan:
        """The plan of the move as another console makes it some time later."""
        self.manual.advance(120)
        return await self.plan("guest-move", GUEST, target, operator=self.another(), **options)

    async def move(self, target: str = NEW, **options: str | bool) -> Run:
        """Plan the move as it is left to do, and carry it out."""
        return await self.do("guest-move", GUEST, target, **options)

    async def commands(self, target: str = NEW) -> list[str]:
        """What is left to do, a word or two each."""
        plan = await self.plan("guest-move", GUEST, target)
        assert not plan.is_refused, plan.refusals
        return [in_short(step.argv) for step in plan.steps]

    @property
    def disk(self) -> str:
        """Where its disk is defined."""
        return self.guest.disks[0].source

    def guids(self, dataset: str) -> list[str]:
        """Guids of a dataset's snapshots of moves, the oldest first."""
        pool = self.nas_world.pools[dataset.partition("/")[0]]
        return [
            str(each.guid)
            for each in pool.datasets[dataset].snapshots
            if each.name.startswith("zconsole-move-")
        ]


def in_short(argv: tuple[str, ...]) -> str:
    """`snapshot`, `receive`, `shutdown`: what a command does."""
    if argv[0] == "virsh":
        return argv[4]
    return "define" if argv[0] == "sh" else argv[1]
