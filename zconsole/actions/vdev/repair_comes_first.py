"""A replacement that the guided repair calls unavailable: refused, unless a reason is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.intent import Intent
from zconsole.actions.plan import RefusalReason
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import (
    damage_in_words,
    devices_with_damaged_blocks,
    may_have_damaged_blocks,
)
from zconsole.analysis.repair.data_at_stake.resilver_with_errors import may_lack_blocks
from zconsole.analysis.repair.other_work_first.work_of_pool import resilver_comes_first
from zconsole.analysis.repair.spare_and_replacing_vdevs import places
from zconsole.analysis.vdevs.redundancy import in_words, is_vital, redundancy_in_pool
from zconsole.analysis.vdevs.scan_eta import how_it_ended, left_at_mean_rate, percent_of, unfinished
from zconsole.analysis.vdevs.topology_after_change import top_of
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Scan, Vdev

DESPITE: Final = "despite"  # the option with the reason


def refuse_before_repair(pool: Pool, old: Vdev, intent: Intent, facts: PlanFacts, draft: Draft) -> None:
    """Refuse for what the repair of the device finds in the state of its pool, by the same rules.

    What it finds in SMART data, events and the kernel's messages a plan does not know.
    """
    if intent.text(DESPITE) is not None:
        return
    for each in _reasons(pool, old, facts.taken_at):
        draft.refuse(
            each.rule,
            each.reason,
            f"{each.instead}; the repair has the steps; with a reason ({DESPITE}) the replacement is planned "
            "all the same",
            command=("zconsole", "repair", pool.name),
        )
        return


def _reasons(pool: Pool, old: Vdev, now: float) -> Iterator[RefusalReason]:
    """Each with what to do instead, in the order of the repair's rules, and under their ids."""
    top = top_of(pool, old)
    place = next((each for each in places(pool) if any(old is leaf for leaf in each.holder.leaves())), None)
    redundancy = redundancy_in_pool(pool, top)
    if redundancy is not None and is_vital(top) and redundancy.is_lost:
        return  # refused for itself
    if redundancy is not None and is_vital(top) and redundancy.needs_failed_back:
        reason = f"{in_words(redundancy)}: what the others lack is on a failed device"
        yield RefusalReason("vdev-incomplete", reason, "bring that back first, if it is not dead")
    if may_have_damaged_blocks(pool, top):
        names = joined_by_and([leaf.name for leaf in devices_with_damaged_blocks(pool)])
        reason = f"{damage_in_words(pool)}: {names} may have these blocks whole"
        instead = f"bring {names} back first (clear or online), where that can be"
        yield RefusalReason("good-copies", reason, instead)
    if place is not None and resilver_comes_first(pool, place):
        reason = "a resilver is running: a replacement now would restart it or wait for it"
        progress = _progress(pool.scan_of(top.name), now)
        yield RefusalReason("resilver-runs", reason, f"wait until it ends{progress}")
    if pool.scan is not None and may_lack_blocks(pool, top):
        reason = f"the last resilver {how_it_ended(pool.scan)}: what it filled may lack blocks"
        instead = f"start it again (zpool resilver {pool.name}), or scrub"
        yield RefusalReason("resilver-errors", reason, instead)


def _progress(scan: Scan | None, now: float) -> str:
    """` (98%, about 7m left)`; empty where it is not known."""
    percent = None if scan is None else percent_of(scan)
    if scan is None or percent is None:
        return ""
    left = left_at_mean_rate(scan, now)
    return f" ({unfinished(percent)}{f', {left}' if left else ''})"
