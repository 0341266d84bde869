"""Two practice hosts: the guest web01 on tank of nas1 is moved to vault of vault1."""

from __future__ import annotations

from dataclasses import dataclass

from tests.doubles.moving_guests import GUEST, IMAGE, NEW, OLD, in_short
from tests.doubles.replicating import MIB, NAS, VAULT, Replicating
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan
from zconsole.model.run import Run, RunState
from zconsole.practice import World
from zconsole.practice.libvirt.guests import SHUT_OFF, ZVOL, PracticeGuest, PracticeGuestDisk, PracticeImage
from zconsole.service.prepare_execute_and_recover_plans import Operator


@dataclass
class MovingBetweenHosts(Replicating):
    """`on_volume`: the disk is a volume; otherwise a qcow2 file on a file system."""

    on_volume: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for world in (self.nas_world, self.vault_world):
            world.lacking -= {"virsh", "qemu-img"}
        self.type(f"zfs create -s -V 128M {OLD}" if self.on_volume else f"zfs create {OLD}")
        self.fill(16, OLD)
        path = self.path(OLD)
        kind = "raw" if self.on_volume else "qcow2"
        if not self.on_volume:
            self.nas_world.images[path] = PracticeImage(path, kind, 128 * MIB, 16 * MIB, 65536)
        self.guest = PracticeGuest(GUEST, [PracticeGuestDisk("vda", path, kind)], is_started_at_boot=True)
        self.nas_world.guests.append(self.guest)

    def path(self, dataset: str) -> str:
        """Where a disk on this dataset is."""
        return f"{ZVOL}{dataset}" if self.on_volume else f"/{dataset}/{IMAGE}"

    @property
    def there(self) -> PracticeGuest | None:
        """The guest on the other host."""
        return next((each for each in self.vault_world.guests if each.uuid == self.guest.uuid), None)

    async def planned(
        self,
        target: str = NEW,
        *,
        on: str = NAS,
        operator: Operator | None = None,
        **options: OptionValue,
    ) -> Plan:
        """Plan the move to the other host."""
        to = VAULT if on == NAS else NAS
        wanted = intent("guest-move", GUEST, target, options={"to": to, **options})
        return await (operator or self.operator).prepare(on, wanted)

    async def carried_out(self, plan: Plan, operator: Operator | None = None) -> Run:
        """Confirm it and run it."""
        return await (operator or self.operator).execute(
            plan.identity.label, plan, plan.confirm or "", {}, lasts_s=SAVED_PLAN_LASTS_S
        )

    async def moved(self, target: str = NEW, **options: OptionValue) -> Run:
        """Plan the move as it is left to do, and carry it out."""
        plan = await self.planned(target, **options)
        assert not plan.is_refused, plan.refusals
        return await self.carried_out(plan)

    async def moved_and_written(self, mebibytes: int) -> PracticeGuest:
        """Move it; it has written so much at the new place, and is off: the guest of the other host."""
        run = await self.moved()
        assert RunState.DONE is run.state, run.words
        self.fill(mebibytes, NEW, self.vault_world)
        there = self.there
        assert there is not None
        there.state = SHUT_OFF
        return there

    def guids(self, dataset: str, world: World | None = None) -> list[int]:
        """Guids of a dataset's snapshots of moves, the oldest first; none of a dataset that is not there."""
        world = world or (self.nas_world if dataset.startswith("tank") else self.vault_world)
        found = world.pools[dataset.partition("/")[0]].datasets.get(dataset)
        snapshots = () if found is None else found.snapshots
        return [each.guid for each in snapshots if each.name.startswith("zconsole-move-")]

    def is_writable(self, dataset: str) -> bool:
        """Whether a guest could be started on it."""
        world = self.nas_world if dataset.startswith("tank") else self.vault_world
        found = world.pools[dataset.partition("/")[0]].datasets.get(dataset)
        return found is not None and found.properties.get("readonly", "off") == "off"


def steps_with_hosts(plan: Plan) -> list[str]:
    """What a plan does, a word or two each: `receive on vault1`."""
    return [in_short(step.argv) + (f" on {step.on}" if step.on else "") for step in plan.steps]
