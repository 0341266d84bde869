"""No action writes to a pool that was imported read-only."""

from __future__ import annotations

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import host
from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.read_only_pool_check import on_writable
from zconsole.actions.intent import Intent
from zconsole.model.host.plan_facts import PlanFacts


@on_writable
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
