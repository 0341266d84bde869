"""Checks of all actions on datasets: listing, users, facts of the plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Final

from zconsole.actions.action_spec import Draft, Needs, Planner
from zconsole.actions.byte_count_tolerance import FigureMeasure
from zconsole.actions.intent import Intent, Target
from zconsole.actions.object_lookup import the_dataset, the_pool
from zconsole.actions.plan import Condition, ConditionKind, Dependent, Risk
from zconsole.base.errors import UsageError
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_scope import SnapshotSelector
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts

FILESYSTEM: Final = frozenset({"filesystem"})
VOLUME: Final = frozenset({"volume"})
SYSTEMS: Final = FILESYSTEM | VOLUME
SNAPSHOT: Final = frozenset({"snapshot"})
MOST_REFUSALS: Final = 20  # per rule
LONG_STEP_TIMEOUT_S: Final = 1800.0  # ZFS takes long with many snapshots, and with a full pool


def on_datasets(planner: Planner) -> Planner:
    """A planner that refuses when the pool's datasets were not read, or the pool is read-only."""
    reading = on_listed(planner)

    @wraps(planner)
    def plan(intent: Intent, facts: PlanFacts) -> Draft:
        draft = reading(intent, facts)
        if intent.pool in facts.read_only_pools:
            draft.refuse("pool-read-only", f"{intent.pool} is imported read-only",
                         "export it, and import it without readonly=on")  # fmt: skip
        return draft

    return plan


def on_listed(planner: Planner) -> Planner:
    """A planner that refuses when the pool's datasets were not read; it does not write to the pool."""

    @wraps(planner)
    def plan(intent: Intent, facts: PlanFacts) -> Draft:
        the_pool(intent.pool, facts)
        if intent.pool not in facts.listed:
            draft = Draft(f"{intent.action} {intent.target}", intent.target, Risk.ROUTINE)
            draft.refuse("unread", f"the datasets of {intent.pool} could not be read",
                         "a plan is made from all of them: read them first")  # fmt: skip
            return draft
        draft = planner(intent, facts)
        for name in facts.unread(draft.destroys)[:MOST_REFUSALS]:
            draft.refuse("unread", f"the contents and dependents of {name} were not read", "plan it again")
        return draft

    return plan


def datasets_only(intent: Intent) -> Needs:
    """Needs the datasets of the target's pool; of snapshots only the target."""
    return Needs(datasets=(intent.pool,), snapshots=by_name(intent.target))


def datasets_and_uses(intent: Intent) -> Needs:
    """The same, with their users."""
    return replace(datasets_only(intent), uses=True)


def by_name(*names: str, below: bool = False) -> tuple[SnapshotSelector, ...]:
    """Selectors of the snapshots among these names only."""
    return tuple(SnapshotSelector(name, below=below) for name in names if "@" in name)


def the(name: str, types: frozenset[str], facts: PlanFacts, *, hint: str) -> Dataset:
    """The dataset with this name and one of these types. Raises UsageError."""
    dataset = the_dataset(name, facts)
    if dataset.type not in types:
        raise UsageError(f"{name} is a {_in_words(dataset.type)}", hint=hint)
    return dataset


def no_further_words(intent: Intent, most: int) -> None:
    """Raise UsageError for surplus words."""
    if len(intent.arguments) > most:
        raise UsageError(f"{intent.action} does not take the argument {intent.arguments[most]!r}")


def kind_of(dataset: Dataset) -> str:
    """The type in words."""
    return _in_words(dataset.type)


def remember(draft: Draft, datasets: Iterable[Dataset]) -> None:
    """Add the identity of these objects to the basis; names alone may be reused."""
    for each in datasets:
        draft.saw(f"{_in_words(each.type)} {each.name}", f"guid {each.guid} of txg {each.createtxg}")


def count_data(draft: Draft, datasets: Iterable[Dataset]) -> None:
    """Add to the basis the amount of data in these datasets, and the part without snapshot."""
    for each in datasets:
        if each.type in SYSTEMS:
            draft.counted(f"referenced by {each.name}", FigureMeasure.REFERENCED, each.referenced_bytes)
            draft.counted(
                f"written to {each.name} since its last snapshot", FigureMeasure.WRITTEN, each.written_bytes
            )


def remember_absence(draft: Draft, name: str, facts: PlanFacts) -> None:
    """Add the absence of the name, or the identity of its object, to the basis."""
    there = facts.dataset(name)
    draft.saw(name, "not there" if there is None else f"guid {there.guid} of txg {there.createtxg}")


def gone(datasets: Sequence[Dataset]) -> tuple[Condition, ...]:
    """Conditions that these objects no longer exist; empty if one of them cannot be identified."""
    if any(each.guid is None or each.createtxg is None for each in datasets):
        return ()
    return tuple(
        Condition(ConditionKind.DATASET_GONE, str(each.guid), each.pool, each.type, str(each.createtxg))
        for each in datasets
    )


