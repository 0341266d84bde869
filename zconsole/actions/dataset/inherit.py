"""Inherit: clear a local property value."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import DEPENDS, ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.checks.dataset_property_table import ALIASES, AT_CREATION, READ_ONLY, property_of
from zconsole.actions.checks.mount_checks import check_placements
from zconsole.actions.checks.mount_points_after_change import (
    MOUNTPOINT,
    OVERLAY,
    Placement,
    heirs_of,
    of_change,
    place_below,
    targets,
)
from zconsole.actions.checks.property_value_checks import is_user_property, nearest, permission
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.set_property import (
    SOURCE_LOCAL,
    SOURCE_RECEIVED,
    add_effect,
    add_inheriting_datasets,
    as_set,
    check_remount,
    current,
)
from zconsole.actions.dataset_facts_needed import snapshot_selectors
from zconsole.actions.guest.shut_down_guests_first import FIRST
from zconsole.actions.guest.writes_stopped_by_property import READ_ONLY as READ_ONLY_PROPERTY
from zconsole.actions.guest.writes_stopped_by_property import check_writers
from zconsole.actions.intent import Intent, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import Condition, ConditionKind, Dependent, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.base.errors import UsageError
from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, SNAPSHOT, Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change.argv_template import EITHER, INHERITED, CommandForm
from zconsole.zfs.change.dataset_argv import inherit

_HINT: Final = "zconsole plan inherit POOL/DATASET compression"


@on_writable_datasets
def plan_inherit(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: descendants may change as well."""
    refuse_surplus_arguments(intent, 1)
    dataset = dataset_of_type(
        intent.target, FILESYSTEMS_AND_VOLUMES | SNAPSHOT, facts, hint="Bookmarks have no properties to set."
    )
    name = _property(intent, facts)
    recursive = intent.flag("recursive")
    draft = Draft(f"inherit {name} on {dataset.name}", dataset.name, Risk.CAUTION, is_reversible=True)
    now, source = current(dataset.name, name, facts)
    saw_datasets(draft, (dataset,))
    draft.saw(f"{name} of {dataset.name}", f"{now} ({source})")
    dropped = _local_below(dataset.name, name, facts) if recursive else []
    known = property_of(name)
    is_inherited = known is None or known.is_inherited
    if is_inherited:
        _tell_values(draft, dataset, name, dropped, facts)
        add_inheriting_datasets(draft, dataset, name, facts)
    if now is not None and source not in {SOURCE_LOCAL, SOURCE_RECEIVED} and not dropped:
        draft.refuse("unchanged", f"{name} is not set on {dataset.name}: it is {now} ({source})")
    if known is not None:
        add_effect(draft, known, facts)
    if not is_inherited:
        draft.refuse("not-inherited", f"{name} is not inherited", f"set {name} to what it should be")
    if known is not None and known.is_about_mounts:
        check_remount(draft, dataset, name, facts)
        check_placements(draft, _placements(intent, dataset, facts), facts)
    value, _ = current(parent_of(dataset.name), name, facts)
    if name == READ_ONLY_PROPERTY and value is not None:
        below = [each.name for each in draft.dependents if each.kind == "child"]
        check_writers(draft, dataset, (name, value, None), listed_datasets(sorted(below), facts), facts)
    argv = inherit(dataset.name, name, recursive=recursive)
    draft.steps.append(
        Step(
            argv,
            f"remove the local value of {name}",
            settled_by=(Condition(ConditionKind.HISTORY, dataset.pool, dataset.pool, value=" ".join(argv)),),
            permissions=permissions_on(permission(name), dataset.name),
        )
    )
    return draft


def _property(intent: Intent, facts: PlanFacts) -> str:
    word = intent.argument(0)
    name = ALIASES.get(word, word)
    if not name:
        raise UsageError("inherit needs the name of a property", hint=_HINT)
    if name in AT_CREATION or name in READ_ONLY:
        raise UsageError(f"{name} cannot be set, and so not inherited")
    is_known = property_of(name) is not None or is_user_property(name)
    if not is_known and current(intent.target, name, facts)[0] in {None, "-"}:
        raise UsageError(f"{intent.target} has no property {name!r}", hint=nearest(name))
    return name


