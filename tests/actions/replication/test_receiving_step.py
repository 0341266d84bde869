"""The step of a receive, for a new dataset and for an increment."""

from __future__ import annotations

import pytest

from tests.actions.replication.ends import COPY, world
from zconsole.actions.plan import ConditionKind, Risk, Step
from zconsole.actions.replication.receiving_step import receiving_step, risk_into


def step(*, is_new: bool = False, guid: int | None = 7) -> Step:
    sending = world().sending
    assert sending is not None
    return receiving_step(
        sending, ("zfs", "send", "tank/home@b"), "vault/home", is_new=is_new, snapshot=("b", guid)
    )


def test_it_is_settled_by_the_snapshot_where_its_guid_is_known() -> None:
    (told,) = step().settled_by

    assert (ConditionKind.RECEIVED, "vault/home") == (told.kind, told.object)
    assert () == step(guid=None).settled_by


@pytest.mark.parametrize(("is_new", "on"), [(True, "vault"), (False, "vault/home")])
def test_a_new_dataset_needs_the_permission_on_its_parent(on: str, *, is_new: bool) -> None:
    assert ("receive", on) in step(is_new=is_new).permissions


def test_only_an_increment_calls_for_caution() -> None:
    assert (Risk.ROUTINE, Risk.CAUTION) == (risk_into(None), risk_into(COPY))
