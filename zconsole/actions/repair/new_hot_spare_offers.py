"""New hot spare for a pool without one after a repair, as when the last one was kept for good."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.actions.disk_choices import DiskChoice, disk_choices
from zconsole.actions.intent import Intent
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import least_bytes
from zconsole.analysis.vdevs.redundancy import is_vital
from zconsole.base.fixed_width_formatting import size
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.repair import RepairOffer


def spare_in_words(facts: PoolFacts, offers: tuple[RepairOffer, ...]) -> Iterator[str]:
    """That the pool has no hot spare, where it could have one."""
    if offers:
        yield f"{facts.pool.name} has no hot spare"


def spare_offers(facts: PoolFacts, known: PlanFacts) -> Iterator[RepairOffer]:
    """Add the smallest unused disk that can stand in for every device of the pool's data."""
    pool = facts.pool
    needed = [least_bytes(top)[0] for top in pool.vdevs if is_vital(top) and top.type != "draid"]
    if pool.of_class("spare") or not needed or None in needed:
        return
    least = max(each for each in needed if each is not None)
    word = next(
        (str(leaf.guid or leaf.name) for top in pool.vdevs if is_vital(top) for leaf in top.leaves()), ""
    )
    found = disk_choices(Intent("replace", pool.name, (word,)), known)
    fitting = [each for each in found if _is_fit(each, least)]
    for each in fitting[:1]:
        words = f"add {each.serial}, {size(each.size_bytes)}, to {pool.name} as a hot spare"
        yield RepairOffer(words, "add", pool.name, ("spare", each.word))


def _is_fit(choice: DiskChoice, least: int) -> bool:
    return not choice.why_not and not choice.is_spare and (choice.size_bytes or 0) > least
