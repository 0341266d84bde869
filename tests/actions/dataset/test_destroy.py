"""Destroy: exactly what was named goes, and all that goes is listed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import (
    GIB,
    ROOT,
    bookmark,
    filesystem,
    host,
    images,
    linked,
    pool,
    snapshot,
    volume,
)
from zconsole.actions.intent import Intent
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import Becoming, Delegation, Hold, HostPolicy, OutsideUse, Privileges
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
                "ann", 1000, Becoming.PLAIN, (Delegation("tank", frozenset({"destroy", "mount"})),)
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


def test_held_snapshots_below_keep_the_dataset() -> None:
    """ZFS would destroy half of it before it finds the hold."""
    facts = replace(FACTS, holds=(Hold("tank/home/ann@daily-2", "backup"),))

    assert ["held"] == rules(planned(facts, "destroy", "tank/home", recursive=True))


def test_what_a_bookmark_still_allows_is_told() -> None:
    made = planned(FACTS, "destroy", "tank/home@daily-1")

    assert any("tank/home#daily-1 stays" in note for note in made.notes)


def test_a_dataset_with_anything_in_it_is_destroyed_only_recursively() -> None:
    assert ["children"] == rules(planned(FACTS, "destroy", "tank/home"))
    made = planned(FACTS, "destroy", "tank/home", recursive=True)

    assert ["zfs destroy -r tank/home"] == commands(made)
    assert ("tank/home", "tank/home#daily-1", "tank/home/ann", "tank/home/ann@daily-2", "tank/home@daily-1",
            "tank/home@daily-2") == made.destroys  # fmt: skip
    assert "storage1:tank/home" == made.confirm
    assert ("tank/home", "tank/home/ann") == made.live


def test_bookmarks_of_its_own_go_with_a_dataset_unasked() -> None:
    facts = host((filesystem("tank"), filesystem("tank/a"), bookmark("tank/a#b")))

    made = planned(facts, "destroy", "tank/a")

    assert ["zfs destroy tank/a"] == commands(made)
    assert ("tank/a", "tank/a#b") == made.destroys


def test_clones_elsewhere_are_named_and_promoting_one_is_offered() -> None:
    made = planned(FACTS, "destroy", "tank/images", recursive=True)

    assert ["clones"] == rules(made)
    assert "tank/vm1" in made.refusals[0].reason
    assert "promote" in {intent.action for _, intent in made.alternatives}


def test_with_clones_everything_is_listed_counted_and_catastrophic() -> None:
    made = planned(FACTS, "destroy", "tank/images", with_clones=True)

    assert ["zfs destroy -R tank/images"] == commands(made)
    assert "storage1:tank/images 6" == made.confirm
    assert {"tank/vm1", "tank/vm1-test", "tank/vm2"} <= set(made.live)
    assert 9 * GIB + 3 * GIB == made.frees_bytes
    assert any("leaves the clones out" in note for note in made.notes)


def test_renaming_aside_is_offered_instead() -> None:
    made = planned(FACTS, "destroy", "tank/home", recursive=True)

    assert Intent("rename", "tank/home", ("tank/home-to-destroy",)) in [each for _, each in made.alternatives]


@pytest.mark.parametrize(
    ("kind", "object_name"),
    [
        ("guest", "tank/vm1"),
        ("process", "tank/vm2"),
        ("holder", "/dev/zvol/tank/vm1-test"),
        ("mount", "tank/vm1"),
    ],
)
def test_what_runs_anywhere_in_the_closure_refuses(kind: str, object_name: str) -> None:
    """A mount of a volume is a file system of the host on it."""
    facts = replace(FACTS, uses=(OutsideUse(object_name, kind, "web1"),))

    made = planned(facts, "destroy", "tank/images@gold", with_clones=True)

    assert ["in-use"] == rules(made)
    assert "web1" in made.refusals[0].reason
    assert (kind, "web1") in {(each.kind, each.name) for each in made.dependents}


def test_a_mounted_file_system_is_a_dependent_and_no_obstacle() -> None:
    made = planned(FACTS, "destroy", "tank/home/ann", recursive=True)

    assert Risk.DESTRUCTIVE is made.risk
    assert ("mount", "/tank/home/ann") in {(each.kind, each.name) for each in made.dependents}


def test_only_root_can_destroy_what_is_mounted() -> None:
    ann = Privileges("ann", 1000, Becoming.PLAIN, (Delegation("tank", frozenset({"destroy", "mount"})),))

    assert ["unmount-permission"] == rules(
        planned(replace(FACTS, privileges=ann), "destroy", "tank/home/ann", recursive=True)
    )


def test_a_receive_under_way_refuses() -> None:
    datasets = [
        replace(each, clones=("tank/new/%recv",)) if each.name == "tank/home@daily-1" else each
        for each in images()
    ]

    assert ["receiving"] == rules(planned(host(datasets), "destroy", "tank/home@daily-1", with_clones=True))


def test_a_clone_above_its_origin_is_refused_as_zfs_cannot() -> None:
    datasets = linked((
        filesystem("tank"), filesystem("tank/c", origin="tank/c/x@s"), filesystem("tank/c/x"),
        snapshot("tank/c/x@s"),
    ))  # fmt: skip

    made = planned(host(datasets), "destroy", "tank/c", with_clones=True)

    assert ["cycle"] == rules(made)
    assert "promote tank/c first" == made.refusals[0].instead


def test_a_bookmark_is_destroyed_by_its_own_name() -> None:
    made = planned(FACTS, "destroy", "tank/home#daily-1")

    assert ["zfs destroy tank/home#daily-1"] == commands(made)
    assert ("tank/home#daily-1",) == made.destroys


def test_a_pools_name_is_the_pool() -> None:
    assert ["zpool destroy tank"] == commands(planned(FACTS, "destroy", "tank"))


@pytest.mark.parametrize(
    "words",
    [
        ["tank/home@daily-1", "tank/home"], ["tank/home", "tank/images"],
        ["tank/home#daily-1", "tank/home@daily-1"],
        ["tank/home#daily-1", "tank/home#daily-1"], ["tank", "tank/home"], ["tank/home@"], ["tank/home@none"],
        ["tank/none"], ["tank/home@daily-2%daily-1"], ["tank/home@daily-1", "other@a"], ["none/a@b"],
    ],
)  # fmt: skip
def test_words_that_mix_or_miss_are_usage_errors(words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "destroy", *words)


def test_a_pool_is_not_destroyed_with_options_of_datasets() -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "destroy", "tank", recursive=True)


def test_a_protected_dataset_anywhere_in_the_closure_refuses() -> None:
    facts = replace(FACTS, policy=HostPolicy(protected=("tank/vm2",)))

    assert ["protected"] == rules(planned(facts, "destroy", "tank/images", with_clones=True))


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
    assert any("nothing comes free" in note for note in made.notes)


@pytest.mark.parametrize(
    "change",
    [
        lambda each: replace(each, guid=7) if each.name == "tank/home@daily-1" else each,
        lambda each: replace(each, createtxg=99) if each.name == "tank/home" else each,
        lambda each: replace(each, name="tank/home@other") if each.name == "tank/home@daily-1" else each,
    ],
)  # fmt: skip
def test_the_plan_goes_stale_with_any_object_that_it_takes(change: object) -> None:
    then = planned(FACTS, "destroy", "tank/home", recursive=True)
    now = planned(host(map(change, images())), "destroy", "tank/home", recursive=True)  # type: ignore[call-overload]

    assert then.fingerprint != now.fingerprint
    assert then.basis.differences(now.basis)


def test_a_new_snapshot_makes_it_stale_and_is_named() -> None:
    then = planned(FACTS, "destroy", "tank/home", recursive=True)
    now = planned(host((*images(), snapshot("tank/home@new", 50))), "destroy", "tank/home", recursive=True)

    assert any("tank/home@new is new" in each for each in then.basis.differences(now.basis))


def test_volumes_that_are_only_reserved_say_so() -> None:
    facts = host((filesystem("tank"), volume("tank/v", used_by_refreservation_bytes=GIB)))

    assert any("1.00 GiB of that is reserved" in note for note in planned(facts, "destroy", "tank/v").notes)


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
