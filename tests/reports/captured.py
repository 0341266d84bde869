"""Host states out of real captures, read the way that the program reads them."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

from tests.conftest import CAPTURES
from tests.doubles.scripted_host import Answer, ScriptedHost, failed
from zconsole.base.clock import ManualClock
from zconsole.collect.on_demand.read_dataset_contents import with_contents
from zconsole.collect.read_host import gather
from zconsole.collect.streams.dataset_and_host_settings import with_settings
from zconsole.model.host.host_state import HostState
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.system.open_files import parse_open_files
from zconsole.zfs.listing.pool_list import POOL_COLUMNS
from zconsole.zfs.settings.dataset_settings import columns

RECORDED_AT = 1_795_220_000.0  # epoch seconds, about when the first captures were made
JSON = ("zpool_status_P.json", "zpool_status.json")  # with paths, as the console asks; or as first recorded
TEXT, OLD_TEXT = "zpool_status_vsitpP.txt", "zpool_status_vPsit.txt"


def states(series: str) -> tuple[str, ...]:
    """The captured states that have a pool with a whole status, by name."""
    folders = (CAPTURES / series).iterdir()
    return tuple(sorted(folder.name for folder in folders if _pool_of(folder) and _status_of(folder)))


@cache
def captured(series: str, state: str) -> HostState:
    """The first pool of a captured state, on a host of its own."""
    return asyncio.run(gather(host_in(CAPTURES / series / state), ManualClock(RECORDED_AT)))


@cache
def advised(series: str, state: str) -> HostState:
    """That pool with its settings, and what lives on it, as far as they were recorded."""
    found = captured(series, state)
    folder = CAPTURES / series / state
    host = ScriptedHost("nas1")
    host.answers = _of_settings(folder, _pool_of(folder))
    if not (folder / "zfs_get_all.tsv").exists():
        return found
    host.files = {"/proc/mounts": _read(folder / "mounts.txt")}
    for process in {each.process for each in parse_open_files(_read(folder / "open_files.nul").decode())}:
        host.files[f"/proc/{process}/mounts"] = _read(folder / "mounts.txt")
    clock = ManualClock(RECORDED_AT)

    async def read() -> HostState:
        settled = await with_settings(found, host, clock, timeout_s=9)
        return await with_contents(settled, host, clock, timeout_s=9)

    return asyncio.run(read())


def _of_settings(folder: Path, pool: str) -> dict[str, Answer]:
    """Answers to the questions about settings; `zfs list` is made of what `zfs get all` printed."""
    version = ZfsVersion((folder.parent / "version" / "zfs_version.txt").read_text().split("\n")[0])
    datasets: dict[str, dict[str, str]] = {}
    for name, key, value in (line.split("\t")[:3] for line in _lines_of(folder / "zfs_get_all.tsv")):
        if "@" not in name and "#" not in name and name.partition("/")[0] == pool:
            datasets.setdefault(name, {"name": name})[key] = value
    rows = ("\t".join(each.get(key, "-") for key in columns(version)) for each in datasets.values())
    return {
        "zfs list -Hp -r -t filesystem,volume -o name,type,used,": "".join(
            f"{row}\n" for row in rows
        ).encode(),
        "zfs list -Hp -t snapshot": _read(folder / "origins.tsv"),
        "zpool status -D": _read(folder / "zpool_status_D.txt"),
        "zpool get -Hp dedup_table_quota": _read(folder / "dedup_quota.tsv"),
        "sh -c { cd /sys/module/zfs/parameters": failed("sh", 1, b"no"),
        "sh -c most=$1": _read(folder / "file_sizes.nul"),
        "ls -lR /dev/zvol": _read(folder / "zvol_links.txt"),
        "find /proc": _read(folder / "open_files.nul"),
        "id": b"uid=0(root) gid=0(root) groups=0(root)\n",
    }


def _read(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def _lines_of(file: Path) -> list[str]:
    return _lines(file) if file.exists() else []


def host_in(folder: Path, label: str = "nas1") -> ScriptedHost:
    """A host that answers what the console asks from one folder of captures."""
    series, pool, status = folder.parent, _pool_of(folder), _status_of(folder)
    if pool in _brief(folder):
        return _brief_host(folder, label)
    root = next(
        line.split("\t") for line in _lines(folder / "zfs_list_all.tsv") if line.startswith(f"{pool}\t")
    )
    guids = folder / "zpool_status_gP.txt"
    host = ScriptedHost(label)
    host.answers = {
        "zfs version": (series / "version" / "zfs_version.txt").read_bytes(),
        "ls -1p /proc/spl/kstat/zfs": f"arcstats\n{pool}/\n".encode(),
        "uname -n": b"storage24\n",
        "zpool list -Hpv": _of_pool(folder / "zpool_list_Hpv.tsv", pool, _pools_of(folder)),
        "zpool list -Hp -o": _columns_of(folder, pool),
        "zfs list": f"{root[0]}\t{root[2]}\t{root[3]}\t{root[12]}\n".encode(),
        "lsblk": (series / "healthy-mirrors" / "lsblk.json").read_bytes(),
        "ls -l": (series / "healthy-mirrors" / "by_id.txt").read_bytes(),
        "zpool status -gP": guids.read_bytes() if guids.exists() else failed("zpool status -gP", 1, b"no"),
        "zdb -C": failed("zdb -C", 1, b"no"),
        "zpool get -Hp -o name,value ashift": b"",
        "zpool status": _answer(folder / status),
    }
    host.files = {f"/proc/spl/kstat/zfs/{pool}/state": b"ONLINE\n"}
    return host


def _brief(folder: Path) -> dict[str, str]:
    """Guids of pools by name, where the answers were recorded in one line each (`hangs.tsv`)."""
    listed = _in_one_line(folder, "zpool list -Hp -o name,health,guid")
    return {name: guid for name, _, guid in (line.split("\t") for line in listed)}


def _brief_host(folder: Path, label: str) -> ScriptedHost:
    """The host of pools that hang or may hang: what was asked of them, and no more."""
    pool = _pool_of(folder)
    listed = _in_one_line(folder, f"zpool list -Hpv {pool}")
    (root,) = _in_one_line(folder, "zfs list -Hp -t all")
    of_root = root.split("\t")
    host = ScriptedHost(label)
    host.answers = {
        "zfs version": (folder.parent / "version" / "zfs_version.txt").read_bytes(),
        "ls -1p /proc/spl/kstat/zfs": f"arcstats\n{pool}/\n".encode(),
        "uname -n": b"storage24\n",
        "zpool list -Hpv": "".join(f"{line}\n" for line in listed).encode(),
        "zpool list -Hp -o": f"{listed[0]}\t{_brief(folder)[pool]}\t0\n".encode(),
        "zfs list": f"{pool}\t{of_root[2]}\t{of_root[3]}\t{of_root[12]}\n".encode()
        if of_root[0] == pool
        else failed("zfs list", 1, root.replace("\t", " ").encode()),
        "lsblk": (folder.parent / "healthy-mirrors" / "lsblk.json").read_bytes(),
        "ls -l": (folder.parent / "healthy-mirrors" / "by_id.txt").read_bytes(),
        "zpool status -gP": failed("zpool status -gP", 1, b"no"),
        "zdb -C": failed("zdb -C", 1, b"no"),
        "zpool get -Hp -o name,value ashift": b"",
        "zpool status": _answer(folder / _status_of(folder)),
    }
    host.files = {f"/proc/spl/kstat/zfs/{pool}/state": _read(folder / f"kstat_{pool}_state.txt")}
    return host


def _in_one_line(folder: Path, command: str) -> list[str]:
    """Lines that a command printed, recorded with bars for ends of lines and blanks for tabs."""
    asked = (line.split("\t") for line in _lines_of(folder / "hangs.tsv"))
    found = next((fields[3] for fields in asked if fields[2].startswith(command)), "")
    return [line.strip().replace(" ", "\t") for line in found.split("|") if line]


def _columns_of(folder: Path, pool: str) -> bytes:
    """The pool's columns, with the properties that are asked for today where `zpool get` was recorded."""
    listed = _of_pool(folder / "zpool_list_Hp_cols.tsv", pool, _pools_of(folder))
    found = {
        key: value
        for name, key, value, *_ in (line.split("\t") for line in _lines_of(folder / "zpool_get_all.tsv"))
        if name == pool
    }
    if not found or listed.count(b"\t") + 1 == len(POOL_COLUMNS):
        return listed
    more = "\t".join(found[key] for key in ("autotrim", "autoexpand", "failmode"))
    return listed.removesuffix(b"\n") + f"\t{more}\n".encode()


def _answer(file: Path) -> Answer:
    return file.read_bytes()


def _status_of(folder: Path) -> str:
    names = (TEXT, OLD_TEXT) if folder.parent.name == "2.1" else JSON
    return next((name for name in names if (folder / name).exists()), "")


def _pools_of(folder: Path) -> list[str]:
    listing = folder / "zpool_list_Hp_cols.tsv"
    if _brief(folder):
        return list(_brief(folder))
    return [line.partition("\t")[0] for line in _lines(listing)] if listing.exists() else []


def _pool_of(folder: Path) -> str:
    return next(iter(_pools_of(folder)), "")


def _of_pool(file: Path, pool: str, pools: list[str]) -> bytes:
    """The part of a listing that is of one pool."""
    kept: list[str] = []
    is_wanted = False
    for line in _lines(file):
        name = line.partition("\t")[0]
        is_wanted = name == pool if name in pools else is_wanted
        if is_wanted:
            kept.append(line + "\n")
    return "".join(kept).encode()


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text(errors="surrogateescape").split("\n") if line]


ALL = tuple((series, state) for series in ("2.1", "2.3", "2.4") for state in states(series))
