"""libzfs_core on this machine: when it is called, and that all comes out as by the commands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.doubles.faulty_host import DrivenClock, Nemesis
from tests.doubles.libzfs_core_host import CoreHost
from tests.doubles.scripted_host import HANG, ScriptedHost, failed
from zconsole.actions.intent import Intent, OptionValue, intent
from zconsole.base.clock import ManualClock
from zconsole.base.errors import LinkLost
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.libzfs_core_availability import CoreFinder
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.build_command_results import never_started
from zconsole.hosts.command_log import LoggedHost
from zconsole.hosts.host import Command, Completed, Host, is_here
from zconsole.hosts.local.local_host import LocalHost
from zconsole.hosts.recorded.record_host_answers import RecordingHost
from zconsole.model.run import RunState
from zconsole.practice import PracticeHost, World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_writes_and_snapshots import write
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal
from zconsole.zfs.change import libzfs_core_argv, libzfs_core_child

SYSTEM = libzfs_core_argv.ways()[0]
OURS = (sys.executable, *SYSTEM[1:])
ROOT, ANN = b"uid=0(root) gid=0(root)\n", b"uid=1000(ann) gid=1000(ann) groups=1000(ann)\n"
NO_MODULE = failed("probe", 3, b"libzfs_core does not work here: No module named 'libzfs_core'\n")
NO_PROGRAM = never_started(Command(("doas",)), "there is no such program", status=127)
MAY = b"Sudoers entry:\n    Options: !authenticate\n"


class Machine(ScriptedHost):
    """A host that tells where it is."""

    def __init__(self, *, is_here: bool = True, **answers: object) -> None:
        super().__init__()
        self.is_here = is_here
        self.answers = {"id": ROOT, **answers}


def probe(way: Sequence[str]) -> str:
    return " ".join((*way, "probe"))


async def found(machine: ScriptedHost, *verbs: str) -> tuple[str, ...] | None:
    asker = Asker(machine)
    return await CoreFinder(asker).find(Privilege(asker), verbs or ("hold",))


# When it is called


async def test_the_systems_python_is_asked_first() -> None:
    machine = Machine(**{probe(SYSTEM): b'{"done": true}\n'})

    assert SYSTEM == await found(machine)
    assert ["id", probe(SYSTEM)] == machine.commands


async def test_our_own_python_serves_where_the_systems_has_no_library() -> None:
    machine = Machine(**{probe(SYSTEM): NO_MODULE, probe(OURS): b'{"done": true}\n'})

    assert OURS == await found(machine)


@pytest.mark.parametrize("answer_", [NO_MODULE, NO_PROGRAM, HANG])
async def test_without_it_the_commands_serve(answer_: object) -> None:
    assert None is await found(Machine(**{probe(SYSTEM): answer_, probe(OURS): answer_}))


async def test_a_host_elsewhere_is_not_even_asked() -> None:
    """Our program is not there; and were it, it would be another's."""
    for machine in (Machine(is_here=False), ScriptedHost()):
        assert None is await found(machine)
        assert [] == machine.commands


async def test_it_is_found_out_once() -> None:
    machine = Machine(**{probe(SYSTEM): NO_MODULE, probe(OURS): b'{"done": true}\n'})
    asker = Asker(machine)
    finder = CoreFinder(asker)

    for _ in range(3):
        assert OURS == await finder.find(Privilege(asker), ("hold",))

    assert [probe(SYSTEM), probe(OURS)] == [each for each in machine.commands if each.endswith("probe")]


def sudo(way: Sequence[str], verb: str) -> str:
    return " ".join(("sudo", "-n", "-l", "-l", *way, verb))


async def test_sudo_is_asked_about_each_call_and_the_library_without_root() -> None:
    machine = Machine(
        id=ANN,
        **{sudo(SYSTEM, "rollback-to"): MAY, sudo(SYSTEM, "destroy-snaps"): MAY, probe(SYSTEM): b"{}"},
    )

    assert SYSTEM == await found(machine, "rollback-to", "destroy-snaps")
    assert probe(SYSTEM) == machine.commands[-1]


