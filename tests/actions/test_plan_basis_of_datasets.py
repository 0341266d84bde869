"""What of its datasets a plan rests on."""

from __future__ import annotations

from dataclasses import replace

from tests.actions.checks.drafts import draft
from tests.actions.checks.test_unread_or_read_only_pool import FACTS
from tests.doubles.plan_worlds import MIB, filesystem, host, snapshot
from zconsole.actions.plan_basis_of_datasets import count_data, saw_absence


def test_a_plan_rests_on_a_name_being_free_or_on_what_has_it() -> None:
    made = draft()

    saw_absence(made, "tank/new", FACTS)
    saw_absence(made, "tank/home", host((filesystem("tank/home", guid=5, createtxg=6),)))

    assert {"tank/new": "not there", "tank/home": "guid 5 of txg 6"} == made.basis


def test_data_is_counted_of_systems_and_not_of_snapshots() -> None:
    made = draft()

    count_data(made, (filesystem("tank/a"), snapshot("tank/a@1")), FACTS)

    assert {"referenced by tank/a", "written to tank/a since its last snapshot"} == set(made.figures)
    assert MIB == made.figures["written to tank/a since its last snapshot"].bytes


def test_no_amount_binds_where_a_guest_writes_until_the_plan_shuts_it_down() -> None:
    made, facts = draft(), replace(FACTS, written_until_off=frozenset({"tank/a"}))

    count_data(made, (filesystem("tank/a"), filesystem("tank/b")), facts)

    assert {"referenced by tank/b", "written to tank/b since its last snapshot"} == set(made.figures)
