"""What disappears on a real OpenZFS is what the plan listed: trees of snapshots and of clones of clones."""

from __future__ import annotations

import random
import shlex
from collections.abc import Sequence
from typing import Final

import pytest

from tests.doubles.plan_worlds import Forest, host
from tests.lab.acting import Acting
from tests.lab.guests import Guest
from tests.lab.trees import names, plant
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.run import RunState
from zconsole.zfs.change.channel_program import DESTROY, DestroyTarget, destroy
from zconsole.zfs.listing.datasets import list_datasets, parse_datasets
from zconsole.zfs.listing.destroy_dry_run import parse_destroy_dry_run

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

SEEDS: Final = (1, 2, 3)
STEPS: Final = 45
GROWTH: Final = ("create", "snapshot", "snapshot", "clone", "clone", "bookmark", "rename")
LIST: Final = " ".join(list_datasets("tank", types=("filesystem", "volume", "snapshot", "bookmark")).argv)
SYSTEMS: Final = frozenset({"filesystem"})
SNAPSHOTS: Final = frozenset({"snapshot"})


def grown(root: str, seed: int) -> Forest:
    """A random tree, the same for a seed."""
    forest, chance = Forest({root: None}), random.Random(seed)  # noqa: S311 - a test's choice
    for _ in range(STEPS):
        forest.grow(chance.choice(GROWTH), chance.randrange(1000), chance.randrange(1000))
    return forest


def listed(guest: Guest) -> tuple[Dataset, ...]:
    """Everything that there is, as the console reads it."""
    return tuple(parse_datasets(guest.ssh(LIST)))


def plans(action: str, types: frozenset[str], root: str, facts: PlanFacts) -> list[Plan]:
    """The plan of doing it to each of these in a tree, clones and all."""
    options = {} if action == "promote" else {"with-clones": True}
    return [
        plan(intent(action, each.name, options=options), facts)
        for each in facts.datasets
        if each.type in types and each.name.startswith(f"{root}/")
    ]


def largest(made: Sequence[Plan]) -> Plan:
    """The one that takes most with it, clones first, of those that may run."""

    def clones(each: Plan) -> int:
        return sum(one.kind == "clone" for one in each.dependents)

    return max(
        (each for each in made if not each.is_refused),
        key=lambda each: (clones(each), len(each.destroys), len(each.dependents), each.target),
    )


def script(argvs: Sequence[Sequence[str]]) -> str:
    """Run them one after the other, and print the exit status of each, a blank and what it said."""
    return "\n".join(f'said=$({shlex.join(argv)} 2>&1); printf "%s %s\\0" $? "$said"' for argv in argvs)


