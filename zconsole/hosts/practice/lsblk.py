"""`lsblk -J`: drives, their partitions, and the volumes of pools."""

from __future__ import annotations

import json
import uuid
from typing import Final

from zconsole.hosts.practice import space
from zconsole.hosts.practice.argv import Options
from zconsole.hosts.practice.nice import nicebytes
from zconsole.hosts.practice.proc import partitions, zvols
from zconsole.hosts.practice.reply import Refusal, Reply
from zconsole.hosts.practice.tree import Disk, Drive
from zconsole.hosts.practice.world import World

SHORT: Final = "abdfijJlmno:Opt"
LONGS: Final = {
    "json": "J",
    "bytes": "b",
    "output-all": "O",
    "nodeps": "d",
    "paths": "p",
    "list": "l",
    "tree": "T",
}
COLUMNS: Final = """
alignment id-link id disc-aln dax disc-gran disk-seq disc-max disc-zero fsavail fsroots fssize
fstype fsused fsuse% fsver group hctl hotplug kname label log-sec maj:min maj min min-io mode model
mq name opt-io owner partflags partlabel partn parttype parttypename partuuid path phy-sec pkname
pttype ptuuid ra rand rev rm ro rota rq-size sched serial size start state subsystems mountpoint
mountpoints tran type uuid vendor wsame wwn zoned zone-sz zone-wgran zone-app zone-nr zone-omax
zone-amax
""".split()  # noqa: SIM905
_DEFAULT: Final = ["name", "maj:min", "rm", "size", "ro", "type", "mountpoints"]
_ZFS_TYPE: Final = ("6a898cc3-1dd2-11b2-99a6-080020736631", "Solaris /usr & Apple ZFS")
_RESERVED_TYPE: Final = ("6a945a3b-1dd2-11b2-99a6-080020736631", "Solaris reserved 1")
_SIZES: Final = frozenset({"size", "fsavail", "fssize", "fsused", "disc-gran", "disc-max"})

Cell = str | int | bool | list[str] | None
Row = dict[str, Cell]
_EVERY: Final[Row] = {
    **dict.fromkeys(COLUMNS),
    "alignment": 0,
    "disc-aln": 0,
    "dax": False,
    "disc-zero": False,
    "fsroots": [],
    "group": "disk",
    "hotplug": False,
    "mode": "brw-rw----",
    "owner": "root",
    "opt-io": 0,
    "ra": 128,
    "rm": False,
    "ro": False,
    "rq-size": 256,
    "mountpoints": [],
    "wsame": 0,
    "zoned": "none",
    **dict.fromkeys(("zone-sz", "zone-wgran", "zone-app", "zone-nr", "zone-omax", "zone-amax"), 0),
}


def lsblk(world: World, options: Options) -> Reply:
    """Answer `lsblk`; only the JSON is known here."""
    if "J" not in options:
        raise Refusal("lsblk: the practice host knows only the JSON output (-J)\n", 1)
    wanted = [name.lower() for name in (options.last("o") or "").split(",") if name]
    names = list(COLUMNS) if "O" in options else wanted or _DEFAULT
    wrong = next((name for name in names if name not in COLUMNS), None)
    if wrong is not None:
        raise Refusal(f"lsblk: unknown column: {wrong.upper()}\n", 1)
    trees = [_disk(world, disk) for disk in world.disks if disk.is_present]
    trees += [(_zvol(name, dataset.volsize or 0), []) for name, dataset, _ in zvols(world)]
    trees.sort(key=lambda tree: (len(str(tree[0]["kname"])), str(tree[0]["kname"])))
    items: list[object] = []
    for row, children in trees:
        item: dict[str, object] = _chosen(row, names, options)
        if children and "d" not in options and "name" in names and "l" not in options:
            item["children"] = [_chosen(child, names, options) for child in children]
            items.append(item)
        else:
            items.append(item)
            if children and "d" not in options:
                items.extend(_chosen(child, names, options) for child in children)
    return Reply(_pretty({"blockdevices": items}, 0) + "\n")


def _chosen(row: Row, names: list[str], options: Options) -> dict[str, object]:
    chosen: dict[str, object] = {}
    for name in names:
        value = row[name]
        if name in _SIZES and isinstance(value, int) and "b" not in options:
            value = nicebytes(value)
        if "p" in options and name in {"name", "kname", "pkname"} and isinstance(value, str):
            value = f"/dev/{value}"
        chosen[name] = value
    return chosen


