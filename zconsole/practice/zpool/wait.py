"""`zpool wait`, and when the activities that commands wait for are over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.reply import Reply, Waiting
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.world import World
from zconsole.practice.zpool.change_record import open_pool
from zconsole.practice.zpool.usage import misuse, read

ACTIVITIES: Final = (
    "discard",
    "free",
    "initialize",
    "replace",
    "remove",
    "resilver",
    "scrub",
    "trim",
    "raidz_expand",
)


def wait(world: World, args: Sequence[str]) -> Reply | Waiting:
    """Answer `zpool wait`."""
    options = read("wait", args, "HpT:t:")
    if not options.operands:
        raise misuse("wait", "missing 'pool' argument")
    wanted = (options.last("t") or ",".join(ACTIVITIES)).split(",")
    wrong = next((name for name in wanted if name not in ACTIVITIES), None)
    if wrong is not None:
        raise misuse("wait", f"invalid activity '{wrong}'")
    pool = open_pool(world, options.operands[0])
    return until_idle(world, pool, *wanted)


def until_idle(world: World, pool: PracticePool, *kinds: str) -> Reply | Waiting:
    """Nothing more to say at once, or when these activities are over."""

    def is_over() -> bool:
        return pool.name not in world.pools or not any(is_busy_with(pool, kind) for kind in kinds)

    return Reply() if is_over() else Waiting(is_over, Reply())


def is_busy_with(pool: PracticePool, kind: str) -> bool:
    """Whether such an activity goes on in a pool."""
    scan = pool.scan
    is_scanning = scan is not None and scan.is_running
    match kind:
        case "discard":
            return pool.discarding is not None
        case "replace":
            return any(vdev.kind in {"replacing", "spare"} for vdev in pool.root.walk())
        case "remove":
            return pool.removal is not None and pool.removal.is_running
        case "raidz_expand":
            return pool.expansion is not None and pool.expansion.is_running
        case "scrub":
            return is_scanning and scan is not None and scan.function == "SCRUB" and not scan.paused_at
        case "resilver":
            is_rebuilding = any(top.rebuild is not None and top.rebuild.is_running for top in pool.present)
            return is_rebuilding or (is_scanning and scan is not None and scan.function == "RESILVER")
        case "initialize" | "trim":
            return any(_is_active(leaf, kind) for leaf in pool.leaves())
        case _:
            return False


def _is_active(leaf: object, kind: str) -> bool:
    activity = getattr(leaf, kind)
    return activity is not None and activity.state == "ACTIVE"
