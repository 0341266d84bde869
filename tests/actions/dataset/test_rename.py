"""Renaming datasets and snapshots."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import ROOT, host, images
from zconsole.actions.dataset.rename import SPECS
from zconsole.actions.intent import Target, TargetKind
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import Delegation, OutsideUse, PrivilegeMode, Privileges

FACTS = host(images())


def test_a_dataset_is_renamed_with_all_below_it() -> None:
    made = planned(FACTS, "rename", "tank/home", "tank/people")

    assert ["zfs rename tank/home tank/people"] == commands(made)
    assert "zfs rename tank/people tank/home" == made.undo
    assert "tank/home" == made.confirm
    assert {"/tank/home", "/tank/home/ann"} == {each.name for each in made.dependents if each.kind == "mount"}


@pytest.mark.parametrize(
    ("expected", "words", "options"),
    [
        ("zfs rename tank/home@daily-1 tank/home@old", ["tank/home@daily-1", "tank/home@old"], {}),
        ("zfs rename tank/home@daily-1 tank/home@old", ["tank/home@daily-1", "@old"], {}),
        ("zfs rename tank/home@daily-1 tank/home@old", ["tank/home@daily-1", "old"], {}),
        ("zfs rename -r tank/home@daily-2 tank/home@old", ["tank/home@daily-2", "old"], {"recursive": True}),
        ("zfs rename -p tank/home tank/x/y/home", ["tank/home", "tank/x/y/home"], {"parents": True}),
    ],
)
def test_snapshots_and_places(expected: str, words: list[str], options: dict[str, bool]) -> None:
    assert [expected] == commands(planned(FACTS, "rename", *words, **options))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("exists", ["tank/home", "tank/images"]),
        ("exists", ["tank/home@daily-1", "daily-2"]),
        ("inside", ["tank/home", "tank/home/ann/home"]),
        ("no-parent", ["tank/home", "tank/x/home"]),
        ("no-parent", ["tank/home", "tank/vm1/home"]),
        ("name", ["tank/home", "tank/" + "a" * 248]),
    ],
)
def test_what_zfs_would_refuse_is_refused_before(rule: str, words: list[str]) -> None:
    assert [rule] == rules(planned(FACTS, "rename", *words))


@pytest.mark.parametrize(
    "words",
    [["tank/home"], ["tank/home", "vault/home"], ["tank", "tank/x"],
     ["tank/home@daily-1", "tank/images@daily-1"], ["tank/home#daily-1", "x"], ["tank/home@daily-1", "a/b"]],
)  # fmt: skip
def test_words_that_make_no_sense(words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "rename", *words)


def test_what_runs_keeps_its_name() -> None:
    facts = replace(FACTS, uses=(OutsideUse("tank/home/ann", "process", "1234 bash"),))

    assert ["in-use"] == rules(planned(facts, "rename", "tank/home", "tank/people"))


def test_a_user_renames_only_what_is_not_mounted() -> None:
    ann = Privileges(
        "ann", 1000, PrivilegeMode.PLAIN, (Delegation("tank", frozenset({"rename", "mount", "create"})),)
    )

    assert ["unmount-permission"] == rules(
        planned(replace(FACTS, privileges=ann), "rename", "tank/home", "tank/people")
    )
    assert [] == rules(planned(replace(FACTS, privileges=ROOT), "rename", "tank/home", "tank/people"))


def test_the_root_of_a_pool_is_greyed() -> None:
    def of(name: str) -> str:
        return SPECS[0].why_not(Target(TargetKind.FILESYSTEM, "tank", name), FACTS)

    assert "it has the name of its pool" == of("tank")
    assert ["", ""] == [of("tank/a"), of("tank@1")]
