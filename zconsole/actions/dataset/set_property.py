"""Set a dataset property, with its immediate and later effects and the inheriting datasets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from shlex import join, quote
from typing import Final

from zconsole.actions.action_spec import DEPENDS, ActionSpec, Argument, Draft, Needs
from zconsole.actions.checks.dataset_in_use_checks import check_uses, refuse_unmounting_as_user
from zconsole.actions.checks.dataset_property_table import (
    ALIASES,
    AT_CREATION,
    READ_ONLY,
    PropertyEffect,
    SettableProperty,
    Values,
    property_of,
)
from zconsole.actions.checks.mount_checks import check_placements
from zconsole.actions.checks.mount_points_after_change import (
    CANMOUNT,
    MOUNTPOINT,
    OFF,
    ON,
    OVERLAY,
    Placement,
    as_it_is,
    heirs_of,
    in_altroot,
    of_change,
    targets,
)
from zconsole.actions.checks.property_value_checks import (
    is_quota_of,
    is_user_property,
    nearest,
    permission,
    size_bytes,
    split,
    why_not_value,
)
from zconsole.actions.checks.size_property_limits import (
    LOGICAL,
    offer_snapshot_first,
    path_of_shrinking,
    refuse_beyond_limits,
)
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset_facts_needed import snapshot_selectors
from zconsole.actions.guest.guests_after_next_mount import tell_not_mounted_by_itself
from zconsole.actions.guest.shut_down_guests_first import AND_AFTER
from zconsole.actions.guest.space_taken_from_guests import (
    REFRESERVATION,
    sizes_of_volumes,
    tell_space_of_property,
)
from zconsole.actions.guest.writes_stopped_by_property import (
    OF_IO,
    WITHOUT_RESERVATION,
    check_writers,
    is_about_writes,
    tell_growth,
)
from zconsole.actions.intent import Intent, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import Condition, ConditionKind, Dependent, Risk, Step, WayOut, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.actions.pool.set_property import is_pool_property, plan_set_pool_property
from zconsole.base.bounded_int import natural
from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, SNAPSHOT, Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change import pool_argv
from zconsole.zfs.change.argv_template import CHANGED, EITHER, POOL, POOL_CHANGED, CommandForm
from zconsole.zfs.change.dataset_argv import set_property

HAS_REWRITE: Final = (2, 3, 4)
VOLSIZE: Final = "volsize"
VOLUME: Final = "volume"
OF_DEVICES: Final = frozenset({"volmode", VOLSIZE})  # of no concern to what is mounted from a file system
SOURCE_LOCAL: Final = "local"
SOURCE_RECEIVED: Final = "received"
_HINT: Final = "zconsole plan set POOL/DATASET compression=zstd"
_PRINTED_OTHERWISE: Final = frozenset({"acltype", "compression", "dedup", "refreservation", "xattr"})
_WARNINGS: Final = {
    ("sync", "disabled"): "a crash loses the last seconds of writes that programs were told are safe",
    ("checksum", "off"): "damage of files is neither found nor repaired any more",
    ("checksum", "noparity"): "damage of files is neither found nor repaired any more",
    ("primarycache", "none"): "every read goes to the disks",
    ("refreservation", "none"): WITHOUT_RESERVATION,
    ("redundant_metadata", "none"): "one damaged block can take many files with it",
    ("redundant_metadata", "some"): "one damaged block can take many files with it",
    ("zoned", "on"): "the host itself does not mount it any more",
    ("readonly", "on"): "programs that write to it fail from that moment",
}
_LOST_TO_GUESTS: Final = {  # to one that is started behind the change, by property and value
    ("canmount", "off"): "what its images are on is not mounted then",
    ("readonly", "on"): "what its disks are on is read-only then",
    ("volmode", "none"): "the volume has no device then",
    ("zoned", "on"): "the host does not mount what its images are on then",
}
_UNDONE: Final = {  # to who has it open
    VOLSIZE: "the volume would become smaller while it is in use",
    "volmode": "a change of volmode removes the device that is in use",
}
_COPIES_WARNING: Final = (
    "copies are no redundancy of the pool: they repair damaged sectors, and are lost with their disks; only "
    "data written from now on has them, and takes that much more space"
)
_SLOW_COMPRESSION: Final = {
    **dict.fromkeys(
        ("gzip-7", "gzip-8", "gzip-9"), "clearly longer than with gzip-6, and much longer than with zstd"
    ),
    **dict.fromkeys((f"zstd-{level}" for level in range(13, 20)), "ten times as long as with zstd, or more"),
}
_DEDUP_WARNING: Final = (
    "each block has an entry in a table on disk, and in memory as far as that is to be fast, for as long "
    "as it "
    "lives; rarely worth it"
)


def plan_set(intent: Intent, facts: PlanFacts) -> Draft:
    """A pool property if the target is a pool and has it; otherwise a dataset property."""
    return plan_set_pool_property(intent, facts) if _is_of_pool(intent) else _plan_set_dataset(intent, facts)


@on_writable_datasets
def _plan_set_dataset(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution; destructive when a volume shrinks."""
    refuse_surplus_arguments(intent, 1)
    dataset = dataset_of_type(
        intent.target, FILESYSTEMS_AND_VOLUMES | SNAPSHOT, facts, hint="Bookmarks have no properties to set."
    )
    name, value = split(intent.argument(0), hint=_HINT)
    known = property_of(name)
    draft = Draft(f"set {name}={value} on {dataset.name}", dataset.name, Risk.CAUTION, is_reversible=True)
    now, source = current(dataset.name, name, facts)
    saw_datasets(draft, (dataset,))
    draft.saw(f"{name} of {dataset.name}", f"{now} ({source})")
    draft.undo = undo(dataset.name, name, as_set(name, now, dataset, facts), source)
    if (name, value) == (CANMOUNT, OFF) and dataset.is_mounted and draft.undo is not None:
        draft.undo += f"; zfs mount {dataset.name}"
    _refuse_what_cannot_be_set(draft, dataset, name, value, facts)
    is_own = source == SOURCE_LOCAL or (known is not None and not known.is_inherited)
    if now is not None and is_own and printed(name, value, facts, dataset.pool) == now:
        draft.refuse_answer(WayOut.VALUE, "unchanged", f"{name} of {dataset.name} is {value} already")
    if known is not None:
        add_effect(draft, known, facts, value)
        refuse_beyond_limits(draft, dataset, name, value, facts)
    warn_of_value(draft, name, value)
    _warn_of_unread_key(draft, name, value)
    if known is None or known.is_inherited:
        add_inheriting_datasets(draft, dataset, name, facts)
    if known is not None and known.is_about_mounts:
        if _grows(dataset, name, value, facts):
            tell_growth(draft, dataset, facts)
        elif not _leaves_mounts(name, value):
            check_remount(draft, dataset, name, facts)
        check_placements(draft, _placements(dataset, name, value, facts), facts)
        if (name, value) == (CANMOUNT, "noauto"):
            tell_not_mounted_by_itself(draft, dataset, facts)
    heirs = listed_datasets(sorted(each.name for each in draft.dependents if each.kind == "child"), facts)
    check_writers(draft, dataset, (name, value, 0 if value == "none" else size_bytes(value)), heirs, facts)
    tell_space_of_property(draft, dataset, (name, value), facts)
    if name == VOLSIZE and not draft.refusals:
        offer_snapshot_first(draft, dataset, value, facts)
    draft.steps.append(
        Step(
            set_property(dataset.name, name, value),
            f"set {name} to {value}",
            settled_by=(settled(dataset, name, value, facts),),
            permissions=permissions_to_set(dataset, name),
        )
    )
    return draft


