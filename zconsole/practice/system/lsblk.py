"""`lsblk -J`: drives, their partitions, and the volumes of pools."""

from __future__ import annotations

import json
import uuid
from functools import lru_cache
from typing import Final, TypeAlias

from zconsole.practice.getopt import Options
from zconsole.practice.nicenum_and_times import nicebytes
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.system.proc_sys_and_etc_files import partitions, zvols
from zconsole.practice.world import space_formulas
from zconsole.practice.world.drives import DriveKind, PracticeDisk, Signature
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pool_label import label_of
from zconsole.practice.world.vdev_names import whole_disk
from zconsole.practice.zpool_vdevs.drive_lookup_and_in_use_check import device_at

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
_LINUX_TYPE: Final = ("0fc63daf-8483-4772-8e79-3d69d8477de4", "Linux filesystem")
_RESERVED_TYPE: Final = ("6a945a3b-1dd2-11b2-99a6-080020736631", "Solaris reserved 1")
_SIZES: Final = frozenset({"size", "fsavail", "fssize", "fsused", "disc-gran", "disc-max"})

Cell = str | int | bool | list[str] | None
Row = dict[str, Cell]
Tree: TypeAlias = "tuple[Row, list[Tree]]"
_ZERO: Final = "alignment disc-aln opt-io wsame zone-sz zone-wgran zone-app zone-nr zone-omax zone-amax"
_EVERY: Final[Row] = {
    **dict.fromkeys(COLUMNS),
    **dict.fromkeys(_ZERO.split(), 0),
    **dict.fromkeys(("dax", "disc-zero", "hotplug", "rm", "ro"), False),
    "fsroots": [],
    "group": "disk",
    "mode": "brw-rw----",
    "owner": "root",
    "ra": 128,
    "rq-size": 256,
    "mountpoints": [],
    "zoned": "none",
}


_ALL_UNKNOWN, _SOME_UNKNOWN = 32, 64  # exit statuses


def lsblk(world: World, options: Options) -> Reply:
    """Answer `lsblk` for all devices or for some drives; only the JSON is known here."""
    if "J" not in options:
        raise Refusal("lsblk: the practice host knows only the JSON output (-J)\n", 1)
    wanted = [name.lower() for name in (options.last("o") or "").split(",") if name]
    names = list(COLUMNS) if "O" in options else wanted or _DEFAULT
    wrong = next((name for name in names if name not in COLUMNS), None)
    if wrong is not None:
        raise Refusal(f"lsblk: unknown column: {wrong.upper()}\n", 1)
    if options.operands:
        return _of_paths(world, names, options)
    trees: list[Tree] = [_disk(world, disk) for disk in world.disks if disk.is_present]
    trees += [(_zvol(name, dataset.volsize or 0), []) for name, dataset, _ in zvols(world)]
    trees.sort(key=lambda tree: (len(str(tree[0]["kname"])), str(tree[0]["kname"])))
    return Reply(_pretty({"blockdevices": _items(trees, names, options)}, 0) + "\n")


def _of_paths(world: World, names: list[str], options: Options) -> Reply:
    """The drives and partitions behind some paths."""
    asked = {path: _at(world, path) for path in options.operands}
    found = [tree for tree in asked.values() if tree is not None]
    complaints = "".join(
        f"lsblk: {path}: not a block device\n" for path, tree in asked.items() if tree is None
    )
    status = 0 if not complaints else _SOME_UNKNOWN if found else _ALL_UNKNOWN
    text = _pretty({"blockdevices": _items(found, names, options)}, 0) + "\n" if found else ""
    return Reply(text, complaints, status)


def _at(world: World, path: str) -> Tree | None:
    """The drive or partition at a path."""
    device = device_at(world, path) or device_at(world, whole_disk(path))
    if device is None:
        return None
    tree, disk = _disk(world, device.disk), device.disk
    number = path.removeprefix(device.path).removeprefix("-part").removeprefix(disk.infix)
    wanted = f"{disk.kname}{disk.infix}{number}" if number else disk.kname
    return next((each for each in (tree, *tree[1]) if each[0]["kname"] == wanted), None)


def _items(trees: list[Tree], names: list[str], options: Options) -> list[object]:
    items: list[object] = []
    for row, beneath in trees:
        item: dict[str, object] = _chosen(row, names, options)
        items.append(item)
        if not beneath or "d" in options:
            continue
        children = _items(beneath, names, options)
        if "name" in names and "l" not in options:
            item["children"] = children
        else:
            items += children
    return items


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
        members = [f"{inner}{_scalar(name)}: {_pretty(member, depth + 1)}" for name, member in value.items()]
        return "{\n" + ",\n".join(members) + f"\n{pad}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + inner + ",".join(_pretty(member, depth + 1) for member in value) + f"\n{pad}]"
    if isinstance(value, list) and value:
        members = [f"{pad}    {json.dumps(member)}" for member in value]
        return "[\n" + ",\n".join(members) + f"\n{pad}]"
    return "[]" if isinstance(value, list) else _scalar(value)


@lru_cache(maxsize=4096, typed=True)
def _scalar(value: object) -> str:
    """A text, a number, a truth or null: most are the same in every answer."""
    return json.dumps(value, ensure_ascii=False)