def _placements(intent: Intent, dataset: Dataset, facts: PlanFacts) -> tuple[Placement, ...]:
    """Placements after the local mountpoint is cleared."""
    if intent.argument(0) != MOUNTPOINT or dataset.type != "filesystem":
        return ()
    above = facts.dataset(parent_of(dataset.name))
    last = dataset.name.removeprefix(parent_of(dataset.name))
    path = (
        place_below(above.mountpoint, last) if above is not None else f"{facts.altroot(dataset.pool)}/{last}"
    )
    heirs = heirs_of(dataset.name, facts, with_own=intent.flag("recursive"))
    return of_change(dataset, path, heirs, facts)


def _targets(intent: Intent, facts: PlanFacts) -> Needs:
    dataset = facts.dataset(intent.target)
    return Needs() if dataset is None else targets(_placements(intent, dataset, facts))


def _local_below(name: str, key: str, facts: PlanFacts) -> list[tuple[str, str]]:
    """Descendants with a local value, and the value."""
    return sorted(
        (each, value)
        for each, known, value, source in facts.properties
        if known == key and each.startswith(f"{name}/") and source in {SOURCE_LOCAL, SOURCE_RECEIVED}
    )


def _tell_values(
    draft: Draft, dataset: Dataset, name: str, dropped: list[tuple[str, str]], facts: PlanFacts
) -> None:
    """Note the new value, values lost by descendants, and how to undo it."""
    now, _ = current(dataset.name, name, facts)
    parent = parent_of(dataset.name)
    above, _ = current(parent, name, facts)
    if above is not None and name == MOUNTPOINT and above.startswith("/"):
        path = place_below(above, dataset.name.removeprefix(parent))
        draft.notes.append(f"it will be {path}, below that of {parent}")
    elif above is not None:
        draft.notes.append(f"it will be {above}, as on {parent}")
    for each, value in dropped:
        draft.dependents.append(Dependent("child", each, f"loses its own {name}, {value}"))
        draft.saw(f"{name} of {each}", value)
    undone = [(of, as_set(name, value, dataset, facts)) for of, value in ((dataset.name, now), *dropped)]
    draft.undo = (
        "; ".join(
            f"zfs set {quote(f'{name}={value}')} {quote(each)}" for each, value in undone if value is not None
        )
        or None
    )


def _needs(intent: Intent) -> Needs:
    name = ALIASES.get(intent.argument(0), intent.argument(0))
    if not name:
        return Needs(datasets=(intent.pool,), snapshots=snapshot_selectors(intent.target))
    known = property_of(name)
    parent = parent_of(intent.target) if "@" not in intent.target else dataset_of(intent.target)
    return Needs(
        datasets=(intent.pool,),
        snapshots=snapshot_selectors(intent.target),
        uses=name == READ_ONLY_PROPERTY or (known is not None and known.is_about_mounts),
        properties=(
            *(((intent.target, name),) if "@" in intent.target else ()),
            *(((parent, name),) if parent else ()),
            *(((intent.target, OVERLAY),) if name == MOUNTPOINT and "@" not in intent.target else ()),
        ),
        properties_below=() if "@" in intent.target else ((intent.target, name),),
        of_snapshots=intent.flag("recursive") and is_user_property(name),
    )


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "inherit", "Inherit property", "Remove a local value, so that the inherited one applies.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME, TargetKind.SNAPSHOT}), plan_inherit,
        arguments=(Argument("PROPERTY", "property", "such as compression"),),
        options=(
            Option("recursive", "also remove the local values of everything below it", letter="r"), *FIRST,
        ),
        needs=_needs, further=_targets,
        permission=DEPENDS,
        commands=(CommandForm(inherit, (EITHER, INHERITED), {"recursive": True}),),
    ),
)  # fmt: skip