def there(name: str) -> Condition:
    """Condition that a name exists."""
    return Condition(ConditionKind.DATASET_THERE, name, pool_of(name))


def known_in(names: Iterable[str], facts: PlanFacts) -> tuple[Dataset, ...]:
    """The names that were listed, as datasets, in the given order."""
    known = {dataset.name: dataset for dataset in facts.datasets}
    return tuple(known[name] for name in names if name in known)


def needed(permissions: str, *on: str) -> tuple[tuple[str, str], ...]:
    """Permissions a user without root needs on each of these datasets and snapshots."""
    return tuple((word, each) for each in dict.fromkeys(on) for word in permissions.split(","))


def refuse_held(draft: Draft, snapshots: Sequence[Dataset], facts: PlanFacts) -> None:
    """Refuse held snapshots, naming the tags and the release command."""
    tags: dict[str, list[str]] = {}
    for hold in facts.holds or ():
        tags.setdefault(hold.snapshot, []).append(hold.tag)
    held = [each for each in snapshots if each.type == "snapshot" and (tags.get(each.name) or each.holds)]
    for each in held:
        draft.saw(f"holds on {each.name}", ", ".join(sorted(tags.get(each.name, ()))) or f"{each.holds}")
    for each in held[:MOST_REFUSALS]:
        names = sorted(tags.get(each.name, ()))
        by = ", ".join(names) if names else "a hold"
        for tag in names:
            draft.dependents.append(Dependent("hold", each.name, tag))
        draft.refuse(
            "held", f"{each.name} is held by {by}", f"release {each.name} {names[0] if names else 'TAG'}"
        )
    if len(held) > MOST_REFUSALS:
        draft.refuse("held", f"and {len(held) - MOST_REFUSALS} more are held")


def check_uses(draft: Draft, datasets: Sequence[Dataset], facts: PlanFacts, *, undone: str) -> None:
    """Add users of these as dependents, and refuse running ones. `undone` is the consequence for them."""
    if facts.uses is None:
        draft.warnings.append("its users could not be read: check for open files and running guests")
    by_object: dict[str, list[OutsideUse]] = {}
    for use in facts.uses or ():
        by_object.setdefault(use.object, []).append(use)
    for each in datasets:
        uses = [*by_object.get(each.name, ()), *by_object.get(_device(each.name), ())]
        if each.is_mounted and not any(use.kind == "mount" for use in uses) and each.mountpoint is not None:
            uses.append(OutsideUse(each.name, "mount", each.mountpoint))
        for use in uses:
            detail = f"on {each.name}" + (f", {use.detail}" if use.detail else "")
            draft.dependents.append(Dependent(use.kind, use.name, detail))
        places = sorted(f"{use.kind} {use.name}" for use in uses)
        if places:
            draft.saw(f"uses of {each.name}", ", ".join(places))
        for use in [use for use in uses if _blocks(use, each)][:MOST_REFUSALS]:
            draft.refuse("in-use", f"{use.kind} {use.name} is on {each.name}: {undone}", _stop(use))


def refuse_unmounting_as_user(draft: Draft, datasets: Iterable[Dataset], facts: PlanFacts) -> None:
    """Refuse for users: on Linux only root can unmount, whatever `zfs allow` says."""
    mounted = [each.name for each in datasets if each.is_mounted]
    if mounted and not facts.privileges.is_root:
        draft.refuse("unmount-permission", f"{mounted[0]} is mounted, and only root can unmount it",
                     "zconsole sudoers prints what sudo needs")  # fmt: skip


def refuse_full(draft: Draft, dataset: Dataset | None, what: str) -> None:
    """Refuse on a full pool: ZFS can still destroy, but not create."""
    if dataset is not None and dataset.available_bytes == 0:
        draft.refuse("full", f"there is no space left for {what} in {dataset.name}",
                     "destroy snapshots first: ZFS keeps some space reserved for that")  # fmt: skip


def not_a_pool(target: Target, _facts: PlanFacts) -> str:
    """Disabled for a pool's root dataset."""
    return "" if "/" in target.name or "@" in target.name else "it can be destroyed only with its pool"


def _blocks(use: OutsideUse, dataset: Dataset) -> bool:
    """Running programs, and a foreign file system mounted from a volume, block."""
    return use.is_running or (use.kind == "mount" and dataset.type == "volume")


def _stop(use: OutsideUse) -> str:
    match use.kind:
        case "mount":
            return f"unmount {use.name} first"
        case "guest":
            return f"shut {use.name} down first"
        case "swap":
            return f"swapoff {use.name} first"
        case "holder":
            return f"take {use.name} off it first"
        case _:
            return f"end {use.name} first"


def _device(name: str) -> str:
    """The path of a volume in udev's spelling."""
    return f"/dev/zvol/{name.replace(' ', '+')}"


def _in_words(dataset_type: str) -> str:
    return "file system" if dataset_type == "filesystem" else dataset_type
