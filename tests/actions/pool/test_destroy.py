"""Destroy a pool: all of it by name, nothing while it is used, and the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from tests.doubles.plan_worlds import filesystem, forests, guid_of, host, images, pool, snapshot
from zconsole.actions.action_spec import Draft
from zconsole.actions.intent import intent
from zconsole.actions.plan import Risk
from zconsole.actions.pool.destroy import plan_destroy_pool
from zconsole.model.host.plan_facts import Hold, OutsideUse, PlanFacts


def drafted(facts: PlanFacts) -> Draft:
    """The draft of `destroy tank`."""
    return plan_destroy_pool(intent("destroy", "tank"), facts)


def rules(draft: Draft) -> set[str]:
    """What refuses it."""
    return {refusal.rule for refusal in draft.refusals}


def test_it_is_catastrophic_and_lists_everything() -> None:
    facts = host(images(), pools=(pool(usable_used_bytes=7),))

    draft = drafted(facts)

    assert Risk.CATASTROPHIC is draft.risk
    assert ("zpool", "destroy", "tank") == draft.steps[0].argv
    assert {each.name for each in images()} == set(draft.destroys)
    assert {each.name for each in images() if each.type in {"filesystem", "volume"}} == set(draft.live)
    assert 7 == draft.frees_bytes
    assert set() == rules(draft)


def test_the_way_back_is_told_with_its_condition() -> None:
    undo = str(drafted(host(images())).undo)

    assert undo.startswith(f"zpool import -D {guid_of('tank')} ")
    assert "as long as nothing else has been written to its devices" in undo


@pytest.mark.parametrize(
    "use",
    [
        OutsideUse("tank/vm1", "guest", "web1"),
        OutsideUse("tank/home", "process", "bash[7]"),
        OutsideUse("tank/vm2", "swap", "zd0"),
    ],
)
def test_what_runs_on_it_blocks(use: OutsideUse) -> None:
    assert {"in-use"} == rules(drafted(host(images(), uses=(use,))))


def test_the_running_system_stays() -> None:
    assert {"boot-pool"} == rules(drafted(host(images(), boot_pools=frozenset({"tank"}))))


@pytest.mark.parametrize(
    "facts", [host(images(), listed=frozenset()), host(pools=(pool(),), listed=frozenset({"tank"}))]
)
def test_what_could_not_be_listed_is_not_destroyed(facts: PlanFacts) -> None:
    assert {"not-listed"} == rules(drafted(facts))


def test_holds_do_not_help_and_that_is_said() -> None:
    draft = drafted(host(images(), holds=(Hold("tank/home@daily-1", "backup"),)))

    assert "1 are lost with it" in draft.warnings[0]
    assert ["backup"] == [each.name for each in draft.dependents if each.kind == "hold"]


def test_other_pools_are_not_touched() -> None:
    facts = host((*images(), filesystem("tanker"), snapshot("tanker@a")))

    assert not any(name.startswith("tanker") for name in drafted(facts).destroys)


def test_a_new_snapshot_makes_the_plan_stale() -> None:
    before, after = (drafted(host(each)) for each in (images(), (*images(), snapshot("tank@new"))))

    assert before.basis["what is in tank"] != after.basis["what is in tank"]


def test_another_dataset_of_the_same_name_makes_the_plan_stale() -> None:
    first, *others = images()

    before, after = (drafted(host(each)) for each in (images(), (replace(first, guid=7), *others)))

    assert before.basis["what is in tank"] != after.basis["what is in tank"]


@given(forest=forests())
def test_nothing_in_any_tree_is_left_out(forest: object) -> None:
    datasets = forest.datasets()  # type: ignore[attr-defined]

    draft = drafted(host(datasets))

    assert {each.name for each in datasets} == set(draft.destroys)
