"""Text of conditions, with names of objects instead of guids."""

from __future__ import annotations

from typing import Final

from zconsole.actions.plan import ConditionKind
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck

_SAID_OF: Final = {
    ConditionKind.DATASET_GONE: ("", "gone"),
    ConditionKind.DATASET_THERE: ("", "there"),
    ConditionKind.POOL_GONE: ("the pool ", "not imported"),
    ConditionKind.POOL_THERE: ("the pool ", "imported"),
    ConditionKind.VDEV_GONE: ("", "no part of the pool"),
    ConditionKind.LEAF_THERE: ("", "a part of the pool"),
    ConditionKind.CHECKPOINT_THERE: ("the checkpoint of ", "there"),
    ConditionKind.CHECKPOINT_GONE: ("the checkpoint of ", "gone"),
    ConditionKind.LABEL_GONE: ("the label of ", "gone"),
    ConditionKind.FILE_THERE: ("", "there"),
}


def in_words(told: ConditionCheck) -> str:
    """A condition as a clause, with the object's name if known."""
    condition = told.condition
    about = told.name or (f"{condition.object} in {condition.pool}" if condition.pool else condition.object)
    match condition.kind:
        case ConditionKind.ORIGIN_IS:
            return f"origin of {condition.object} is {condition.value or 'none'}"
        case ConditionKind.PROPERTY_IS:
            return f"{condition.key} of {condition.object} is {condition.value}"
        case ConditionKind.HISTORY:
            return f"the history has: {condition.value}"
        case ConditionKind.RECEIVED:
            return f"{condition.object}@{condition.key} is there, with the guid of what was sent"
        case ConditionKind.SAME_SNAPSHOT:
            where = f" on {condition.key}" if condition.key else ""
            return f"{condition.object} is there, with the guid of {condition.value}{where}"
        case ConditionKind.GUEST_AT_BOOT:
            does = "starts" if condition.value == "on" else "does not start"
            return f"guest {condition.key} {does} with its host"
        case ConditionKind.GUEST_GONE:
            return f"guest {condition.key} is not defined"
        case ConditionKind.GUEST_DISK:
            return f"the disk {condition.key} of the guest is defined at {condition.value}"
        case ConditionKind.ROLLED_BACK:
            return f"the history has a rollback to {condition.value}"
        case ConditionKind.NAME_IS:
            return f"{about} is called {condition.value}"
        case ConditionKind.VDEV_STATE:
            return f"{about} is {condition.value.replace('|', ' or ')}"
        case ConditionKind.GUEST_STATE:
            return f"guest {condition.key} is {condition.value.replace('|', ' or ')}"
        case ConditionKind.HOLD_THERE:
            return f"{condition.object} has the hold {condition.value}"
        case ConditionKind.HOLD_GONE:
            return f"{condition.object} has no hold {condition.value}"
        case ConditionKind.SCAN_IS | ConditionKind.ACTIVITY_IS:
            return f"{condition.key} of {about} is {condition.value.replace('|', ' or ')}"
        case ConditionKind.ERRORS_ZERO:
            return f"{about} counts no errors"
        case ConditionKind.FILE_IS:
            return f"{condition.object} is as it was in the snapshot"
        case _:
            what, is_so = _SAID_OF[condition.kind]
            return f"{what}{about} is {is_so}"
