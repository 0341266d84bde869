"""Evaluation of conditions on facts: whether a step has happened. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from zconsole.actions.plan import OF_HISTORY, Condition, ConditionKind
from zconsole.base.bounded_int import natural
from zconsole.base.errors import ParseError
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import (
    OF_DATASETS,
    OF_STORED_GUESTS,
    ConditionCheck,
    pool_of_condition,
    pools_of_condition,
)
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_contents import FileLookup, FileType
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.system.libvirt.disk_definition_text import parse_disk_texts
from zconsole.zfs.listing.history import HistoryRecord

_OF_HOST: Final = frozenset(
    {
        ConditionKind.POOL_GONE,
        ConditionKind.POOL_THERE,
        ConditionKind.LABEL_GONE,
        ConditionKind.GUEST_STATE,
        *OF_STORED_GUESTS,
    }
)


def telling(
    conditions: Iterable[Condition],
    before: PlanFacts,
    history: Sequence[HistoryRecord] | None = None,
    *,
    is_aim: bool = False,
) -> tuple[ConditionCheck, ...]:
    """The conditions that can decide: those that did not hold before the step."""
    tells = [each for each in conditions if _held(each, before) is False]
    names = _names(before) if any(each.object.isdigit() for each in tells) else {}
    return tuple(
        ConditionCheck(each, _seen(each, before, history), _called(each, names), is_aim) for each in tells
    )


def _called(condition: Condition, names: Mapping[tuple[str, str, str], str]) -> str:
    """Name of the object with a condition's guid; "" when unknown."""
    pool = pool_of_condition(condition) if condition.kind in OF_DATASETS else ""
    key = condition.key if pool else ""
    return names.get((pool, condition.object, key)) or names.get((pool, condition.object, ""), "")


def _names(before: PlanFacts) -> dict[tuple[str, str, str], str]:
    """Dataset names by pool, guid and type, because copies share a guid; vdevs and pools by guid."""
    names: dict[tuple[str, str, str], str] = {}
    for dataset in before.datasets:
        guid = str(dataset.guid)
        names[dataset.pool, guid, dataset.type] = dataset.name
        for key in ("", str(dataset.createtxg)):
            names.setdefault((dataset.pool, guid, key), dataset.name)
    for pool in before.pools:
        names["", str(pool.guid), ""] = pool.name
        for vdev in pool.walk():
            names.setdefault(("", str(vdev.guid), ""), vdev.path or vdev.name)
    return names


def _held(condition: Condition, before: PlanFacts) -> bool | None:
    """Whether a condition held before the step; False in a pool or of a dataset that did not exist."""
    if _is_of_missing_dataset(condition, before):
        return False
    if condition.kind is ConditionKind.SCAN_IS or condition.kind in OF_HISTORY:
        return False  # these are distinguished by time
    if condition.kind not in _OF_HOST and before.pool(pool_of_condition(condition)) is None:
        return _pool(condition, before) is not None and holds(ConditionCheck(condition), before)
    return holds(ConditionCheck(condition), before)


def _is_of_missing_dataset(condition: Condition, before: PlanFacts) -> bool:
    """Whether it is about a property of a dataset that an earlier step of the plan is to make."""
    name = condition.object
    is_property = condition.kind is ConditionKind.PROPERTY_IS and "/" in name
    return is_property and pool_of_condition(condition) in before.listed and before.dataset(name) is None


