"""What is said of clones, of sets of snapshots and of promotions is what a real OpenZFS accounts for."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator
from typing import Final

import pytest

from tests.lab.acting import Acting
from tests.lab.guests import Guest
from tests.lab.test_closure import grown, told
from tests.lab.trees import plant, pool_on_a_file
from zconsole.analysis.dependencies.affected_objects import Graph, build_graph
from zconsole.analysis.dependencies.clone_space_and_pinned_snapshots import divergence, pins, promotion_effect
from zconsole.analysis.snapshots.freed_space import Chain, Ledger
from zconsole.analysis.snapshots.snapshots_to_free_space import in_runs
from zconsole.analysis.snapshots.snapshots_to_keep import RetentionRules, chains
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.dataset_tree_and_clone_divergence import read_tree
from zconsole.execution.facts.snapshots_to_free_space import Order, Reclaim, ReclaimGoal, read_reclaim
from zconsole.model.datasets.dataset_tree import Tree
from zconsole.reports.json.dataset_tree import tree_document
from zconsole.zfs.listing.dataset_get import written_since
from zconsole.zfs.listing.destroy_dry_run import parse_destroy_dry_run, rehearse_destroy_ranges

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

MIB: Final = 1 << 20
NOISE: Final = 2 * MIB  # of the pool's own metadata, which every operation changes
SNAPSHOTS: Final = 12
SPACE: Final = "used,refer,usedbysnapshots,usedbydataset,usedbychildren,usedbyrefreservation,guid"
FREEING: Final = "while [ $(zpool get -Hpo value freeing tank) != 0 ]; do sleep 0.2; done"
SETTLED: Final = f"zpool sync tank; {FREEING}; zpool sync tank"


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A guest with one pool, which neither compresses nor notes when a file was read."""
    pool_on_a_file(bare_guest, size="3G", words="-O compression=off -O atime=off")
    yield bare_guest
    bare_guest.wipe()


async def seen(nas: Acting) -> Tree:
    """The tree, as the console reads it, once ZFS has written everything."""
    nas.guest.ssh(SETTLED)
    return await read_tree(Asker(nas.host), "tank")


def fill(guest: Guest, folder: str, *files: str, mib: int = 8) -> None:
    """Write files of random bytes anew."""
    for name in files:
        guest.ssh(f"dd if=/dev/urandom of={folder}/{name} bs=1M count={mib} status=none")


def listed(guest: Guest) -> dict[str, tuple[str, ...]]:
    """What `zfs list` itself says."""
    rows = [line.split("\t") for line in guest.ssh(f"zfs list -Hp -o name,{SPACE} -r tank").splitlines()]
    return {name: tuple(values) for name, *values in rows}


async def check(nas: Acting, *, shared_mib: int | None, pinned: list[str]) -> None:
    """Our figures are those of `zfs list`, and the clone shares and pins this."""
    tree = await seen(nas)
    document = tree_document(tree)
    datasets = document["datasets"]
    assert isinstance(datasets, list)
    ours = {
        each["name"]: (
            str(each["used_bytes"]),
            str(each["referenced_bytes"]),
            *(str(each["used_by"][part]) for part in ("snapshots", "dataset", "children", "refreservation")),
            each["guid"],
        )
        for each in datasets
    }
    assert listed(nas.guest) == ours
    clone = next((each for each in datasets if each["name"] == "tank/clone"), None)
    if clone is None or shared_mib is None:
        assert clone is None
        return
    origin = clone["origin"]
    refer, since = nas.guest.ssh(f"zfs get -Hpo value refer,written@{origin} tank/clone").split()
    assert int(refer) - int(since) == clone["shared_with_origin_bytes"]
    assert abs(clone["shared_with_origin_bytes"] - shared_mib * MIB) < MIB
    assert pinned == clone["pins"]
    for pin in pinned:
        assert "1" == nas.guest.ssh(f"zfs destroy -n {pin} >/dev/null 2>&1; echo $?").strip()
    without_asking = divergence(build_graph(tree.datasets), "tank/clone")
    assert without_asking is not None
    assert clone["shared_with_origin_bytes"] == without_asking.shared_bytes, "usedbydataset is written@ORIGIN"


async def test_the_classic_experiment(nas: Acting) -> None:
    """Create, fill, snapshot, clone, delete, refill, diverge."""
    guest = nas.guest
    guest.ssh("zfs create tank/a")
    await check(nas, shared_mib=None, pinned=[])
    fill(guest, "/tank/a", "1", "2", "3", "4")
    await check(nas, shared_mib=None, pinned=[])
    guest.ssh("zfs snapshot tank/a@gold")
    await check(nas, shared_mib=None, pinned=[])
    guest.ssh("zfs clone tank/a@gold tank/clone")
    await check(nas, shared_mib=32, pinned=["tank/a@gold"])
    guest.ssh("rm /tank/a/1 /tank/a/2")
    await check(nas, shared_mib=32, pinned=["tank/a@gold"])
    fill(guest, "/tank/a", "5", "6")
    await check(nas, shared_mib=32, pinned=["tank/a@gold"])
    fill(guest, "/tank/clone", "1", "2", "3")
    await check(nas, shared_mib=8, pinned=["tank/a@gold"])
    guest.ssh("rm /tank/clone/4")
    await check(nas, shared_mib=0, pinned=["tank/a@gold"])


