"""The demonstration host: a busy pool of SSDs, one of big disks with a failing one, one that is degraded."""

from __future__ import annotations

import random
from typing import Final

from zconsole.practice.demo import demo_drives
from zconsole.practice.demo.demo_datasets import day_of, fill_bulk, fill_tank, fill_vault
from zconsole.practice.demo.demo_guests import add_containers, add_guests
from zconsole.practice.ready_made_pools import bring, create_pool
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.drives import Ageing
from zconsole.practice.world.feature_flags import WITH_USE
from zconsole.practice.world.host_world import TXG_S, World
from zconsole.practice.world.pools_and_vdevs import History, Load, PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import PracticeScan
from zconsole.practice.world.vdev_states_and_drive_unplugging import derive_states

_DAY: Final = 86400
_GIB: Final = 1 << 30
_KIB: Final = 1024
_RESILVER_PACE: Final = 120e6  # bytes a second
_SLOW_STARTS_S: Final = 40.0
_SLOW_LASTS_S: Final = 240.0
_SLOW_WORST: Final = 9.0
_TANK_TXG, _BULK_TXG, _VAULT_TXG = 4_812_553, 9_310_447, 22_015_118
_ATTIC_SEED: Final = 41
_ANNA, _CHEN, _BACKUP = (1000, "anna"), (1002, "chen"), (997, "backup")
_BY_HAND: Final = (
    ("tank", 30.2, _ANNA, "zfs create tank/containers/wiki"),
    ("tank", 6.3, _ANNA, "zfs set quota=400G tank/home/anna"),
    ("tank", 3.9, _BACKUP, "zfs snapshot -r tank/db@before-upgrade"),
    ("tank", 2.4, _BACKUP, "zfs destroy -r tank/db@before-upgrade"),
    ("tank", 0.4, (0, "root"), "zfs set compression=zstd tank/home"),
    ("bulk", 20.9, _BACKUP, "zfs destroy bulk/backup/erp@before-migration"),
)


def demo_world(now: float, seed: int = 1) -> World:
    """The world that `--demo` opens; the same seed makes the same one."""
    world = World("storage1", now=now, seed=seed)
    world.disks = demo_drives.demo_disks()
    _tank(world)
    _bulk(world)
    _vault(world)
    world.events.sort(key=lambda event: event.at)
    first = 48_211
    world.events = [event.numbered(first + index) for index, event in enumerate(world.events)]
    world.first_eid = first
    _work_of_people(world)
    _attic(world)
    add_guests(world)
    add_containers(world)
    return world


def _work_of_people(world: World) -> None:
    """What administrators did by hand, as the histories of the pools have it."""
    pools = world.pools
    for pool, days_ago, user, text in _BY_HAND:
        pools[pool].history.append(History(int(world.now - days_ago * _DAY), text, user=user))
    wiki = int(world.now - 1.1 * _DAY)
    pools["tank"].history += [
        History(
            wiki, "destroy tank/containers/wiki (2291) (bptree, mintxg=1)", int(pools["tank"].txg) - 19_000
        ),
        History(wiki + 1, "zfs destroy -r tank/containers/wiki", user=_CHEN),
    ]
    for changed in pools.values():
        changed.history.sort(key=lambda record: record.at)


def _attic(world: World) -> None:
    """Half a mirror that another host used last; it draws its numbers apart from all else."""
    own, world.random = world.random, random.Random(_ATTIC_SEED)  # noqa: S311
    world.disks.append(demo_drives.left_behind())
    drives = demo_drives.serials("attic")
    bring(world, "attic", ["mirror", *drives], host="storage2", days_ago=41.0, missing=drives[1:])
    world.disks.pop()
    world.random = own


def start_pool(world: World, name: str, words: list[str], *, age_days: int, txg: int) -> PracticePool:
    """A pool that has been in use for some time."""
    created = day_of(world) - age_days * _DAY
    properties = {"compression": "lz4", "atime": "off", "xattr": "sa"}
    pool = create_pool(world, name, words, properties=properties, at=created)
    pool.txg = float(txg) + (world.now - day_of(world)) / TXG_S
    pool.config_txg = txg - 40_000
    pool.active_features |= WITH_USE
    world.events = [event for event in world.events if event.pool != name]  # long gone from the kernel's list
    return pool


def _tank(world: World) -> None:
    ssd, nvme = demo_drives.serials("ssd"), demo_drives.serials("nvme")
    words: list[str] = []
    for pair in range(4):
        words += ["mirror", ssd[2 * pair], ssd[2 * pair + 1]]
    words += ["special", "mirror", nvme[0], nvme[1], "log", "mirror", nvme[2], nvme[3], "cache", nvme[4]]
    pool = start_pool(world, "tank", words, age_days=612, txg=_TANK_TXG)
    pool.properties["autotrim"] = "on"
    fill_tank(world, pool)
    allocate(pool, (0.64, 0.63, 0.66, 0.31))  # the fourth mirror was added later
    for special in pool.tops("special"):
        special.allocated, special.fragmentation = 212 * _GIB, 31
    for log in pool.tops("log"):
        log.allocated = 1_310_720 * 64
    for cache in pool.caches:
        cache.allocated = int(cache.asize * 0.93)
    pool.load = Load(
        5200,
        20 * _KIB,
        2300,
        24 * _KIB,
        sync_writes=900,
        sync_bytes=12 * _KIB,
        metadata=0.12,
        swing=0.35,
        growth=1.4e6,
        grows="tank/vm/db01",
    )
    scrubbed(world, pool, days_ago=12.3, hours=1.9)