def holds(
    told: ConditionCheck,
    facts: PlanFacts,
    history: Sequence[HistoryRecord] | None = None,
    *,
    sent: float = 0.0,
) -> bool | None:
    """Whether a condition holds; None when the facts cannot decide.

    `history` is complete, `sent` the time when the step was sent, in epoch seconds of the host's clock.
    """
    condition = told.condition
    match condition.kind:
        case (
            ConditionKind.DATASET_GONE
            | ConditionKind.DATASET_THERE
            | ConditionKind.ORIGIN_IS
            | ConditionKind.NAME_IS
            | ConditionKind.HOLD_THERE
            | ConditionKind.HOLD_GONE
            | ConditionKind.RECEIVED
            | ConditionKind.SAME_SNAPSHOT
        ):
            is_listed = facts.listed.issuperset(pools_of_condition(condition))
            return _of_datasets(condition, facts) if is_listed else None
        case ConditionKind.PROPERTY_IS:
            values = _values(condition, facts)
            return condition.value in values if values else None
        case ConditionKind.POOL_GONE | ConditionKind.POOL_THERE:
            there = any(condition.object in {str(pool.guid), pool.name} for pool in facts.pools)
            if not there and any(pool.guid is None for pool in facts.pools):
                return None
            return there == (condition.kind is ConditionKind.POOL_THERE)
        case ConditionKind.LABEL_GONE:
            if facts.labels is None or condition.object in facts.labels_unread:
                return None
            return all(label.path != condition.object for label in facts.labels)
        case ConditionKind.GUEST_STATE:
            state = facts.guest_state(condition.object)
            return None if state is None else state.in_words in condition.value.split("|")
        case ConditionKind.GUEST_DISK | ConditionKind.GUEST_AT_BOOT | ConditionKind.GUEST_GONE:
            return _of_stored_guest(condition, facts)
        case ConditionKind.FILE_THERE | ConditionKind.FILE_IS:
            return _of_files(condition, facts.files)
        case ConditionKind.HISTORY | ConditionKind.ROLLED_BACK:
            if history is None:
                return None
            if told.before:
                before = natural(told.before)
                return None if before is None else _times(condition, history) > before
            return _times(condition, _from(history, sent)) > 0
        case (
            ConditionKind.VDEV_GONE
            | ConditionKind.VDEV_STATE
            | ConditionKind.LEAF_THERE
            | ConditionKind.SCAN_IS
            | ConditionKind.ACTIVITY_IS
            | ConditionKind.ERRORS_ZERO
            | ConditionKind.CHECKPOINT_THERE
            | ConditionKind.CHECKPOINT_GONE
        ):
            pool = _pool(condition, facts)
            if pool is None or not pool.vdevs:
                return None
            return _of_pool(told, pool)
        case _:
            assert_never(condition.kind)


def since(history: Sequence[HistoryRecord], moment: float) -> tuple[HistoryRecord, ...]:
    """Successful commands from a time on, in whole epoch seconds."""
    return tuple(record for record in _from(history, moment) if record.is_command)


def _of_datasets(condition: Condition, facts: PlanFacts) -> bool | None:
    named = facts.dataset(condition.object)
    match condition.kind:
        case ConditionKind.DATASET_GONE:
            return not any(_is_meant(condition, each, condition.value) for each in facts.datasets)
        case ConditionKind.DATASET_THERE:
            return named is not None
        case ConditionKind.RECEIVED:
            return any(
                str(each.guid) == condition.value and each.name.startswith(f"{condition.object}@")
                for each in facts.datasets
            )
        case ConditionKind.SAME_SNAPSHOT:
            if condition.key and (facts.sending is None or facts.sending.problem):
                return False if named is None else None
            other = (
                (facts.sending or facts).dataset(condition.value)
                if condition.key
                else (facts.dataset(condition.value))
            )
            if named is None or named.guid is None or (other is not None and other.guid is None):
                return False if named is None else None
            return other is not None and named.guid == other.guid
        case ConditionKind.ORIGIN_IS:
            return named is not None and (named.origin or "") == condition.value
        case ConditionKind.NAME_IS:
            return any(
                _is_meant(condition, each, condition.key) and each.name == condition.value
                for each in facts.datasets
            )
        case _:
            if facts.holds is None:
                return None
            there = any(
                (hold.snapshot, hold.tag) == (condition.object, condition.value) for hold in facts.holds
            )
            return there == (condition.kind is ConditionKind.HOLD_THERE)


def _of_stored_guest(condition: Condition, facts: PlanFacts) -> bool | None:
    """Whether the stored definition is so; None where that was not read."""
    stored = next((each for each in facts.stored if each.address == condition.object), None)
    if stored is None:
        return None
    if condition.kind is ConditionKind.GUEST_GONE:
        return not stored.is_defined
    if condition.kind is ConditionKind.GUEST_AT_BOOT:
        return stored.is_started_at_boot is (condition.value == "on")
    if not stored.is_defined:
        return False
    try:
        disks = parse_disk_texts(stored.xml)
    except ParseError:
        return None
    return any((disk.target, disk.source) == (condition.key, condition.value) for disk in disks)


def _of_files(condition: Condition, files: FileLookup) -> bool | None:
    """Whether a file exists as expected; a folder by its contents."""
    if condition.object not in files.asked:
        return None
    found = files.file(condition.object)
    if found is None or condition.kind is ConditionKind.FILE_THERE:
        return found is not None
    if found.type is not FileType.FOLDER:
        seen = f"{found.size_bytes} {found.modified_ns}"
    else:
        extent = files.extent(condition.object)
        if extent.size_bytes is None or extent.inodes is None:
            return None
        seen = f"{extent.size_bytes} {extent.inodes}"
    return (found.type.value, seen) == (condition.key, condition.value)


