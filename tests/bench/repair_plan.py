"""What the plan of a replacement costs: commands, and rounds of commands that wait for others.

The disk of an exercise has failed, another one is in its bay, and the Repair screen is open.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tests.bench.report import Result, put_section, table_section
from tests.doubles.practice_runs import WatchedHost
from tests.practice.exercises.learner import NEW, Learner
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan
from zconsole.base.user_config_file import Config
from zconsole.collect.machine_identity import read_machine
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Completed, Host, list_folder
from zconsole.hosts.ssh.several_commands_in_one_session import SessionSharing, SharedSession, may_share
from zconsole.model.host.host_state import HostState
from zconsole.service.prepare_execute_and_recover_plans import Operator

MOST_COMMANDS: Final = 8
MOST_ROUNDS: Final = 2
ANSWER_S: Final = 0.1  # a host that takes this for a command ...
PLAN_S: Final = 3.0  # ... has the plan on the screen within this
HEADING: Final = "## The plan of a replacement"
HOW: Final = """\
Written by `python -m tests.bench repair`: commands for the plan in addition to what the screen has read,
rounds of commands that depend on earlier answers, and seconds when each command takes 100 ms.
*Old disks*: the list of disks is older than 10 s and is read again for the plan.
The command line has read nothing of the host beforehand.
"""
USER: Final = b"uid=1000(anna) gid=1000(anna) groups=1000(anna)\n"
RULE: Final = b"\nSudoers entry:\n    RunAsUsers: root\n    Options: !authenticate\n    Commands:\n\t%s\n"


class FarHost(WatchedHost):
    """A host behind a link; knows how many answers each command had to wait for, one after the other.

    Commands of one moment share a session as they do over SSH.
    With `is_by_sudo` the user is not root, and sudo asks for no password.
    """

    def __init__(self, inner: Host, answer_s: float, *, is_by_sudo: bool = False) -> None:
        super().__init__(inner)
        self._answer_s = answer_s
        self._is_by_sudo = is_by_sudo
        self._answered = 0
        self._sharing = SessionSharing(self._alone, self._together)
        self.rounds = 0
        self.sessions = 0

    async def run(self, command: Command) -> Completed:
        return await (self._sharing.run(command) if may_share(command) else self._alone(command))

    async def _alone(self, command: Command) -> Completed:
        number = self._begin()
        await asyncio.sleep(self._answer_s)
        completed = await self._run(command)
        self._count(number)
        return completed

    async def _together(self, session: SharedSession) -> tuple[Completed, ...]:
        number = self._begin()
        await asyncio.sleep(self._answer_s)
        found = [await self._run(command) for command in session.commands]
        self._count(number)
        return tuple(found)

    def begin_anew(self) -> None:
        """Count from nothing again."""
        self._answered = self.rounds = self.sessions = 0
        self.commands.clear()

    def _begin(self) -> int:
        self.sessions += 1
        return self._answered + 1

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        number = self._answered + 1
        await asyncio.sleep(self._answer_s)
        try:
            return await super().read(path, max_bytes=max_bytes)
        finally:
            self._count(number)

    @property
    def runs_any_command(self) -> bool:
        return True

    @property
    def lists_folders(self) -> bool:
        return True

    async def list_folder(self, path: str) -> tuple[str, ...]:
        number = self._answered + 1
        await asyncio.sleep(self._answer_s)
        try:
            return await list_folder(self.inner, path)
        finally:
            self._count(number)

    def _count(self, number: int) -> None:
        self._answered = max(self._answered, number)
        self.rounds = max(self.rounds, number)

    async def _run(self, command: Command) -> Completed:
        argv = command.argv
        if self._is_by_sudo and argv == ("id",):
            self.commands.append(command)
            return ended(command, 0, USER, b"")
        if self._is_by_sudo and argv[:4] == ("sudo", "-n", "-l", "-l"):
            self.commands.append(command)
            return ended(command, 0, RULE % " ".join(argv[4:]).encode(), b"")
        if self._is_by_sudo and argv[:2] == ("sudo", "-n"):
            self.commands.append(command)
            done = await self.inner.run(replace(command, argv=argv[2:]))
            return ended(command, done.status or 0, done.stdout, done.stderr)
        return await super().run(command)


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of one plan."""

    plan: Plan
    commands: tuple[tuple[str, ...], ...]
    rounds: int
    sessions: int
    seconds: float


async def plan_of_a_replacement(
    *, answer_s: float, knows: bool = True, is_by_sudo: bool = False, disks_age_s: float = 3.0
) -> Cost:
    """Plan the replacement of the failed disk by the new one in its bay."""
    learner = await Learner.begin("failed-disk")
    await learner.until_idle()
    await learner.pull(2)
    await learner.insert(NEW, 2)
    host = FarHost(learner.host, answer_s, is_by_sudo=is_by_sudo)
    state = await collected(learner, FarHost(learner.host, 0, is_by_sudo=is_by_sudo), disks_age_s)
    operator = Operator(
        [host],
        clock=learner.clock,
        policies=Policies(Config()),
        state_of=lambda label: state if knows and label == host.label else None,
    )
    disk = next(disk for disk in learner.host.world.disks if disk.serial == NEW)
    old = "ata-ST4000NM0035-1V4107_ZC13A0R7"
    began = asyncio.get_running_loop().time()
    plan = await operator.prepare(host.label, intent("replace", "tank", old, f"/dev/disk/by-id/{disk.link}"))
    took = asyncio.get_running_loop().time() - began
    return Cost(plan, tuple(command.argv for command in host.commands), host.rounds, host.sessions, took)


async def collected(learner: Learner, host: Host, disks_age_s: float) -> HostState:
    """What the session of the console has of the host."""
    found = await gather(host, learner.clock)
    machine = await read_machine(Asker(host))
    disks = replace(found.inventory, taken_at=learner.clock.monotonic() - disks_age_s)
    return replace(found, machine=machine, inventory=disks)


CASES: Final = (
    ("as root", {}),
    ("as root, old disks", {"disks_age_s": 60.0}),
    ("by sudo without a password", {"is_by_sudo": True}),
    ("by sudo without a password, old disks", {"is_by_sudo": True, "disks_age_s": 60.0}),
)


async def measure() -> list[Result]:
    """Each case, and the command line for comparison."""
    found = []
    for what, how in CASES:
        cost = await plan_of_a_replacement(answer_s=ANSWER_S, **how)  # type: ignore[arg-type]
        is_met = len(cost.commands) <= MOST_COMMANDS and cost.rounds <= MOST_ROUNDS and cost.seconds <= PLAN_S
        goal = f"<= {MOST_COMMANDS} commands, {MOST_ROUNDS} rounds, {PLAN_S:.0f} s"
        found.append(Result(f"plan {what}", goal, _seen(cost), is_met and not cost.plan.is_refused))
    alone = await plan_of_a_replacement(answer_s=ANSWER_S, knows=False)
    return [*found, Result("the same on the command line", "", _seen(alone), not alone.plan.is_refused)]


def _seen(cost: Cost) -> str:
    return f"{len(cost.commands)} commands, {cost.rounds} rounds, {cost.seconds:.2f} s"


def section() -> str:
    """The section of the page."""
    return table_section(HEADING, HOW, asyncio.run(measure()))


def rewrite(page: Path) -> None:
    """Put the section in its place on the page."""
    put_section(page, HEADING, section())
