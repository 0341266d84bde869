"""A replacement that the guided repair calls unavailable: refused, unless a reason is given."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.intent import Intent
from zconsole.analysis.repair.other_work_first.work_of_pool import RESILVER_RUNS, resilver_comes_first
from zconsole.analysis.repair.reasons_not_to_replace import VDEV_INCOMPLETE
from zconsole.analysis.repair.spare_and_replacing_vdevs import places
from zconsole.analysis.vdevs.redundancy import in_words, is_vital, redundancy_in_pool
from zconsole.analysis.vdevs.scan_eta import left_at_mean_rate, percent_of, unfinished
from zconsole.analysis.vdevs.topology_after_change import top_of
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Scan, Vdev

DESPITE: Final = "despite"  # the option with the reason


def refuse_before_repair(pool: Pool, old: Vdev, intent: Intent, facts: PlanFacts, draft: Draft) -> None:
    """Refuse what the repair of the device does not offer even as advice that may be overridden."""
    if intent.text(DESPITE) is not None:
        return
    place = next((each for each in places(pool) if any(old is leaf for leaf in each.holder.leaves())), None)
    to_repair = ("zconsole", "repair", pool.name)
    all_the_same = f"with a reason ({DESPITE}) the replacement is planned all the same"
    top = top_of(pool, old)
    redundancy = redundancy_in_pool(pool, top)
    if redundancy is not None and is_vital(top) and redundancy.needs_failed_back and not redundancy.is_lost:
        draft.refuse(
            VDEV_INCOMPLETE,
            f"{in_words(redundancy)}: what the others lack is on a failed device",
            f"bring that back first, as the repair says; if it is dead, {all_the_same}",
            command=to_repair,
        )
    elif place is not None and resilver_comes_first(pool, place):
        draft.refuse(
            RESILVER_RUNS,
            "a resilver is running: a replacement now would restart it or wait for it",
            f"wait until it ends{_progress(pool.scan_of(top.name), facts.taken_at)}; the repair tells what "
            f"is due; {all_the_same}",
            command=to_repair,
        )


def _progress(scan: Scan | None, now: float) -> str:
    """` (98%, about 7m left)`; empty where it is not known."""
    percent = None if scan is None else percent_of(scan)
    if scan is None or percent is None:
        return ""
    left = left_at_mean_rate(scan, now)
    return f" ({unfinished(percent)}{f', {left}' if left else ''})"
