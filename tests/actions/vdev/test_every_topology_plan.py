"""What holds for every plan that changes a tree, whatever the pool, the disks and the words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.build import group, in_class
from tests.doubles.shelves import (
    TB,
    aux,
    blank,
    label,
    leaf,
    link,
    numbers_of,
    part,
    parted,
    serial,
    shape,
    used,
    world,
)
from zconsole.actions.intent import Intent, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan, Risk
from zconsole.analysis.vdevs.redundancy import pool_redundancy
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Pool, Scan, Vdev

KERNEL = re.compile(r"(^|/)(sd[a-z]+\d*|nvme\d+n\d+|dm-\d+|md\d+)$")
STATES = (*("ONLINE",) * 12, "FAULTED", "OFFLINE", "UNAVAIL")
BLANKS = 6
ACTIONS = (
    *("replace", "replace", "attach", "attach", "add", "add"),
    *("detach", "remove", "split", "create-pool", "labelclear"),
)


@st.composite
def tops(draw: st.DrawFn) -> list[Vdev]:
    """Top-level vdevs of all kinds and states, replacements and spares in use among them."""
    number = iter(range(1000))

    def one(*, resilvering: bool = False) -> Vdev:
        return leaf(next(number), draw(st.sampled_from(STATES)), is_resilvering=resilvering)

    def child(at: int) -> Vdev:
        kind = draw(st.sampled_from(("disk",) * 8 + ("replacing", "spare")))
        if kind == "disk":
            return one(resilvering=draw(st.integers(0, 9)) == 0)
        return group(f"{kind}-{at}", one(), one(resilvering=draw(st.booleans())), guid=700 + next(number))

    made = []
    for index in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(("lone", "mirror", "mirror", "raidz1", "raidz2")))
        ashift = draw(st.sampled_from((12, 12, 12, 9)))
        if kind == "lone":
            made.append(replace(one(), configured_ashift=ashift))
            continue
        width = draw(st.integers(2, 3)) + (int(kind[-1]) if kind[-1].isdigit() else 0)
        children = [child(at) for at in range(width)]
        made.append(group(f"{kind}-{index}", *children, guid=500 + index, configured_ashift=ashift))
    for vdev_class in draw(st.lists(st.sampled_from(("log", "cache", "spare", "special")), max_size=2)):
        lone = aux(next(number), vdev_class) if vdev_class != "special" else in_class(one(), "special")
        made.append(lone)
    return made


@st.composite
def strewn(draw: st.DrawFn, first: int) -> list[Disk]:
    """Disks that no pool uses: blank, too small, with large sectors, or with something on them."""
    made = []
    for number in range(first, first + BLANKS):
        disk = blank(number)
        match draw(
            st.sampled_from(("blank",) * 6 + ("small", "native", "luks", "parted", "label", "mounted"))
        ):
            case "small":
                disk = blank(number, size_bytes=draw(st.sampled_from((1, TB, 32 << 20))))
            case "native":
                disk = blank(number, logical_sector_bytes=4096)
            case "luks":
                disk = replace(disk, fstype="crypto_LUKS")
            case "parted":
                disk = parted(disk, part(disk, 1))
            case "label":
                disk = used(number, "bulk")
            case "mounted":
                disk = replace(disk, mountpoints=("/srv",))
            case _:
                pass
        made.append(disk)
    return [*made[:-1], used(first + BLANKS - 1, "bulk")]


@dataclass(frozen=True)
class Scene:
    """A host and something wanted of it."""

    facts: PlanFacts
    intent: Intent


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Words that name what is there, what is free, and what is not there."""
    vdevs = draw(tops())
    pool = Pool("tank", "ONLINE", vdevs=tuple(vdevs))
    first = max(numbers_of(pool) & set(range(1000)), default=-1) + 1
    strewn_disks = draw(strewn(first))
    facts = world(
        *vdevs,
        spare_disks=0,
        disks=strewn_disks,
        labels=tuple(label(first + at) for at, disk in enumerate(strewn_disks) if disk.children[1:]),
        pool={
            "scan": draw(
                st.sampled_from((None, None, Scan("resilver", "scanning"), Scan("scrub", "scanning")))
            ),
            "checkpoint_bytes": draw(st.sampled_from((None, None, None, 7))),
            "usable_available_bytes": draw(st.sampled_from((None, 0, 100 * TB))),
        },
    )
    there = st.sampled_from([*(str(each.guid) for each in pool.walk()), *(each.name for each in pool.walk())])
    disk = st.sampled_from(
        [
            *(serial(first + at) for at in range(BLANKS)),
            *(link(at) for at in range(first + BLANKS)),
            "sda",
            "sdb1",
        ]
    )
    shapes = st.sampled_from((1, 2, 3)).flatmap(lambda n: st.lists(disk, min_size=n, max_size=n, unique=True))
    action = draw(st.sampled_from(ACTIONS))
    match action:
        case "replace" | "attach":
            words = [draw(there), draw(disk)]
        case "detach" | "remove":
            words = [draw(there)]
        case "add" | "create-pool":
            kind = draw(
                st.sampled_from(([], ["mirror"], ["raidz1"], ["log"], ["special", "mirror"], ["spare"]))
            )
            words = [*kind, *draw(shapes)]
        case "split":
            words = [draw(st.sampled_from(("half", "tank", "mirror")))]
        case _:
            labelled = [serial(first + at) for at, disk in enumerate(strewn_disks) if disk.children[1:]]
            return Scene(facts, intent("labelclear", draw(st.one_of(disk, st.sampled_from(labelled)))))
    target = "new" if action == "create-pool" else "tank"
    return Scene(facts, intent(action, target, *words))


