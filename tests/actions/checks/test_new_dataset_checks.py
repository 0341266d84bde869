"""Create and clone: what would not fit, or has no place, is told beforehand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.checks.drafts import draft
from tests.actions.dataset.plans import planned, rules
from tests.doubles.plan_worlds import filesystem, host, images
from zconsole.actions.checks.new_dataset_checks import refuse_full

FACTS = host(images())


@pytest.mark.parametrize(
    ("rule", "name", "options"),
    [
        ("exists", "tank/home", {}),
        ("no-parent", "tank/x/new", {}),
        ("no-parent", "tank/vm1/new", {}),
        ("full", "tank/new", {"volume": "101G"}),
    ],
)
def test_what_has_no_place_or_no_room(rule: str, name: str, options: dict[str, str | bool]) -> None:
    assert [rule] == rules(planned(FACTS, "create", name, **options))


def test_a_parent_without_space_or_key_has_no_children() -> None:
    full = host((filesystem("tank", available_bytes=0),))
    locked = host(
        (filesystem("tank"), filesystem("tank/s", keystatus="unavailable", encryption="aes-256-gcm"))
    )

    assert ["full"] == rules(planned(full, "create", "tank/new"))
    assert ["locked"] == rules(planned(locked, "create", "tank/s/new"))


def test_where_it_will_be_mounted_is_told() -> None:
    facts = host((filesystem("tank", mountpoint="/srv"),))

    assert any("mounted at /srv/new" in each for each in planned(facts, "create", "tank/new").notes)
    assert any(
        "mountpoint is /x" in each for each in planned(facts, "create", "tank/new", "mountpoint=/x").notes
    )


def test_a_name_that_is_taken_in_the_meantime_makes_the_plan_stale() -> None:
    then = planned(FACTS, "create", "tank/new")
    now = planned(replace(FACTS, datasets=(*images(), filesystem("tank/new"))), "create", "tank/new")

    assert any("tank/new was not there" in each for each in then.basis.differences(now.basis))


def test_nothing_is_made_where_no_space_is_left() -> None:
    full, some, unknown = draft(), draft(), draft()

    refuse_full(full, filesystem("tank/a", available_bytes=0), "it")
    refuse_full(some, filesystem("tank/a", available_bytes=1), "it")
    refuse_full(unknown, None, "it")

    assert ["full"] == [each.rule for each in full.refusals]
    assert [] == [*some.refusals, *unknown.refusals]