def _grows(dataset: Dataset, name: str, value: str, facts: PlanFacts) -> bool:
    """Whether a volume gets larger, which takes nothing away from who has it open."""
    now, wanted = natural(facts.property(dataset.name, name) or ""), size_bytes(value)
    return name == VOLSIZE and now is not None and wanted is not None and wanted > now


def _leaves_mounts(name: str, value: str) -> bool:
    """Whether ZFS neither unmounts nor mounts: `canmount=on` and `noauto` count at the next mount."""
    return name == CANMOUNT and value != OFF


def _placements(dataset: Dataset, name: str, value: str, facts: PlanFacts) -> tuple[Placement, ...]:
    """File systems mounted because of it, now or at the next import."""
    if dataset.type != "filesystem":
        return ()
    if name == MOUNTPOINT:
        path = in_altroot(value, dataset.pool, facts)
        return of_change(dataset, path, heirs_of(dataset.name, facts), facts)
    if (name, value) == (CANMOUNT, ON):
        return as_it_is(replace(dataset, canmount=ON), facts)
    if (name, value) == ("zoned", "off"):
        below = [each for each in facts.datasets if f"{each.name}/".startswith(f"{dataset.name}/")]
        return tuple(
            placed for each in below if each.type == "filesystem" for placed in as_it_is(each, facts)
        )
    return ()


def _targets(intent: Intent, facts: PlanFacts) -> Needs:
    dataset = facts.dataset(intent.target)
    name, _, value = intent.argument(0).partition("=")
    if dataset is None:
        return Needs()
    if name == VOLSIZE:
        return Needs(resolved=path_of_shrinking(dataset.name, value, facts))
    return targets(_placements(dataset, name, value, facts))