def made_of(scene: Scene) -> Plan | None:
    """The plan; None where the words make no sense."""
    try:
        return plan(scene.intent, scene.facts)
    except UsageError:
        return None


def expected(scene: Scene, before: Pool, made: Plan) -> list[str]:
    """The devices afterwards, worked out from the intent and nothing else."""
    words, leaves = scene.intent.arguments, shape(before)
    paths = [word for step in made.steps for word in step.argv if word.startswith("/dev/disk/")]
    names = [path.rpartition("/")[2] for path in paths]
    assert scene.intent.action in {"replace", "attach", "detach", "add"}
    if scene.intent.action in {"add", "attach"}:
        joining = "data" if scene.intent.action == "add" else None
        if words[0] in {"log", "special", "spare"}:
            joining = words[0]
        old = next((each for each in before.walk() if words[0] in {str(each.guid), each.name}), None)
        joining = joining or (old.vdev_class if old is not None else "data")
        return sorted([*leaves, *(f"{joining} {name}" for name in names)])
    old = next(each for each in before.walk() if words[0] in {str(each.guid), each.name})
    parent = next((each for each in before.walk() if any(child is old for child in each.children)), None)
    gone = [f"{old.vdev_class} {old.name}"]
    while scene.intent.action == "replace" and parent is not None and parent.type in {"replacing", "spare"}:
        gone = [f"{each.vdev_class} {each.name}" for each in parent.leaves()]
        inner = parent
        parent = next(
            (each for each in before.walk() if any(child is inner for child in each.children)), None
        )
    rest = sorted(each for each in leaves if each not in gone)
    if scene.intent.action == "detach":
        return rest
    return sorted([*rest, *(f"{old.vdev_class} {name}" for name in names)])


@settings(max_examples=400)
@given(scenes())
def test_a_plan_that_is_not_refused_is_safe(scene: Scene) -> None:
    """No letters, no force, no disk that bears or does anything, nothing lost, and the tree that follows."""
    made = made_of(scene)
    if made is None or made.is_refused:
        return
    assert made.steps
    for step in made.steps:
        assert not any(KERNEL.search(word) for word in step.argv)
        assert ("-f" in step.argv) == (step.argv[1] == "labelclear")
        assert step.settled_by
    _takes_only_free_disks(scene, made)
    _loses_nothing(made)
    if made.before is not None and made.after is not None and scene.intent.action in {
        "replace", "attach", "detach", "add",
    }:  # fmt: skip
        assert expected(scene, made.before, made) == shape(made.after)


def _takes_only_free_disks(scene: Scene, made: Plan) -> None:
    if scene.intent.action == "labelclear":
        return
    inventory = scene.facts.inventory
    assert inventory is not None
    spares = {each.path for pool in scene.facts.pools for each in pool.of_class("spare")}
    serving = {serial(number) for pool in scene.facts.pools for number in numbers_of(pool)}
    for word in (word for step in made.steps for word in step.argv if word.startswith("/dev/")):
        if f"{word}-part1" in spares:
            continue  # a hot spare of the pool itself
        name = inventory.kernel_name(word)
        assert name is not None
        disk = inventory.disk_of(name)
        assert disk is not None
        assert disk.serial not in serving
        for each in disk.walk():
            assert ("", ()) == (each.fstype, each.mountpoints)


def _loses_nothing(made: Plan) -> None:
    for pool in filter(None, (made.after,)):
        before = {each.vdev: each.left for each in pool_redundancy(made.before)} if made.before else {}
        for each in pool_redundancy(pool):
            assert each.left >= min(0, before.get(each.vdev, 0))
    for change in made.redundancy:
        if change.before is not None and change.before >= 0:
            assert change.during is None or change.during >= 0
            assert change.after is None or change.after >= 0
        if (change.before or 0) > 0 and change.after == 0:
            assert made.risk in {Risk.DESTRUCTIVE, Risk.CATASTROPHIC}


@given(scenes())
def test_the_same_facts_make_the_same_plan(scene: Scene) -> None:
    """And no facts at all are an exception: words that make no sense are told as such."""
    first, second = made_of(scene), made_of(scene)

    assert first == second
    if first is not None:
        assert second is not None
        assert first.fingerprint == second.fingerprint
