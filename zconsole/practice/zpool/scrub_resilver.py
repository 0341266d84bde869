"""`zpool scrub` and `zpool resilver`."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.practice.program_reply import Reply, Waiting, for_each
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.scan_trim_removal_expansion_states import PracticeScan
from zconsole.practice.world.start_or_abort_scrub_and_resilver import abort_scan, start_resilver, start_scrub
from zconsole.practice.zpool.pool_imported_and_writable_checks import allow, cannot, open_pool
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, read
from zconsole.practice.zpool.wait import is_busy_with
from zconsole.practice.zpool.write_history_and_event_records import event, next_txg, note

_EXCLUSIVE = (("s", "p"), ("p", "C"), ("s", "C"), ("e", "C"))


def scrub(world: World, args: Sequence[str]) -> Reply | Waiting:
    """Answer `zpool scrub`."""
    options = read("scrub", args, "aspweCE:S:")
    for one, other in _EXCLUSIVE:
        if {one, other} <= options.flags:
            raise misuse("scrub", f"invalid option combination: -{one} and -{other} are mutually exclusive")
    if "w" in options and options.flags & {"s", "p"}:
        raise misuse("scrub", "invalid option combination: -w cannot be used with -p or -s")
    if "a" not in options:
        operands("scrub", options, "missing pool name argument")
    chosen: list[PracticePool] = []

    def scrub_one(name: str) -> str:
        pool = open_pool(world, name)
        said = _scrub(world, pool, options.flags)
        chosen.append(pool)
        note(world, pool, "scrub", args)
        return said

    reply = for_each(options.operands or list(world.pools), scrub_one)
    if reply.status or "w" not in options:
        return reply
    return Waiting(lambda: not any(is_busy_with(pool, "scrub") for pool in chosen), reply)


def _scrub(world: World, pool: PracticePool, flags: set[str]) -> str:
    running = pool.scan if pool.scan is not None and pool.scan.is_running else None
    if "s" in flags:
        _stop(world, pool, running)
        return ""
    if "p" in flags:
        _pause(world, pool, running)
        return ""
    action = f"cannot scrub {pool.name}"
    allow(world, pool, action)
    if running is not None and running.function == "SCRUB" and running.paused_at:
        _resume(world, pool, running)
    elif running is not None and running.function == "SCRUB":
        raise cannot(action, "currently scrubbing; use 'zpool scrub -s' to cancel scrub")
    elif running is not None or is_busy_with(pool, "resilver"):
        raise cannot(action, "currently resilvering")
    elif "e" not in flags or pool.error_count:
        start_scrub(world, pool)
    if pool.checkpoint is not None:
        return f"warning: will not scrub state that belongs to the checkpoint of pool '{pool.name}'\n"
    return ""


def _stop(world: World, pool: PracticePool, running: PracticeScan | None) -> None:
    action = f"cannot cancel scrubbing {pool.name}"
    allow(world, pool, action)
    if running is None or running.function != "SCRUB":
        raise cannot(action, "there is no active scrub")
    abort_scan(world, pool, running)


def _pause(world: World, pool: PracticePool, running: PracticeScan | None) -> None:
    action = f"cannot pause scrubbing {pool.name}"
    allow(world, pool, action)
    if running is None:
        return  # nothing to pause is no error
    if running.function != "SCRUB":
        raise cannot(action, "currently resilvering")
    if running.paused_at:
        raise cannot(action, "scrub is paused; use 'zpool scrub' to resume scrub")
    running.paused_at = int(world.now)
    next_txg(pool)
    event(world, pool, "scrub_paused")


def _resume(world: World, pool: PracticePool, running: PracticeScan) -> None:
    running.seconds_paused += int(world.now) - running.paused_at
    running.paused_at = 0
    next_txg(pool)
    event(world, pool, "scrub_resume")


def resilver(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool resilver`, which restarts a running one with the deferred devices."""

    def restart(name: str) -> None:
        pool = open_pool(world, name)
        allow(world, pool, f"cannot restart resilver on {name}")
        if pool.resilver is not None:
            abort_scan(world, pool, pool.resilver)
        start_resilver(world, pool)
        note(world, pool, "resilver", args)

    return for_each(operands("resilver", read("resilver", args), "missing pool name argument"), restart)
