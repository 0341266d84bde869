"""What disappears on a real OpenZFS is what the plan listed: trees of snapshots and of clones of clones."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.actions.worlds import Forest
from tests.lab.acting import Acting, acting_on
from tests.lab.guests import Guest
from zconsole.actions.plan import Plan
from zconsole.analysis.closure import Closure, Graph, graph, with_dataset, with_rollback, with_snapshots
from zconsole.analysis.promotion import promotion
from zconsole.model.run import RunState
from zconsole.zfs.channel_program import DESTROY_SNAPSHOTS, destroy_snapshots

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

SEEDS: Final = (1, 2, 3)
STEPS: Final = 60
KINDS: Final = ("create", "snapshot", "snapshot", "clone", "clone", "bookmark", "rename")


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A guest with one pool."""
    bare_guest.create_pool(f"tank mirror {bare_guest.disk(0)} {bare_guest.disk(1)}")
    yield bare_guest
    bare_guest.wipe()


@pytest.fixture
async def nas(tank: Guest, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Acting]:
    """Who acts on that guest."""
    async with acting_on(tank, ssh_alias, tmp_path / "journal.sqlite") as acting:
        yield acting


def grown(seed: int) -> Forest:
    """A random tree, the same for a seed."""
    forest, chance = Forest(), random.Random(seed)  # noqa: S311 - a test's choice
    for _ in range(STEPS):
        forest.grow(chance.choice(KINDS), chance.randrange(1000), chance.randrange(1000))
    return forest


def plant(guest: Guest, forest: Forest) -> None:
    """Let it grow in the guest, with a little data in every file system that a snapshot is taken of."""
    lines = ["set -e"]
    for command in forest.commands:
        if command[0] == "snapshot":
            base = command[1].partition("@")[0]
            lines.append(
                f"head -c 300000 /dev/urandom > $(zfs get -Ho value mountpoint {base})/f$RANDOM$RANDOM"
            )
        lines.append(f"zfs {' '.join(command)}")
    guest.ssh("bash -s", stdin="\n".join(lines).encode(), timeout_s=600)


def names(guest: Guest) -> set[str]:
    """Everything that there is."""
    return set(guest.ssh("zfs list -H -t all -o name").split("\n")) - {""}


def largest(candidates: list[str], closure: Callable[[str], Closure]) -> str:
    """The one that takes most with it, without a cycle, clones elsewhere first."""
    fine = [name for name in candidates if not closure(name).cycle]
    return max(fine, key=lambda name: (len(closure(name).elsewhere), len(closure(name).objects), name))


async def disappears(nas: Acting, action: str, target: str) -> Plan:
    """Do it with clones and all; what is gone is what was listed, and no more was there to begin with."""
    before = names(nas.guest)

    made = await nas.do(action, target, with_clones=True)

    assert set(made.destroys) == before - names(nas.guest)
    return made


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_dataset_takes_along_what_was_listed(seed: int, nas: Acting) -> None:
    forest = grown(seed)
    plant(nas.guest, forest)
    hung = graph(forest.datasets())

    made = await disappears(
        nas,
        "destroy",
        largest(sorted(forest.origins.keys() - {"tank"}), lambda name: with_dataset(hung, name)),
    )

    assert any(each.kind == "clone" for each in made.dependents)


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_snapshot_takes_along_what_was_listed(seed: int, nas: Acting) -> None:
    """And ZFS's own dry run names less than that."""
    forest = grown(seed)
    plant(nas.guest, forest)
    hung = graph(forest.datasets())
    target = largest(sorted(forest.snapshots), lambda name: with_snapshots(hung, hung.same_named(name)))

    made = await disappears(nas, "destroy", target)

    clones = [each.name for each in made.dependents if each.kind == "clone"]
    assert clones
    assert not any(f"destroy\t{name}\n" in f"{each.said}\n" for each in made.rehearsals for name in clones)


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_rollback_takes_along_what_was_listed(seed: int, nas: Acting) -> None:
    forest = grown(seed)
    plant(nas.guest, forest)
    hung = graph(forest.datasets())

    made = await disappears(
        nas, "rollback", largest(sorted(forest.snapshots), lambda name: with_rollback(hung, name))
    )

    assert made.destroys


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_promotion_changes_the_names_that_it_told(seed: int, nas: Acting) -> None:
    forest = grown(seed)
    plant(nas.guest, forest)
    hung = graph(forest.datasets())
    target = max(_promotable(forest, hung))
    before = names(nas.guest)

    made = await nas.do("promote", target)

    moved = {
        each.name: each.detail.removeprefix("becomes ") for each in made.dependents if each.kind == "snapshot"
    }
    assert {moved.get(name, name) for name in before} == names(nas.guest)


def _promotable(forest: Forest, hung: Graph) -> Iterator[str]:
    for name, origin in forest.origins.items():
        found = promotion(hung, name) if origin is not None else None
        if found is not None and not found.conflicts:
            yield name


async def test_a_clone_above_its_origin_is_refused_and_zfs_could_not(nas: Acting) -> None:
    for command in ("create tank/x", "snapshot tank/x@s", "clone tank/x@s tank/c", "rename tank/x tank/c/x"):
        nas.guest.ssh(f"zfs {command}")
    before = names(nas.guest)

    assert {"cycle"} <= await nas.refused("destroy", "tank/c", with_clones=True)

    said = nas.guest.ssh("zfs destroy -R tank/c 2>&1 || true")
    assert "recursive dependency" in said
    assert before == names(nas.guest)
    await nas.do("promote", "tank/c")
    await nas.do("destroy", "tank/c", recursive=True)
    assert {"tank"} == names(nas.guest)


async def test_a_program_destroys_in_one_txg_only_what_has_the_guid_that_was_reviewed(nas: Acting) -> None:
    guest = nas.guest
    for command in ("create tank/a", "snapshot tank/a@1", "snapshot tank/a@2", "snapshot tank/a@3"):
        guest.ssh(f"zfs {command}")
    guid = int(guest.ssh("zfs get -Hpo value guid tank/a@1"))
    other = int(guest.ssh("zfs get -Hpo value guid tank/a@2"))
    wrong = destroy_snapshots("tank", [("tank/a@1", guid), ("tank/a@2", other + 1)])

    said = guest.ssh(f"{' '.join(wrong)} 2>&1 || true", stdin=DESTROY_SNAPSHOTS.encode())

    assert "tank/a@2 is another snapshot" in said
    assert {"tank", "tank/a", "tank/a@1", "tank/a@2", "tank/a@3"} == names(guest)
    made = await nas.do("destroy", "tank/a@1", "tank/a@2")
    assert ["program"] == [step.argv[1] for step in made.steps]
    assert {"tank", "tank/a", "tank/a@3"} == names(guest)


async def test_a_snapshot_that_is_held_in_the_last_moment_keeps_all_of_them(nas: Acting) -> None:
    guest = nas.guest
    for command in ("create tank/a", "snapshot tank/a@1", "snapshot tank/a@2"):
        guest.ssh(f"zfs {command}")
    made = await nas.plan("destroy", "tank/a@1", "tank/a@2")
    guest.ssh("zfs hold mine tank/a@2")

    said = guest.ssh(
        f"{' '.join(made.steps[0].argv)} 2>&1 || true", stdin=(made.steps[0].stdin or "").encode()
    )

    assert "tank/a@2 cannot be destroyed" in said
    assert {"tank/a@1", "tank/a@2"} <= names(guest)
    assert RunState.STALE is (await nas.run(made)).state
