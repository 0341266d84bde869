"""Every action once or more, as somebody wants it of the same small host, and what each is about."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from tests.scenarios.moving_world.changes import PASSPHRASE, Focus, typed, written
from zconsole.actions.intent import Intent, OptionValue, intent
from zconsole.practice import World, create_world
from zconsole.practice.ready_made_pools import create_pool
from zconsole.practice.world.vdev_states_and_drive_unplugging import unplug

LAYOUT: Final = "mirror 0 1 mirror 2 3 log 4 cache 5 spare 6"
DRIVES: Final = 22
SETTING: Final = (
    "zfs create tank/empty",
    "zfs create tank/full",
    "zfs create tank/home",
    "zfs create -V 64M tank/volume",
    "zfs create tank/old",
    "zfs create -o sharenfs=on tank/shared",
    "zfs create -o sharenfs=on tank/unshared", "zfs unshare tank/unshared",
    "zfs create -o encryption=on -o keyformat=passphrase tank/locked", "zfs unmount tank/locked",
    "zfs unload-key tank/locked",
    "zfs create -o encryption=on -o keyformat=passphrase tank/secret", "zfs unmount tank/secret",
    "zfs create tank/unmounted", "zfs unmount tank/unmounted",
)  # fmt: skip
LATER: Final = (
    "zfs snapshot tank/full@s", "zfs snapshot tank/full@t",
    "zfs snapshot tank/home@s", "zfs snapshot tank/home@t",
    "zfs create tank/home/below", "zfs snapshot -r tank/home@u",
    "zfs snapshot tank/old@s", "zfs snapshot tank/old@t", "zfs clone tank/old@s tank/clone",
    "zfs bookmark tank/old@s tank/old#mark", "zfs hold keep tank/full@s", "zfs snapshot tank/volume@s",
    "zfs set atime=off tank/full",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """What somebody wants. Words that are `{10}` are the drive of that number."""

    words: str  # the action and its words
    focus: Focus
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    before: tuple[str, ...] = ()  # typed on the host beforehand
    pulled: tuple[int, ...] = ()  # drives that are out
    is_at_once: bool = False  # its check and its act are one transaction: nothing comes between

    @property
    def action(self) -> str:
        """The action's id."""
        return self.words.partition(" ")[0]

    @property
    def name(self) -> str:
        """For the table of known failures, and for pytest."""
        flags = [f"--{key}" if value is True else f"--{key}={value}" for key, value in self.options.items()]
        return " ".join((self.words, *flags))

    def intent(self, world: World) -> Intent:
        """The same for a world."""
        links = [disk.links[0] for disk in world.disks]
        action, *words = (word.format(*links) for word in self.words.split())
        return intent(action, *words, options=dict(self.options))


def new_world(case: Case) -> World:
    """The host before anybody does anything."""
    world: World = pickle.loads(_setting())  # noqa: S301 - our own
    for line in case.before:
        assert typed(world, line.format(*(disk.links[0] for disk in world.disks))), line
    for number in case.pulled:
        unplug(world, world.disks[number])
    return world


@cache
def _setting() -> bytes:
    """What is the same for all cases, kept so that copies are made of it."""
    world = create_world(LAYOUT, disks=DRIVES)
    create_pool(world, "bulk", ["mirror", "LAB0007", "LAB0008"])
    create_pool(world, "retired", ["LAB0009"])
    create_pool(world, "attic", ["LAB0011"])
    create_pool(world, "aged", ["LAB0012"])
    world.pools["aged"].disabled_features = frozenset({"block_cloning"})
    assert typed(world, *SETTING), "the setting"
    for name in ("tank/full", "tank/home", "tank/old", "tank/volume", "tank/shared"):
        written(world, name, 64, "of the first day")
    world.pools["tank"].datasets["tank/full"].seed = 7  # of the files that are in it
    assert typed(world, *LATER), "what came later"
    for name in ("tank/full", "tank/home", "tank/old"):
        written(world, name, 16, "of the last day")
    assert typed(world, "zfs create bulk/files", "zfs create retired/files")
    assert typed(world, "zpool export retired", "zpool export attic")
    return pickle.dumps(world)


def _of(dataset: str, **more: object) -> Focus:
    return Focus(dataset=dataset, **more)  # type: ignore[arg-type]  # fields by name


def _snap(snapshot: str, **more: object) -> Focus:
    return Focus(dataset=snapshot.partition("@")[0], snapshot=snapshot, **more)  # type: ignore[arg-type]


TANK: Final = Focus(pool="tank")
LEAF: Final = Focus(pool="tank", leaf=0, neighbour=1)
OFF: Final = Focus(pool="tank", leaf=0, neighbour=1, undo=("zpool clear tank {0}", "zpool online tank {0}"))
ON: Final = Focus(pool="tank", leaf=0, neighbour=1, undo=("zpool offline tank {0}",))
FAULTED: Final = Focus(pool="tank", leaf=0, neighbour=1, undo=("zpool offline -f tank {0}",))
REPLACED: Final = Focus(pool="tank", leaf=0, neighbour=1, disk=10)
NEW: Final = Focus(pool="tank", disk=10)
SECRETS: Final = PASSPHRASE

