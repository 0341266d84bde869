"""Hosts as facts, for tests of plans: pools, datasets, uses; and random trees of datasets with clones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from tests.analysis.build import NOW, disk, group
from zconsole.analysis.dependencies.mount_safety import normal
from zconsole.analysis.dependencies.snapshot_scope import scope_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope, SnapshotSelector
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.mount_points import MountTarget, MountTargets, TargetType
from zconsole.model.host.plan_facts import PlanFacts, PrivilegeMode, Privileges
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Pool


class NothingThere(MountTargets):
    """A host on which every path that nothing was said of is missing."""

    def target(self, path: str) -> MountTarget:
        found = next((each for each in self.targets if each.path == path), None)
        return found or MountTarget(path, normal(path), TargetType.MISSING)


NOTHING_THERE = NothingThere(mounts=())
ROOT = Privileges("root", 0, PrivilegeMode.ROOT)
HOST = MachineIdentity("storage1", "storage1", "0123456789abcdef0123456789abcdef", "SHA256:abc", "8323329")
MIB = 1 << 20
GIB = 1 << 30
SYSTEMS = ("filesystem", "volume")


def pool(name: str = "tank", **values: object) -> Pool:
    """A healthy pool of one mirror."""
    made = Pool(name, "ONLINE", guid=guid_of(name), vdevs=(group("mirror-0", disk("a"), disk("b")),))
    return replace(made, **values)  # type: ignore[arg-type]


def host(datasets: Iterable[Dataset] = (), **values: object) -> PlanFacts:
    """A host on which everything was read: the pools are those of the datasets, or tank."""
    listed = tuple(datasets)
    names = tuple(dict.fromkeys(each.pool for each in listed)) or ("tank",)
    made = PlanFacts(
        identity=HOST,
        version=ZfsVersion("zfs-2.4.4-1", "zfs-kmod-2.4.4-1"),
        taken_at=NOW,
        pools=tuple(map(pool, names)),
        datasets=listed,
        listed=frozenset(names),
        holds=(),
        uses=(),
        privileges=ROOT,
        mounting=NOTHING_THERE,
    )
    return replace(made, **values)  # type: ignore[arg-type]


def guid_of(name: str) -> int:
    """A guid that a name always has."""
    return int.from_bytes(name.encode()[-7:], "little") % (1 << 53) + 1


def filesystem(name: str, **values: object) -> Dataset:
    """A mounted file system with some data, at the place that its name says."""
    made = Dataset(
        name, "filesystem", used_bytes=3 * GIB, available_bytes=100 * GIB, referenced_bytes=2 * GIB,
        mountpoint=f"/{name}", used_by_snapshots_bytes=GIB, used_by_dataset_bytes=2 * GIB,
        used_by_children_bytes=0, used_by_refreservation_bytes=0, creation=int(NOW) - 1000, createtxg=10,
        guid=guid_of(name), written_bytes=MIB, is_mounted=True, canmount="on", encryption="off",
    )  # fmt: skip
    return replace(made, **values)  # type: ignore[arg-type]


def volume(name: str, **values: object) -> Dataset:
    """A sparse volume with some data."""
    return filesystem(
        name,
        type="volume",
        mountpoint=None,
        is_mounted=None,
        canmount=None,
        volblocksize_bytes=16384,
        **values,
    )


def snapshot(name: str, createtxg: int = 20, **values: object) -> Dataset:
    """A snapshot that alone keeps 64 MiB."""
    made = Dataset(
        name, "snapshot", used_bytes=64 * MIB, referenced_bytes=2 * GIB, creation=int(NOW) - 500,
        createtxg=createtxg, guid=guid_of(name), written_bytes=MIB, holds=0, is_destroy_deferred=False,
    )  # fmt: skip
    return replace(made, **values)  # type: ignore[arg-type]


def bookmark(name: str, createtxg: int = 20, **values: object) -> Dataset:
    """A bookmark."""
    made = Dataset(name, "bookmark", createtxg=createtxg, guid=guid_of(name), creation=int(NOW) - 500)
    return replace(made, **values)  # type: ignore[arg-type]


def linked(datasets: Sequence[Dataset]) -> tuple[Dataset, ...]:
    """The datasets, with `clones` of each snapshot as the origins of the others say."""
    clones: dict[str, list[str]] = {}
    for each in datasets:
        if each.origin is not None:
            clones.setdefault(each.origin, []).append(each.name)
    return tuple(replace(each, clones=tuple(sorted(clones.get(each.name, ())))) for each in datasets)


def images() -> tuple[Dataset, ...]:
    """An image with machines cloned from it, one of them cloned on; a home with snapshots and a bookmark."""
    return linked((
        filesystem("tank", used_bytes=30 * GIB),
        filesystem("tank/home"),
        snapshot("tank/home@daily-1", 21),
        snapshot("tank/home@daily-2", 22),
        bookmark("tank/home#daily-1", 21),
        filesystem("tank/home/ann"),
        snapshot("tank/home/ann@daily-2", 22),
        filesystem("tank/images"),
        snapshot("tank/images@gold", 30),
        volume("tank/vm1", origin="tank/images@gold", createtxg=31),
        snapshot("tank/vm1@patched", 33),
        volume("tank/vm1-test", origin="tank/vm1@patched", createtxg=34),
        volume("tank/vm2", origin="tank/images@gold", createtxg=32),
    ))  # fmt: skip


@dataclass(slots=True)
class Forest:
    """File systems, snapshots, bookmarks and clones as ZFS would let them come to be. Names are short."""

    origins: dict[str, str | None] = field(default_factory=lambda: {"tank": None})  # of file systems
    snapshots: dict[str, int] = field(default_factory=dict)  # name to txg
    bookmarks: dict[str, int] = field(default_factory=dict)
    commands: list[tuple[str, ...]] = field(default_factory=list)  # of zfs, that made it
    txg: int = 10

    def datasets(self) -> tuple[Dataset, ...]:
        """Them, as they are listed."""
        return linked((
            *(filesystem(name, origin=origin) for name, origin in self.origins.items()),
            *(snapshot(name, txg) for name, txg in self.snapshots.items()),
            *(bookmark(name, txg) for name, txg in self.bookmarks.items()),
        ))  # fmt: skip

    def grow(self, kind: str, first: int, second: int) -> None:
        """Do one thing, where it can be done; the numbers choose among what is there."""
        systems, snapshots = sorted(self.origins), sorted(self.snapshots)
        self.txg += 1
        here = systems[first % len(systems)]
        match kind:
            case "create":
                self._make(f"{here}/d{second % 4}", None, ("create",))
            case "snapshot":
                name = f"{here}@s{second % 5}"
                if name not in self.snapshots:
                    self.snapshots[name] = self.txg
                    self.commands.append(("snapshot", name))
            case "clone" if snapshots:
                origin = snapshots[second % len(snapshots)]
                self._make(f"{here}/c{second % 4}", origin, ("clone", origin))
            case "bookmark" if snapshots:
                origin = snapshots[second % len(snapshots)]
                name = origin.replace("@", "#")
                if name not in self.bookmarks:
                    self.bookmarks[name] = self.snapshots[origin]
                    self.commands.append(("bookmark", origin, name))
            case "rename":
                there = systems[second % len(systems)]
                self._move(there, f"{here}/r{first % 4}")
            case _:
                pass

    def _make(self, name: str, origin: str | None, words: tuple[str, ...]) -> None:
        if name not in self.origins and name.count("/") < 6:
            self.origins[name] = origin
            self.commands.append((*words, name))

    def _move(self, name: str, new: str) -> None:
        if name == "tank" or new in self.origins or f"{new}/".startswith(f"{name}/") or new.count("/") > 5:
            return

        def renamed(each: str) -> str:
            inside = each == name or each.startswith((f"{name}/", f"{name}@", f"{name}#"))
            return new + each.removeprefix(name) if inside else each

        self.origins = {
            renamed(each): None if origin is None else renamed(origin)
            for each, origin in self.origins.items()
        }
        self.snapshots = {renamed(each): txg for each, txg in self.snapshots.items()}
        self.bookmarks = {renamed(each): txg for each, txg in self.bookmarks.items()}
        self.commands.append(("rename", name, new))


_KINDS = st.sampled_from(("create", "snapshot", "snapshot", "clone", "clone", "bookmark", "rename"))
_NUMBERS = st.integers(0, 1000)


@st.composite
def forests(draw: st.DrawFn, most: int = 40, least: int = 0) -> Forest:
    """Random trees of datasets, snapshots and clones of clones."""
    forest = Forest()
    for kind, first, second in draw(
        st.lists(st.tuples(_KINDS, _NUMBERS, _NUMBERS), min_size=least, max_size=most)
    ):
        forest.grow(kind, first, second)
    return forest


def excerpt(
    datasets: Iterable[Dataset], concerns: Iterable[SnapshotSelector]
) -> tuple[tuple[Dataset, ...], SnapshotScope]:
    """What is read of datasets for these concerns, and as what."""
    every = tuple(datasets)
    scope = scope_of(concerns, {each.name: each.origin for each in every if each.type in SYSTEMS})
    return tuple(read for each in every for read in _as_read(each, scope)), scope


def _as_read(each: Dataset, scope: SnapshotScope) -> Iterable[Dataset]:
    if each.type != "snapshot" or scope.has(each.name):
        return (each,)
    bare = Dataset(each.name, "snapshot", createtxg=each.createtxg, guid=each.guid)
    return (bare,) if scope.lists(each.name.partition("@")[0]) else ()
