"""Two real libvirts beside two practice hosts: ZFS is the practice hosts', the guest and its image are real.

A dataset is a file system of its host's sandbox. It has there what its newest snapshot had on the sender, is
read-only as the dataset is, and is there once the dataset is mounted: QEMU meets what it would meet on ZFS.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from tests.doubles.faulty_host import Crashed
from tests.doubles.replicating import MIB, NAS, VAULT, PipedHost
from tests.libvirtd.sandbox import GUESTS, PATH, Sandbox, entering
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan
from zconsole.base.clock import SystemClock
from zconsole.base.errors import LinkLost
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host import Command, Completed, Effect, Outcome, Piped
from zconsole.model.run import Run, RunState
from zconsole.practice import PracticeHost, World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.ready_made_pools import create_pool
from zconsole.practice.world import dataset_writes_and_snapshots
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal
from zconsole.system.libvirt.stored_definition import DEFINE
from zconsole.system.missing_paths import list_existing

GUEST, IMAGE = "web01", "disk.qcow2"
OLD, NEW = "tank/web01", "vault/web01"
REAL: Final = frozenset({"virsh", "qemu-img", "realpath", "stat"})
SIZE: Final = "512m"  # of the file system of a dataset
ATTEMPTS: Final = 24


def image_on(dataset: str) -> str:
    """Path of the guest's image, inside."""
    return f"{GUESTS}/{dataset}/{IMAGE}"


class BesideLibvirt(PipedHost):
    """A practice host whose guests and images are those of a sandbox."""

    def __init__(self, inner: PracticeHost, world: World, virt: Sandbox, images: dict[str, bytes]) -> None:
        super().__init__(inner)
        self.virt = virt
        self._world = world
        self._images = images  # by the short name of a snapshot
        self.cut_behind: list[str] | None = None  # once behind each change of another kind
        self.accident: type[BaseException] = LinkLost

    async def run(self, command: Command) -> Completed:
        argv = command.argv
        if argv[:2] == list_existing(()).argv[:2] or argv[0] in REAL or DEFINE in argv:
            self.commands.append(command)
            done = await asyncio.to_thread(self._really, command)
        else:
            done = await super().run(command)
            await asyncio.to_thread(self._follow, argv)
        if command.effect is Effect.CHANGE and argv != TAKE_AS_ROOT:
            self._cut(argv)
        return done

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        async with super().pipe(command) as running:
            yield running
        if command.argv[:2] == ("zfs", "receive"):
            await asyncio.to_thread(self._follow, command.argv)
            self._cut(command.argv)

    def dataset(self, name: str) -> PracticeDataset | None:
        """The dataset, on this host."""
        pool = self._world.pools.get(name.partition("/")[0])
        return None if pool is None else pool.datasets.get(name)

    def mount(self, name: str) -> None:
        """Mount a dataset inside, empty or with what was received."""
        self.virt.storage(name, SIZE)
        self._fill(name)

    def _cut(self, argv: tuple[str, ...]) -> None:
        what = " ".join(argv[3:5] if argv[0] == "virsh" else argv[:3] if argv[1] == "set" else argv[:2])
        if self.cut_behind is not None and what not in self.cut_behind:
            self.cut_behind.append(what)
            raise self.accident(f"behind {what}")

    def _really(self, command: Command) -> Completed:
        done = subprocess.run(
            [*entering(self.virt.pid), *command.argv], input=command.stdin or b"",
            capture_output=True, env={"PATH": PATH, "LC_ALL": "C.UTF-8"}, timeout=120, check=False,
        )  # fmt: skip
        outcome = Outcome.FAILED if done.returncode else Outcome.DONE
        return Completed(command, outcome, done.returncode, done.stdout, done.stderr)

    def _follow(self, argv: tuple[str, ...]) -> None:
        """Let the file systems inside be as the datasets are."""
        dataset, _, short = argv[-1].partition("@")
        if (
            argv[:2] == ("zfs", "snapshot")
            and short
            and (image := self.virt.path(image_on(dataset))).exists()
        ):
            self._images[short] = image.read_bytes()
        found = self.dataset(dataset)
        if argv[0] != "zfs" or found is None or not found.is_mounted:
            return
        if argv[1] == "mount":
            self.mount(dataset)
        if argv[1] == "receive":
            self._remount(dataset, "rw")
            self._fill(dataset)
        if argv[1] in {"mount", "receive", "set"}:
            self._remount(dataset, "ro" if found.properties.get("readonly") == "on" else "rw")

    def _fill(self, name: str) -> None:
        found = self.dataset(name)
        newest = found.snapshots[-1].name if found is not None and found.snapshots else ""
        if newest in self._images:
            self.virt.path(image_on(name)).write_bytes(self._images[newest])

    def _remount(self, name: str, how: str) -> None:
        self.virt.run("mount", "-o", f"remount,{how}", f"{GUESTS}/{name}")


