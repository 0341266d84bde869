"""Where libzfs_core can be called: what it does, what is left to the commands, and what comes before it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import bookmark, filesystem, host, images, linked, snapshot, volume
from zconsole.actions.checks.dry_run_checks import check_dry_runs
from zconsole.actions.intent import OptionValue
from zconsole.actions.plan import Condition, ConditionKind, Plan, Risk, Step
from zconsole.model.host.plan_facts import Hold, PlanFacts
from zconsole.zfs.change import libzfs_core_argv, libzfs_core_child
from zconsole.zfs.change.channel_program import DESTROY
from zconsole.zfs.change.dataset_argv import Argv

WAY = libzfs_core_argv.ways()[0]
FACTS = host(images(), core=WAY)
SERIES = host(
    (
        filesystem("tank"), filesystem("tank/a"),
        *(snapshot(f"tank/a@{number}", number) for number in range(1, 9)),
        filesystem("tank/a/b"), *(snapshot(f"tank/a/b@{number}", number) for number in range(1, 4)),
        volume("tank/v"), snapshot("tank/v@1", 1), snapshot("tank/v@2", 2),
    ),
    core=WAY,
)  # fmt: skip


def told(step: Step) -> tuple[Argv, Any]:
    """The verb, and the request."""
    assert WAY == step.argv[:-1]
    assert step.stdin is not None
    return step.argv[-1:], json.loads(step.stdin)


def only(made: Plan) -> tuple[Argv, Any]:
    """The same of its only step."""
    (step,) = made.steps
    assert not made.is_refused
    return told(step)


def test_several_snapshots_are_taken_by_their_names() -> None:
    made = planned(FACTS, "snapshot", "tank/home@new", "tank/vm1@new")

    assert (("snapshot",), {"snapshots": ["tank/home@new", "tank/vm1@new"], "below": []}) == only(made)
    assert Risk.ROUTINE is made.risk
    assert "zfs destroy tank/home@new; zfs destroy tank/vm1@new" == made.undo


def test_a_recursive_snapshot_names_all_that_it_takes() -> None:
    made = planned(FACTS, "snapshot", "tank/home@new", recursive=True)

    assert (("snapshot",), {"snapshots": ["tank/home@new"], "below": ["tank/home/ann@new"]}) == only(made)


def test_one_snapshot_is_the_business_of_the_command() -> None:
    assert ["zfs snapshot tank/home@new"] == commands(planned(FACTS, "snapshot", "tank/home@new"))


def test_snapshots_of_any_datasets_are_destroyed_in_one_step() -> None:
    made = planned(FACTS, "destroy", "tank/home@daily-1", "tank/home/ann@daily-2")

    assert (("destroy-snaps",), {"snapshots": ["tank/home@daily-1", "tank/home/ann@daily-2"]}) == only(made)
    assert {ConditionKind.DATASET_GONE} == {each.kind for each in made.steps[0].settled_by}
    assert 2 == len(made.steps[0].settled_by)


def test_a_program_that_checks_guids_comes_first() -> None:
    made = planned(replace(FACTS, may_run_programs=True), "destroy", "tank/home@daily-1")

    assert DESTROY == made.steps[0].stdin


def test_more_snapshots_than_a_program_takes_are_still_one_step() -> None:
    names = tuple(snapshot(f"tank/a@{number}", number) for number in range(1, 700))
    facts = host((filesystem("tank"), filesystem("tank/a"), *names), core=WAY, may_run_programs=True)

    verb, request = only(planned(facts, "destroy", "tank/a@%"))

    assert (("destroy-snaps",), [each.name for each in names]) == (verb, request["snapshots"])


def test_clones_are_destroyed_by_the_command() -> None:
    made = planned(FACTS, "destroy", "tank/images@gold", with_clones=True)

    assert ["zfs destroy -R tank/images@gold"] == commands(made)


def test_more_than_one_txg_should_have_is_left_to_the_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libzfs_core_argv, "MOST_NAMES", 1)

    many = planned(FACTS, "destroy", "tank/home@daily-1,daily-2")
    snapped = planned(FACTS, "snapshot", "tank/home@new", recursive=True)

    assert ["zfs destroy tank/home@daily-1,daily-2"] == commands(many)
    assert ["zfs snapshot -r tank/home@new"] == commands(snapped)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("tank/a@1%3", [["tank/a@1", "tank/a@3"]]),
        ("tank/a@2,4%6,8", [["tank/a@2", "tank/a@2"], ["tank/a@4", "tank/a@6"], ["tank/a@8", "tank/a@8"]]),
    ],
)
def test_what_a_range_frees_is_measured(target: str, expected: list[list[str]]) -> None:
    made = planned(SERIES, "destroy", target)

    *dry_runs, measured = made.rehearsals
    assert ["zfs"] == [each.argv[0] for each in dry_runs]
    assert (*WAY, "snaprange-space") == measured.argv
    assert {"ranges": expected} == json.loads(measured.stdin or "")
    assert not measured.decides


def test_of_several_datasets_each_is_measured() -> None:
    made = planned(SERIES, "destroy", "tank/a@2", "tank/a@3", recursive=True)

    expected = [["tank/a@2", "tank/a@3"], ["tank/a/b@2", "tank/a/b@3"]]
    assert {"ranges": expected} == json.loads(made.rehearsals[-1].stdin or "")


@pytest.mark.parametrize("target", ["tank/a@3", "tank/v@%"])
def test_what_is_known_exactly_is_not_measured(target: str) -> None:
    made = planned(SERIES, "destroy", target)

    assert made.frees_bytes is not None
    assert {"zfs"} == {each.argv[0] for each in made.rehearsals}


@pytest.mark.parametrize(
    ("said", "status", "expected"),
    [
        ('{"done": true, "bytes": 4096}', 0, 4096),
        ('{"done": false, "errors": []}', 1, 700),
        ("no JSON", 0, 700),
        ("", None, 700),
    ],
)
def test_the_measure_counts_where_there_is_one_and_the_dry_run_otherwise(
    said: str, status: int | None, expected: int
) -> None:
    made = planned(SERIES, "destroy", "tank/a@1%3")
    dry_run, measured = made.rehearsals
    listed = "".join(f"destroy\t{name}\n" for name in made.destroys)
    rehearsed = (
        replace(dry_run, said=f"{listed}reclaim\t700", status=0),
        replace(measured, said=said, status=status),
    )

    heeded = check_dry_runs(replace(made, rehearsals=rehearsed))

    assert (expected, ()) == (heeded.frees_bytes, heeded.refusals)


def test_a_dry_run_that_names_more_still_refuses_what_was_measured() -> None:
    made = planned(SERIES, "destroy", "tank/a@1%3")
    dry_run, measured = made.rehearsals
    rehearsed = (
        replace(dry_run, said="destroy\ttank/a@9\nreclaim\t700", status=0),
        replace(measured, said='{"done": true, "bytes": 1}', status=0),
    )

    assert ["dry-run-differs"] == rules(check_dry_runs(replace(made, rehearsals=rehearsed)))


ROLLED_BACK = Condition(ConditionKind.ROLLED_BACK, "tank", "tank", value="tank/a@8")


def test_a_rollback_with_nothing_newer_is_settled_by_what_the_kernel_did() -> None:
    made = planned(SERIES, "rollback", "tank/a@8")

    assert (("rollback-to",), {"dataset": "tank/a", "snapshot": "tank/a@8"}) == only(made)
    assert (ROLLED_BACK,) == made.steps[0].settled_by


@pytest.mark.parametrize("programs", [False, True])
def test_a_rollback_destroys_what_is_listed_and_then_goes_to_the_newest(*, programs: bool) -> None:
    """`zfs rollback -r` would destroy what was taken meanwhile as well."""
    facts = replace(SERIES, may_run_programs=programs)

    made = planned(facts, "rollback", "tank/a@6", recursive=True)

    first, second = made.steps
    assert ("tank/a@7", "tank/a@8") == made.destroys
    if programs:
        assert DESTROY == first.stdin
    else:
        assert (("destroy-snaps",), {"snapshots": ["tank/a@7", "tank/a@8"]}) == told(first)
    assert (("rollback-to",), {"dataset": "tank/a", "snapshot": "tank/a@6"}) == told(second)
    assert {ConditionKind.DATASET_GONE} == {each.kind for each in first.settled_by}
    assert {ConditionKind.ROLLED_BACK} == {each.kind for each in second.settled_by}


CLONED = linked((
    filesystem("tank"), filesystem("tank/a"), snapshot("tank/a@1", 1), snapshot("tank/a@2", 2),
    filesystem("tank/c", origin="tank/a@2"),
))  # fmt: skip
MARKED = (
    filesystem("tank"), filesystem("tank/a"), snapshot("tank/a@1", 1), bookmark("tank/a#2", 2),
)  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "target", "options", "expected"),
    [
        (SERIES, "tank/v@2", {}, "zfs rollback tank/v@2"),
        (SERIES, "tank/v@1", {"recursive": True}, "zfs rollback -r tank/v@1"),
        (host(CLONED, core=WAY), "tank/a@1", {"with_clones": True}, "zfs rollback -R tank/a@1"),
        (replace(SERIES, core=None), "tank/a@6", {"recursive": True}, "zfs rollback -r tank/a@6"),
        (SERIES, "tank/a@6", {}, "zfs rollback tank/a@6"),
    ],
    ids=["volume", "volume -r", "clones", "no library", "refused"],
)
def test_other_rollbacks_are_left_to_the_command(
    facts: PlanFacts, target: str, options: dict[str, OptionValue], expected: str
) -> None:
    """A volume may get another reservation, clones are not snapshots."""
    assert [expected] == commands(planned(facts, "rollback", target, **options))


def test_a_newer_bookmark_goes_by_a_step_of_its_own() -> None:
    """So that one that is made meanwhile stops the rollback."""
    plan = planned(host(MARKED, core=WAY), "rollback", "tank/a@1", recursive=True)

    mark, back = plan.steps
    assert ("zfs", "destroy", "tank/a#2") == mark.argv
    assert (("rollback-to",), {"dataset": "tank/a", "snapshot": "tank/a@1"}) == told(back)


def test_holds_are_placed_and_taken_away_by_name() -> None:
    held = replace(SERIES, holds=(Hold("tank/a@2", "keep"),))

    hold = planned(SERIES, "hold", "tank/a@2", "keep", recursive=True)
    release = planned(held, "release", "tank/a@2", "keep", recursive=True)

    assert (("hold",), {"tag": "keep", "snapshots": ["tank/a@2", "tank/a/b@2"]}) == only(hold)
    assert (("release",), {"tag": "keep", "snapshots": ["tank/a@2"]}) == only(release)
    assert "zfs release -r keep tank/a@2" == hold.undo


@pytest.mark.parametrize(
    ("action", "words", "options"),
    [
        ("snapshot", ["tank/a@new", "tank/v@new"], {}),
        ("snapshot", ["tank@new"], {"recursive": True}),
        ("destroy", ["tank/a@1,3"], {}),
        ("rollback", ["tank/a@6"], {"recursive": True}),
        ("hold", ["tank/a@2", "a tag"], {}),
        ("release", ["tank/a@1", "keep"], {}),
    ],
)
def test_both_ways_lose_the_same_at_the_same_risk_and_rest_on_the_same(
    action: str, words: list[str], options: dict[str, OptionValue]
) -> None:
    facts = replace(SERIES, holds=(Hold("tank/a@1", "keep"),) if action == "release" else ())

    by_core = planned(facts, action, *words, **options)
    by_command = planned(replace(facts, core=None), action, *words, **options)

    steps = (by_core.steps, by_command.steps)
    assert steps[0] != steps[1]
    for made in (by_core, by_command):
        assert not made.is_refused
        assert all(step.permissions for step in made.steps)
    same = {"steps": (), "rehearsals": ()}
    assert replace(by_core, **same) == replace(by_command, **same)


def test_every_request_is_one_that_the_child_understands() -> None:
    """Names that ZFS allows are names that it takes."""
    names = [f"tank/a b.c:d-e_{number}@x y" for number in range(3)]
    for call in (
        libzfs_core_argv.snapshot(WAY, names[:1], names[1:]),
        libzfs_core_argv.destroy_snapshots(WAY, names),
        libzfs_core_argv.rollback_to(WAY, names[0]),
        libzfs_core_argv.hold(WAY, "ä tag", names),
    ):
        request = json.loads(call.stdin or "")
        listed = [*request.get("snapshots", ()), *request.get("below", ()), request.get("snapshot", names[0])]
        assert all(libzfs_core_child._SNAPSHOT.fullmatch(each) for each in listed)