def _pretty(value: object, depth: int) -> str:
    """JSON with the layout of util-linux: three spaces a level, `},{` between objects."""
    pad, inner = " " * 3 * depth, " " * 3 * (depth + 1)
    if isinstance(value, dict):
        members = [
            f"{inner}{json.dumps(name)}: {_pretty(member, depth + 1)}" for name, member in value.items()
        ]
        return "{\n" + ",\n".join(members) + f"\n{pad}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + inner + ",".join(_pretty(member, depth + 1) for member in value) + f"\n{pad}]"
    if isinstance(value, list) and value:
        members = [f"{pad}    {json.dumps(member)}" for member in value]
        return "[\n" + ",\n".join(members) + f"\n{pad}]"
    return json.dumps(value, ensure_ascii=False)


def _zvol(name: str, size: int) -> Row:
    minor = name[2:]
    return {
        **_EVERY,
        "kname": name,
        "name": name,
        "path": f"/dev/{name}",
        "maj:min": f"230:{minor}",
        "maj": "230",
        "min": minor,
        "log-sec": 512,
        "phy-sec": 16384,
        "min-io": 16384,
        "disc-gran": 16384,
        "disc-max": 268435456,
        "mq": "1",
        "opt-io": 33554432,
        "ra": 65536,
        "rand": False,
        "rota": False,
        "rq-size": None,
        "size": size,
        "subsystems": "block",
        "type": "disk",
    }


def _disk(world: World, disk: Disk) -> tuple[Row, list[Row]]:
    logical, physical = disk.sectors
    is_flash = disk.drive is not Drive.HDD
    ptuuid = str(uuid.uuid5(uuid.NAMESPACE_OID, disk.serial))
    row: Row = {
        **_EVERY,
        "id-link": disk.link,
        "id": disk.link.partition("-")[2],
        "disc-gran": 4096 if is_flash else 0,
        "disc-max": 1073741824 if is_flash else 0,
        "disk-seq": world.disks.index(disk) + 2,
        "hctl": disk.hctl,
        "kname": disk.kname,
        "name": disk.kname,
        "path": f"/dev/{disk.kname}",
        "maj:min": f"{disk.major}:{disk.minor}",
        "maj": str(disk.major),
        "min": str(disk.minor),
        "log-sec": logical,
        "phy-sec": physical,
        "min-io": physical,
        "model": disk.model,
        "mq": "  2",
        "rand": disk.rotates,
        "rev": disk.rev,
        "rota": disk.rotates,
        "sched": "none" if is_flash else "mq-deadline",
        "serial": disk.serial,
        "size": disk.size,
        "state": "live" if disk.drive is Drive.NVME else "running",
        "subsystems": "block:nvme:pci" if disk.drive is Drive.NVME else "block:scsi:pci",
        "tran": disk.tran,
        "type": "disk",
        "vendor": disk.vendor,
        "wwn": disk.wwn,
    }
    if disk.filesystem is not None:
        fstype, label, mountpoint = disk.filesystem
        row |= {"fstype": fstype, "label": label, "uuid": ptuuid, "fsver": "1.0"}
        if mountpoint:
            used = disk.size // 5
            row |= {"mountpoint": mountpoint, "mountpoints": [mountpoint], "fsroots": ["/"]}
            row |= {"fssize": disk.size, "fsused": used, "fsavail": disk.size - used, "fsuse%": "20%"}
    if disk.is_partitioned:
        row |= {"pttype": "gpt", "ptuuid": ptuuid}
    return row, [_partition(world, disk, row, number) for number in partitions(disk)]


def _partition(world: World, disk: Disk, whole: Row, number: int) -> Row:
    start, sectors = space.data_partition(disk.size)
    is_data = number == 1
    served = world.leaf_of(disk)
    guid, name = _ZFS_TYPE if is_data else _RESERVED_TYPE
    kname = f"{disk.kname}{disk.infix}{number}"
    row: Row = {
        **whole,
        "id-link": f"{whole['id-link']}-part{number}",
        "id": f"{whole['id']}-part{number}",
        "kname": kname,
        "name": kname,
        "path": f"/dev/{kname}",
        "pkname": disk.kname,
        "maj:min": f"{disk.major}:{disk.minor + number}",
        "min": str(disk.minor + number),
        "partn": number,
        "parttype": guid,
        "parttypename": name,
        "partuuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{disk.serial}-{number}")),
        "size": (sectors if is_data else space.RESERVED_SECTORS) * space.SECTOR,
        "start": start if is_data else start + sectors,
        "type": "part",
        **dict.fromkeys(("hctl", "model", "rev", "serial", "state", "tran", "vendor")),
    }
    if is_data:
        row |= {
            "fstype": "zfs_member",
            "fsver": "5000",
            "partlabel": f"zfs-{uuid.uuid5(uuid.NAMESPACE_OID, disk.serial).hex[:16]}",
        }
        if served is not None and served[1].vdev_class not in {"spare", "l2cache"}:
            row |= {"label": served[0].name, "uuid": str(served[0].guid)}
    return row