def _bulk(world: World) -> None:
    big = demo_drives.serials("big")
    pool = start_pool(world, "bulk", ["raidz2", *big[:6], "spare", big[6]], age_days=1480, txg=_BULK_TXG)
    fill_bulk(world, pool)
    allocate(pool, (0.71,))
    pool.load = Load(
        62, 128 * _KIB, 150, 128 * _KIB, swing=0.25, quiet_s=64800.0, growth=5.1e6, grows="bulk/backup/pbs"
    )
    scrubbed(world, pool, days_ago=20.4, hours=15.2)
    slow = world.disk(big[3])
    world.ageing.append(Ageing(slow, _SLOW_STARTS_S, _SLOW_LASTS_S, _SLOW_WORST))


def _vault(world: World) -> None:
    cold = demo_drives.serials("cold")
    words = ["mirror", cold[0], cold[1], "mirror", cold[2], cold[3], "spare", cold[4]]
    pool = start_pool(world, "vault", words, age_days=1911, txg=_VAULT_TXG)
    pool.properties["comment"] = "cold copies, rack B7"
    fill_vault(world, pool, world.pools["tank"])
    allocate(pool, (0.58, 0.57))
    pool.load = Load(34, 96 * _KIB, 22, 64 * _KIB, swing=0.4, growth=2.2e5, grows="vault/archive/mail")
    _fail(world, pool)


def _fail(world: World, pool: PracticePool) -> None:
    """One disk of the first mirror failed last night; the spare took its place and resilvers."""
    top, spare = pool.root.children[0], pool.spares[0]
    failed = top.children[1]
    started = int(world.now - 5.6 * 3600)
    failed.state, failed.aux, failed.read_errors, failed.write_errors = "FAULTED", "ERR_EXCEEDED", 14, 486
    stand_in = PracticeVdev(
        "disk", spare.guid, vdev_class="spare", disk=spare.disk, path=spare.path, meter=spare.meter
    )
    stand_in.vdev_id, stand_in.is_resilvering = 1, True
    together = PracticeVdev("spare", world.guid(), children=[failed, stand_in], vdev_id=1)
    failed.vdev_id = 0
    top.children[1] = together
    derive_states(pool)
    wanted = top.allocated
    scan = PracticeScan("RESILVER", "SCANNING", started, pass_start=started, pace=_RESILVER_PACE)
    scan.to_examine = scan.examined = pool.allocated
    scan.skipped = pool.allocated - wanted
    scan.issued = scan.pass_issued = wanted - 66 * _GIB
    scan.processed = stand_in.scan_processed = together.scan_processed = scan.issued
    pool.scan = scan
    demo_drives.failure_events(world, pool, failed, stand_in, at=started)


def scrubbed(world: World, pool: PracticePool, *, days_ago: float, hours: float) -> None:
    """Record a scrub that ended without errors."""
    end = int(world.now - days_ago * _DAY)
    start = end - int(hours * 3600)
    total = pool.allocated
    pool.scan = PracticeScan("SCRUB", "FINISHED", start, end, to_examine=total, examined=total, issued=total)
    pool.scan.pass_start, pool.scan.pass_issued = start, total
    pool.last_scrubbed_txg = int(pool.txg - days_ago * _DAY / 5)
    world.note(pool, f"zpool scrub {pool.name}", at=start)
    txg = pool.last_scrubbed_txg
    world.history_event(pool, "scan setup", f"func=1 mintxg=0 maxtxg={txg}", txg=txg, at=start)
    world.history_event(pool, "scan done", "errors=0", txg=txg + int(hours * 720), at=end)


def allocate(pool: PracticePool, shares: tuple[float, ...]) -> None:
    """Spread the used space over the top-level vdevs, in these proportions."""
    tops = pool.tops("normal")
    root = next(iter(pool.datasets.values()))
    used = total_used(pool.datasets)
    assert root.name == pool.name  # noqa: S101 - the first dataset is the pool's own
    weights = [top.size * share for top, share in zip(tops, shares, strict=True)]
    for top, weight in zip(tops, weights, strict=True):
        top.allocated = int(used * weight / sum(weights) * 512 / top.ratio) >> 12 << 12
        top.fragmentation = int(8 + 40 * top.allocated / top.size)


def total_used(datasets: dict[str, PracticeDataset]) -> int:
    """Bytes that the datasets and their snapshots take."""
    return sum(dataset.own + dataset.used_by_snapshots for dataset in datasets.values())
