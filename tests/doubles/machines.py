"""Scripts for whole hosts, out of real captures."""

from __future__ import annotations

from tests.conftest import CAPTURES
from tests.doubles.scripted_host import ScriptedHost, ScriptedStream, failed

ROW = "\t".join(["{name}", "100", "900", "{ops}", "5", "4096", "8192"] + ["1000"] * 11 + ["0"] * 14)


def host_of(series: str, state: str, pool: str = "tank", label: str = "nas1") -> ScriptedHost:
    """A host with one pool in a captured state, all of its streams silent so far."""
    folder = CAPTURES / series / state
    host = ScriptedHost(label)

    def capture(name: str) -> bytes:
        return (folder / name).read_bytes()

    columns = next(
        line
        for line in capture("zpool_list_Hp_cols.tsv").splitlines(keepends=True)
        if line.startswith(pool.encode())
    )
    root = next(
        line.split(b"\t")
        for line in capture("zfs_list_all.tsv").splitlines()
        if line.startswith(pool.encode() + b"\t")
    )
    host.answers = {
        "zfs version": (CAPTURES / series / "version" / "zfs_version.txt").read_bytes(),
        "ls -1p /proc/spl/kstat/zfs": b"arcstats\n" + pool.encode() + b"/\n",
        "uname -n": b"storage24\n",
        "hostid": b"007f0101\n",
        "id": b"uid=0(root) gid=0(root) groups=0(root)\n",
        "zpool list -Hpv": capture("zpool_list_Hpv.tsv"),
        "zpool get -Hp -o name,value ashift": b"",
        "zpool list -Hp -o": columns,
        "zfs list": b"\t".join((root[0], root[2], root[3], root[12])) + b"\n",
        "zpool history": failed("zpool history", 1, b"cannot show history: permission denied"),
        "lsblk": (CAPTURES / series / "healthy-mirrors" / "lsblk.json").read_bytes(),
        "dmesg": b"",
        "sh -c ls -l": b"",  # of a host without shelves
        "zdb -C": b"",  # of pools with another cachefile
        "ls -l": (CAPTURES / series / "healthy-mirrors" / "by_id.txt").read_bytes(),
    }
    if series == "2.1":
        host.answers["zpool status -vsitpP"] = capture("zpool_status_vPsit.txt")
        host.answers["zpool status -gP"] = failed("zpool status -gP", 1, b"no")
    else:
        host.answers["zpool status -j"] = capture("zpool_status.json")
    host.files = {f"/proc/spl/kstat/zfs/{pool}/state": b"ONLINE\n"}
    host.streams = {each: ScriptedStream() for each in ("zpool iostat", "zpool events", "udevadm monitor")}
    return host


def iostat(at: int, names: list[str], ops: int = 7) -> bytes:
    """One sample as `zpool iostat -T u -Hpvlqy` prints it."""
    return "\n".join([str(at), *(ROW.format(name=name, ops=ops) for name in names), ""]).encode()