async def test_random_trees_are_drawn_as_zfs_has_them(nas: Acting) -> None:
    guest = nas.guest
    plant(guest, [("create", "tank/t"), *grown("tank/t", 7).commands])

    tree = await seen(nas)

    graph = build_graph(tree.datasets)
    rows = [
        line.split("\t")
        for line in guest.ssh("zfs list -Hp -t all -o name,guid,origin,clones -r tank").splitlines()
    ]
    assert {name for name, *_ in rows} == set(graph.datasets)
    for name, guid, origin, clones in rows:
        assert int(guid) == graph.datasets[name].guid
        assert (None if origin == "-" else origin) == graph.datasets[name].origin
        assert sorted(set(clones.split(",")) - {"-", ""}) == list(graph.clones.get(name, ()))
    pinned = sorted({pin for name in graph.datasets for pin in pins(graph, name)})
    assert pinned
    assert all(status for status, _ in told(guest, [("zfs", "destroy", "-n", each) for each in pinned]))
    free = sorted(name for name in graph.datasets if "@" in name and name not in pinned)
    assert not any(status for status, _ in told(guest, [("zfs", "destroy", "-n", each) for each in free]))


async def test_a_promotion_moves_the_space_that_was_told(nas: Acting) -> None:
    """A clone of a clone, so that the snapshots that move have an origin themselves."""
    guest = nas.guest
    guest.ssh("zfs create tank/a")
    fill(guest, "/tank/a", "1", "2")
    guest.ssh("zfs snapshot tank/a@1 && zfs clone tank/a@1 tank/b")
    fill(guest, "/tank/b", "2", "3")
    guest.ssh("zfs snapshot tank/b@1 && rm /tank/b/3")
    fill(guest, "/tank/b", "4")
    guest.ssh("zfs snapshot tank/b@2 && zfs clone tank/b@2 tank/c")
    fill(guest, "/tank/c", "1")
    for name in ("tank/c", "tank/b"):
        before = build_graph((await seen(nas)).datasets)
        effect = promotion_effect(before, name)
        assert effect is not None

        guest.ssh(f"zfs promote {name}")

        after = build_graph((await seen(nas)).datasets)
        assert {each: pins(after, each) for each in effect.pins_after} == dict(effect.pins_after)
        for each, (_, then) in ((name, effect.clone_bytes), (effect.former, effect.former_bytes)):
            assert then == own(after, each), each


def own(graph: Graph, name: str) -> int:
    dataset = graph.datasets[name]
    return (dataset.used_bytes or 0) - (dataset.used_by_children_bytes or 0)


def live_through(guest: Guest, folder: str, dataset: str, seed: int) -> None:
    """Write and delete at random, a snapshot after each step; in one shell, and all of it on disk."""
    chance = random.Random(seed)  # noqa: S311 - a test's choice
    lines = ["set -e"]
    for at in range(SNAPSHOTS):
        for _ in range(chance.randrange(1, 4)):
            name = chance.randrange(6)
            count = chance.randrange(1, 5)
            lines.append(f"dd if=/dev/urandom of={folder}/{name} bs=1M count={count} status=none")
        if chance.random() < 0.4:
            lines.append(f"rm -f {folder}/{chance.randrange(6)}")
        lines.append(f"zfs snapshot {dataset}@{at}")
    guest.ssh(f"bash -c {shlex.quote('; '.join(lines))}", timeout_s=900)


@pytest.fixture
async def lives(nas: Acting) -> Acting:
    """Two datasets with a past, the second a clone of the first."""
    nas.guest.ssh("zfs create tank/a")
    live_through(nas.guest, "/tank/a", "tank/a", 1)
    nas.guest.ssh("zfs clone tank/a@4 tank/b && zfs hold keep tank/a@8")
    live_through(nas.guest, "/tank/b", "tank/b", 2)
    nas.guest.ssh(SETTLED)
    return nas


async def test_every_run_of_snapshots_frees_what_the_listing_and_one_property_say(lives: Acting) -> None:
    """The sums of docs/snapshot-space.md against ZFS's own dry run, of every run that it does not refuse."""
    guest = lives.guest
    graph = build_graph((await seen(lives)).datasets)
    for chain in chains(graph, "tank", below=True):
        places = range(len(chain.snapshots))
        every = [
            (first, last)
            for first in places
            for last in places
            if first <= last
            and not any(graph.clones.get(each.name) for each in chain.snapshots[first : last + 1])
        ]
        pairs = [
            (before, chain.after(last).name)
            for before, last in {(chain.before(first), last) for first, last in every}
            if before is not None
        ]
        rehearsed = told(guest, [dry(chain, run) for run in every])
        asked = [("zfs", "get", "-Hpo", "value", written_since(before), name) for before, name in pairs]
        since = {pair: int(said) for pair, (_, said) in zip(pairs, told(guest, asked), strict=True)}

        promised = [parse_destroy_dry_run(f"{said}\n").reclaims_bytes for _, said in rehearsed]
        assert promised == [Ledger(chain).of_run(run, since) for run in every]


