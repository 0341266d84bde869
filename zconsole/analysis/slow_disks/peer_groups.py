"""Peer groups: equal disks of one vdev, and of the pool with the same role and kind."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.slow_disks.peer_score import OFFSET_NS, OFFSET_SOLID_NS
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Finding, Severity
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import DEAD_STATES, Pool, Vdev
from zconsole.zfs.iostat.iostat_stream import match_rows

LONE: Final = "lone"
MIRROR: Final = "mirror"
SSD: Final = "SSD"
NVME: Final = "NVMe"
HDD: Final = "HDD"
SOLID: Final = frozenset({SSD, NVME})
LEAST_OF_A_MODEL: Final = 3  # disks of one model that form a class of their own
RESILVERS: Final = "it is being resilvered"
INITIALIZES: Final = "it is being initialized"
_GROUP: Final = re.compile(
    r"(mirror|raidz|draid|spare|replacing|indirect|missing|hole)[123]?(?::\S+)?-\d+"
)  # excludes draid2-0-0, a distributed spare, which is a leaf
_INNER: Final = frozenset({"spare", "replacing"})  # groups within a vdev
_NOT_DISKS: Final = frozenset({"indirect", "hole", "missing", "dspare"})


@dataclass(frozen=True, slots=True)
class JudgedDisk:
    """Disk to be judged; `place` is its row in a sample."""

    disk: str
    vdev: str  # top-level vdev
    shape: str  # type of that vdev: mirror, raidz, draid, lone
    role: str  # data, special, log, ...; without status the number of the class in printed order
    place: int
    kind: str = ""  # HDD, SSD, NVMe; empty when unknown
    model: str = ""
    exemption: str = ""  # why it is excluded from comparison, in words
    width: int = 0  # disks of its vdev, missing ones included; 0 when unknown

    @property
    def key(self) -> tuple[str, str]:
        """Identity across changes of the pool's rows."""
        return self.vdev, self.disk


@dataclass(frozen=True, slots=True)
class PeerGroups:
    """Numbered disks of a pool and their groups, as member numbers."""

    members: tuple[JudgedDisk, ...]
    vdevs: tuple[tuple[int, ...], ...] = ()  # all disks of each top-level vdev
    siblings: tuple[tuple[int, ...], ...] = ()  # disks of one kind in one vdev
    sibling_keys: tuple[Hashable, ...] = ()  # identity of each group
    classes: tuple[tuple[int, ...], ...] = ()  # disks of the pool with equal work and model
    kin: tuple[tuple[int, ...], ...] = ()  # disks of one role and kind, any model
    vdev_of: tuple[int, ...] = ()  # of each member
    siblings_of: tuple[int, ...] = ()
    class_of: tuple[int, ...] = ()
    kin_of: tuple[int, ...] = ()
    findings: tuple[Finding, ...] = ()
    places: tuple[int, ...] = ()  # the rows of the members
    exempt: frozenset[int] = frozenset()
    offsets_ns: tuple[float, ...] = ()  # per member: latency differences far below it do not count
    is_one_vdev: tuple[bool, ...] = ()  # whether a class is within one vdev

    @property
    def compared_with(self) -> tuple[tuple[Hashable, ...], ...]:
        """Of each member the groups whose median is its reference: its vdev's, and its class beyond it."""
        return tuple(
            (("vdev", self.siblings_of[at]),)
            if self.is_one_vdev[self.class_of[at]]
            else (("vdev", self.siblings_of[at]), ("class", self.class_of[at]))
            for at in range(len(self.members))
        )


def layout_of(pool: Pool, inventory: Inventory | None, sample: IoSample) -> PeerGroups:
    """Peer groups of a pool with known status; rows missing in it are left out."""
    tops = {id(vdev): top for top in pool.vdevs for vdev in top.walk()}
    disks = DisksOfVdevs(inventory or Inventory())
    members: list[JudgedDisk] = []
    for place, vdev in enumerate(match_rows(pool, sample.rows)):
        if vdev is None or not vdev.is_leaf or vdev.state in DEAD_STATES or vdev.type in _NOT_DISKS:
            continue
        top, disk = tops[id(vdev)], disks.of(vdev)
        members.append(
            JudgedDisk(
                vdev.name, top.name, _shape(top), top.vdev_class, place, _kind(disk),
                "" if disk is None else disk.model, _exemption(vdev, top), len(top.children),
            )
        )  # fmt: skip
    return _grouped(pool.name, members)


def inferred_layout(sample: IoSample, starts: Sequence[int] = ()) -> PeerGroups:
    """Peer groups inferred from row names; `starts` are the rows after a blank line.

    A disk with its own space is a top-level vdev: ZFS prints none for devices in a group.
    """
    members: list[JudgedDisk] = []
    vdev, shape, role = "", LONE, 0
    for place, row in enumerate(sample.rows):
        if place == 0:
            continue
        if place in starts:
            vdev, shape, role = "", LONE, role + 1
        group = _GROUP.fullmatch(row.name)
        if group is not None:
            if group[1] not in _INNER or not vdev:
                vdev, shape = row.name, group[1]
            continue
        if row.allocated_bytes is not None or row.free_bytes is not None or not vdev:
            vdev, shape = "", LONE
        members.append(JudgedDisk(row.name, vdev or row.name, shape, str(role), place))
    return _grouped(sample.pool, members)


