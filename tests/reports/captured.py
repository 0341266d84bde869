"""Host states out of real captures, read the way that the program reads them."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

from tests.conftest import CAPTURES
from tests.doubles.scripted_host import Answer, ScriptedHost, failed
from zconsole.base.clock import ManualClock
from zconsole.collect.read_host import gather
from zconsole.model.host.host_state import HostState

RECORDED_AT = 1_795_220_000.0  # epoch seconds, about when the first captures were made
JSON, TEXT, OLD_TEXT = "zpool_status.json", "zpool_status_vsitpP.txt", "zpool_status_vPsit.txt"


def states(series: str) -> tuple[str, ...]:
    """The captured states that have a pool with a whole status, by name."""
    folders = (CAPTURES / series).iterdir()
    return tuple(sorted(folder.name for folder in folders if _pool_of(folder) and _status_of(folder)))


@cache
def captured(series: str, state: str) -> HostState:
    """The first pool of a captured state, on a host of its own."""
    return asyncio.run(gather(host_in(CAPTURES / series / state), ManualClock(RECORDED_AT)))


def host_in(folder: Path, label: str = "nas1") -> ScriptedHost:
    """A host that answers what the console asks from one folder of captures."""
    series, pool, status = folder.parent, _pool_of(folder), _status_of(folder)
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
        "zpool list -Hp -o": _of_pool(folder / "zpool_list_Hp_cols.tsv", pool, _pools_of(folder)),
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


def _answer(file: Path) -> Answer:
    return file.read_bytes()


def _status_of(folder: Path) -> str:
    names = (TEXT, OLD_TEXT) if folder.parent.name == "2.1" else (JSON,)
    return next((name for name in names if (folder / name).exists()), "")


def _pools_of(folder: Path) -> list[str]:
    listing = folder / "zpool_list_Hp_cols.tsv"
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
