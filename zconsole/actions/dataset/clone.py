"""Clone: create a writable dataset from a snapshot."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.checks.mount_checks import check_placements
from zconsole.actions.checks.mount_points_after_change import of_new, targets
from zconsole.actions.checks.name_rules import check_dataset
from zconsole.actions.checks.new_dataset_checks import (
    LOCKED,
    add_mountpoint,
    nearest_above,
    permissions_to_make,
    refuse_place,
)
from zconsole.actions.checks.property_value_checks import check_all_new
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset_facts_needed import needs_datasets, needs_datasets_and_uses
from zconsole.actions.dataset_there_or_gone_conditions import dataset_there
from zconsole.actions.guest.space_taken_from_guests import (
    guests_of_pool,
    takes_space,
    tell_space_of_new,
)
from zconsole.actions.intent import Intent, TargetKind
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.base.errors import UsageError
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.model.datasets.dataset import SNAPSHOT
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change import argv_template
from zconsole.zfs.change.argv_template import DATASET, SETTING, CommandForm
from zconsole.zfs.change.dataset_argv import clone

_HINT: Final = "zconsole plan clone POOL/DATASET@SNAPSHOT POOL/NEW [PROPERTY=VALUE...]"


@on_writable_datasets
def plan_clone(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine: it takes no space; the snapshot cannot be destroyed while the clone exists."""
    snapshot = dataset_of_type(intent.target, SNAPSHOT, facts, hint="A clone is created from a snapshot.")
    if not intent.arguments:
        raise UsageError("a clone needs a name", hint=_HINT)
    name = check_dataset(intent.argument(0))
    if pool_of(name) != snapshot.pool:
        raise UsageError(
            f"{name} is in another pool",
            hint="A clone is in the pool of its snapshot; to copy it to another pool, use receive.",
        )
    base = listed_datasets([dataset_of(snapshot.name)], facts)
    is_volume = bool(base) and base[0].type == "volume"
    kind = "v" if is_volume else "f"
    properties = check_all_new(intent.arguments[1:], kind, hint=_HINT)
    parents = intent.flag("parents")
    draft = Draft(f"clone {snapshot.name} as {name}", snapshot.name, Risk.ROUTINE, is_reversible=True)
    draft.undo = f"zfs destroy {quote(name)}"
    saw_datasets(draft, (snapshot,))
    parent = refuse_place(draft, name, facts, parents=parents)
    draft.notes.append(
        f"while it exists, neither {snapshot.name} nor {dataset_of(snapshot.name)} can be destroyed"
    )
    if not is_volume:
        add_mountpoint(draft, name, parent, properties, facts)
        check_placements(draft, of_new(name, parent, properties, facts, parents=parents), facts)
    if base and base[0].keystatus == LOCKED:
        draft.notes.append("it cannot be read before the key is loaded")
    if takes_space(properties):
        tell_space_of_new(draft, name, properties, 0, facts)
    draft.steps.append(
        Step(
            clone(snapshot.name, name, properties, parents=parents),
            "make the clone",
            settled_by=(dataset_there(name),),
            leads_to=(Condition(ConditionKind.ORIGIN_IS, name, value=snapshot.name),),
            permissions=(
                *permissions_on("clone", snapshot.name),
                *permissions_to_make(name, parent, properties),
            ),
        )
    )
    return draft


def _needs(intent: Intent) -> Needs:
    is_reserved = takes_space(intent.arguments[1:])
    return needs_datasets_and_uses(intent) if is_reserved else needs_datasets(intent)


def _targets(intent: Intent, facts: PlanFacts) -> Needs:
    name, base = intent.argument(0), facts.dataset(dataset_of(intent.target))
    if base is None or base.type == "volume":
        return Needs()
    parent = nearest_above(name, facts)
    return targets(of_new(name, parent, intent.arguments[1:], facts, parents=intent.flag("parents")))


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "clone", "Clone", "Make a writable dataset from a snapshot; it takes no space at first.",
        frozenset({TargetKind.SNAPSHOT}), plan_clone,
        arguments=(
            Argument("NAME", "name", "the full name of the new dataset: POOL/NAME"),
            Argument("PROPERTY=VALUE", "property", "properties of the clone",
                     is_optional=True, is_repeated=True),
        ),
        options=(Option("parents", "create missing parents too", letter="p"),),
        needs=_needs, further=_targets, last=guests_of_pool,
        permission="clone",
        commands=(
            CommandForm(
                clone, (argv_template.SNAPSHOT, DATASET), {"parents": True}, {"properties": (SETTING,)}
            ),
        ),
    ),
)  # fmt: skip
