"""What every action on datasets stands on: what was listed, who uses it, what is held."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import MIB, bookmark, filesystem, host, images, snapshot, volume
from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.dataset_checks import (
    FILESYSTEM,
    MOST_REFUSALS,
    SYSTEMS,
    by_name,
    check_uses,
    count_data,
    gone,
    known_in,
    needed,
    no_further_words,
    not_a_pool,
    on_datasets,
    refuse_full,
    refuse_held,
    refuse_unmounting_as_user,
    remember_absence,
    the,
)
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.plan import ConditionKind, Dependent
from zconsole.base.errors import UsageError
from zconsole.model.datasets.snapshot_scope import SnapshotScope, SnapshotSelector
from zconsole.model.host.plan_facts import Hold, OutsideUse, PlanFacts, Privileges

FACTS = host(images())


@on_datasets
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


def test_an_object_of_another_type_is_refused_with_what_it_is() -> None:
    assert "tank/home" == the("tank/home", FILESYSTEM, FACTS, hint="").name
    with pytest.raises(UsageError, match="tank/home@daily-1 is a snapshot"):
        the("tank/home@daily-1", SYSTEMS, FACTS, hint="")


def test_a_word_too_many_is_not_ignored() -> None:
    no_further_words(Intent("mount", "tank/a", ("b",)), 1)
    with pytest.raises(UsageError, match="mount does not take the argument 'b'"):
        no_further_words(Intent("mount", "tank/a", ("b",)), 0)


def test_of_names_only_snapshots_are_listed() -> None:
    assert (SnapshotSelector("tank/a@1", below=True),) == by_name(
        "tank/a", "tank/a@1", "tank/a#1", below=True
    )


def test_a_plan_rests_on_a_name_being_free_or_on_what_has_it() -> None:
    made = draft()

    remember_absence(made, "tank/new", FACTS)
    remember_absence(made, "tank/home", host((filesystem("tank/home", guid=5, createtxg=6),)))

    assert {"tank/new": "not there", "tank/home": "guid 5 of txg 6"} == made.basis


def test_data_is_counted_of_systems_and_not_of_snapshots() -> None:
    made = draft()

    count_data(made, (filesystem("tank/a"), snapshot("tank/a@1")))

    assert {"referenced by tank/a", "written to tank/a since its last snapshot"} == set(made.figures)
    assert MIB == made.figures["written to tank/a since its last snapshot"].bytes


def test_what_is_gone_is_known_by_guid_and_txg_or_not_at_all() -> None:
    known = snapshot("tank/a@1", 21, guid=5)

    (condition,) = gone((known,))

    assert ConditionKind.DATASET_GONE is condition.kind
    assert ("5", "tank", "snapshot", "21") == (
        condition.object, condition.pool, condition.key, condition.value
    )  # fmt: skip
    assert () == gone((known, replace(known, guid=None)))


def test_names_that_were_not_listed_are_left_out_in_the_order_asked_for() -> None:
    assert ["tank/vm2", "tank"] == [each.name for each in known_in(["tank/vm2", "no/where", "tank"], FACTS)]


def test_each_permission_is_wanted_once_on_each() -> None:
    assert (("a", "x"), ("b", "x"), ("a", "y"), ("b", "y")) == needed("a,b", "x", "y", "x")


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


@pytest.mark.parametrize(
    ("instead", "use"),
    [
        ("shut web down first", OutsideUse("/dev/zvol/tank/v+1", "guest", "web")),
        ("swapoff /dev/zd0 first", OutsideUse("tank/v 1", "swap", "/dev/zd0")),
        ("take md0 off it first", OutsideUse("tank/v 1", "holder", "md0")),
        ("end smbd first", OutsideUse("tank/v 1", "process", "smbd")),
        ("unmount /mnt first", OutsideUse("tank/v 1", "mount", "/mnt")),
    ],
)
def test_what_runs_on_a_volume_blocks_and_is_told_how_to_end(instead: str, use: OutsideUse) -> None:
    made = draft()

    check_uses(made, (volume("tank/v 1"),), host(uses=(use,)), undone="it would be lost")

    assert ["in-use"] == rules(made)
    assert instead == made.refusals[0].instead
    assert made.refusals[0].reason.endswith(": it would be lost")


def test_a_mounted_file_system_is_a_dependent_though_no_use_tells_of_it() -> None:
    made = draft()

    check_uses(made, (filesystem("tank/a"),), host(uses=()), undone="x")

    assert [] == rules(made)
    assert [Dependent("mount", "/tank/a", "on tank/a")] == made.dependents


def test_uses_that_could_not_be_read_are_a_warning() -> None:
    made = draft()

    check_uses(made, (), host(uses=None), undone="x")

    assert 1 == len(made.warnings)


def test_a_user_does_not_unmount() -> None:
    ann, root = draft(), draft()

    refuse_unmounting_as_user(ann, (filesystem("tank/a"),), host(privileges=Privileges("ann", 1000)))
    refuse_unmounting_as_user(root, (filesystem("tank/a"),), host())

    assert ["unmount-permission"] == rules(ann)
    assert [] == rules(root)


def test_nothing_is_made_where_no_space_is_left() -> None:
    full, some, unknown = draft(), draft(), draft()

    refuse_full(full, filesystem("tank/a", available_bytes=0), "it")
    refuse_full(some, filesystem("tank/a", available_bytes=1), "it")
    refuse_full(unknown, None, "it")

    assert ["full"] == rules(full)
    assert [] == [*rules(some), *rules(unknown)]


def test_the_root_of_a_pool_is_greyed() -> None:
    def of(name: str) -> str:
        return not_a_pool(Target(TargetKind.FILESYSTEM, "tank", name), FACTS)

    assert "it can be destroyed only with its pool" == of("tank")
    assert ["", ""] == [of("tank/a"), of("tank@1")]


def test_a_bookmark_is_no_snapshot_that_could_be_held() -> None:
    made = draft()

    refuse_held(made, (bookmark("tank/a#1"),), host(holds=(Hold("tank/a#1", "keep"),)))

    assert [] == rules(made)
