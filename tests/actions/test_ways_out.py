"""Ways out of plans on the practice host: none survives less, loses more, or hides what it costs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.doubles.practice_runs import HOST, Bench
from tests.doubles.ways_out import faults
from zconsole.actions.intent import Intent, intent
from zconsole.actions.plan import Plan
from zconsole.base.errors import UsageError
from zconsole.practice import create_world

MIRRORS, RAIDZ, SPARED = "mirror 0 1 mirror 2 3", "raidz1 0 1 2", "mirror 0 1 spare 2"


@dataclass(frozen=True)
class Scene:
    """A pool, what is wanted, what was typed before; `{old[0]}` is its first disk, `{new[7]}` a new one."""

    layout: str
    wanted: str
    typed: Sequence[str] = ()
    offers: Sequence[str] = ()  # actions, at least


FAILED = "zpool offline -f tank {old[0]}"
IN_USE = ("zpool offline -f tank {old[0]}", "zpool replace tank {old[0]} {old[2]}")
SCENES = {
    "attach beside a failed disk": Scene(MIRRORS, "attach tank {old[0]} {new[7]}", [FAILED], ["replace"]),
    "replace a sound disk": Scene(MIRRORS, "replace tank {old[2]} {new[7]}", [FAILED], ["replace"]),
    "add a disk": Scene(MIRRORS, "add tank {new[7]}", offers=["attach", "add"]),
    "add a disk, one failed": Scene(MIRRORS, "add tank {new[7]}", [FAILED], ["replace", "attach", "add"]),
    "add a disk to a raidz": Scene(RAIDZ, "add tank {new[7]}", offers=["attach", "add"]),
    "online a faulted disk": Scene(MIRRORS, "online tank {old[0]}", [FAILED], ["clear"]),
    "return a spare": Scene(SPARED, "detach tank {old[2]}", IN_USE, ["detach"]),
    "a second checkpoint": Scene(MIRRORS, "checkpoint tank", ["zpool checkpoint tank"], ["checkpoint"]),
    "upgrade": Scene(
        MIRRORS,
        "upgrade small",
        ["zpool create -d -o feature@zpool_checkpoint=enabled small {new[7]}"],
        ["checkpoint"],
    ),
    "roll back": Scene(MIRRORS, "rollback tank/home@a", offers=["clone"]),
    "roll back far": Scene(MIRRORS, "rollback tank/home@a", ["zfs snapshot tank/home@b"], ["clone"]),
    "destroy a tree": Scene(MIRRORS, "destroy tank/home", ["zfs create tank/home/below"], ["destroy"]),
    "destroy an origin": Scene(MIRRORS, "destroy tank/home@a", ["zfs clone tank/home@a tank/b"], ["promote"]),
    "rename below nothing": Scene(MIRRORS, "rename tank/home tank/none/home", offers=["rename"]),
}  # fmt: skip


def made_of(bench: Bench, text: str) -> str:
    """The words with the paths of disks."""
    links = [disk.links[0] for disk in bench.world.disks]
    return text.format(old=links, new=[f"/dev/disk/by-id/{each}" for each in links])


async def looked_at(scene: Scene) -> tuple[Plan, list[str]]:
    """The plan, and what is wrong with its ways out."""
    bench = Bench(create_world(scene.layout, disks=8))
    bench.type(*(made_of(bench, each) for each in scene.typed))
    for _ in range(40):
        bench.manual.advance(60)
        bench.says(["zpool", "status"])
    action, target, *words = made_of(bench, scene.wanted).split()
    wanted: Intent = intent(action, target, *words)
    made = await bench.operator.prepare(HOST, wanted)
    wrong = []
    for said, other in made.alternatives:
        try:
            wrong += faults(made, said, await bench.operator.prepare(HOST, other))
        except UsageError:  # its words are asked for first
            continue
    return made, wrong


@pytest.mark.parametrize("name", SCENES)
def test_no_way_out_is_worse_than_what_it_is_offered_for(name: str) -> None:
    scene = SCENES[name]

    made, wrong = asyncio.run(looked_at(scene))

    assert [] == wrong
    assert set(scene.offers) <= {wanted.action for _, wanted in made.alternatives}