def with_kinds(pool: str, layout: PeerGroups, kinds: Mapping[tuple[str, str], str]) -> PeerGroups:
    """The peer groups with the kinds of some disks, by their keys."""
    if not kinds:
        return layout
    return _grouped(pool, [replace(each, kind=kinds.get(each.key, each.kind)) for each in layout.members])


class DisksOfVdevs:
    """Cached lookup of a vdev's disk."""

    def __init__(self, inventory: Inventory) -> None:
        self._links: Mapping[str, str] = dict(inventory.links)
        self._disks: dict[str, Disk] = {}
        for disk in inventory.disks:
            for device in disk.walk():
                self._disks[device.name] = disk
                self._disks.setdefault(device.path, disk)

    def of(self, vdev: Vdev) -> Disk | None:
        """The whole disk of a leaf."""
        if vdev.path is None:
            return None
        return self._disks.get(self._links.get(vdev.path, vdev.path))


def _kind(disk: Disk | None) -> str:
    if disk is None or disk.is_rotational is None:
        return ""
    if disk.is_rotational:
        return HDD
    return NVME if disk.transport == "nvme" else SSD


def _shape(top: Vdev) -> str:
    if top.is_leaf:
        return LONE
    found = _GROUP.fullmatch(f"{top.type}-0")
    return LONE if found is None or found[1] in _INNER else found[1]


def _exemption(vdev: Vdev, top: Vdev) -> str:
    if vdev.is_resilvering and not _has_spare_space_written(vdev, top):
        return RESILVERS
    if _initializes(vdev):
        leaves = tuple(top.leaves())
        if 2 * sum(map(_initializes, leaves)) <= len(leaves):
            return INITIALIZES
    return ""


def _has_spare_space_written(vdev: Vdev, top: Vdev) -> bool:
    """Whether a disk of a draid is written only where a distributed spare has space, as the others are."""
    return vdev in top.children and any(
        leaf.type == "dspare" and leaf.is_resilvering for leaf in top.leaves()
    )


def _initializes(vdev: Vdev) -> bool:
    return any(each.kind == "initialize" and each.state == "active" for each in vdev.activities)


def _grouped(pool: str, members: Sequence[JudgedDisk]) -> PeerGroups:
    vdevs, vdev_of = _parts([(member.role, member.vdev) for member in members])
    siblings, siblings_of = _parts([(member.role, member.vdev, member.kind) for member in members])
    kin, kin_of = _parts([(member.role, member.kind) for member in members])
    models, model_of = _parts([(member.role, member.kind, member.model) for member in members])
    classes = [
        models[model_of[at]]
        if member.model and len(models[model_of[at]]) >= LEAST_OF_A_MODEL
        else kin[kin_of[at]]
        for at, member in enumerate(members)
    ]
    known = tuple(dict.fromkeys(classes))
    return PeerGroups(
        tuple(members),
        vdevs,
        siblings,
        tuple((members[group[0]].role, members[group[0]].vdev, members[group[0]].kind) for group in siblings),
        known,
        kin,
        vdev_of,
        siblings_of,
        tuple(map(known.index, classes)),
        kin_of,
        tuple(_mixed(pool, members, vdevs)),
        tuple(member.place for member in members),
        frozenset(at for at, member in enumerate(members) if member.exemption),
        tuple(OFFSET_SOLID_NS if member.kind in SOLID else OFFSET_NS for member in members),
        tuple(group in siblings for group in known),
    )


def _parts(keys: Sequence[Hashable]) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Numbers grouped by key, and the group of each number."""
    groups: dict[Hashable, list[int]] = {}
    for at, key in enumerate(keys):
        groups.setdefault(key, []).append(at)
    order = {key: number for number, key in enumerate(groups)}
    return tuple(map(tuple, groups.values())), tuple(order[key] for key in keys)


def _mixed(pool: str, members: Sequence[JudgedDisk], vdevs: Sequence[Sequence[int]]) -> Iterator[Finding]:
    """Vdevs of disks that cannot be equally fast: reported once, without blaming a disk."""
    for vdev in vdevs:
        kinds = sorted({members[at].kind for at in vdev} - {""})
        if len(kinds) > 1:
            name = members[vdev[0]].vdev
            yield Finding(
                "mixed-vdev",
                Severity.INFO,
                f"{pool} {name}",
                f"{name} has {' beside '.join(kinds)}: it writes as slowly as the slowest of them",
                {"pool": pool, "vdev": name, "kinds": tuple(kinds)},
            )
