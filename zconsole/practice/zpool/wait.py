"""`zpool wait`, and the activities that commands wait for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.nicenum_and_times import words
from zconsole.practice.program_reply import Reply, Waiting
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zpool.pool_imported_and_writable_checks import open_pool
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, read

ACTIVITIES: Final = words("discard free initialize replace remove resilver scrub trim raidz_expand")


def wait(world: World, args: Sequence[str]) -> Reply | Waiting:
    """Answer `zpool wait`."""
    options = read("wait", args, "HpT:t:")
    name = operands("wait", options, "missing 'pool' argument")[0]
    wanted = (options.last("t") or ",".join(ACTIVITIES)).split(",")
    wrong = next((name for name in wanted if name not in ACTIVITIES), None)
    if wrong is not None:
        raise misuse("wait", f"invalid activity '{wrong}'")
    pool = open_pool(world, name)
    return until_idle(world, pool, *wanted)


def until_idle(world: World, pool: PracticePool, *kinds: str) -> Reply | Waiting:
    """An empty reply, at once or when these activities are over."""

    def is_over() -> bool:
        return pool.name not in world.pools or not any(is_busy_with(pool, kind) for kind in kinds)

    return Reply() if is_over() else Waiting(is_over, Reply())


def is_busy_with(pool: PracticePool, kind: str) -> bool:
    """Whether an activity runs in a pool."""
    scan = pool.scan
    match kind:
        case "discard":
            return pool.discarding is not None
        case "replace":
            return any(vdev.kind in {"replacing", "spare"} for vdev in pool.root.walk())
        case "remove":
            return pool.is_removing
        case "raidz_expand":
            return pool.is_expanding
        case "scrub":
            return scan is not None and scan.is_running and scan.function == "SCRUB" and not scan.paused_at
        case "resilver":
            return pool.is_rebuilding or pool.resilver is not None
        case "initialize" | "trim":
            activities = [getattr(leaf, kind) for leaf in pool.leaves()]
            return any(activity is not None and activity.is_running for activity in activities)
        case _:
            return False