def _device(kname: str, major: int | str, minor: int | str, name: str = "") -> Row:
    """The columns of every device, with its names and numbers."""
    path = f"/dev/mapper/{name}" if kname.startswith("dm-") else f"/dev/{kname}"
    numbers = {"maj:min": f"{major}:{minor}", "maj": str(major), "min": str(minor)}
    return {**_EVERY, "kname": kname, "name": name or kname, "path": path, **numbers}


def _zvol(name: str, size: int) -> Row:
    return {
        **_device(name, 230, name[2:]),
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


def _disk(world: World, disk: PracticeDisk) -> Tree:
    logical, physical = disk.sectors
    is_flash = disk.drive is not DriveKind.HDD
    ptuuid = str(uuid.uuid5(uuid.NAMESPACE_OID, disk.serial))
    row: Row = {
        **_device(disk.kname, disk.major, disk.minor),
        "id-link": disk.link,
        "id": disk.link.partition("-")[2],
        "disc-gran": 4096 if is_flash else 0,
        "disc-max": 1073741824 if is_flash else 0,
        "disk-seq": world.disks.index(disk) + 2,
        "hctl": disk.hctl,
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
        "state": "live" if disk.drive is DriveKind.NVME else "running",
        "subsystems": "block:nvme:pci" if disk.drive is DriveKind.NVME else "block:scsi:pci",
        "tran": disk.tran,
        "type": "disk",
        "vendor": disk.vendor,
        "wwn": disk.wwn,
    }
    numbers = partitions(disk)
    if numbers:
        row |= {"pttype": "gpt", "ptuuid": ptuuid}
    beneath: list[Tree] = []
    for signature in disk.signatures:
        if signature.number == 0:
            beneath += _signed(row, signature, disk.size)
    return row, beneath + [_partition(world, disk, row, number) for number in numbers]


def _signed(row: Row, signature: Signature, size: int) -> list[Tree]:
    """Write a signature into the row of its device; returns the devices on top."""
    label = signature.label or None
    row |= {"fstype": signature.fstype, "label": label, "fsver": "1.0"}
    row["uuid"] = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{row['serial']}-{row['kname']}-{signature.fstype}"))
    _mounted(row, signature.mountpoint, size)
    holder = signature.holder
    if holder is None:
        return []
    above: Row = {
        **_device(holder.kname, 252, holder.kname.strip("dm-"), holder.name),
        "pkname": row["kname"],
        **{name: row[name] for name in ("log-sec", "phy-sec", "min-io", "rota")},
        "size": holder.size,
        "subsystems": "block",
        "type": holder.kind,
        "fstype": holder.fstype,
    }
    _mounted(above, holder.mountpoint, holder.size)
    return [(above, [])]


def _mounted(row: Row, mountpoint: str, size: int) -> None:
    if not mountpoint:
        return
    row |= {"mountpoint": mountpoint, "mountpoints": [mountpoint]}
    if mountpoint.startswith("/"):
        used = size // 5
        row |= {"fsroots": ["/"], "fssize": size, "fsused": used, "fsavail": size - used, "fsuse%": "20%"}


def _partition(world: World, disk: PracticeDisk, whole: Row, number: int) -> Tree:
    names = _device(f"{disk.kname}{disk.infix}{number}", disk.major, disk.minor + number)
    row: Row = {
        **whole,
        **dict.fromkeys(("fstype", "fsver", "label", "uuid", "mountpoint")),
        "id-link": f"{whole['id-link']}-part{number}",
        "id": f"{whole['id']}-part{number}",
        **{key: names[key] for key in ("kname", "name", "path", "maj:min", "min")},
        "pkname": disk.kname,
        "partn": number,
        "partuuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{disk.serial}-{number}")),
        "type": "part",
        **dict.fromkeys(("hctl", "model", "rev", "serial", "state", "tran", "vendor")),
    }
    if disk.is_partitioned:
        _zfs_partition(world, disk, row, number)
        return row, []
    signature = next(signature for signature in disk.signatures if signature.number == number)
    count = len(partitions(disk))
    row["size"] = disk.size // count - space_formulas.PARTITION_START * space_formulas.SECTOR
    row["start"] = space_formulas.PARTITION_START + (number - 1) * (
        disk.size // count // space_formulas.SECTOR
    )
    row["parttype"], row["parttypename"] = _LINUX_TYPE
    return row, _signed(row, signature, disk.size // count)


def _zfs_partition(world: World, disk: PracticeDisk, row: Row, number: int) -> None:
    start, sectors = space_formulas.PARTITION_START, disk.data_bytes // space_formulas.SECTOR
    is_data = number == 1
    row["parttype"], row["parttypename"] = _ZFS_TYPE if is_data else _RESERVED_TYPE
    row["size"] = (sectors if is_data else space_formulas.RESERVED_SECTORS) * space_formulas.SECTOR
    row["start"] = start if is_data else start + sectors
    if not is_data:
        return
    row["partlabel"] = f"zfs-{uuid.uuid5(uuid.NAMESPACE_OID, disk.serial).hex[:16]}"
    label = label_of(world, disk)
    if label is None:
        return
    row |= {"fstype": "zfs_member", "fsver": "5000"}
    if label.has_pool:
        row |= {"label": label.pool_name, "uuid": str(label.pool_guid)}
