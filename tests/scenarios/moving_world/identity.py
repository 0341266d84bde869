"""What really is on a practice host, object by object, whatever each is called: who is there, and as what.

Objects are known by what ZFS never gives twice: guid and createtxg of datasets and snapshots, the guid of a
pool, the serial of a drive. Each has a label, the name under which it was first seen and whose hand made it,
so that the same object of two runs has the same label. Nothing here asks the console or the host.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from zconsole.model.dataset_names import parent_of
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev

FIRST = "there from the first"
CONSOLE = "the console"
OTHER = "another hand"


class Fact(NamedTuple):
    """One thing that is so of one object."""

    subject: str
    attribute: str
    value: str


Facts = frozenset[Fact]
THERE = "is there"  # the attribute that every object has as long as it lives


@dataclass(frozen=True, slots=True)
class Effects:
    """What one hand did: which objects went, which it made, and what it changed of others."""

    gone: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    changed: frozenset[tuple[str, str]] = frozenset()  # object and attribute
    added: Facts = frozenset()  # what is so now, and was not
    removed: Facts = frozenset()

    def __or__(self, other: Effects) -> Effects:
        return Effects(
            self.gone | other.gone,
            self.made | other.made,
            self.changed | other.changed,
            self.added | other.added,
            self.removed | other.removed,
        )

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)

    def beyond(self, allowed: Effects) -> list[str]:
        """What was hit that is not among what was allowed, in words."""
        touched = {
            (subject, attribute)
            for subject, attribute in self.changed - allowed.changed
            if subject not in allowed.gone
        }
        return [
            *(f"{subject} is gone" for subject in sorted(self.gone - allowed.gone)),
            *(f"{subject} was made" for subject in sorted(self.made - allowed.made)),
            *(f"{attribute} of {subject} was changed" for subject, attribute in sorted(touched)),
        ]

    def lacks(self, wanted: Effects) -> list[str]:
        """What was wanted and never came about, in words."""
        kept = wanted.gone - self.gone
        missing = {fact for fact in wanted.added - self.added if fact.attribute != THERE}
        stayed = {
            fact
            for fact in wanted.removed - self.removed
            if fact.subject not in wanted.gone | self.gone
            and not any(
                (other.subject, other.attribute) == (fact.subject, fact.attribute) for other in self.added
            )
        }
        return [
            *(f"{subject} is not gone" for subject in sorted(kept)),
            *(f"{subject} was not made" for subject in sorted(wanted.made - self.made)),
            *(f"{a} of {s} never became {v}" for s, a, v in sorted(missing) if s not in self.gone),
            *(f"{a} of {s} still was {v}" for s, a, v in sorted(stayed)),
        ]


def effects(before: Facts, after: Facts) -> Effects:
    """What came about between two moments."""
    lived = {fact.subject for fact in before if fact.attribute == THERE}
    lives = {fact.subject for fact in after if fact.attribute == THERE}
    added, removed = after - before, before - after
    stays = lived & lives
    changed = {(fact.subject, fact.attribute) for fact in added | removed if fact.subject in stays}
    return Effects(frozenset(lived - lives), frozenset(lives - lived), frozenset(changed), added, removed)


@dataclass
class Eye:
    """Sees the facts of a world, and keeps the labels that it gave."""

    world: World
    hand: str = FIRST  # whose work is being watched: it signs what is first seen now
    _labels: dict[Hashable, str] = field(default_factory=dict)
    _taken: dict[str, int] = field(default_factory=dict)

    def facts(self) -> Facts:
        """All that is so now."""
        return frozenset(self._all())

    def _label(self, key: Hashable, name: str) -> str:
        known = self._labels.get(key)
        if known is None:
            label = name if self.hand == FIRST else f"{name} of {self.hand}"
            count = self._taken[label] = self._taken.get(label, 0) + 1
            known = self._labels[key] = label if count == 1 else f"{label} ({count})"
        return known

    def _all(self) -> Iterator[Fact]:
        for disk in self.world.disks:
            yield Fact(disk.serial, THERE, "")
            if disk.left_label is not None:
                yield Fact(disk.serial, "left label", str(disk.left_label))
            if disk.signatures:
                yield Fact(disk.serial, "signatures", str([each.fstype for each in disk.signatures]))
            if disk.serial in self.world.lit:
                yield Fact(disk.serial, "lamp", "lit")
        for pools, where in ((self.world.pools.values(), "imported"), (self.world.importable, "")):
            for pool in pools:
                if pool.label_state == "DESTROYED" and not where:
                    continue
                yield from self._pool(pool, where or "not imported")

    def _pool(self, pool: PracticePool, where: str) -> Iterator[Fact]:
        label = self._label(("pool", pool.guid), f"pool {pool.name}")
        yield Fact(label, THERE, "")
        yield Fact(label, "name", pool.name)
        yield Fact(label, "place", where)
        yield Fact(label, "read-only", str(pool.is_readonly))
        yield Fact(label, "suspended", str(pool.is_suspended))
        yield Fact(label, "checkpoint", str(pool.checkpoint is not None and pool.discarding is None))
        for feature in sorted(pool.disabled_features):
            yield Fact(label, f"feature {feature}", "disabled")
        for key, value in pool.properties.items():
            yield Fact(label, f"property {key}", value)
        if pool.scan is not None:
            paused = "paused" if pool.scan.paused_at else pool.scan.state
            yield Fact(label, "scan", f"{pool.scan.function} {paused}")
        for top in pool.root.children:
            yield from self._vdevs(pool, label, top, pool.root)
        for other in (*pool.caches, *pool.spares):
            yield from self._leaf(label, other, other.vdev_class)
        for dataset in pool.datasets.values():
            yield from self._dataset(pool, label, dataset)

    def _vdevs(
        self, pool: PracticePool, label: str, vdev: PracticeVdev, above: PracticeVdev
    ) -> Iterator[Fact]:
        if vdev.is_leaf:
            yield from self._leaf(label, vdev, above.kind)
        elif vdev.is_removing or vdev.is_expanding:
            what = "removed" if vdev.is_removing else "expanded"
            yield Fact(label, self._label(("top", vdev.guid), f"vdev {vdev.vdev_id}"), what)
        for child in vdev.children:
            yield from self._vdevs(pool, label, child, vdev)

    def _leaf(self, pool: str, leaf: PracticeVdev, place: str) -> Iterator[Fact]:
        serial = leaf.disk.serial if leaf.disk is not None else f"lost {leaf.guid}"
        label = f"{serial} in {pool}" + (" as spare" if leaf.vdev_class == "spare" else "")
        yield Fact(label, THERE, "")
        yield Fact(label, "place", place)
        yield Fact(label, "state", leaf.state)
        yield Fact(label, "offline", f"{leaf.is_offline} {leaf.is_forgotten}")
        yield Fact(label, "errors", str(any((leaf.read_errors, leaf.write_errors, leaf.checksum_errors))))
        if leaf.is_removing:
            yield Fact(pool, self._label(("top", leaf.guid), f"vdev {leaf.vdev_id}"), "removed")
        for kind, activity in (("initialize", leaf.initialize), ("trim", leaf.trim)):
            if activity is not None:
                yield Fact(label, kind, "begun")

    def _key(self, pool: str, dataset: PracticeDataset) -> Hashable:
        return ("dataset", pool, dataset.guid, dataset.createtxg)

    def _dataset(self, pool: PracticePool, pool_label: str, dataset: PracticeDataset) -> Iterator[Fact]:
        above = pool.datasets.get(parent_of(dataset.name))
        parent = pool_label if above is None else self._label(self._key(pool_label, above), above.name)
        short = dataset.name.rpartition("/")[2] if above is not None else ""
        label = self._label(self._key(pool_label, dataset), dataset.name)
        yield Fact(label, THERE, "")
        yield Fact(label, "place", f"{short} in {parent}")
        yield Fact(label, "mounted", str(dataset.is_mounted))
        yield Fact(label, "shared", str(dataset.is_shared))
        yield Fact(label, "key", str(dataset.key_status))
        yield Fact(label, "volsize", str(dataset.volsize))
        if dataset.partial is not None:
            yield Fact(label, "partly received", "")
        if dataset.origin is not None:
            origin = dataset.origin
            yield Fact(label, "origin", self._snapshot_label(pool_label, origin.full_name, origin.guid,
                                                             origin.createtxg))  # fmt: skip
        for key in sorted({*dataset.properties, *dataset.received}):
            setting = dataset.setting(key)
            if setting is not None:
                yield Fact(label, f"property {key}", setting[0])
        for path, node in dataset.touched.items():
            if node.type != "-":
                yield Fact(f"{label}: {path}", THERE, "")
        for kept in dataset.snapshots:
            its = self._snapshot_label(pool_label, kept.full_name, kept.guid, kept.createtxg)
            yield Fact(its, THERE, "")
            yield Fact(its, "place", f"{kept.name} in {label}")
            yield Fact(its, "deferred", str(kept.defer_destroy))
            for tag in kept.holds:
                yield Fact(its, f"hold {tag}", "")
            for key, value in kept.properties.items():
                yield Fact(its, f"property {key}", value)
        for mark in dataset.bookmarks:
            its = f"{label}#{mark.name}"
            yield Fact(its, THERE, "")

    def _snapshot_label(self, pool: str, name: str, guid: int, createtxg: int) -> str:
        return self._label(("snapshot", pool, guid, createtxg), name)