def current(name: str, key: str, facts: PlanFacts) -> tuple[str | None, str]:
    """Value and source of a property; None when it was not read."""
    return next(
        ((value, source) for of, known, value, source in facts.properties if (of, known) == (name, key)),
        (None, "unknown"),
    )


def printed(name: str, value: str, facts: PlanFacts, pool: str) -> str:
    """A set value as `zfs get -p` prints it; a mountpoint with its pool's altroot."""
    known = property_of(name)
    if name == MOUNTPOINT:
        return in_altroot(value, pool, facts)
    if known is None or known.values in {Values.WORDS, Values.TEXT, Values.MOUNTPOINT, Values.KEY_PLACE}:
        return value
    if known.values is Values.COUNT:
        return value
    return "0" if value == "none" else str(size_bytes(value))


def undo(name: str, key: str, now: str | None, source: str) -> str | None:
    """The command that restores the old value, or None when that is unknown.

    ZFS inherits no value of a quota, a reservation, a limit or `canmount` (`zfs_prop_inheritable` of
    zfs_prop.c), and `zfs inherit` refuses these; a received value comes back by `-S` alone.
    """
    if now is None:
        return None
    known = property_of(key)
    if source == SOURCE_RECEIVED:
        return f"zfs inherit -S {key} {quote(name)}"
    if source == SOURCE_LOCAL or (known is not None and not known.is_inherited):
        can_be_none = known is not None and known.values in {Values.SIZE_OR_NONE, Values.RESERVATION}
        value = "none" if can_be_none and now == "0" else now
        return f"zfs set {quote(f'{key}={value}')} {quote(name)}"
    return f"zfs inherit {key} {quote(name)}"


def as_set(name: str, now: str | None, dataset: Dataset, facts: PlanFacts) -> str | None:
    """A value as it was set: a mountpoint without the altroot that ZFS prints before it."""
    altroot = facts.altroot(dataset.pool)
    if name != MOUNTPOINT or now is None or not altroot:
        return now
    return now.removeprefix(altroot) or "/"


def settled(dataset: Dataset, name: str, value: str, facts: PlanFacts) -> Condition:
    """Condition that it is set; for values that ZFS prints differently the history decides."""
    if name in _PRINTED_OTHERWISE:
        return Condition(ConditionKind.HISTORY, dataset.pool, dataset.pool,
                         value=" ".join(set_property(dataset.name, name, value)))  # fmt: skip
    return Condition(
        ConditionKind.PROPERTY_IS, dataset.name, dataset.pool, name, printed(name, value, facts, dataset.pool)
    )


def permissions_to_set(dataset: Dataset, name: str) -> tuple[tuple[str, str], ...]:
    """What a user without root must have been allowed; a reservation grows with its volume."""
    also = ",refreservation" if name == "volsize" and dataset.refreservation_bytes else ""
    return permissions_on(permission(name) + also, dataset.name)


def add_effect(draft: Draft, known: SettableProperty, facts: PlanFacts, value: str = "") -> None:
    """Note what is affected now and later."""
    effect = PropertyEffect.NEXT_MOUNT if value and _leaves_mounts(known.name, value) else known.effect
    draft.notes.append(f"{known.name}: {effect.value}")
    if known.effect is PropertyEffect.NEW_BLOCKS and facts.version.numbers >= HAS_REWRITE:
        draft.notes.append("zfs rewrite rewrites existing data; snapshots keep the old blocks")


def add_inheriting_datasets(draft: Draft, dataset: Dataset, name: str, facts: PlanFacts) -> None:
    """Note descendants that inherit the property."""
    heirs = sorted(_heirs(dataset.name, name, facts))
    for each in heirs:
        draft.dependents.append(Dependent("child", each, f"inherits {name}"))
    if heirs:
        draft.saw(f"those that inherit {name} from {dataset.name}", ", ".join(heirs))


def _heirs(name: str, key: str, facts: PlanFacts) -> Iterator[str]:
    for each, known, value, source in facts.properties:
        if known != key or value == "-" or not each.startswith(f"{name}/"):
            continue
        origin = source.removeprefix("inherited from ")
        if source == "default" or (origin != source and f"{name}/".startswith(f"{origin}/")):
            yield each


def check_remount(draft: Draft, dataset: Dataset, name: str, facts: PlanFacts) -> None:
    """Users of file systems that are remounted for it, descendants included."""
    heirs = {each.name for each in draft.dependents if each.kind == "child"}
    touched = [dataset, *listed_datasets(sorted(heirs), facts)]
    if name in OF_DEVICES:
        touched = [each for each in touched if each.type == VOLUME]
    undone = _UNDONE.get(name, f"a change of {name} unmounts the file system")
    check_uses(draft, touched, facts, undone=undone)
    refuse_unmounting_as_user(draft, touched, facts)