def told(guest: Guest, argvs: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """What became of commands, run by hand in one connection."""
    answer = guest.ssh("bash -s", stdin=script(argvs).encode(), timeout_s=900)
    pairs = [each.partition(" ") for each in answer.split("\0")[:-1]]
    return [(int(status), said) for status, _, said in pairs]


def renamed(made: Plan) -> dict[str, str]:
    """The names that a promotion changes."""
    kinds = {"snapshot", "bookmark"}
    return {each.name: each.detail.removeprefix("becomes ") for each in made.dependents if each.kind in kinds}


async def test_random_trees_lose_what_was_listed(tank: Guest) -> None:
    """ZFS's own dry run never names more, and of the clones elsewhere none."""
    kinds = {"destroy": SYSTEMS, "prune": SNAPSHOTS, "rollback": SNAPSHOTS}
    roots = [f"tank/{kind}{seed}" for kind in kinds for seed in SEEDS]
    plant(tank, [("create", root) for root in roots])
    plant(tank, [line for at, root in enumerate(roots) for line in grown(root, at).commands])
    facts = host(listed(tank))
    made = [
        largest(plans("rollback" if kind == "rollback" else "destroy", types, f"tank/{kind}{seed}", facts))
        for kind, types in kinds.items()
        for seed in SEEDS
    ]

    dry = told(tank, [each.argv for one in made for each in one.rehearsals])
    done = told(tank, [step.argv for one in made for step in one.steps])

    assert {0} == {status for status, _ in (*dry, *done)}, (dry, done)
    lost = {name for one in made for name in one.destroys}
    assert lost == {each.name for each in facts.datasets} - names(tank)
    clones = {each.name for one in made for each in one.dependents if each.kind == "clone"}
    rehearsed = {name for _, said in dry for name in parse_destroy_dry_run(f"{said}\n").destroys}
    assert len(clones) > len(made)
    assert rehearsed < lost


async def test_random_promotions_change_the_names_that_they_told(tank: Guest) -> None:
    roots = [f"tank/t{seed}" for seed in SEEDS]
    plant(tank, [("create", root) for root in roots])
    plant(tank, [line for at, root in enumerate(roots) for line in grown(root, at + 50).commands])
    facts = host(listed(tank))
    made = [largest(plans("promote", SYSTEMS, root, facts)) for root in roots]
    conflicts = [
        each
        for root in roots
        for each in plans("promote", SYSTEMS, root, facts)
        if {"conflict"} == {refusal.rule for refusal in each.refusals}  # one of bookmarks would panic
    ]

    refused = told(tank, [step.argv for each in conflicts for step in each.steps])
    done = told(tank, [step.argv for each in made for step in each.steps])

    assert conflicts
    assert all(status and "conflicting snapshot" in said for status, said in refused), refused
    assert {0} == {status for status, _ in done}, done
    moved = {old: new for each in made for old, new in renamed(each).items()}
    assert {moved.get(each.name, each.name) for each in facts.datasets} == names(tank)


async def test_a_tree_in_use_loses_what_was_listed_and_no_more(nas: Acting) -> None:
    """Mounted file systems, through the whole engine, each plan made of what the one before it left."""
    plant(nas.guest, [("create", "tank/t"), *grown("tank/t", 100).commands])
    nas.guest.ssh("zfs mount -a")

    for action, types in (
        ("promote", SYSTEMS),
        ("rollback", SNAPSHOTS),
        ("destroy", SNAPSHOTS),
        ("destroy", SYSTEMS),
    ):
        before = listed(nas.guest)
        target = largest(plans(action, types, "tank/t", host(before))).target

        made = await nas.do(action, target, **({} if action == "promote" else {"with_clones": True}))

        moved = renamed(made)
        left = {each.name for each in before} - set(made.destroys)
        assert made.dependents
        assert {moved.get(name, name) for name in left} == names(nas.guest)


async def test_a_clone_above_its_origin_is_refused_and_zfs_could_not(nas: Acting) -> None:
    made_of = ("create tank/x", "snapshot tank/x@s", "clone tank/x@s tank/c", "rename tank/x tank/c/x")
    plant(nas.guest, [each.split() for each in made_of])
    before = names(nas.guest)

    assert {"cycle"} <= await nas.refused("destroy", "tank/c", with_clones=True)

    ((status, said),) = told(nas.guest, [("zfs", "destroy", "-R", "tank/c")])
    assert status
    assert "recursive dependency" in said
    assert before == names(nas.guest)
    await nas.do("promote", "tank/c")
    await nas.do("destroy", "tank/c", recursive=True)
    assert {"tank"} == names(nas.guest)


async def test_a_program_destroys_in_one_txg_only_what_has_the_guid_that_was_reviewed(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh("zfs create tank/a && for n in 1 2 3; do zfs snapshot tank/a@$n; done")
    every = {each.name: each for each in listed(guest)}
    first, second = (every[name] for name in ("tank/a@1", "tank/a@2"))
    wrong = destroy(
        "tank",
        [
            DestroyTarget(first.name, first.guid or 0, first.createtxg or 0),
            DestroyTarget(second.name, (second.guid or 0) + 1, second.createtxg or 0),
        ],
    )

    said = guest.ssh(f"{shlex.join(wrong)} 2>&1 || true", stdin=DESTROY.encode())

    assert "tank/a@2 is another object" in said
    assert set(every) == names(guest)
    made = await nas.do("destroy", "tank/a@1", "tank/a@2")
    assert ["program"] == [step.argv[1] for step in made.steps]
    assert {"tank", "tank/a", "tank/a@3"} == names(guest)


async def test_a_snapshot_that_is_held_in_the_last_moment_keeps_all_of_them(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh("zfs create tank/a && zfs snapshot tank/a@1 && zfs snapshot tank/a@2")
    made = await nas.plan("destroy", "tank/a@1", "tank/a@2")
    guest.ssh("zfs hold mine tank/a@2")

    said = guest.ssh(
        f"{shlex.join(made.steps[0].argv)} 2>&1 || true", stdin=(made.steps[0].stdin or "").encode()
    )

    assert "tank/a@2 cannot be destroyed" in said
    assert {"tank/a@1", "tank/a@2"} <= names(guest)
    assert RunState.STALE is (await nas.run(made)).state
