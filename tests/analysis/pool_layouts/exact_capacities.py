"""docs/exact-capacities.md: what real pools said of their space, beside the commands that show it again."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import Final

from tests.conftest import CAPTURES
from tests.reports.captured import captured

with (CAPTURES / "capacity.tsv").open() as _file:
    REAL: Final = tuple(csv.DictReader(_file, delimiter="\t"))
SERIES: Final = ("2.1", "2.3", "2.4")
WHOLE_DISKS: Final = (
    ("mixed-vdevs", "mirror:2 raidz1:4", 12),
    ("draid-healthy", "draid2:4d:10c:1s", 12),
    ("raidz2-healthy", "raidz2:6", 12),
)
PROOF: Final = """\
proof() {  # BYTES ASHIFT VDEVS KIND WIDTH: SIZE of zpool list, then USED + AVAIL of zfs list
    d=$(mktemp -d) && n=0 && words=
    for vdev in $(seq "$3"); do
        [ "$4" = stripe ] || words="$words $4"
        for disk in $(seq "$5"); do
            n=$((n + 1)) && truncate -s "$1" "$d/f$n" && words="$words $d/f$n"
        done
    done
    zpool create -o ashift="$2" zconsole-proof $words && {
        zpool list -Hpo size zconsole-proof
        zfs list -Hpo used,available zconsole-proof | { read -r used free; echo $((used + free)); }
        zpool destroy zconsole-proof
    }
    rm -r "$d"
}
"""
_HEAD: Final = """\
# Exact capacities

What OpenZFS said of pools that it made, to the byte: SIZE of `zpool list`, and USED + AVAIL of `zfs list`.
For each row `zconsole capacity` computes the same two numbers, which a test checks. This page is
made from the recorded answers by `python -m tests.generated --write`.

The pools of the first table are on sparse files of the sizes of real drives, which need little space. On a
host with ZFS, run this in a shell of root, and then a command of the table. The files are in `$TMPDIR`
(`/tmp`), whose file system must take files of 16 TB and not be ZFS itself. A pool `zconsole-proof` is made
and destroyed again.

"""


def page() -> str:
    """The page in Markdown."""
    parts = [
        f"{_HEAD}```sh\n{PROOF}```\n",
        f"## Sparse files, {REAL[0]['zfs_version'].removeprefix('zfs-')}\n",
        "| layout | SIZE | USED + AVAIL | command |\n|---|---|---|---|",
        *(_row(each) for each in REAL),
        "\n## Whole disks of 8 GiB, by release\n",
        "ZFS makes partitions on them, of 8579448832 bytes.\n",
        "| layout | release | SIZE | USED + AVAIL | command |\n|---|---|---|---|---|",
        *_whole_disks(),
    ]
    return "\n".join(parts) + "\n"


def layout_of(row: Mapping[str, str]) -> str:
    """A layout in the words of the planner: `raidz2:8 x2`."""
    kind = row["type"] if ":" in row["type"] else f"{row['type']}:{row['width']}"
    return f"{kind} x{row['vdevs']}"


def proof_of(row: Mapping[str, str]) -> str:
    """The command that makes the pool of a row again."""
    return " ".join(("proof", *(row[name] for name in ("disk_bytes", "ashift", "vdevs", "type", "width"))))


def _row(row: Mapping[str, str]) -> str:
    usable = int(row["usable_available"]) + int(row["usable_used"])
    return f"| {layout_of(row)} | {row['pool_size']} | {usable} | `{proof_of(row)}` |"


def _whole_disks() -> Iterator[str]:
    for state, layout, ashift in WHOLE_DISKS:
        for series in SERIES:
            pool = captured(series, state).pools[0].pool.value
            if pool is not None:
                words = " ".join(_of_vdev(each) for each in layout.split(" "))
                command = f"zpool create -o ashift={ashift} tank {words}"
                yield f"| {layout} | {series} | {pool.size_bytes} | {pool.usable_bytes} | `{command}` |"


def _of_vdev(word: str) -> str:
    """A vdev in the words of zpool create, on disks whose number is told."""
    kind, _, width = word.partition(":")
    return f"{word} DISK..." if kind.startswith("draid") else f"{kind} {' '.join(['DISK'] * int(width))}"