def _refuse_what_cannot_be_set(
    draft: Draft, dataset: Dataset, name: str, value: str, facts: PlanFacts
) -> None:
    known = property_of(name)
    if name in AT_CREATION:
        draft.refuse("creation-only", f"{name} is chosen when a dataset is created",
                     "create a new one with it, and copy the contents into that")  # fmt: skip
    elif name in READ_ONLY:
        draft.refuse("read-only-property", f"{name} is computed by ZFS")
    elif known is not None:
        kind = {"filesystem": "f", "volume": "v"}.get(dataset.type, "s")
        if kind not in known.kinds:
            draft.refuse("kind", f"a {dataset.type} has no {name} to set")
        elif wrong := why_not_value(known, value):
            raise UsageError(wrong)
        elif name == "keylocation" and value != "none" and dataset.encryption == "off":
            draft.refuse("not-encrypted", f"{dataset.name} is not encrypted: it has no key")
    elif is_quota_of(name):
        if value != "none" and size_bytes(value) is None:
            raise UsageError(f"{name} cannot be {value!r}: it is {Values.SIZE_OR_NONE.value}")
    elif not is_user_property(name):
        if current(dataset.name, name, facts)[0] in {None, "-"}:
            raise UsageError(f"{dataset.name} has no property {name!r}", hint=nearest(name))
        draft.warnings.append(f"{name} is newer than this console, which cannot tell what it affects")


def _warn_of_unread_key(draft: Draft, name: str, value: str) -> None:
    """ZFS takes any place of a key, and reads it when the key is loaded next: after the next boot."""
    if name == "keylocation" and value not in {"none", "prompt"}:
        check = join(("zfs", "load-key", "-n", "-L", value, draft.target))
        draft.warnings.append(
            "ZFS does not read it now: if the key is not there, or is another one, the next boot cannot load "
            f"it. See before (this changes nothing): {check}"
        )


def warn_of_value(draft: Draft, name: str, value: str) -> None:
    """Consequences of a value of a property, for a dataset that is there or a new one."""
    if (name, value) in _WARNINGS:
        draft.warnings.append(_WARNINGS[name, value])
    if name == "dedup" and value != "off":
        draft.warnings.append(_DEDUP_WARNING)
    if name == "copies" and value != "1":
        draft.warnings.append(_COPIES_WARNING)
    if name == "compression" and value in _SLOW_COMPRESSION:
        draft.warnings.append(
            f"a processor compresses each block before it is written, {_SLOW_COMPRESSION[value]}"
        )


def _is_of_pool(intent: Intent) -> bool:
    name = intent.argument(0).partition("=")[0]
    return not set(intent.target) & set("/@#") and is_pool_property(name)


def _needs(intent: Intent) -> Needs:
    if _is_of_pool(intent):
        return Needs(properties=((intent.target, "all"),), boot=True)
    name = intent.argument(0).partition("=")[0]
    known = property_of(name)
    key = known.name if known is not None else name
    if not key:
        return Needs(datasets=(intent.pool,), snapshots=snapshot_selectors(intent.target))
    return Needs(
        datasets=(intent.pool,),
        snapshots=snapshot_selectors(intent.target),
        uses=(known is not None and known.is_about_mounts)
        or key in OF_IO
        or is_about_writes(key, intent.argument(0).partition("=")[2]),
        properties=((intent.target, key),)
        if "@" in intent.target
        else ((intent.target, OVERLAY),)
        if key == MOUNTPOINT
        else ((intent.target, VOLSIZE),)
        if key == REFRESERVATION
        else ((intent.target, LOGICAL),)
        if key == VOLSIZE
        else (),
        properties_below=() if "@" in intent.target else ((intent.target, key),),
    )


def _why_no_start(intent: Intent) -> str:
    """Why a guest does not find its disks on the dataset behind the change, or cannot write to them."""
    name, _, value = intent.argument(0).partition("=")
    name = ALIASES.get(name, name)
    return (
        "its images have other paths then, and no definition is changed (as rename does)"
        if name == MOUNTPOINT
        else _LOST_TO_GUESTS.get((name, value), "")
    )


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "set", "Set property", "Set a property of a pool, dataset or snapshot.",
        frozenset({TargetKind.POOL, TargetKind.FILESYSTEM, TargetKind.VOLUME, TargetKind.SNAPSHOT}), plan_set,
        arguments=(Argument("PROPERTY=VALUE", "property", "such as compression=zstd"),),
        options=AND_AFTER, why_no_start=_why_no_start,
        needs=_needs, further=_targets, last=sizes_of_volumes,
        permission=DEPENDS,
        commands=(
            CommandForm(pool_argv.set_property, (POOL, *POOL_CHANGED)),
            CommandForm(set_property, (EITHER, *CHANGED)),
        ),
    ),
)  # fmt: skip