@pytest.mark.parametrize(
    "told",
    [
        failed("sudo", 1, b"Sorry, user ann may not run sudo on nas1.\n"),
        failed("sudo", 1, b"sudo: a password is required\n"),
        NO_PROGRAM,
    ],
    ids=["forbidden", "not told without a password", "no sudo"],
)
async def test_where_it_is_not_certain_that_it_may_be_called_the_commands_serve(told: object) -> None:
    """As with the rules that `zconsole sudoers` prints: they name the commands, and no Python."""
    machine = Machine(
        id=ANN,
        doas=NO_PROGRAM,
        **{sudo(SYSTEM, "rollback-to"): MAY, sudo(OURS, "rollback-to"): MAY, "sudo": told},
    )

    assert None is await found(machine, "rollback-to", "destroy-snaps")
    assert not [each for each in machine.commands if each.endswith("probe")]


async def test_a_host_that_is_gone_is_not_one_without_the_library() -> None:
    machine = Machine(**{probe(SYSTEM): LinkLost("the link was lost")})

    with pytest.raises(LinkLost):
        await found(machine)


def test_this_machine_knows_that_it_is_and_whoever_stands_before_it_says_so(tmp_path: Path) -> None:
    here, there = LocalHost(), ScriptedHost()

    for host in (here, LoggedHost(here), RecordingHost(here, tmp_path / "a"), PracticeHost()):
        assert is_here(host)
    for host in (there, LoggedHost(there), RecordingHost(there, tmp_path / "b")):
        assert not is_here(host)


async def test_the_practice_host_has_none() -> None:
    host = PracticeHost()
    await host.connect()

    assert None is await found(host)  # type: ignore[arg-type]


# That all comes out the same

SETTING = (
    "create tank/a", "create tank/a/b", "create -V 64M tank/v", "snapshot -r tank/a@1",
    "snapshot -r tank/a@2",
    "hold -r keep tank/a@1", "create tank/b", "snapshot tank/b@1", "snapshot tank/b@2", "snapshot tank/b@3",
    "snapshot tank/b@4", "snapshot tank/v@1", "snapshot tank/v@2",
)  # fmt: skip
Case = tuple[str, list[str], dict[str, OptionValue], list[str]]
CASES: tuple[Case, ...] = (
    ("snapshot", ["tank/a@new", "tank/v@new"], {}, ["snapshot"]),
    ("snapshot", ["tank@new"], {"recursive": True}, ["snapshot"]),
    ("snapshot", ["tank/a@new"], {}, []),
    ("destroy", ["tank/b@2,3"], {}, ["snaprange-space", "destroy-snaps"]),
    ("destroy", ["tank/b@1", "tank/a@2"], {}, ["destroy-snaps"]),
    ("destroy", ["tank/a@2"], {"recursive": True}, ["destroy-snaps"]),
    ("rollback", ["tank/b@4"], {}, ["rollback-to"]),
    ("rollback", ["tank/b@2"], {"recursive": True}, ["destroy-snaps", "rollback-to"]),
    ("rollback", ["tank/v@1"], {"recursive": True}, []),
    ("hold", ["tank/a@2", "more"], {"recursive": True}, ["hold"]),
    ("hold", ["tank/b@2", "more"], {}, ["hold"]),
    ("release", ["tank/a@1", "keep"], {"recursive": True}, ["release"]),
    ("release", ["tank/a@1", "keep"], {}, ["release"]),
)


@dataclass
class Bench:
    """A practice host with libzfs_core_child, and who acts there."""

    world: World
    host: CoreHost
    clock: DrivenClock
    operator: Operator

    @property
    def state(self) -> str:
        """All that there is, and what holds it."""
        names = says(self.world, "list -Hp -t all -o name,type,used,refer,userrefs")
        return names + says(self.world, "holds -rH tank/a@1 tank/a@2 tank/b@2")


def says(world: World, line: str) -> str:
    reply = answer(world, ("zfs", *line.split()))
    assert isinstance(reply, Reply)
    return reply.stdout