CASES: Final[tuple[Case, ...]] = (
    # Destroying
    Case("destroy tank/empty", _of("tank/empty"), is_at_once=True),
    Case("destroy tank/shared", _of("tank/shared"), is_at_once=True),
    Case("destroy tank/unmounted", _of("tank/unmounted"), is_at_once=True),
    Case("destroy tank/home/below", _of("tank/home/below"), {"recursive": True}, is_at_once=True),
    Case("destroy tank/home", _of("tank/home"), {"recursive": True}, is_at_once=True),
    Case("destroy tank/old", _of("tank/old"), {"with-clones": True}, is_at_once=True),
    Case("destroy tank/volume", _of("tank/volume"), {"recursive": True}, is_at_once=True),
    Case("destroy tank/full@t", _snap("tank/full@t"), is_at_once=True),
    Case("destroy tank/home@s tank/home@t", _snap("tank/home@s"), is_at_once=True),
    Case("destroy tank/home@u", _snap("tank/home@u"), {"recursive": True}, is_at_once=True),
    Case("destroy tank/old@s", _snap("tank/old@s"), {"with-clones": True}, is_at_once=True),
    Case("destroy tank/old#mark", _of("tank/old")),
    Case("destroy bulk", Focus(pool="bulk", dataset="bulk/files", undo=("zpool import -D bulk",))),
    # Snapshots and what stands on them
    Case("rollback tank/full@t", _snap("tank/full@t")),
    Case("rollback tank/home@s", _snap("tank/home@s"), {"recursive": True}),
    Case("rollback tank/old@s", _snap("tank/old@s"), {"with-clones": True}),
    Case("snapshot tank/full@new", _of("tank/full")),
    Case("snapshot tank/home@new", _of("tank/home"), {"recursive": True}),
    Case("hold tank/home@s mine", _snap("tank/home@s")),
    Case("release tank/full@s keep", _snap("tank/full@s")),
    Case("bookmark tank/home@s mark", _snap("tank/home@s")),
    Case("clone tank/home@s tank/made", _snap("tank/home@s", new="tank/made")),
    Case("promote tank/clone", _of("tank/clone", undo=("zfs promote tank/old",))),
    Case(
        "rename tank/home tank/other",
        _of("tank/home", new="tank/other", undo=("zfs rename tank/other tank/home",)),
    ),
    Case(
        "rename tank/full@t @other", _snap("tank/full@t", undo=("zfs rename tank/full@other tank/full@t",))
    ),
    # Datasets
    Case("create tank/made", _of("tank", new="tank/made")),
    Case("create tank/home/made", _of("tank/home", new="tank/home/made")),
    Case("set tank/full compression=zstd", _of("tank/full", undo=("zfs set compression=off tank/full",))),
    Case("set tank/full readonly=on", _of("tank/full", undo=("zfs inherit readonly tank/full",))),
    Case("set tank/volume volsize=128M", _of("tank/volume", undo=("zfs set volsize=192M tank/volume",))),
    Case("set tank autotrim=on", Focus(pool="tank", undo=("zpool set autotrim=off tank",))),
    Case("inherit tank/full atime", _of("tank/full", undo=("zfs set atime=off tank/full",))),
    Case("mount tank/unmounted", _of("tank/unmounted", undo=("zfs unmount tank/unmounted",))),
    Case("unmount tank/full", _of("tank/full", undo=("zfs mount tank/full",))),
    Case("load-key tank/locked", _of("tank/locked", undo=("zfs unload-key tank/locked",))),
    Case("unload-key tank/secret", _of("tank/secret", undo=("zfs load-key tank/secret",))),
    Case("share tank/unshared", _of("tank/unshared", undo=("zfs unshare tank/unshared",))),
    Case("unshare tank/shared", _of("tank/shared", undo=("zfs share tank/shared",))),
    Case("restore tank/full@s documents", _snap("tank/full@s")),
    # Copies
    Case("receive bulk/home tank/home@u", _of("bulk/home", snapshot="tank/home@u", new="bulk/home")),
    Case(
        "receive bulk/full tank/full@t", _of("bulk/full", snapshot="tank/full@t"),
        before=("zfs create bulk/full", "zfs destroy bulk/full"),
    ),
    # Pools
    Case("export bulk", Focus(pool="bulk", dataset="bulk/files", undo=("zpool import bulk",))),
    Case("import retired", Focus(pool="retired", new="retired", undo=("zpool export retired",))),
    Case("upgrade aged", Focus(pool="aged")),
    Case("checkpoint tank", TANK),
    Case("checkpoint tank", TANK, {"discard": True}, before=("zpool checkpoint tank",)),
    Case("scrub tank", TANK),
    Case("scrub tank", TANK, {"stop": True}, before=("zpool scrub tank",)),
    Case("split tank half", Focus(pool="tank"), before=("zpool remove tank {4}", "zpool remove tank {5}",
                                                       "zpool remove tank {6}")),
    Case("create-pool made mirror {10} {13}", Focus(disk=10, new="made")),
    # Devices
    Case("offline tank {0}", OFF),
    Case("offline tank {0}", OFF, {"fault": True}),
    Case("online tank {0}", ON, before=("zpool offline tank {0}",)),
    Case("clear tank {0}", FAULTED, before=("zpool offline -f tank {0}",)),
    Case("clear tank", FAULTED, before=("zpool offline -f tank {0}",)),
    Case("locate tank {0}", LEAF),
    Case("replace tank {0} {10}", REPLACED, before=("zpool offline -f tank {0}",)),
    Case("replace tank {0} {13}", Focus(pool="tank", leaf=0, neighbour=1, disk=13)),
    Case("attach tank {0} {10}", REPLACED),
    Case("detach tank {0}", Focus(pool="tank", leaf=0, neighbour=1, undo=("zpool attach -f tank {1} {0}",))),
    Case("add tank mirror {10} {13}", NEW),
    Case("add tank spare {10}", NEW),
    Case("remove tank mirror-0", LEAF),
    Case("remove tank {6}", Focus(pool="tank", leaf=6)),
    Case("labelclear {11}", Focus(disk=11, undo=("zpool create again {11}",))),
    Case("initialize tank {0}", LEAF),
    Case("trim tank {0}", LEAF),
)  # fmt: skip
