"""Checks of new datasets: name, parent, space."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import chain

from zconsole.actions.action_spec import Draft, PlanAgain
from zconsole.actions.checks.dataset_property_table import AT_CREATION
from zconsole.actions.checks.property_value_checks import permission
from zconsole.actions.plan import WayOut, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_absence, saw_datasets
from zconsole.analysis.vdevs.redundancy import in_words, pool_redundancy
from zconsole.model.dataset_names import parent_of, pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts

LOCKED = "unavailable"


def refuse_place(
    draft: Draft, name: str, facts: PlanFacts, *, parents: bool | None, host: str = ""
) -> Dataset | None:
    """Refuse a name that exists or has no parent; returns the nearest existing ancestor.

    `parents` is None for actions without that option; `host` names another host than the plan's.
    """
    saw_absence(draft, name, facts)
    if facts.dataset(name) is not None:
        draft.refuse_answer(WayOut.NAME, "exists", f"{name} already exists", "choose another name")
    parent = nearest_above(name, facts)
    if parent is None:
        return None
    saw_datasets(draft, (parent,))
    if parent.name != parent_of(name):
        missing = parent_of(name)
        if parents:
            draft.notes.append(f"{missing} is created too, with what it inherits")
        elif parents is None:
            where = ("--host", host) if host else ()
            command = ("zconsole", "plan", "create", missing, "--parents", *where)
            draft.refuse_answer(
                WayOut.NAME, "no-parent", f"there is no {missing}", f"create it first: {shlex.join(command)}"
            )
        else:
            draft.refuse("no-parent", f"there is no {missing}", "",
                         PlanAgain("parents", f"create {missing} too"))  # fmt: skip
    if parent.type != "filesystem":
        draft.refuse_answer(
            WayOut.NAME,
            "no-parent",
            f"{parent.name} is a {parent.type}, which has nothing below it",
            "choose another place",
        )
    if parent.keystatus == LOCKED:
        draft.refuse("locked", f"the key of {parent.name} is not loaded", f"load-key {parent.name} first")
    refuse_full(draft, parent, "a new dataset")
    return parent


def nearest_above(name: str, facts: PlanFacts) -> Dataset | None:
    """The nearest existing ancestor of a name."""
    above = parent_of(name)
    while above and facts.dataset(above) is None:
        above = parent_of(above)
    return facts.dataset(above)


def permissions_to_make(
    name: str, parent: Dataset | None, properties: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Permissions a user without root needs on the parent, and on the dataset for its properties."""
    above = (parent.name, parent_of(name)) if parent is not None else (parent_of(name),)
    keys = [word.partition("=")[0] for word in properties]
    own = [permissions_on(permission(key), name) for key in keys if key not in AT_CREATION]
    return (*permissions_on("create,mount", *above), *chain.from_iterable(own))


def add_mountpoint(
    draft: Draft, name: str, parent: Dataset | None, properties: tuple[str, ...], facts: PlanFacts
) -> None:
    """Note where it will be mounted."""
    own = [each.partition("=")[2] for each in properties if each.startswith("mountpoint=")]
    if own:
        draft.notes.append(f"its mountpoint is {own[-1]}")
        altroot = "" if parent is None else facts.altroot(parent.pool)
        if altroot and own[-1].startswith("/"):
            draft.notes.append(f"the altroot of {pool_of(name)} is {altroot}: it is mounted below that")
    elif parent is not None and parent.mountpoint is not None and parent.mountpoint.startswith("/"):
        below = name.removeprefix(parent.name)
        draft.notes.append(f"it is mounted at {parent.mountpoint.rstrip('/')}{below}")
    elif parent is not None:
        draft.notes.append(f"it is not mounted automatically, and neither is {parent.name}")


def refuse_full(draft: Draft, dataset: Dataset | None, what: str) -> None:
    """Refuse on a full pool: ZFS can still destroy, but not create."""
    if dataset is not None and dataset.available_bytes == 0:
        draft.refuse("full", f"there is no space left for {what} in {dataset.name}",
                     "destroy snapshots first: ZFS keeps some space reserved for that")  # fmt: skip


def warn_of_weak_pool(draft: Draft, name: str, facts: PlanFacts) -> None:
    """Warn where data goes to a pool that survives fewer failures than it was built for."""
    pool = facts.pool(pool_of(name))
    if pool is None:
        return
    weak = [each for each in pool_redundancy(pool) if each.left < each.by_design]
    if not weak:
        return
    worst = min(weak, key=lambda each: each.left)
    state = f" is {pool.state}" if pool.state != "ONLINE" else ""
    risk = ": one more failure loses the pool, and what goes there with it" if worst.is_used_up else ""
    draft.warnings.append(f"{pool.name}{state}: {in_words(worst)}{risk}")