def dry(chain: Chain, run: tuple[int, int]) -> tuple[str, ...]:
    """The dry run of destroying a run of snapshots."""
    short = [each.name.partition("@")[2] for each in chain.snapshots]
    (argv,) = rehearse_destroy_ranges(chain.dataset.name, [(short[run[0]], short[run[1]])])
    return argv


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_marked_snapshots_free_what_their_runs_free(lives: Acting, seed: int) -> None:
    """Random marks, with gaps: the dry run of all at once, the sum of the runs, and what is then gone."""
    guest, chance = lives.guest, random.Random(seed)  # noqa: S311 - a test's choice
    graph = build_graph((await seen(lives)).datasets)
    for chain in chains(graph, "tank", below=True):
        free = [
            place
            for place, each in enumerate(chain.snapshots)
            if not each.holds and not graph.clones.get(each.name)
        ]
        marked = set(chance.sample(free, len(free) // 2))
        ranges = in_runs(chain, marked)
        ledger = Ledger(chain)
        bounds = ledger.freed(marked)
        spec = ",".join(each.partition("@")[2] for each in ranges)
        promised = parse_destroy_dry_run(
            guest.ssh(f"zfs destroy -nvp {chain.dataset.name}@{spec}")
        ).reclaims_bytes
        before = await kept_by_snapshots(lives, chain.dataset.name)

        guest.ssh(f"zfs destroy {chain.dataset.name}@{spec}")

        after = await kept_by_snapshots(lives, chain.dataset.name)
        assert promised is not None
        assert bounds.least_bytes <= promised <= bounds.most_bytes
        assert promised == before - after


async def kept_by_snapshots(nas: Acting, dataset: str) -> int:
    nas.guest.ssh(SETTLED)
    return int(nas.guest.ssh(f"zfs get -Hpo value usedbysnapshots {dataset}"))


@pytest.mark.parametrize("order", ["oldest", "fewest"])
async def test_reclaim_keeps_its_promise(lives: Acting, order: Order) -> None:
    guest = lives.guest
    for need_mib in (3, 12, 4096):
        wish = ReclaimGoal("tank", need_mib * MIB, order, keeping=RetentionRules(newest=1))
        found = await read_reclaim(Asker(lives.host), wish, 0.0)
        assert found.choice.freed.is_exact
        assert {"tank/a@4", "tank/a@8"} <= {each.name for each in found.kept}
        assert (need_mib < 4096) == found.is_enough
        names = [chain.dataset.name for chain in found.chains]
        before = [await kept_by_snapshots(lives, name) for name in names]
        root = int(guest.ssh("zfs get -Hpo value used tank"))

        guest.ssh("; ".join(f"zfs destroy {each}" for each in proposed(found)))

        after = [await kept_by_snapshots(lives, name) for name in names]
        gained = root - int(guest.ssh("zfs get -Hpo value used tank"))
        assert found.choice.freed.least_bytes == sum(before) - sum(after)
        assert found.freed.least_bytes - NOISE <= gained <= found.freed.most_bytes + NOISE


def proposed(found: Reclaim) -> list[str]:
    return [
        run
        for chain, places in zip(found.chains, found.choice.places, strict=True)
        for run in in_runs(chain, places)
    ]


async def test_a_snapshot_of_a_volume_is_refused_when_zfs_would(nas: Acting) -> None:
    """A volume that reserves its size needs as much again as was written since its newest snapshot."""
    guest = nas.guest
    guest.ssh(
        "zfs create -V 1G -o volblocksize=16k tank/v && zfs create -s -V 1G tank/sparse && udevadm settle"
    )
    for name in ("v", "sparse"):
        guest.ssh(f"dd if=/dev/urandom of=/dev/zvol/tank/{name} bs=1M count=100 conv=fsync status=none")
    guest.ssh(SETTLED)
    room = int(guest.ssh("zfs get -Hpo value available tank"))
    guest.ssh(f"zfs create -o refreservation={room - 60 * MIB} tank/filler; {SETTLED}")

    assert {"full"} == await nas.refused("snapshot", "tank/v@1")

    assert "out of space" in guest.ssh("zfs snapshot tank/v@1 2>&1 || true")
    await nas.do("snapshot", "tank/sparse@1")
    guest.ssh("zfs destroy tank/filler")
    await nas.do("snapshot", "tank/v@1")
    guest.ssh(SETTLED)
    room = int(guest.ssh("zfs get -Hpo value available tank"))
    guest.ssh(f"zfs create -o refreservation={room - 20 * MIB} tank/filler; {SETTLED}")
    await nas.do("snapshot", "tank/v@2")  # nothing was written since @1
