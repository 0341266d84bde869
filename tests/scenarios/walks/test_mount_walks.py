"""Random actions that move mountpoints: after none of them is anything mounted over the running system."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

import pytest

from tests.doubles.practice_runs import HOST, Bench
from zconsole.actions.intent import Intent, intent
from zconsole.analysis.dependencies.mount_safety import normal, why_needed
from zconsole.base.errors import UsageError
from zconsole.model.run import RunState
from zconsole.practice.system.root_file_system import resolved

SEEDS: Final = range(12)
ACTIONS: Final = 40
PLACES: Final = (
    "/", "/etc", "/etc/cron.d", "/lib", "/srv", "/srv/old", "/srv/empty", "/x", "/srv/../usr", "//boot",
    "none", "legacy", "/var/run", "/home",
)  # fmt: skip
NAMES: Final = ("a", "etc", "usr", "old", "cron.d", "boot")


def places(bench: Bench) -> Iterator[str]:
    """Where file systems of ZFS are mounted."""
    for line in bench.says(["zfs", "mount"]).splitlines():
        yield line.split("  ")[-1].strip()


def choice(bench: Bench, dice: random.Random) -> Intent:
    """Something that makes, moves or mounts a file system."""
    pool = bench.world.pools.get("tank")
    systems = sorted(pool.datasets) if pool is not None else ["tank"]
    one, other = dice.choice(systems), f"{dice.choice(systems)}/{dice.choice(NAMES)}"
    place = f"mountpoint={dice.choice(PLACES)}"
    canmount = f"canmount={dice.choice(('on', 'off', 'noauto'))}"
    parents = {"parents": dice.random() < 0.3}
    match dice.randrange(9):
        case 0:
            words = [word for word in (place, canmount) if dice.random() < 0.6]
            return intent("create", other, *words, options=parents)
        case 1:
            return intent("clone", "tank/home@a", other, *((place,) if dice.random() < 0.4 else ()))
        case 2 | 3:
            return intent("set", one, place)
        case 4:
            return intent("set", one, canmount)
        case 5:
            return intent("inherit", one, "mountpoint", options={"recursive": dice.random() < 0.4})
        case 6:
            return intent("rename", one, other, options=parents)
        case 7:
            return intent("mount", one, options={"below": dice.random() < 0.5})
        case _:
            return intent("unmount", one)


@pytest.mark.slow(after=4)
@pytest.mark.parametrize("seed", SEEDS)
async def test_no_walk_ends_over_the_running_system(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - the same every time
    bench = Bench()
    done = 0
    for number in range(ACTIONS):
        if number == ACTIONS // 2:  # as a pool that comes from another host: nothing of it is mounted before
            bench.type("zpool export tank")
            plan = await bench.operator.prepare(HOST, intent("import", "tank"))
            await bench.operator.execute(HOST, plan, plan.confirm or "")
        wanted = choice(bench, dice)
        try:
            plan = await bench.operator.prepare(HOST, wanted)
        except UsageError:
            continue
        if plan.is_refused:
            continue
        run = await bench.operator.execute(HOST, plan, plan.confirm or "")
        done += run.state is RunState.DONE

        bad = [place for place in places(bench) if why_needed(resolved(place)) or why_needed(normal(place))]
        assert [] == bad, (number, wanted)
    assert done > ACTIONS // 8