def _values(condition: Condition, facts: PlanFacts) -> list[str]:
    """A property's values from `zfs get` or the dataset listing."""
    values = [
        value for name, key, value, _ in facts.properties if (name, key) == (condition.object, condition.key)
    ]
    dataset = facts.dataset(condition.object)
    if values or dataset is None:
        return values
    match condition.key:
        case "mounted":
            return [] if dataset.is_mounted is None else ["yes" if dataset.is_mounted else "no"]
        case "keystatus":
            return [] if dataset.keystatus is None else [dataset.keystatus]
        case "mountpoint":
            return [] if dataset.mountpoint is None else [dataset.mountpoint]
        case "canmount":
            return [] if dataset.canmount is None else [dataset.canmount]
        case _:
            return []


def _is_meant(condition: Condition, dataset: Dataset, createtxg: str) -> bool:
    """Whether this dataset has the guid and is not a received copy, which shares it."""
    if str(dataset.guid) != condition.object or dataset.pool != pool_of_condition(condition):
        return False
    is_gone = condition.kind is ConditionKind.DATASET_GONE
    of_type = not is_gone or not condition.key or dataset.type == condition.key
    return of_type and (not createtxg or str(dataset.createtxg) == createtxg)


def _pool(condition: Condition, facts: PlanFacts) -> Pool | None:
    for pool in facts.pools:
        if pool.name == condition.pool or condition.object in {pool.name, str(pool.guid)}:
            return pool
    return None


def _of_pool(told: ConditionCheck, pool: Pool) -> bool | None:
    condition = told.condition
    states = condition.value.split("|")
    found = [
        each for each in pool.walk() if str(each.guid) == condition.object
    ]  # a spare in use is there twice
    vdev = next(iter(found), None)
    match condition.kind:
        case ConditionKind.VDEV_GONE:
            return vdev is None
        case ConditionKind.VDEV_STATE:
            return any(each.state in states for each in found)
        case ConditionKind.LEAF_THERE:
            return any(_is_at(each, condition.object) for each in pool.walk() if each.is_leaf)
        case ConditionKind.SCAN_IS:
            scan = pool.scan
            is_so = scan is not None and scan.function == condition.key and scan.state in states
            return is_so and _scan(pool) != told.before
        case ConditionKind.ACTIVITY_IS:
            doing = [each.state for each in vdev.activities if each.kind == condition.key] if vdev else []
            doing += (
                [each.state for each in pool.activities if each.kind == condition.key] if not doing else []
            )
            return any(state in states for state in doing)
        case ConditionKind.ERRORS_ZERO:
            if vdev is not None:
                return not any(each.has_errors for each in vdev.walk())
            return not any((pool.read_errors, pool.write_errors, pool.checksum_errors)) and not any(
                each.has_errors for each in pool.walk()
            )
        case ConditionKind.CHECKPOINT_THERE:
            return pool.checkpoint_bytes is not None
        case _:
            return pool.checkpoint_bytes is None


def state_seen(condition: Condition, facts: PlanFacts) -> str:
    """State of a condition's vdev; "" if missing."""
    pool = _pool(condition, facts)
    vdevs = () if pool is None else pool.walk()
    return next((each.state for each in vdevs if str(each.guid) == condition.object), "")


def label_seen(condition: Condition, facts: PlanFacts) -> str:
    """Pool and vdev guids on a condition's device label; "" when unknown."""
    return next(
        (
            f"{label.pool_guid} {label.vdev_guid}"
            for label in facts.labels or ()
            if label.path == condition.object and label.pool_guid is not None
        ),
        "",
    )


def _seen(condition: Condition, facts: PlanFacts, history: Sequence[HistoryRecord] | None) -> str:
    if condition.kind in OF_HISTORY:
        return "" if history is None else str(_times(condition, history))
    match condition.kind:
        case ConditionKind.VDEV_STATE:
            return state_seen(condition, facts)
        case ConditionKind.LABEL_GONE:
            return label_seen(condition, facts)
        case ConditionKind.SCAN_IS:
            pool = _pool(condition, facts)
            return _scan(pool) if pool is not None else ""
        case _:
            return ""


def _times(condition: Condition, history: Sequence[HistoryRecord]) -> int:
    if condition.kind is ConditionKind.ROLLED_BACK:
        return sum(record.rolled_back_to == condition.value for record in history)
    return sum(record.is_command and record.text == condition.value for record in history)


def _from(history: Sequence[HistoryRecord], moment: float) -> tuple[HistoryRecord, ...]:
    return tuple(record for record in history if record.at >= math.floor(moment))


def _scan(pool: Pool) -> str:
    scan = pool.scan
    return "" if scan is None else f"{scan.function} {scan.state} {scan.start}"


def _is_at(leaf: Vdev, path: str) -> bool:
    """Whether a device is at the path of a command: ZFS partitions whole disks."""
    return leaf.path is not None and (leaf.path == path or leaf.path.removesuffix("-part1") == path)
