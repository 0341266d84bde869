"""The datasets of the demonstration host: guests and their golden images, homes, backups, archives."""

from __future__ import annotations

import time
from typing import Final
from zlib import crc32

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.demo.demo_replicas import copy_some
from zconsole.practice.world.datasets import EMPTY_FILESYSTEM, Bookmark, PracticeDataset, Snapshot
from zconsole.practice.world.host_world import TXG_S, World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.snapshot_space import add, content

_HOUR: Final = 3600
_DAY: Final = 86400
_GIB: Final = 1 << 30
_MIB: Final = 1 << 20
_ROOT_USE: Final = 114688
HOSTILE: Final = "\x1b[31;7mALERT\x1b[0m [red]not markup[/red] [@click=app.quit]press[/]\u202e"


@dataclass(frozen=True, slots=True)
class SnapshotPolicy:
    """The number of automatic snapshots of each kind to keep."""

    hourly: int = 0
    daily: int = 0
    monthly: int = 0


BUSY: Final = SnapshotPolicy(hourly=36, daily=30, monthly=3)
CALM: Final = SnapshotPolicy(daily=30, monthly=12)
_COLD: Final = SnapshotPolicy(daily=14, monthly=36)


def day_of(world: World) -> float:
    """Begin of the world's day, UTC: what is dated from it is the same for two programs that start that day.

    A plan that one of them has saved is applied by the other.
    """
    return world.now // _DAY * _DAY


