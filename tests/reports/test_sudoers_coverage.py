"""Whatever zconsole runs as root is in the rules for sudo: plans at random, and their runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest

from tests.doubles.practice_runs import HOST
from tests.reports.sudo import EVERYTHING, Matcher
from tests.scenarios.walks.test_random_intents import Chooser, new_world
from zconsole.actions.action_catalogue import spec
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


def is_odd(argv: Sequence[str]) -> bool:
    """Whether a word has what no rule has: a blank, or a character beyond ASCII, which the file says."""
    return any(not word.isascii() or not word.isprintable() or " " in word for word in argv)


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