def a_world() -> World:
    world = create_world("mirror 0 1")
    world.runs_programs = False  # they come first where they run
    for line in SETTING:
        reply = answer(world, ("zfs", *line.split()))
        assert isinstance(reply, Reply)
        assert "" == reply.stderr, line
    tank = world.pools["tank"]
    write(tank, tank.datasets["tank/b"], 1 << 20)
    return world


def bench(*, is_here: bool) -> Bench:
    world = a_world()
    manual = ManualClock(world.now)
    host = CoreHost(PracticeHost(clock=manual, world=world), is_here=is_here)
    clock = DrivenClock(manual)
    return Bench(world, host, clock, operator_of(host, clock))


def operator_of(host: Host, clock: DrivenClock) -> Operator:
    return Operator([host], clock=clock, policies=Policies(clock=clock), journal=Journal(is_kept=False))


async def done(made: Bench, case: Case) -> str:
    """Plan, confirm, carry out; and what there is then."""
    action, words, options, _ = case
    label = made.host.label
    plan = await made.operator.prepare(label, intent(action, *words, options=options))
    assert () == plan.refusals
    run = await made.operator.execute(label, plan, plan.confirm or "")
    assert RunState.DONE is run.state, run
    return f"{made.state}{plan.destroys}{plan.frees_bytes}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join((case[0], *case[1], *case[2])))
async def test_both_ways_come_to_the_same(case: Case) -> None:
    by_core, by_command = bench(is_here=True), bench(is_here=False)
    before = by_core.state

    assert await done(by_core, case) == await done(by_command, case)

    assert ["probe", *case[3]] == list(dict.fromkeys(["probe", *by_core.host.called]))
    assert [] == by_command.host.called
    assert before != by_core.state


class Interrupted(CoreHost):
    """Somebody types something just before a call reaches the host."""

    def __init__(self, inner: PracticeHost, before: str, line: str) -> None:
        super().__init__(inner)
        self.before = before
        self.line = line

    async def run(self, command: Command) -> Completed:
        if command.argv[-1] == self.before:
            says(self.inner.world, self.line)
        return await super().run(command)


@pytest.mark.parametrize(
    ("wanted", "before", "line", "said"),
    [
        (
            intent("rollback", "tank/b@2", options={"recursive": True}), "rollback-to",
            "snapshot tank/b@urgent",
            "cannot rollback 'tank/b': there is a snapshot or bookmark more recent than 'tank/b@2'",
        ),
        (
            intent("destroy", "tank/b@2,3"), "destroy-snaps", "hold urgent tank/b@2",
            "cannot destroy snapshot tank/b@2: it's being held. Run 'zfs holds -r tank/b@2' to see holders.",
        ),
        (
            intent("destroy", "tank/b@2,3"), "destroy-snaps", "destroy tank/b@2",
            "cannot destroy snapshot tank/b@2: dataset does not exist",
        ),
        (
            intent("snapshot", "tank/a@new", options={"recursive": True}), "snapshot",
            "snapshot tank/a/b@new", "cannot create snapshot 'tank/a/b@new': dataset already exists",
        ),
        (
            intent("hold", "tank/a@2", "more", options={"recursive": True}), "hold", "hold more tank/a/b@2",
            "cannot hold snapshot 'tank/a/b@2': tag already exists on this dataset",
        ),
        (
            intent("release", "tank/a@1", "keep", options={"recursive": True}), "release",
            "release keep tank/a/b@1",
            "cannot release hold from snapshot 'tank/a/b@1': no such tag on this dataset",
        ),
    ],
)  # fmt: skip
async def test_what_changed_at_the_last_moment_is_told_as_zfs_tells_it_and_nothing_is_lost(
    wanted: Intent, before: str, line: str, said: str
) -> None:
    """Between the last check and the call: `zfs rollback -r` would destroy the urgent snapshot as well."""
    made = bench(is_here=True)
    host = Interrupted(made.host.inner, before, line)
    operator = operator_of(host, made.clock)
    plan = await operator.prepare(host.label, wanted)
    there = set(says(made.world, "list -H -t snapshot -o name").split())

    run = await operator.execute(host.label, plan, plan.confirm or "")

    after = set(says(made.world, "list -H -t snapshot -o name").split())
    assert RunState.FAILED is run.state
    assert said in run.words
    assert said in run.steps[-1].said
    assert line != "snapshot tank/b@urgent" or "tank/b@urgent" in after
    allowed = set(plan.destroys) if wanted.action == "rollback" else {line.removeprefix("destroy ")}
    assert there - after <= allowed


