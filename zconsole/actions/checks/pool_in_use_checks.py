"""Users of a whole pool: dependents, and what must be stopped first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.dataset_in_use_checks import check_unread_guests, saw_off_guests
from zconsole.actions.plan import Dependent
from zconsole.analysis.dependencies.dataset_or_device_of_path import dataset_of_object
from zconsole.analysis.dependencies.uses_by_guests import OFF_GUESTS, named_in_unmounted
from zconsole.model.dataset_names import pool_of
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts
from zconsole.model.pools.pool import Pool

NAMED: Final = 5  # in a refusal; the dependents list all
VERBS: Final = {
    "guest": "runs on",
    "container": "runs on",
    "process": "uses",
    "swap": "swaps on",
    "holder": "is mapped on",
    "mount": "is mounted from",
}


def uses_of_pool(pool: Pool, facts: PlanFacts) -> tuple[OutsideUse, ...]:
    """Every use of a dataset or volume of the pool, and guests on what is not mounted at present."""
    found = [use for use in facts.uses or () if pool_of(dataset_of_object(use.object)) == pool.name]
    hidden = [
        use
        for each in facts.datasets
        if each.pool == pool.name
        for use in named_in_unmounted(each, facts.uses or ())
    ]
    return tuple(dict.fromkeys((*found, *hidden)))


def refuse_while_in_use(pool: Pool, facts: PlanFacts, draft: Draft) -> None:
    """Mounts and shares are dependents; running programs and the system itself block."""
    found = uses_of_pool(pool, facts)
    for use in found:
        draft.dependents.append(Dependent(use.kind, use.name, use.detail or use.object))
    used = sorted(f"{use.kind} {use.name}" for use in found if use.kind not in OFF_GUESTS)
    draft.saw(f"in use on {pool.name}", ", ".join(used) or "nothing")
    saw_off_guests(draft, {f"{use.kind} {use.name}" for use in found if use.kind in OFF_GUESTS})
    check_unread_guests(draft, facts)
    if facts.uses is None:
        draft.warnings.append(
            f"it is not known what uses {pool.name}; ZFS itself refuses while files are open"
        )
    if pool.name in facts.boot_pools:
        draft.refuse("boot-pool", f"the running system is on {pool.name}",
                     "boot a rescue system to do this")  # fmt: skip
    running = [use for use in found if use.is_running or _is_foreign_mount(use)]
    if running:
        draft.refuse("in-use", f"{pool.name} is in use: {'; '.join(_named(running))}",
                     f"{_ways_to_stop(running)}; zconsole never forces")  # fmt: skip


def _is_foreign_mount(use: OutsideUse) -> bool:
    """Whether a foreign file system is mounted from a volume, which ZFS does not unmount."""
    return use.kind == "mount" and bool(use.detail)


def _ways_to_stop(running: list[OutsideUse]) -> str:
    """`stop it first`, or the commands of its engines."""
    ways = list(dict.fromkeys(use.way_to_stop for use in running if use.way_to_stop))
    return f"stop it first: {'; '.join(ways[:NAMED])}" if ways else "stop it first"


def _named(running: list[OutsideUse]) -> Iterator[str]:
    for use in running[:NAMED]:
        kind = f"{use.kind} {use.name}" if use.kind in {"guest", "container"} else use.name
        yield f"{kind} {VERBS.get(use.kind, 'uses')} {use.object}"
    if len(running) > NAMED:
        yield f"and {len(running) - NAMED} more"
