"""Held snapshots stay."""

from __future__ import annotations

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import bookmark, host, snapshot
from zconsole.actions.action_spec import MOST_REFUSALS
from zconsole.actions.checks.hold_checks import refuse_held
from zconsole.actions.plan import Dependent
from zconsole.model.host.plan_facts import Hold


def test_a_held_snapshot_stays_and_names_its_tags() -> None:
    made = draft()
    known, other = snapshot("tank/a@1"), snapshot("tank/a@2", holds=1)

    refuse_held(made, (known, other, snapshot("tank/a@3")), host(holds=(Hold("tank/a@1", "keep"),)))

    assert ["tank/a@1 is held by keep", "tank/a@2 is held by a hold"] == [
        each.reason for each in made.refusals
    ]
    assert ["release tank/a@1 keep", "release tank/a@2 TAG"] == [each.instead for each in made.refusals]
    assert [Dependent("hold", "tank/a@1", "keep")] == made.dependents


def test_of_many_held_snapshots_the_rest_is_counted() -> None:
    made = draft()

    refuse_held(made, [snapshot(f"tank/a@{at}", holds=1) for at in range(MOST_REFUSALS + 3)], host())

    assert MOST_REFUSALS + 1 == len(made.refusals)
    assert "and 3 more are held" == made.refusals[-1].reason


def test_a_bookmark_is_no_snapshot_that_could_be_held() -> None:
    made = draft()

    refuse_held(made, (bookmark("tank/a#1"),), host(holds=(Hold("tank/a#1", "keep"),)))

    assert [] == rules(made)
