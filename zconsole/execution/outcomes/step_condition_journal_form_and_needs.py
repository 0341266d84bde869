"""Conditions that tell whether a step has happened: values, journal form, facts needed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import Needs
from zconsole.actions.plan import Condition, ConditionKind
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.snapshot_contents import FileType
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector

EVERY_PROPERTY: Final = "all"
_AIM: Final = "aim"  # key in the journal for intended results
OF_DATASETS: Final = frozenset(
    {
        ConditionKind.DATASET_GONE,
        ConditionKind.DATASET_THERE,
        ConditionKind.ORIGIN_IS,
        ConditionKind.NAME_IS,
        ConditionKind.HOLD_THERE,
        ConditionKind.HOLD_GONE,
        ConditionKind.RECEIVED,
        ConditionKind.SAME_SNAPSHOT,
    }
)
OF_STORED_GUESTS: Final = frozenset(
    {ConditionKind.GUEST_DISK, ConditionKind.GUEST_AT_BOOT, ConditionKind.GUEST_GONE}
)
_OF_FILES: Final = frozenset({ConditionKind.FILE_THERE, ConditionKind.FILE_IS})


@dataclass(frozen=True, slots=True)
class ConditionCheck:
    """Condition that did not hold before the step.

    `before` is the earlier value: a scan's start, the number of history records, a vdev's state, a label's
    pool and vdev guids. `name` is the object's name then, where the condition has a guid. `is_aim` marks an
    intended result that may fail although the step happened.
    """

    condition: Condition
    before: str = ""
    name: str = ""
    is_aim: bool = False


def to_json(conditions: Sequence[ConditionCheck]) -> str:
    """Conditions as journal JSON."""
    return json.dumps(
        [
            [
                each.kind.value,
                each.object,
                each.pool,
                each.key,
                each.value,
                told.before,
                told.name,
                *([_AIM] if told.is_aim else []),
            ]
            for told in conditions
            for each in (told.condition,)
        ]
    )


def from_json(text: str) -> tuple[ConditionCheck, ...]:
    """Parse journal JSON; the oldest has no names. Raises ValueError for other content."""
    try:
        kept = json.loads(text)
    except RecursionError as error:
        raise ValueError("its conditions are not JSON") from error
    match kept:
        case [*each]:
            return tuple(map(_telling, each))
        case _:
            raise ValueError("its conditions are not a list")


def _telling(kept: object) -> ConditionCheck:
    match kept:
        case [
            str() as kind,
            str() as about,
            str() as pool,
            str() as key,
            str() as value,
            str() as before,
            *rest,
        ]:
            called, *aim = rest or [""]
            if isinstance(called, str) and aim in ([], [_AIM]):
                return ConditionCheck(
                    Condition(ConditionKind(kind), about, pool, key, value), before, called, bool(aim)
                )
    raise ValueError("a condition is no such list")


def needs_of(conditions: Iterable[ConditionCheck]) -> Needs:
    """Facts needed to evaluate them, besides the pools."""
    needs = Needs()
    about: dict[SnapshotSelector, None] = {}
    for told in conditions:
        each = told.condition
        if each.kind in OF_DATASETS:
            is_hold = each.kind in {ConditionKind.HOLD_THERE, ConditionKind.HOLD_GONE}
            pools = tuple(dict.fromkeys((*needs.datasets, *pools_of_condition(each))))
            about |= dict.fromkeys(_snapshots(each))
            needs = replace(needs, datasets=pools, holds=needs.holds or is_hold)
            if each.kind is ConditionKind.SAME_SNAPSHOT and each.key:
                there = (SnapshotSelector(each.value, is_bare=True),)
                needs = replace(needs, sender=(each.key, pool_of(each.value)), sender_snapshots=there)
        elif each.kind is ConditionKind.PROPERTY_IS:
            keys = [(each.object, each.key)]
            if each.object == pool_of_condition(each):
                keys.append((each.object, EVERY_PROPERTY))
            needs = replace(needs, properties=(*needs.properties, *keys))
        elif each.kind in _OF_FILES:
            is_folder = each.key == FileType.FOLDER.value
            measured = (*needs.measured, each.object) if is_folder else needs.measured
            needs = replace(needs, files=(*needs.files, each.object), measured=measured)
        elif each.kind in OF_STORED_GUESTS:
            needs = replace(needs, stored_guests=(*needs.stored_guests, each.object))
        elif each.kind is ConditionKind.GUEST_STATE:
            needs = replace(needs, guest_states=(*needs.guest_states, each.object))
        elif each.kind is ConditionKind.LABEL_GONE:
            needs = replace(needs, labels=(*needs.labels, each.object))
    return replace(needs, snapshots=tuple(about))


def _snapshots(condition: Condition) -> tuple[SnapshotSelector, ...]:
    """Snapshots needed; a missing one may have been renamed, so its guid is searched."""
    match condition.kind:
        case ConditionKind.DATASET_GONE:
            if condition.key in {"filesystem", "volume", "bookmark"}:
                return ()
            return (SnapshotSelector(pool_of_condition(condition), below=True, is_bare=True),)
        case ConditionKind.RECEIVED:
            return (SnapshotSelector(condition.object, is_bare=True),)
        case ConditionKind.SAME_SNAPSHOT:
            own = SnapshotSelector(condition.object)
            return (own,) if condition.key else (own, SnapshotSelector(condition.value))
        case ConditionKind.NAME_IS:
            name = condition.value
        case _:
            name = condition.object
    return (SnapshotSelector(name),) if "@" in name else ()


def pool_of_condition(condition: Condition) -> str:
    """The pool that a condition names."""
    return condition.pool or pool_of(condition.object)


def pools_of_condition(condition: Condition) -> tuple[str, ...]:
    """All pools whose datasets decide a condition."""
    is_here = condition.kind is ConditionKind.SAME_SNAPSHOT and not condition.key
    other = (pool_of(condition.value),) if is_here else ()
    return tuple(dict.fromkeys((pool_of_condition(condition), *other)))
