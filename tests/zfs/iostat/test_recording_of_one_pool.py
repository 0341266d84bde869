"""A recording is of one pool, with vdevs by name, and of an interval that its epochs show."""

from __future__ import annotations

import gzip
from itertools import islice
from pathlib import Path

import pytest

from tests.conftest import CAPTURES
from zconsole.base.errors import UsageError
from zconsole.zfs.iostat.recording_of_one_pool import interval_of, refuse_several_pools
from zconsole.zfs.iostat.saved_output import COMMAND, Recording

STATES = [
    path for path in sorted(CAPTURES.glob("2.*/*/zpool_iostat_Hpvlq_since_boot.tsv")) if path.read_bytes()
]
STREAMS = sorted([*CAPTURES.glob("*/*/iostat.tsv"), *CAPTURES.glob("hanging/*.tsv.gz")])
CELLS = ["3", "4", "4096", "8192", *["1000"] * 4, *["-"] * 7, *["0"] * 14]
IDLE = ["0", "0", "0", "0", *["-"] * 11, *["0"] * 14]


def row(name: str, allocated: int = 0, free: int = 0, cells: list[str] = CELLS) -> bytes:
    return "\t".join([name, str(allocated), str(free), *cells]).encode() + b"\n"


def judge(data: bytes) -> None:
    recording = Recording()
    for _, sample in islice(recording.samples(data.splitlines(keepends=True)), 16):
        refuse_several_pools(sample, recording.starts(sample), COMMAND)


@pytest.mark.parametrize("path", STATES, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_the_pools_of_every_captured_state_are_told_apart(path: Path) -> None:
    pools = {
        line.split("\t")[0] for line in path.with_name("zpool_list_Hp_cols.tsv").read_text().splitlines()
    }

    if len(pools) == 1:
        judge(path.read_bytes())
        return
    with pytest.raises(UsageError, match="several pools") as refused:
        judge(path.read_bytes())
    first, other = str(refused.value).partition("(")[2].partition(")")[0].split(", ")
    assert {first, other} <= pools


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: "-".join(path.parts[-2:]))
def test_every_recording_of_one_pool_is_taken(path: Path) -> None:
    judge(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())


def test_a_pool_of_one_disk_behind_another_pool_is_no_disk_of_it() -> None:
    """The sums of space tell: nothing else does in a pool of lone disks."""
    alone = row("tank", 30, 70) + row("sda", 10, 40) + row("sdb", 20, 30)

    judge(alone * 3)
    judge((alone + b"\n" + row("log0", 5, 45) + row("log1", 6, 44) + row("log2", 7, 43)) * 3)
    with pytest.raises(UsageError, match=r"several pools \(tank, usb\)"):
        judge((alone + row("usb", 40, 60) + row("sdc", 40, 60)) * 3)


def test_ids_of_vdevs_are_unique_in_a_pool_and_those_within_vdevs_are_not() -> None:
    mirror = row("mirror-0", 10, 10) + row("sda") + row("replacing-0") + row("sdb") + row("sdc")
    inner = mirror + row("mirror-1", 10, 10) + row("replacing-0") + row("sdd") + row("sde") + row("sdf")

    judge((row("tank", 20, 20) + inner) * 3)
    with pytest.raises(UsageError, match=r"several pools \(tank, vault\)"):
        judge((row("tank", 10, 10) + mirror + row("vault", 9, 9) + row("raidz1-0", 9, 9) + row("sdg")) * 3)


def test_a_lone_disk_that_is_gone_is_below_no_pool() -> None:
    judge((row("tank", 30, 70) + row("sda", 10, 40) + row("sdb", cells=IDLE) + row("sdc", 20, 30)) * 3)


def test_guids_for_names_are_refused_and_one_of_a_missing_disk_is_not() -> None:
    guid = "12345678901234560"
    leaves = row("sda") + row(guid, cells=IDLE)

    judge((row("tank", 10, 10) + row("mirror-0", 10, 10) + leaves) * 3)
    with pytest.raises(UsageError, match="by guid"):
        judge((row("tank", 10, 10) + row(guid, 10, 10) + row("12345678901234561") + row("sdb")) * 3)


@pytest.mark.parametrize(
    ("expected", "samples"),
    [
        (1.0, [(0, 0.0), (1, 1.0), (2, 2.0)]),
        (1.0, [(0, 1_795_222_176.0)] * 1),
        (1.0, [(0, 5.0), (1, 5.0), (2, 5.0)]),
        (1.0, [(0, 0.0), (1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0)]),
        (10.0, [(0, 100.0), (1, 110.0), (2, 120.0)]),
        (10.0, [(0, 100.0), (3, 130.0)]),
    ],
)
def test_the_interval_is_that_of_the_epochs(expected: float, samples: list[tuple[int, float]]) -> None:
    assert expected == interval_of(samples)


def test_a_sample_each_five_minutes_is_refused() -> None:
    with pytest.raises(UsageError, match="300 s apart"):
        interval_of([(0, 0.0), (1, 300.0), (2, 600.0)])
