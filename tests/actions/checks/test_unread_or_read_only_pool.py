"""Plans are made only for pools that were read and can be written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import host, images
from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets, on_writable_pool
from zconsole.actions.intent import Intent
from zconsole.base.errors import UsageError
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope
from zconsole.model.host.plan_facts import PlanFacts

FACTS = host(images())


@on_writable_datasets
def plan_loss(intent: Intent, _facts: PlanFacts) -> Draft:
    """Destroy the target."""
    made = draft()
    made.destroys = [intent.target]
    return made


@pytest.mark.parametrize(
    ("expected", "facts"),
    [
        ([], FACTS),
        (["unread"], replace(FACTS, listed=frozenset())),
        (["unread"], replace(FACTS, scope=SnapshotScope())),
        (["pool-read-only"], replace(FACTS, read_only_pools=frozenset({"tank"}))),
    ],
)
def test_a_plan_is_made_only_of_what_was_read_and_can_be_written(
    expected: list[str], facts: PlanFacts
) -> None:
    assert expected == rules(plan_loss(Intent("destroy", "tank/home@daily-1"), facts))


def test_a_pool_that_is_not_there_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no pool 'bulk'"):
        plan_loss(Intent("destroy", "bulk/a"), FACTS)


@on_writable_pool
def plan_nothing(_intent: Intent, _facts: PlanFacts) -> Draft:
    """Nothing."""
    return draft()


@pytest.mark.parametrize(
    ("expected", "pool", "read_only"),
    [(["pool-read-only"], "tank", {"tank"}), ([], "tank", {"other"}), ([], "gone", {"gone"})],
)
def test_only_an_imported_pool_without_writes_is_refused(
    expected: list[str], pool: str, read_only: set[str]
) -> None:
    facts = host(read_only_pools=frozenset(read_only))

    assert expected == rules(plan_nothing(Intent("scrub", pool), facts))


def test_the_planner_keeps_its_name_and_what_it_says() -> None:
    assert "plan_nothing" == plan_nothing.__name__
    assert "Nothing." == plan_nothing.__doc__
