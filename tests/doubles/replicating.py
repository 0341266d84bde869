"""Two practice hosts and who acts on them: nas1 has tank/home, vault1 is to get it; or nas1 has both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from tests.doubles.faulty_host import DrivenClock
from tests.doubles.practice_runs import WatchedHost, directly
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan
from zconsole.base.clock import ManualClock
from zconsole.base.secret import Secret
from zconsole.base.user_config_file import Config
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.build_command_results import unknown
from zconsole.hosts.host import Command, Completed, Piped, pipe
from zconsole.model.run import Run
from zconsole.practice import PracticeHost, World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.ready_made_pools import create_pool
from zconsole.practice.world import dataset_writes_and_snapshots
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

MIB = 1 << 20
SESSION = 5151  # of processes, which a program leads here
NAS, VAULT = "nas1", "vault1"


class PipedHost(WatchedHost):
    """A host that tells which streams went through it."""

    loses_ends = False  # how what was fed ended is not seen
    goes_on: Goes | None = None  # a program that goes on in its place until it is killed

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        self.commands.append(command)
        is_lock = command.argv == TAKE_AS_ROOT
        if self.goes_on is not None and not is_lock:
            yield self.goes_on.as_(command)
            return
        async with pipe(self.inner, command) as running:
            yield Unseen(running, command) if self.loses_ends and not is_lock else running


class Goes:
    """A program that goes on until it is killed, which does that to the host; or which cannot be killed."""

    def __init__(self, when_killed: Callable[[], None], *, can_be_killed: bool = True) -> None:
        self._command = Command(("true",))
        self._when_killed = when_killed
        self._can_be_killed = can_be_killed
        self._is_over = asyncio.Event()
        self.began = asyncio.Event()

    def as_(self, command: Command) -> Goes:
        self._command = command
        return self

    async def read(self) -> bytes:
        self.began.set()
        await self._is_over.wait()
        return b""

    async def write(self, data: bytes) -> None:
        raise BrokenPipeError

    def finish(self) -> None:
        """It reads nothing."""

    def kill(self) -> None:
        if self._can_be_killed:
            self._when_killed()
            self._is_over.set()

    def words(self) -> bytes:
        return b""

    def session(self) -> int | None:
        return SESSION

    async def ended(self) -> Completed:
        await self._is_over.wait()
        return replace(unknown(self._command, "it was killed by SIGKILL"), session=SESSION)


class Unseen:
    """A running command whose end is lost."""

    def __init__(self, running: Piped, command: Command) -> None:
        self.read, self.write, self.finish, self.kill, self.words = (
            running.read, running.write, running.finish, running.kill, running.words,
        )  # fmt: skip
        self.session = running.session
        self._running = running
        self._command = command

    async def ended(self) -> Completed:
        await self._running.ended()
        lost = unknown(self._command, "the connection was lost before it was seen to end")
        return replace(lost, session=self._running.session())


@dataclass
class Replicating:
    """`is_one`: both pools are on one host."""

    is_one: bool = False
    journal: Journal = field(default_factory=lambda: Journal(is_kept=False))
    published: list[Run] = field(default_factory=list)
    config: Config = field(default_factory=Config)
    size_mib: int = 24

    def __post_init__(self) -> None:
        self.nas_world = create_world("mirror 0 1", disks=4)
        self.vault_world = self.nas_world if self.is_one else create_world("", disks=4, seed=2)
        create_pool(self.vault_world, "vault", ["mirror", "LAB0002", "LAB0003"])
        self.type("zfs create tank/home")
        self.fill(self.size_mib)
        self.type("zfs snapshot tank/home@a")
        self.manual = ManualClock(self.nas_world.now)
        self.clock = DrivenClock(self.manual)
        self.policies = Policies(self.config, self.clock)
        self.nas = PipedHost(PracticeHost(NAS, self.manual, world=self.nas_world))
        self.vault = self.nas
        if not self.is_one:
            self.vault = PipedHost(PracticeHost(VAULT, self.manual, world=self.vault_world))
        self.operator = self.another()

    @property
    def target(self) -> str:
        """The host that receives."""
        return self.vault.label

    def another(self) -> Operator:
        """One more console with the same journal."""
        return Operator(
            list(dict.fromkeys((self.nas, self.vault))),
            clock=self.clock,
            policies=self.policies,
            journal=self.journal,
            publish=self.published.append,
            write=directly,
        )

    def practice(self, host: PipedHost) -> PracticeHost:
        assert isinstance(host.inner, PracticeHost)
        return host.inner

    def fill(self, mebibytes: int, dataset: str = "tank/home", world: World | None = None) -> None:
        world = world or self.nas_world
        pool = world.pools[dataset.partition("/")[0]]
        dataset_writes_and_snapshots.write(pool, pool.datasets[dataset], mebibytes * MIB)

    def type(self, *lines: str, world: World | None = None) -> None:
        """Somebody else types this on a host."""
        for line in lines:
            reply = answer(world or self.nas_world, line.split())
            assert isinstance(reply, Reply)
            assert 0 == reply.status, reply.stderr

    def get(self, name: str, key: str) -> str:
        """A property, on the host that has the pool."""
        world = self.nas_world if name.startswith("tank") else self.vault_world
        reply = answer(world, ["zfs", "get", "-Hp", "-o", "value", key, name])
        assert isinstance(reply, Reply)
        return reply.stdout.strip()

    @property
    def options(self) -> dict[str, OptionValue]:
        return {} if self.is_one else {"from": NAS}

    async def plan(
        self, action: str = "receive", *words: str, operator: Operator | None = None, **options: OptionValue
    ) -> Plan:
        asked = words or (("vault/home", "tank/home@a") if action == "receive" else ("vault/home",))
        given = {**(self.options if action != "abort-receive" else {}), **options}
        wanted = intent(action, *asked, options=given)
        return await (operator or self.operator).prepare(self.target, wanted)

    async def run(
        self, plan: Plan, operator: Operator | None = None, secrets: dict[str, Secret] | None = None
    ) -> Run:
        return await (operator or self.operator).execute(
            self.target, plan, plan.confirm or "", secrets or {}, lasts_s=SAVED_PLAN_LASTS_S
        )

    async def do(self, action: str = "receive", *words: str, **options: OptionValue) -> Run:
        plan = await self.plan(action, *words, **options)
        assert not plan.is_refused, plan.refusals
        return await self.run(plan)

    async def interrupted(self, plan: Plan, how: Sequence[object] = (), *, after: int = 8 * MIB) -> Run:
        """Carry it out, and call these once so many bytes have gone by."""
        running = asyncio.create_task(self.run(plan))
        await self.flowing(running, after)
        for call in how:
            assert callable(call)
            call()
        return await running

    async def flowing(self, running: asyncio.Task[Run], after: int) -> None:
        """Let the loop turn until so many bytes have gone by."""
        while not running.done() and self.passed < after:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
        assert not running.done(), running.result()

    @property
    def passed(self) -> int:
        """Bytes, as it was last told."""
        moved = self.published[-1].steps[-1].moved if self.published and self.published[-1].steps else None
        return moved.bytes if moved is not None else 0
