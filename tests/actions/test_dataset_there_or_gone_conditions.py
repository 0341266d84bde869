"""Conditions on datasets that prove a step."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.plan_worlds import snapshot
from zconsole.actions.dataset_there_or_gone_conditions import datasets_gone
from zconsole.actions.plan import ConditionKind


def test_what_is_gone_is_known_by_guid_and_txg_or_not_at_all() -> None:
    known = snapshot("tank/a@1", 21, guid=5)

    (condition,) = datasets_gone((known,))

    assert ConditionKind.DATASET_GONE is condition.kind
    assert ("5", "tank", "snapshot", "21") == (
        condition.object, condition.pool, condition.key, condition.value
    )  # fmt: skip
    assert () == datasets_gone((known, replace(known, guid=None)))
