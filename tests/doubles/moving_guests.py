"""A practice host with two pools and the guest web01 on one of them, whose storage is moved to the other."""

from __future__ import annotations

from dataclasses import dataclass

from tests.doubles.replicating import MIB, Replicating
from zconsole.model.run import Run
from zconsole.practice.libvirt.guests import ZVOL, PracticeGuest, PracticeGuestDisk, PracticeImage

GUEST, OLD, NEW = "web01", "tank/web01", "vault/web01"
IMAGE = "disk.qcow2"


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
