"""Create a file system or volume."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option, PlanAgain
from zconsole.actions.checks.mount_checks import check_placements
from zconsole.actions.checks.mount_points_after_change import of_new, targets
from zconsole.actions.checks.name_rules import check_dataset
from zconsole.actions.checks.new_dataset_checks import (
    add_mountpoint,
    nearest_above,
    permissions_to_make,
    refuse_place,
)
from zconsole.actions.checks.property_value_checks import check_all_new, size_bytes, size_for_zfs
from zconsole.actions.checks.size_property_limits import WORTH_TELLING, warn_of_small_records
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.set_property import warn_of_value
from zconsole.actions.dataset_facts_needed import needs_datasets, needs_datasets_and_uses
from zconsole.actions.dataset_there_or_gone_conditions import dataset_there
from zconsole.actions.guest.space_taken_from_guests import (
    guests_of_pool,
    takes_space,
    tell_space_of_new,
)
from zconsole.actions.intent import Intent, TargetKind
from zconsole.actions.plan import Risk, Step, WayOut
from zconsole.analysis.dependencies.volume_overhead import (
    DEFAULT_VOLBLOCKSIZE,
    reserved_for_volume,
    taken_by_blocks,
)
from zconsole.base.errors import UsageError
from zconsole.base.fixed_width_formatting import size, zfs_size
from zconsole.base.quantities import SIZE_HINT
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.change.argv_template import DATASET, SETTING, SIZE, CommandForm
from zconsole.zfs.change.dataset_argv import create_filesystem, create_volume

NEARLY_ALL: Final = 0.95  # of what is left
_HINT: Final = "zconsole plan create POOL/NAME [PROPERTY=VALUE...] [--volume SIZE [--sparse]]"


@on_writable_datasets
def plan_create(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine: the new dataset is empty."""
    name = check_dataset(intent.target)
    asked = intent.text("volume")
    volume = None if asked is None else size_for_zfs(asked)
    parents, sparse = intent.flag("parents"), intent.flag("sparse")
    kind = "f" if volume is None else "v"
    if sparse and volume is None:
        raise UsageError("only volumes are sparse", hint=_HINT)
    properties = check_all_new(intent.arguments, kind, hint=_HINT)
    what = "file system" if volume is None else f"{'sparse ' if sparse else ''}volume"
    draft = Draft(f"create {what} {name}", name, Risk.ROUTINE, is_reversible=True)
    draft.undo = f"zfs destroy {quote(name)}"
    _warn_of_values(draft, properties, facts.pool(intent.pool))
    parent = refuse_place(draft, name, facts, parents=parents)
    reserved_bytes = None
    if volume is None:
        argv = create_filesystem(name, properties, parents=parents)
        add_mountpoint(draft, name, parent, properties, facts)
        check_placements(draft, of_new(name, parent, properties, facts, parents=parents), facts)
    else:
        argv = create_volume(name, volume, properties, sparse=sparse, parents=parents)
        pool = facts.pool(intent.pool)
        reserved_bytes = None if sparse else _reserved(size_bytes(volume) or 0, properties, pool)
        _check_size(draft, volume, parent, reserved_bytes)
        _tell_padding(draft, volume, properties, facts.pool(intent.pool))
    if _takes_space(intent):
        tell_space_of_new(draft, name, properties, reserved_bytes or 0, facts)
    reserved = () if volume is None or sparse else ("refreservation",)
    draft.steps.append(
        Step(
            argv,
            f"create the {what}",
            settled_by=(dataset_there(name),),
            permissions=permissions_to_make(name, parent, (*properties, *reserved)),
        )
    )
    return draft