async def test_where_nothing_can_be_measured_the_dry_run_counts() -> None:
    """It only measures: what it does not tell refuses nothing."""
    made = bench(is_here=True)
    host = Interrupted(made.host.inner, "snaprange-space", "destroy tank/b@2")

    plan = await operator_of(host, made.clock).prepare(host.label, intent("destroy", "tank/b@2,3"))

    dry_run, measured = plan.rehearsals
    assert (0, libzfs_core_child.UNAVAILABLE, ()) == (dry_run.status, measured.status, plan.refusals)
    assert f"reclaim\t{plan.frees_bytes}" in dry_run.said


async def test_the_log_of_the_host_names_what_the_argv_does_not() -> None:
    made = bench(is_here=True)
    logged = LoggedHost(made.host)
    operator = operator_of(logged, made.clock)
    wanted = intent("hold", "tank/b@2", "more")

    await operator.execute(logged.label, await operator.prepare(logged.label, wanted), "")

    (line,) = (ran.argv[-1] for ran in logged.commands() if ran.argv[0] == "logger")
    assert 'libzfs_core_child.py hold { "tag": "more", "snapshots": [ "tank/b@2" ] } (by ' in line


# Behind faults

RUNS = 2000
WANTED: tuple[tuple[Intent, str, bool], ...] = (
    (intent("snapshot", "tank/a@new", options={"recursive": True}), "tank/a/b@new", True),
    (intent("destroy", "tank/b@2,3"), "tank/b@3", False),
    (intent("rollback", "tank/b@4"), "tank/b@4", True),
    (intent("rollback", "tank/b@2", options={"recursive": True}), "tank/b@4", False),
)


class Faulty(Nemesis):
    """A machine that is this one, and does what it likes with commands."""

    is_here = True


async def under_faults(seed: int) -> RunState:
    """One run, and how it ended: as what is to be seen of it says."""
    made = bench(is_here=True)
    wanted, name, is_there = WANTED[seed % len(WANTED)]
    host = Faulty(made.host, made.clock._manual, seed, read_faults=0.01)
    operator = operator_of(host, made.clock)
    host.is_calm = True
    plan = await operator.prepare(host.label, wanted)
    assert () == plan.refusals
    assert all(step.argv[:-1] == SYSTEM for step in plan.steps)
    host.is_calm = False

    run = await operator.execute(host.label, plan, plan.confirm or "")
    await host.drain()

    sent = [each.argv for each in host.executed]
    assert len(sent) == len(set(sent)), (seed, host.told)
    happened = (name in says(made.world, "list -H -t snapshot -o name").splitlines()) is is_there
    if wanted.action == "rollback":
        happened = happened and "ioctl rollback" in str(made.world.pools["tank"].history)
    if run.state is RunState.DONE:
        assert happened, (seed, run, host.told)
    if run.state in {RunState.STALE, RunState.REFUSED}:
        assert [] == sent, (seed, run, host.told)
    if run.state is RunState.FAILED and len(plan.steps) == 1:
        assert not happened, (seed, run, host.told)
    return run.state


@pytest.mark.timeout(1200)
async def test_behind_faults_there_is_no_false_success_and_nothing_is_sent_twice(
    request: pytest.FixtureRequest,
) -> None:
    """2,000 runs by seed with --long, a fortieth of them otherwise."""
    runs = RUNS // (1 if request.config.getoption("--long") else 40)

    ends = {await under_faults(seed) for seed in range(runs)}

    assert {RunState.DONE, RunState.FAILED} <= ends