class DatasetMaker:
    """Makes datasets of one pool."""

    def __init__(self, world: World, pool: PracticePool) -> None:
        self.world, self.pool = world, pool
        self.random = world.random

    def filesystem(
        self, name: str, size: float = 0.0, policy: SnapshotPolicy | None = None, **properties: str
    ) -> PracticeDataset:
        """A filesystem with that many GiB in it."""
        made = self._dataset(name, "filesystem", int(size * _GIB), policy, properties)
        made.seed = crc32(name.encode()) if size else 0
        return made

    def volume(
        self, name: str, size: float, used: float, policy: SnapshotPolicy | None = None, **properties: str
    ) -> PracticeDataset:
        """A sparse volume of `size` GiB of which `used` are written."""
        volume = self._dataset(name, "volume", int(used * _GIB), policy, properties)
        volume.volsize, volume.is_mounted = int(size * _GIB), False
        volume.properties.setdefault("volblocksize", "16384")
        return volume

    def clone(
        self,
        origin: PracticeDataset,
        snapshot: Snapshot,
        name: str,
        own: float,
        policy: SnapshotPolicy | None = None,
    ) -> PracticeDataset:
        """A clone that has written `own` GiB since, half of them over blocks of its origin."""
        clone = self._dataset(name, origin.kind, int(own * _GIB), None, {})
        written, base = clone.own, content(snapshot)
        clone.origin = snapshot
        clone.live, clone.volsize, clone.is_mounted = base, origin.volsize, origin.is_mounted
        self._replace(clone, min(written // 2 >> 12 << 12, clone.referenced // 2), written)
        clone.logical = int(clone.referenced * 1.4)
        clone.createtxg = max(clone.createtxg, snapshot.createtxg + 1)
        clone.creation = max(clone.creation, snapshot.creation + 60)
        if origin.kind == "volume":
            clone.properties.setdefault("volblocksize", origin.properties["volblocksize"])
        if policy is not None:
            self._autosnap(clone, policy)
        return clone

    def snapshot(self, dataset: PracticeDataset, name: str, *, days_ago: float, used: int = 0) -> Snapshot:
        """A snapshot that was taken by hand behind all others; it alone keeps `used` bytes by now."""
        at = day_of(self.world) - days_ago * _DAY
        newest = dataset.newest
        txg = max(self._txg(at), newest.createtxg + 1 if newest else 0)
        taken = self._keep(dataset, name, at=int(at), txg=txg)
        self._replace(dataset, used >> 12 << 12, used >> 12 << 12)
        return taken

    def early_snapshot(self, dataset: PracticeDataset, name: str, *, days_ago: float, used: int) -> Snapshot:
        """A snapshot that was taken by hand before all others; it alone keeps `used` bytes by now."""
        at = day_of(self.world) - days_ago * _DAY
        guid, referenced = self.world.guid(), content(dataset.snapshots[0]).get(0, 0) + used
        taken = Snapshot(dataset, name, guid, self._txg(at), int(at), referenced, dataset.logical)
        taken.objset = self._object()
        add(dataset.snapshots[0].dead, {0: used})
        dataset.snapshots.insert(0, taken)
        return taken

    def _keep(
        self, dataset: PracticeDataset, name: str, *, at: int, txg: int, ratio: float = 1.0
    ) -> Snapshot:
        """Take a snapshot at some moment of the past."""
        taken = dataset.keep(name, self.world.guid(), txg=txg, at=at, objset=self._object())
        taken.logical = int(dataset.logical * ratio)
        return taken

    @staticmethod
    def _replace(dataset: PracticeDataset, gone: int, written: int) -> None:
        """Drop bytes, half of them the youngest there are, the others the oldest, and write new ones."""
        live, last = dataset.live, dataset.last_txg
        youngest = max(live, default=0)
        for birth, most in ((youngest, gone // 2), *((birth, gone) for birth in sorted(live))):
            taken = min(gone, most, live[birth]) >> 12 << 12
            live[birth] -= taken
            gone -= taken
            if taken and birth < last:
                add(dataset.dead, {birth: taken})
            if not gone:
                break
        dataset.live = {birth: size for birth, size in live.items() if size}
        if written:
            add(dataset.live, {last: written})

    def _txg(self, at: float) -> int:
        return max(8, int(self.pool.txg - (self.world.now - at) / TXG_S))

    def _object(self) -> int:
        self.pool.next_object += 2
        return self.pool.next_object

    def _dataset(
        self, name: str, kind: str, own: int, policy: SnapshotPolicy | None, properties: dict[str, str]
    ) -> PracticeDataset:
        age = self.random.uniform(0.3, 0.97) * (day_of(self.world) - self.pool.created)
        created = int(day_of(self.world) - age)
        own = own >> 12 << 12 or EMPTY_FILESYSTEM
        dataset = PracticeDataset(
            name,
            "volume" if kind == "volume" else "filesystem",
            self.world.guid(),
            createtxg=self._txg(created),
            creation=created,
            objset=self._object(),
            live={0: own},
            logical=int(own * self.random.uniform(1.05, 1.6)) if own > _MIB else 43520,
            properties=properties,
        )
        if "keyformat" in properties:
            dataset.encryption_root = dataset
        self.pool.datasets[name] = dataset
        if policy is not None:
            self._autosnap(dataset, policy)
        return dataset

    def _autosnap(self, dataset: PracticeDataset, policy: SnapshotPolicy) -> None:
        """Give a dataset the snapshots that a policy leaves."""
        now = int(self.world.now)
        hour, day = now // _HOUR * _HOUR, now // _DAY * _DAY
        moments = [(hour - index * _HOUR, "hourly") for index in range(policy.hourly)]
        moments += [(day - index * _DAY, "daily") for index in range(policy.daily)]
        moments += [(day - (index * 30 + 3) * _DAY, "monthly") for index in range(policy.monthly)]
        moments = sorted(moment for moment in moments if moment[0] > dataset.creation)
        dataset.hourlies = policy.hourly
        size, change = dataset.referenced, max(8192, int(dataset.own * 0.0004) >> 12 << 12)
        spans = hour - moments[0][0] if moments else 0
        kept_back = int(dataset.own * 0.3 * spans / _DAY * 0.0006) >> 12 << 12
        dataset.live[dataset.last_txg] -= kept_back
        grown = dataset.referenced
        for at, kind in moments:
            written = int(change * self.random.uniform(0.2, 2.2)) >> 12 << 12
            growth = (size - grown) * (at - moments[0][0]) // max(1, hour - moments[0][0]) >> 12 << 12
            growth = max(0, min(written, grown + growth - dataset.referenced))
            self._replace(dataset, written - growth, written)
            newest = dataset.newest
            self._keep(
                dataset,
                f"{time.strftime('autosnap_%Y-%m-%d_%H:%M:%S', time.gmtime(at))}_{kind}",
                at=at,
                txg=max(self._txg(at), newest.createtxg + 1 if newest else 0),
                ratio=dataset.referenced / size,
            )
        rest = max(0, size - dataset.referenced)
        self._replace(dataset, 0, rest)

    def finish(self) -> None:
        """Sort the datasets, and set their shares of the I/O, which add up to 1."""
        self.pool.datasets = dict(sorted(self.pool.datasets.items()))
        root = self.pool.datasets[self.pool.name]
        root.live = {0: _ROOT_USE}
        weights = {
            name: (0.0 if dataset.own < _GIB else dataset.own**0.5)
            for name, dataset in self.pool.datasets.items()
        }
        total = sum(weights.values()) or 1.0
        for name, dataset in self.pool.datasets.items():
            dataset.share = (weights[name] / total, weights[name] / total)


def fill_tank(world: World, pool: PracticePool) -> None:
    """Guests cloned from golden images, databases, containers, homes."""
    make = DatasetMaker(world, pool)
    make.filesystem("tank/vm", com_example_owner="virt-team")
    make.filesystem("tank/vm/images")
    gold = make.volume("tank/vm/images/debian-13", 32, 5.2)
    base = make.snapshot(gold, "gold-2026-05", days_ago=150, used=212 * _MIB)
    newer = make.snapshot(gold, "gold-2026-09", days_ago=48)
    base.holds = newer.holds = {"golden-image": newer.creation}
    windows = make.volume("tank/vm/images/win2025", 160, 23.8)
    win_base = make.snapshot(windows, "gold-2026-03", days_ago=230)
    win_base.holds = {"golden-image": win_base.creation}
    for number in range(1, 15):
        make.clone(gold, base if number <= 6 else newer, f"tank/vm/web{number:02d}", 6.5 + number * 0.8, BUSY)
    for number in range(1, 7):
        make.clone(windows, win_base, f"tank/vm/rds{number:02d}", 61.0 + number * 7, BUSY)
    web = pool.datasets["tank/vm/web01"]
    patched = make.snapshot(web, "before-upgrade", days_ago=3.2, used=88 * _MIB)
    test = make.clone(web, patched, "tank/vm/web01-test", 2.1)
    make.clone(test, make.snapshot(test, "ready", days_ago=1.1), "tank/vm/web01-test-b", 0.4)
    for number, size in enumerate((812, 640, 388), start=1):
        make.volume(
            f"tank/vm/db{number:02d}", size * 2, size, BUSY, volblocksize="16384", com_example_tier="gold"
        )
    pool.datasets["tank/vm/db01"].properties["refreservation"] = str(300 * _GIB)
    make.filesystem("tank/db", recordsize="16384", logbias="latency")
    make.filesystem("tank/db/postgres", 922, BUSY, primarycache="metadata")
    make.filesystem("tank/db/postgres-wal", 41, BUSY, recordsize="131072")
    make.filesystem("tank/db/mysql", 355, BUSY)
    make.filesystem("tank/containers")
    containers = {"registry": 388, "gitlab": 612, "ci-cache": 205, "nextcloud": 901, "matrix": 77}
    for name, size in containers.items():
        make.filesystem(f"tank/containers/{name}", size, BUSY)
    make.filesystem("tank/home", quota=str(3 << 40))
    for name in ("anna", "bo", "chen", "dora", "emil", "fatima", "gita", "henk"):
        make.filesystem(f"tank/home/{name}", 18 + len(name) * 21.5, BUSY, quota=str(400 * _GIB))
    make.filesystem("tank/home/with space", 3.1)  # left out by the schedule of its siblings: advice tells it
    note = make.filesystem("tank/scratch", 120, sync="disabled")
    note.properties["com.example:note"] = HOSTILE
    make.filesystem(
        "tank/secret", 44, CALM, encryption="aes-256-gcm", keyformat="passphrase", keylocation="prompt"
    ).key_status = "available"
    _rename_user_properties(pool)
    _remember_bookmarks(make, "tank/db/postgres")
    make.finish()


def fill_bulk(world: World, pool: PracticePool) -> None:
    """Backups, media, and an old file server."""
    make = DatasetMaker(world, pool)
    make.filesystem("bulk/backup", recordsize="1048576")
    make.filesystem("bulk/backup/pbs", 15_400, CALM)
    for name in ("web", "mail", "erp", "fileserver"):
        make.filesystem(f"bulk/backup/{name}", 610 + 190 * len(name), CALM)
    make.filesystem("bulk/media", recordsize="1048576", atime="off")
    video = make.filesystem("bulk/media/video", 7_300, CALM)
    make.filesystem("bulk/media/photos", 2_210, CALM)
    make.filesystem("bulk/media/podcasts", 340, CALM)
    make.filesystem("bulk/projects", 1_120, BUSY)
    make.filesystem("bulk/old-fileserver", 1_480, None, readonly="on", canmount="noauto")
    make.early_snapshot(video, "before-re-encode", days_ago=410, used=650 * _GIB)
    held = make.early_snapshot(pool.datasets["bulk/projects"], "audit-2025", days_ago=320, used=61 * _GIB)
    held.holds = {"legal": held.creation, "auditor": held.creation + 90}
    _remember_bookmarks(make, "bulk/backup/pbs")
    make.finish()


def fill_vault(world: World, pool: PracticePool, tank: PracticePool) -> None:
    """Archives, one of them locked, and replicas of datasets of `tank`."""
    make = DatasetMaker(world, pool)
    make.filesystem("vault/archive")
    for name, size in (("mail", 1_340), ("contracts", 410), ("scans", 2_120), ("source", 690)):
        make.filesystem(f"vault/archive/{name}", size, _COLD)
    make.filesystem("vault/replica")
    for name in ("tank-home", "tank-db"):
        make.filesystem(f"vault/replica/{name}", readonly="on", canmount="off").is_mounted = False
    copy_some(world, tank, pool)
    locked = make.filesystem(
        "vault/board", 96, _COLD, encryption="aes-256-gcm", keyformat="passphrase", keylocation="prompt"
    )
    locked.key_status, locked.is_mounted = "unavailable", False
    make.finish()


def _rename_user_properties(pool: PracticePool) -> None:
    """Keyword arguments cannot hold a colon."""
    for dataset in pool.datasets.values():
        for name in [name for name in dataset.properties if name.startswith("com_example_")]:
            full = name.replace("com_example_", "com.example:")
            dataset.properties[full] = dataset.properties.pop(name)


def _remember_bookmarks(make: DatasetMaker, name: str) -> None:
    dataset = make.pool.datasets[name]
    dataset.bookmarks += [Bookmark.of(kept, f"sent-{kept.name}") for kept in dataset.snapshots[-3:]]