def _check_size(draft: Draft, volume: str, parent: Dataset | None, reserved_bytes: int | None) -> None:
    """Whether there is room for what ZFS reserves: size, parity and padding, and the tree to its blocks."""
    wanted = size_bytes(volume)
    if not wanted:
        raise UsageError(f"{volume!r} is not a size", hint=SIZE_HINT)
    room = None if parent is None else parent.available_bytes
    if reserved_bytes is None:
        draft.notes.append("nothing is reserved for it: writes to it fail when the pool is full")
        if room is not None and wanted > room:
            draft.warnings.append(f"it promises {size(wanted)}, and {size(room)} are left")
    elif room is not None and reserved_bytes > room:
        draft.refuse_answer(
            WayOut.VALUE,
            "full",
            f"it would reserve {size(reserved_bytes)}, and {size(room)} are left",
            "make it smaller",
            PlanAgain("sparse", "reserve nothing"),
        )
    elif room is not None and reserved_bytes > room * NEARLY_ALL:
        draft.raise_risk(Risk.CAUTION)
        draft.warnings.append(
            f"it reserves {size(reserved_bytes)} of the {size(room)} that are left: other datasets of "
            f"{draft.target.partition('/')[0]} have next to nothing to write to then"
        )


def _warn_of_values(draft: Draft, properties: Sequence[str], pool: Pool | None) -> None:
    for key, _, value in (each.partition("=") for each in properties):
        warn_of_value(draft, key, value)
        wanted = size_bytes(value) if key in {"recordsize", "volblocksize"} else None
        if wanted is not None:
            warn_of_small_records(draft, pool, wanted, is_volume=key == "volblocksize")


def _tell_padding(draft: Draft, volume: str, properties: Sequence[str], pool: Pool | None) -> None:
    """On raidz and draid, small blocks take more space than their size."""
    block = _block_of(properties)
    whole = size_bytes(volume) or 0
    taken = None if pool is None else taken_by_blocks(pool, whole, block)
    if taken is not None and taken > whole * WORTH_TELLING:
        draft.warnings.append(
            f"in blocks of {zfs_size(block)} it takes {size(taken)} of this pool once it is full, "
            f"{taken / whole:.2f} times its size: parity and padding are per block"
        )


def _block_of(properties: Sequence[str]) -> int:
    given = dict(each.split("=", 1) for each in properties)
    return size_bytes(given.get("volblocksize", "")) or DEFAULT_VOLBLOCKSIZE


def _reserved(volume: int, properties: Sequence[str], pool: Pool | None) -> int:
    return reserved_for_volume(pool, volume, _block_of(properties))


def _takes_space(intent: Intent) -> bool:
    is_thick = intent.text("volume") is not None and not intent.flag("sparse")
    return is_thick or takes_space(intent.arguments)


def _needs(intent: Intent) -> Needs:
    return needs_datasets_and_uses(intent) if _takes_space(intent) else needs_datasets(intent)


def _targets(intent: Intent, facts: PlanFacts) -> Needs:
    if intent.text("volume") is not None:
        return Needs()
    parent = nearest_above(intent.target, facts)
    return targets(of_new(intent.target, parent, intent.arguments, facts, parents=intent.flag("parents")))


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "create", "Create dataset", "Create a file system, or with a size a volume.",
        frozenset({TargetKind.POOL, TargetKind.FILESYSTEM}), plan_create,
        target_word="DATASET",
        arguments=(Argument("PROPERTY=VALUE", "property", "properties of the dataset",
                            is_optional=True, is_repeated=True),),
        options=(
            Option("volume", "make a volume of this size", kind="size", letter="V"),
            Option("sparse", "reserve no space for the volume", letter="s"),
            Option("parents", "create missing parents too", letter="p"),
        ),
        needs=_needs, further=_targets, last=guests_of_pool,
        intent_for=lambda target: Intent("create", f"{target.name}/"),
        permission="create",
        commands=(
            CommandForm(
                create_filesystem, (DATASET,), {"parents": True}, {"properties": (SETTING,)}
            ),
            CommandForm(
                create_volume, (DATASET, SIZE), {"parents": True, "sparse": True},
                {"properties": (SETTING,)},
            ),
        ),
    ),
)  # fmt: skip
