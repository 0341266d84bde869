"""The world moves right before a step is sent: nothing else is hit, and nothing false is said.

Each change is made at the last moment at which somebody else can make it, on a host that keeps it open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from tests.doubles.practice_runs import HOST, Bench, WatchedHost
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import Plan
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.model.run import Run, RunState
from zconsole.practice.world.dataset_writes_and_snapshots import write
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.service.prepare_execute_and_recover_plans import Operator

MIB = 1 << 20


@dataclass
class Swapping(WatchedHost):
    """A host on which something happens before a command is run."""

    bench: Bench
    before: Callable[[Command], bool]
    happens: Callable[[Bench], None]
    has_happened: bool = field(default=False)

    def __post_init__(self) -> None:
        super().__init__(self.bench.host)

    async def run(self, command: Command) -> Completed:
        if not self.has_happened and self.before(command):
            self.has_happened = True
            self.happens(self.bench)
        return await super().run(command)

    async def read(self, path: str, *, max_bytes: int = MIB) -> bytes:
        if not self.has_happened and self.before(Command(("read", path))):
            self.has_happened = True
            self.happens(self.bench)
        return await super().read(path, max_bytes=max_bytes)


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.type(
        "zfs create tank/race", "zfs create tank/race/below", "zfs snapshot -r tank/race@s",
        "zfs create tank/empty", "zfs create -V 1G tank/vol",
    )  # fmt: skip
    return made


def step(word: str) -> Callable[[Command], bool]:
    """Before the step that has this word; with `look`, before the look behind which it is sent at once."""
    return lambda command: command.effect is Effect.CHANGE and word in command.argv


def reading(words: str) -> Callable[[Command], bool]:
    """Before a command of these words is run."""
    return lambda command: " ".join(command.argv).startswith(words)


def typed(*lines: str) -> Callable[[Bench], None]:
    return lambda bench: bench.type(*lines)


async def planned(bench: Bench, action: str, target: str, *words: str, **options: OptionValue) -> Plan:
    plan = await bench.operator.prepare(HOST, intent(action, target, *words, options=options))
    assert not plan.is_refused, plan.refusals
    return plan


async def ran(
    bench: Bench, plan: Plan, before: Callable[[Command], bool], happens: Callable[[Bench], None]
) -> Run:
    host = Swapping(bench, before, happens)
    operator: Operator = bench.another(host)
    run = await operator.execute(HOST, plan, plan.confirm or "")
    assert host.has_happened
    return run


def dataset(bench: Bench, name: str) -> PracticeDataset:
    return bench.world.pools["tank"].datasets[name]


def guids(bench: Bench) -> dict[str, int]:
    return {name: each.guid for name, each in bench.world.pools["tank"].datasets.items()}


AWAY = ("zfs rename tank/race tank/race-safe", "zfs create tank/race", "zfs create tank/race/below")
BEFORE_DESTROY = [
    pytest.param(step("program"), id="program"),
    pytest.param(step("unmount"), id="unmount"),
    pytest.param(reading("zfs list -Hp -t filesystem,volume,snapshot,bookmark -o name,guid"), id="last look"),
]


@pytest.mark.parametrize("before", BEFORE_DESTROY)
async def test_a_file_system_that_took_the_name_is_not_destroyed(
    bench: Bench, before: Callable[[Command], bool]
) -> None:
    plan = await planned(bench, "destroy", "tank/race", recursive=True)

    run = await ran(bench, plan, before, typed(*AWAY))

    assert run.state in {RunState.STALE, RunState.FAILED}
    assert {"tank/race", "tank/race/below", "tank/race-safe", "tank/race-safe/below"} <= set(guids(bench))
    assert "zfs destroy" not in " ".join(bench.host.changes)


@pytest.mark.parametrize("before", BEFORE_DESTROY)
async def test_where_no_program_may_run_the_look_right_before_the_step_holds(
    bench: Bench, before: Callable[[Command], bool]
) -> None:
    bench.world.runs_programs = False
    plan = await planned(bench, "destroy", "tank/race", recursive=True)
    assert ["zfs destroy -r tank/race"] == [" ".join(each.argv) for each in plan.steps]
    look = BEFORE_DESTROY[2].values[0]
    assert callable(look)

    run = await ran(bench, plan, look, typed(*AWAY))

    assert RunState.STALE is run.state
    assert any("tank/race is another object" in each for each in run.differences)
    assert any("the reviewed one is tank/race-safe now" in each for each in run.differences)
    assert {"tank/race", "tank/race-safe"} <= set(guids(bench))
    assert [] == bench.host.changes


async def test_what_is_swapped_in_the_one_command_that_is_left_is_not_called_done(bench: Bench) -> None:
    bench.world.runs_programs = False
    plan = await planned(bench, "destroy", "tank/race", recursive=True)

    run = await ran(bench, plan, step("destroy"), typed(*AWAY))

    assert RunState.FAILED is run.state
    assert "the command succeeded, but tank/race-safe" in run.words
    assert "is still there" in run.words


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("zfs snapshot tank/race@new",), "tank/race@new is new: a snapshot of tank/race"),
        (("zfs clone tank/race@s tank/new",), "tank/new is new: a clone of tank/race@s"),
        (("zfs hold keep tank/race@s",), "tank/race@s cannot be destroyed: error 16"),
        (("zfs mount tank/race",), "tank/race cannot be destroyed: error 16"),
        (AWAY, "tank/race is another object than the one that was reviewed"),
    ],
)
async def test_all_stays_and_is_mounted_again_where_the_program_refuses(
    bench: Bench, lines: tuple[str, ...], said: str
) -> None:
    plan = await planned(bench, "destroy", "tank/race", recursive=True)
    before = guids(bench)

    run = await ran(bench, plan, step("program"), typed(*lines))

    assert RunState.FAILED is run.state
    assert said in run.words
    assert "nothing was destroyed" in run.words
    assert set(before.values()) <= set(guids(bench).values())
    assert all(
        each.is_mounted for each in bench.world.pools["tank"].datasets.values() if each.kind == "filesystem"
    )
    entries = bench.journal.entries()
    if lines != AWAY and "mount" not in lines[0]:
        assert "tank/race, tank/race/below are mounted again" in run.words
        assert ["zfs mount tank/race", "zfs mount tank/race/below"] == [
            " ".join(each.argv) for each in entries[-1].steps
        ]
        assert RunState.DONE is entries[-1].state


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("zfs create tank/race/below/new", {"tank/race", "tank/race/below"}),
        ("zfs create tank/race/new", {"tank/race", "tank/race/below"}),
        ("zfs mount tank/race/below", {"tank/race"}),
    ],
)
async def test_nothing_is_mounted_again_over_what_somebody_mounted_there_meanwhile(
    bench: Bench, line: str, left: set[str]
) -> None:
    plan = await planned(bench, "destroy", "tank/race", recursive=True)

    run = await ran(bench, plan, step("program"), typed(line))

    datasets = bench.world.pools["tank"].datasets.values()
    assert RunState.FAILED is run.state
    assert left == {each.name for each in datasets if each.kind == "filesystem" and not each.is_mounted}
    assert f"{', '.join(sorted(left))} {'is' if len(left) == 1 else 'are'} not mounted again" in run.words
    *_, new = line.split()
    assert f"{new} was mounted at /{new} meanwhile" in run.words
    assert "create" not in line or f"{new} is new: a child of {new.rpartition('/')[0]}" in run.words


async def test_a_busy_file_system_is_not_taken_away_and_zfs_says_why(bench: Bench) -> None:
    plan = await planned(bench, "destroy", "tank/race", recursive=True)

    def busy(bench: Bench) -> None:
        dataset(bench, "tank/race").is_busy = True

    run = await ran(bench, plan, step("unmount"), busy)

    assert RunState.FAILED is run.state
    assert "pool or dataset is busy" in run.words
    assert {"tank/race", "tank/race/below"} <= set(guids(bench))


async def test_a_volume_that_is_opened_stays(bench: Bench) -> None:
    plan = await planned(bench, "destroy", "tank/vol")

    def opened(bench: Bench) -> None:
        dataset(bench, "tank/vol").is_busy = True

    run = await ran(bench, plan, step("program"), opened)

    assert RunState.FAILED is run.state
    assert "tank/vol cannot be destroyed: error 16" in run.words
    assert "tank/vol" in guids(bench)


async def test_nobody_moves_and_it_is_done(bench: Bench) -> None:
    plan = await planned(bench, "destroy", "tank/race", recursive=True)

    run = await bench.operator.execute(HOST, plan, plan.confirm or "")

    assert RunState.DONE is run.state, run
    assert not {"tank/race", "tank/race/below"} & set(guids(bench))
    assert ["zfs unmount tank/race", "zfs program -j tank -"] == [
        " ".join(each.split()[: 3 if "unmount" in each else 5]) for each in bench.host.changes
    ]


# What the reader saw binds


def filled(name: str, size: int) -> Callable[[Bench], None]:
    return lambda bench: write(bench.world.pools["tank"], dataset(bench, name), size)


@pytest.mark.parametrize("size", [1 * MIB, 2 << 30])
async def test_an_empty_file_system_that_was_written_to_is_another_decision(bench: Bench, size: int) -> None:
    plan = await planned(bench, "destroy", "tank/empty")
    filled("tank/empty", size)(bench)

    run = await bench.operator.execute(HOST, plan, plan.confirm or "")

    assert RunState.STALE is run.state
    assert any(each.startswith("referenced by tank/empty was ") for each in run.differences), run.differences
    assert [] == bench.host.changes


async def test_what_arrives_after_the_check_is_found_in_the_txg_of_the_destruction(bench: Bench) -> None:
    plan = await planned(bench, "destroy", "tank/empty")

    run = await ran(bench, plan, step("program"), filled("tank/empty", 2 << 30))

    assert RunState.FAILED is run.state
    assert "tank/empty has 2147581952 bytes written, and was to have" in run.words
    assert "tank/empty is mounted again" in run.words
    assert "tank/empty" in guids(bench)


async def test_what_arrives_after_the_check_is_found_where_no_program_runs(bench: Bench) -> None:
    bench.world.runs_programs = False
    plan = await planned(bench, "destroy", "tank/empty")
    look = BEFORE_DESTROY[2].values[0]
    assert callable(look)

    run = await ran(bench, plan, look, filled("tank/empty", 2 << 30))

    assert RunState.STALE is run.state
    assert any("was to have" in each for each in run.differences)
    assert [] == bench.host.changes


@pytest.mark.parametrize(("had", "writes"), [(500 * MIB, 40 * MIB), (20 * MIB, 15 * MIB)])
async def test_a_file_system_in_use_is_destroyed_although_it_is_written_to(
    bench: Bench, had: int, writes: int
) -> None:
    filled("tank/empty", had)(bench)
    plan = await planned(bench, "destroy", "tank/empty")
    filled("tank/empty", writes)(bench)

    run = await bench.operator.execute(HOST, plan, plan.confirm or "")

    assert RunState.DONE is run.state, run


# Everything else that names an object


@pytest.mark.parametrize(
    ("action", "words", "command"),
    [
        ("set", ("compression=off",), "zfs set"),
        ("inherit", ("compression",), "zfs inherit"),
        ("rename", ("tank/renamed",), "zfs rename"),
        ("unmount", (), "zfs unmount"),
    ],
)
async def test_a_step_looks_again_right_before_it_is_sent(
    bench: Bench, action: str, words: tuple[str, ...], command: str
) -> None:
    bench.type("zfs set compression=zstd tank/empty")
    plan = await planned(bench, action, "tank/empty", *words)
    look = BEFORE_DESTROY[2].values[0]
    assert callable(look)

    run = await ran(bench, plan, look, typed("zfs rename tank/empty tank/elsewhere", "zfs create tank/empty"))

    assert RunState.STALE is run.state
    assert any("the reviewed one is tank/elsewhere now" in each for each in run.differences)
    assert not any(each.startswith(command) for each in bench.host.changes)


@pytest.mark.parametrize(
    ("look", "words"),
    [(0, "guid of tank was"), (1, "tank is another pool")],
    ids=["as the host is read again", "right before the step"],
)
async def test_a_pool_of_that_name_is_looked_at_before_it_is_destroyed(
    bench: Bench, look: int, words: str
) -> None:
    plan = await planned(bench, "destroy", "tank")
    times = iter(range(100))

    def last(command: Command) -> bool:
        return command.argv == ("read", "/proc/spl/kstat/zfs/tank/guid") and next(times) == look

    def other(bench: Bench) -> None:
        bench.world.pools["tank"].root.guid += 1

    run = await ran(bench, plan, last, other)

    assert RunState.STALE is run.state
    assert any(words in each for each in run.differences)
    assert [] == bench.host.changes


async def test_a_disk_that_another_has_taken_the_place_of_is_not_given_to_zfs(bench: Bench) -> None:
    link = f"/dev/disk/by-id/{bench.world.disks[2].link}"
    leaf = next(bench.world.pools["tank"].leaves())
    plan = await planned(bench, "replace", "tank", str(leaf.guid), link)

    def swapped(bench: Bench) -> None:
        first, second = bench.world.disks[2:4]
        first.serial, second.serial = second.serial, first.serial
        first.wwn, second.wwn = second.wwn, first.wwn

    run = await ran(bench, plan, reading("lsblk -J -b -o NAME,KNAME,PATH"), swapped)

    assert RunState.STALE is run.state
    assert [] == bench.host.changes


@pytest.mark.parametrize(("passes_s", "readings"), [(9, 1), (11, 2)])
async def test_facts_older_than_ten_seconds_are_read_again_before_something_is_destroyed(
    bench: Bench, passes_s: float, readings: int
) -> None:
    plan = await planned(bench, "destroy", "tank/empty")
    bench.host.commands.clear()

    run = await ran(bench, plan, reading("zfs get"), lambda bench: bench.manual.advance(passes_s))

    assert RunState.DONE is run.state
    assert readings == sum(
        each.argv[:2] == ("zfs", "get") and "-r" in each.argv for each in bench.host.commands
    )
