"""Destruction of snapshots: by name, range and recursion; what keeps them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import (
    GIB,
    ROOT,
    filesystem,
    host,
    images,
    linked,
    pool,
    snapshot,
)
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.model.host.plan_facts import Delegation, Hold, OutsideUse, PrivilegeMode, Privileges
from zconsole.zfs.change.channel_program import DESTROY

FACTS = host(images())
PROGRAMS = replace(FACTS, may_run_programs=True)


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (["zfs destroy tank/home@daily-1"], ["tank/home@daily-1"]),
        (["zfs destroy tank/home@daily-1,daily-2"], ["tank/home@daily-1%daily-2"]),
        (["zfs destroy tank/home@daily-1,daily-2"], ["tank/home@daily-1,daily-2"]),
        (["zfs destroy tank/home@daily-1,daily-2"], ["tank/home@%"]),
        (["zfs destroy tank/home@daily-2"], ["tank/home@daily-2%"]),
        (["zfs destroy tank/home@daily-1,daily-2"],
         ["tank/home@daily-2", "tank/home@daily-1", "tank/home@daily-2"]),
        (["zfs destroy tank/home@daily-1", "zfs destroy tank/home/ann@daily-2"],
         ["tank/home/ann@daily-2", "tank/home@daily-1"]),
    ],
)  # fmt: skip
def test_snapshots_are_destroyed_by_their_names(expected: list[str], words: list[str]) -> None:
    made = planned(FACTS, "destroy", *words)

    assert sorted(expected) == sorted(_ordered(command) for command in commands(made))
    assert Risk.DESTRUCTIVE is made.risk


def _ordered(command: str) -> str:
    head, at, names = command.partition("@")
    return head + at + ",".join(sorted(names.split(",")))


def test_a_range_is_what_was_listed_and_not_what_appears_in_it_later() -> None:
    made = planned(FACTS, "destroy", "tank/home@daily-1%daily-2")

    assert "%" not in commands(made)[0]
    assert ("tank/home@daily-1", "tank/home@daily-2") == made.destroys
    assert GIB == made.frees_bytes


def test_recursive_takes_snapshots_of_the_name_below_in_one_command() -> None:
    made = planned(FACTS, "destroy", "tank/home@daily-2", "tank/home/ann@daily-2", recursive=True)

    assert ["zfs destroy -r tank/home@daily-2"] == commands(made)
    assert ("tank/home/ann@daily-2", "tank/home@daily-2") == made.destroys


def test_with_clones_is_recursive_as_zfs_means_it() -> None:
    datasets = linked((
        filesystem("tank"), filesystem("tank/a"), snapshot("tank@s", 2), snapshot("tank/a@s", 2),
        filesystem("tank/c", origin="tank@s"),
    ))  # fmt: skip

    made = planned(host(datasets), "destroy", "tank@s", with_clones=True)

    assert ["zfs destroy -R tank@s"] == commands(made)
    assert ("tank/a@s", "tank/c", "tank@s") == made.destroys


def test_where_it_may_a_program_destroys_them_in_the_txg_that_checks_their_guids() -> None:
    made = planned(PROGRAMS, "destroy", "tank/home@daily-1", "tank/home/ann@daily-2")

    (step,) = made.steps
    assert ("zfs", "program", "-j", "tank", "-", "tank/home@daily-1") == step.argv[:6]
    assert 2 * 4 == len(step.argv[5:])
    assert DESTROY == step.stdin
    assert {ConditionKind.DATASET_GONE} == {each.kind for each in step.settled_by}
    assert 2 == len(step.settled_by)


@pytest.mark.parametrize(
    "facts",
    [
        replace(PROGRAMS, may_run_programs=False),
        replace(PROGRAMS, may_run_programs=None),
        replace(PROGRAMS, datasets=tuple(replace(each, guid=None) for each in images())),
        replace(
            PROGRAMS,
            privileges=Privileges(
                "ann", 1000, PrivilegeMode.PLAIN, (Delegation("tank", frozenset({"destroy", "mount"})),)
            ),
        ),
    ],
)
def test_otherwise_a_plain_command_does(facts: object) -> None:
    assert ["zfs destroy tank/home@daily-1"] == commands(planned(facts, "destroy", "tank/home@daily-1"))  # type: ignore[arg-type]


def test_a_held_snapshot_stays_and_its_tags_are_named() -> None:
    facts = replace(PROGRAMS, holds=(Hold("tank/home@daily-1", "backup"), Hold("tank/home@daily-1", "audit")))

    made = planned(facts, "destroy", "tank/home@daily-1%daily-2")

    assert ["held"] == rules(made)
    assert "audit, backup" in made.refusals[0].reason
    assert "release tank/home@daily-1 audit" == made.refusals[0].instead


def test_a_hold_that_only_the_listing_shows_refuses_too() -> None:
    datasets = [replace(each, holds=1) if each.name == "tank/home@daily-1" else each for each in images()]

    assert ["held"] == rules(planned(host(datasets), "destroy", "tank/home@daily-1"))


def test_what_a_bookmark_still_allows_is_told() -> None:
    made = planned(FACTS, "destroy", "tank/home@daily-1")

    assert any("tank/home#daily-1 stays" in note for note in made.notes)


def test_datasets_that_were_not_read_refuse() -> None:
    facts = replace(FACTS, listed=frozenset(), datasets=())

    assert ["unread"] == rules(planned(facts, "destroy", "tank/home@daily-1"))


def test_a_pool_imported_read_only_refuses() -> None:
    facts = replace(FACTS, read_only_pools=frozenset({"tank"}))

    assert ["pool-read-only"] == rules(planned(facts, "destroy", "tank/home@daily-1"))


def test_with_a_checkpoint_nothing_comes_free_and_there_is_a_way_back() -> None:
    facts = replace(FACTS, pools=(pool(checkpoint_created=1, checkpoint_bytes=1),))

    made = planned(facts, "destroy", "tank/home@daily-1")

    assert made.undo is not None
    assert "--rewind-to-checkpoint" in made.undo
    assert any("no space is freed" in note for note in made.notes)


def test_very_many_names_are_spread_over_commands_that_fit() -> None:
    names = [f"tank/home@{'x' * 190}{number:04}" for number in range(1000)]
    facts = host(
        (
            filesystem("tank"),
            filesystem("tank/home"),
            *(snapshot(name, number + 20) for number, name in enumerate(names)),
        )
    )

    made = planned(replace(facts, may_run_programs=True), "destroy", "tank/home@%")

    assert 3 == len(made.steps)
    assert all(120_000 > len(" ".join(step.argv)) for step in made.steps)
    assert any("3 programs" in warning for warning in made.warnings)
    assert 1000 == len(made.destroys)
    assert ROOT == facts.privileges


@pytest.mark.parametrize("with_clones", [False, True])
def test_guests_on_clones_are_named_only_where_the_clones_are_destroyed(with_clones: bool) -> None:
    facts = replace(FACTS, uses=(OutsideUse("tank/vm1", "guest", "web01", "/dev/zvol/tank/vm1"),))

    made = planned(facts, "destroy", "tank/images@gold", with_clones=with_clones)

    assert (["in-use"] if with_clones else ["clones"]) == rules(made)
    assert with_clones is any(each.kind == "guest" for each in made.dependents)
