"""Plans in files: what was written is what is read, and what is another plan is told."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.actions.pool.shelf import mirror, planned, tank
from tests.reports.json.plans import TEXTS, as_saved, made, written
from tests.reports.schema import PLAN, mismatch
from zconsole.actions.plan import PlanBasis, Risk, Step
from zconsole.reports.json.read_saved_plan import PlanFileError, read_plan

RISKS = pytest.mark.parametrize("risk", list(made()))


@RISKS
def test_the_document_is_as_it_is_documented(risk: str) -> None:
    document = json.loads(written(made()[risk]))

    assert "" == mismatch(document, PLAN)
    assert risk == document["risk"]
    assert document["expires"] == document["made_at"] + 900
    assert sorted(document["destroys"]) == document["destroys"]


@RISKS
def test_what_was_written_is_what_is_read(risk: str) -> None:
    plan = made()[risk]

    saved = as_saved(plan)

    assert (plan.intent, plan.risk, plan.confirm, plan.title) == (
        saved.intent, saved.risk, saved.confirm, saved.title,
    )  # fmt: skip
    assert (plan.identity.label, plan.made_at, plan.basis) == (saved.host, saved.made_at, saved.basis)
    assert plan.destroys == saved.destroys
    assert tuple((step.argv, step.stdin) for step in plan.steps) == saved.steps
    assert () == saved.differences(plan)


@given(
    argv=st.lists(TEXTS, min_size=1, max_size=4), stdin=st.none() | TEXTS,
    destroys=st.lists(TEXTS, max_size=4), basis=st.dictionaries(TEXTS, TEXTS, max_size=4),
    made_at=st.floats(0, 1e12),
)  # fmt: skip
def test_any_words_survive(
    argv: list[str], stdin: str | None, destroys: list[str], basis: dict[str, str], made_at: float
) -> None:
    plan = replace(
        made()["routine"], steps=(Step(tuple(argv), "why", stdin),), destroys=tuple(destroys),
        basis=PlanBasis(tuple(sorted(basis.items()))), made_at=made_at,
    )  # fmt: skip

    saved = as_saved(plan)

    assert ((tuple(argv), stdin),) == saved.steps
    assert (tuple(destroys), plan.basis, made_at) == (saved.destroys, saved.basis, saved.made_at)


def test_a_step_on_another_host_survives_and_no_other_host_may_stand_there() -> None:
    plan = replace(made()["routine"], steps=(Step(("zfs", "create", "dst/a"), "why", on="vault"),))

    saved = as_saved(plan)

    assert ("vault",) == saved.hosts
    assert () == saved.differences(plan)
    (said,) = saved.differences(replace(plan, steps=(Step(("zfs", "create", "dst/a"), "why"),)))
    assert "the commands are others" in said
    with pytest.raises(PlanFileError, match="fingerprint"):
        read_plan(written(plan).replace('"vault"', '"nas1"'))


def test_names_that_are_no_utf8_survive() -> None:
    plan = replace(made()["routine"], destroys=("tank/caf\udce9",))

    assert ("tank/caf\udce9",) == as_saved(plan).destroys


def test_what_is_not_as_it_was_is_named() -> None:
    saved = as_saved(planned(tank(mirror("ONLINE", "ONLINE", "ONLINE")), "offline", "tank", "mirror-0-a"))
    now = planned(tank(mirror("ONLINE", "ONLINE", "FAULTED")), "offline", "tank", "mirror-0-a")

    differences = saved.differences(now)

    assert "state of mirror-0/mirror-0-c was ONLINE, is FAULTED" in differences
    assert "its risk was caution, is destructive" in differences


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"steps": (Step(("zpool", "destroy", "tank"), "why"),)}, "the commands are others"),
        ({"destroys": ("tank",)}, "tank would be destroyed too"),
        ({"risk": Risk.CAUTION}, "its risk was routine, is caution"),
    ],
)
def test_a_plan_that_does_something_else_is_another(values: dict[str, Any], said: str) -> None:
    plan = made()["routine"]

    assert any(said in each for each in as_saved(plan).differences(replace(plan, **values)))


def test_another_confirmation_is_another_plan() -> None:
    plan = made()["caution"]

    assert any(
        "what confirms it was" in each for each in as_saved(plan).differences(replace(plan, target="x"))
    )
