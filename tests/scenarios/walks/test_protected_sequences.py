"""Whatever is done one after the other, what was protected once is there, and is protected, at the end."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict

import pytest

from tests.doubles.practice_runs import HOST, Bench
from tests.scenarios.walks.test_random_intents import A_WORLD, Chooser, Objects, new_world, objects_in
from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.intent import Intent, OptionValue, intent
from zconsole.actions.plan import Plan
from zconsole.base.errors import HostError, UsageError
from zconsole.base.secret import Secret
from zconsole.base.user_config_file import Config
from zconsole.model.protected_patterns import covering
from zconsole.model.run import RunState
from zconsole.practice import World
from zconsole.service.prepare_execute_and_recover_plans import Operator

CHUNKS = 4
INTENTS = 12_000
PATTERNS = (
    ("tank/home*",),
    ("*@a",),
    ("tank/vm/c", "tank@b"),
    ("bulk/*", "tank/home/clone"),
    ("t?nk/v[lm]",),
    ("bulk",),
)
TAKING = (
    *("destroy", "rename", "rename", "promote", "export", "import", "import", "labelclear", "rollback"),
    *("split", "clone", "snapshot", "release", "detach", "remove"),
)
ALL = {spec.id: spec for spec in SPECS}


class Taker(Chooser):
    """Wants most of all what takes things away or gives them other names."""

    def intent(self) -> Intent:
        if self.random.random() < 0.2:
            return super().intent()
        spec = ALL[self.random.choice(TAKING)]
        words = [word for argument in spec.arguments for word in self._words(argument.kind)]
        options: dict[str, OptionValue] = {
            option.name: True if option.kind == "flag" else self.random.choice(["other", "tank", "bulk"])
            for option in spec.options
            if self.random.random() < 0.5 and option.name not in {"altroot", "read-only"}
        }
        return intent(spec.id, self.target(spec), *words, options=options)


async def one(bench: Bench, chooser: Taker, operator: Operator) -> tuple[str, bool]:
    """What became of one intent, and whether protection refused it."""
    bench.manual.advance(chooser.random.uniform(0, 30))
    try:
        plan: Plan = await operator.prepare(HOST, chooser.intent())
    except UsageError:
        return "usage", False
    except HostError:  # the pool is not imported now
        return "unread", False
    if plan.is_refused:
        return "refused", "protected" in {each.rule for each in plan.refusals}
    secrets = {name: Secret("a passphrase") for name in plan.secrets}
    run = await operator.execute(HOST, plan, plan.confirm or "", secrets)
    return run.state.value, False


def check(once: Objects, world: World, patterns: tuple[str, ...]) -> None:
    """Every object that was protected at any time is there, under a name that is protected.

    A split makes a second one with the same guid: that is a copy, and the one that was is looked for.
    """
    now: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for pool in [*world.pools.values(), *world.importable]:
        for key, name in objects_in(pool).items() if pool.label_state != "DESTROYED" else ():
            now[key].add(name)
    protected = {key: min(names) for key, each in now.items() if (names := _covered(each, patterns))}
    gone = [f"{name}, now {sorted(now[key])}" for key, name in once.items() if key not in protected]
    assert not gone, f"lost, or not protected any more: {sorted(gone)} of {patterns}"
    once |= protected


def _covered(names: set[str], patterns: tuple[str, ...]) -> set[str]:
    return {name for name in names if covering(patterns, name)}


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_protected_is_lost_by_any_sequence(chunk: int, request: pytest.FixtureRequest) -> None:
    """12,000 intents with --long, a tenth of them otherwise; so many in a row as a world takes.

    About one intent in fifty is refused by protection.
    """
    intents = INTENTS // CHUNKS // (1 if request.config.getoption("--long") else 10)
    ends: Counter[str] = Counter()

    async def all_of_them() -> None:
        for number in range(intents):
            seed = 7_000_000 + chunk * INTENTS + number
            if number % A_WORLD == 0:
                patterns = random.Random(seed).choice(PATTERNS)  # noqa: S311 - the same every time
                bench = new_world(seed)
                bench.policies.config = Config(protected=patterns)
                operator = bench.another()
                chooser = Taker(bench.world, seed)
                once: Objects = {}
                check(once, bench.world, patterns)
            try:
                end, is_protected = await one(bench, chooser, operator)
                ends[end] += 1
                ends["protected"] += is_protected
                check(once, bench.world, patterns)
            except Exception as error:
                error.add_note(f"chunk {chunk}, intent {number}")
                raise

    asyncio.run(all_of_them())
    assert ends[RunState.DONE.value] > 0
    assert ends["protected"] > 0