def typed(world: World, line: str) -> None:
    """Somebody else types this on a practice host."""
    reply = answer(world, line.split())
    assert isinstance(reply, Reply)
    assert 0 == reply.status, reply.stderr


class TwoLibvirts:
    """nas1 with the guest web01 on tank/web01, and vault1 with the pool vault."""

    def __init__(self, nas: Sandbox, vault: Sandbox) -> None:
        worlds = create_world("mirror 0 1", disks=4), create_world("", disks=4, seed=2)
        create_pool(worlds[1], "vault", ["mirror", "LAB0002", "LAB0003"])
        for world in worlds:
            world.lacking -= {"virsh", "qemu-img"}
        images: dict[str, bytes] = {}
        self.journal = Journal(is_kept=False)
        self.clock = SystemClock()
        self.nas, self.vault = (
            BesideLibvirt(PracticeHost(name, self.clock, world=world), world, virt, images)
            for name, world, virt in zip((NAS, VAULT), worlds, (nas, vault), strict=True)
        )
        typed(worlds[0], f"zfs create -o mountpoint={GUESTS}/{OLD} {OLD}")
        typed(worlds[1], f"zfs set mountpoint={GUESTS}/vault vault")
        pool = worlds[0].pools["tank"]
        dataset_writes_and_snapshots.write(pool, pool.datasets[OLD], 16 * MIB)
        self.nas.mount(OLD)
        nas.define(GUEST, image_on(OLD), writes=True)
        vault.put_boot(GUEST, writes=True)
        nas.virsh("autostart", GUEST)
        nas.virsh("start", GUEST)

    async def plan(self, on: str, action: str, *words: str, **options: OptionValue) -> Plan:
        """By a console of its own, on the journal of all."""
        operator = Operator(
            [self.nas, self.vault],
            clock=self.clock,
            policies=Policies(clock=self.clock),
            journal=self.journal,
        )
        self._operator = operator
        return await operator.prepare(on, intent(action, *words, options=options))

    async def run(self, plan: Plan) -> Run:
        """Carry it out by the console that made it."""
        assert not plan.is_refused, plan.refusals
        return await self._operator.execute(
            plan.identity.label, plan, plan.confirm or "", lasts_s=SAVED_PLAN_LASTS_S
        )

    async def move(self, on: str, to: str, place: str) -> Run:
        """Plan and carry out a move, as it is left to do."""
        return await self.run(await self.plan(on, "guest-move", GUEST, place, to=to))

    async def moved(self, on: str, to: str, place: str) -> list[Run]:
        """Move as often as it takes, each time by another console; until one sees that all is done."""
        runs: list[Run] = []
        for _ in range(ATTEMPTS):
            plan = await self.plan(on, "guest-move", GUEST, place, to=to)
            if ["already-there"] == [each.rule for each in plan.refusals]:
                return runs
            with suppress(Crashed):
                runs.append(await self.run(plan))
                if RunState.DONE is runs[-1].state:
                    return runs
        raise AssertionError([(run.state, run.words) for run in runs])
