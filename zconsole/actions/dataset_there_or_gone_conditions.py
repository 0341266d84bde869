"""Conditions that show whether a step has made or destroyed a dataset."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.actions.plan import Condition, ConditionKind
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset


def datasets_gone(datasets: Sequence[Dataset]) -> tuple[Condition, ...]:
    """Conditions that these objects no longer exist; empty if one of them cannot be identified."""
    if any(each.guid is None or each.createtxg is None for each in datasets):
        return ()
    return tuple(
        Condition(ConditionKind.DATASET_GONE, str(each.guid), each.pool, each.type, str(each.createtxg))
        for each in datasets
    )


def dataset_there(name: str) -> Condition:
    """Condition that a name exists."""
    return Condition(ConditionKind.DATASET_THERE, name, pool_of(name))
