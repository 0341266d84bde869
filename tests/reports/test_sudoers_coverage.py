"""Whatever zconsole runs as root is in the rules for sudo: plans at random, and their runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest

from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts
from tests.doubles.moving_guests import GUEST, NEW, OLD, MovingGuest
from tests.doubles.practice_runs import HOST
from tests.reports.sudo import EVERYTHING, Matcher
from tests.scenarios.walks.test_random_intents import Chooser, new_world
from zconsole.actions.action_catalogue import spec
from zconsole.actions.guest.move.forget_moved import FORGET
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan
from zconsole.base.errors import UsageError
from zconsole.base.secret import Secret
from zconsole.collect.privilege import Escalation, Privilege
from zconsole.reports.sudoers import of_actions
from zconsole.zfs.change import libzfs_core_argv

SEEDS: Final = range(24)
INTENTS: Final = 40
A_WORLD: Final = 20  # intents: little is left of it then
UNRULED: Final = frozenset({  # whoever may run these as root is root: they are run as who is logged in there
    "cp", "mv", "syncoid", "xargs", "stat", "realpath", "du", "python3",
})  # fmt: skip


def is_ruled(argv: Sequence[str]) -> bool:
    """Whether there is to be a rule for it."""
    if libzfs_core_argv.is_call(argv):
        return False
    if argv[0] == "find":
        return argv[1] == "/proc"
    return argv[0] not in UNRULED


def of(plan: Plan) -> list[tuple[str, ...]]:
    """What a plan runs as root, senders and dry runs included."""
    steps = [step.argv for step in plan.steps]
    sent = [step.sender.argv for step in plan.steps if step.sender is not None]
    return [*steps, *sent, *(each.argv for each in plan.rehearsals)]


def by_itself(plan: Plan) -> list[tuple[str, ...]]:
    """What scripts of a plan run as root by `sudo -n`."""
    return [argv for step in plan.steps for argv in step.escalates]


def is_odd(argv: Sequence[str]) -> bool:
    """Whether a word has what no rule has: a blank, or a character beyond ASCII, which the file says."""
    return any(not word.isascii() or not word.isprintable() or " " in word for word in argv)


def unruled(plan: Plan) -> list[tuple[str, ...]]:
    """What a plan runs as root and the rules of its action do not have."""
    assert not plan.is_refused, plan.refusals
    return [argv for argv in of(plan) if not rules_of(plan.intent.action).allows(*argv)]


@cache
def rules_of(action: str) -> Matcher:
    """The rules made from the specification of one action."""
    return Matcher(EVERYTHING, [ruled for _, ruled in of_actions(EVERYTHING, [spec(action)])])


@pytest.mark.parametrize("seed", SEEDS)
async def test_what_is_run_as_root_has_a_rule(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    refused: set[tuple[str, ...]] = set()  # it is asked who may run these, and nobody does
    real = Privilege.way

    async def way(self: Privilege, argv: Sequence[str]) -> Escalation:
        asked.append(tuple(argv))
        return await real(self, argv)

    monkeypatch.setattr(Privilege, "way", way)
    for number in range(INTENTS):
        if number % A_WORLD == 0:
            bench = new_world(seed + number)
            chooser = Chooser(bench.world, seed + number)
        try:
            plan = await bench.operator.prepare(HOST, chooser.intent())
        except UsageError:
            continue
        if plan.is_refused:
            refused.update(of(plan))
        else:
            asked += of(plan)
            own = [argv for argv in of(plan) if is_ruled(argv) and not is_odd(argv)]
            assert [] == [argv for argv in own if not rules_of(plan.intent.action).allows(*argv)]
            secrets = {name: Secret("a passphrase") for name in plan.secrets}
            await bench.operator.execute(HOST, plan, plan.confirm or "", secrets)
    matcher = Matcher(EVERYTHING)

    ruled = {argv for argv in asked if is_ruled(argv) and not is_odd(argv)} - refused

    assert len(ruled) > 5
    assert [] == sorted(argv for argv in ruled if not matcher.allows(*argv))


@pytest.mark.parametrize("on_volume", [True, False], ids=["volume", "file"])
async def test_a_move_of_a_guest_has_rules_also_where_it_was_interrupted(*, on_volume: bool) -> None:
    moving = MovingGuest(on_volume=on_volume)
    moving.type(f"zfs set compression=zstd-3 {OLD}", f"zfs set refreservation=128M {OLD}" if on_volume else
                f"zfs set recordsize=64K {OLD}")  # fmt: skip
    moving.fill(64, OLD)
    whole = await moving.plan("guest-move", GUEST, NEW)

    running = asyncio.create_task(moving.run(whole))
    while not any(step.moved and step.moved.bytes for run in moving.published[-1:] for step in run.steps):
        await asyncio.sleep(0)
        assert not running.done()
    moving.operator.stop(moving.published[-1].id)
    await running
    rest = await moving.plan("guest-move", GUEST, NEW)

    assert [] == unruled(whole)
    assert [] == unruled(rest)
    assert {"zfs", "sh", "virsh"} == {argv[0] for argv in of(whole)}
    assert "-t" in {word for argv in of(rest) for word in argv}


@pytest.mark.parametrize("on_volume", [True, False], ids=["volume", "file"])
async def test_a_move_to_another_host_has_rules_and_so_has_the_end_of_the_old_copy(
    *, on_volume: bool
) -> None:
    moving = MovingBetweenHosts(on_volume=on_volume)
    whole = await moving.planned()
    await moving.carried_out(whole)

    forgotten = await moving.operator.prepare("nas1", intent(FORGET, GUEST, options={"to": "vault1"}))

    assert [] == unruled(whole)
    assert [] == unruled(forgotten)
    assert {"autostart", "undefine", "define"} <= {word for argv in (*of(whole), *of(forgotten))
                                                   for word in " ".join(argv).split()}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [("rollback", f"{OLD}@a"), ("destroy", OLD), ("rename", OLD, "tank/other"), ("set", OLD, "volsize=64M")],
    ids=lambda words: words[0],
)
async def test_guests_are_shut_down_and_started_by_the_rules_of_the_plan(words: tuple[str, ...]) -> None:
    moving = MovingGuest()
    if words[0] == "rollback":
        moving.type(f"zfs snapshot {OLD}@a")
    after = {"start-guests-after": True} if words[0] in {"rollback", "set"} else {}

    made = await moving.plan(*words, **{"shut-down-guests": True, **after})

    assert [] == unruled(made)
    assert "shutdown" in made.steps[0].argv


async def test_a_freeze_has_rules_for_all_that_its_script_runs_as_root() -> None:
    moving = MovingGuest()
    moving.guest.file_systems = 2

    made = await moving.plan("snapshot", f"{OLD}@a", **{"freeze-guests": True})

    assert not made.is_refused, made.refusals
    rules = rules_of("snapshot")
    assert not rules.allows(*made.steps[0].argv), "a shell that reads its script from stdin"
    assert [] == [argv for argv in by_itself(made) if not rules.allows(*argv)]
    assert {"domfsfreeze", "domfsthaw", "snapshot", "set"} <= {
        word for argv in by_itself(made) for word in argv
    }


async def test_a_benchmark_has_rules_for_all_but_fio() -> None:
    moving = MovingGuest()

    made = await moving.plan("benchmark", "tank/home", size="64M", recordsize="16K")

    assert [] == [argv for argv in by_itself(made) if not rules_of("benchmark").allows(*argv)]
    assert {"mktemp", "zfs", "chown", "rmdir"} == {argv[0] for argv in by_itself(made)}
    assert not rules_of("benchmark").allows(*made.steps[0].argv), "a shell that reads its script from stdin"
