"""Busy disks: every recorded file, counters that go back, and files cut short."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import astuple, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.pools.disk_and_inventory import DiskActivity
from zconsole.system.diskstats import DISKSTATS, busy, parse_diskstats

RECORDED = sorted(CAPTURES.glob("*/*/diskstats.txt"))
MIRRORS = (CAPTURES / "2.4" / "healthy-mirrors" / "diskstats.txt").read_text()
SDA = DiskActivity("sda", 100, 800, 50, 200, 1600, 70, 1, 5000, 6000)


def test_the_file_is_where_the_kernel_puts_it() -> None:
    assert "/proc/diskstats" == DISKSTATS


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_every_recorded_file_is_read_whole(path: Path) -> None:
    lines = [line.split() for line in path.read_text().split("\n") if line]

    devices = parse_diskstats(path.read_text())

    assert [fields[2] for fields in lines] == list(devices)
    for fields in lines:
        counters = [int(fields[at]) for at in (3, 5, 6, 7, 9, 10, 11, 12, 13)]
        assert (fields[2], *counters) == astuple(devices[fields[2]])


@pytest.mark.parametrize("fields", [14, 18, 20, 24])
def test_kernels_of_all_ages_are_understood(fields: int) -> None:
    line = " ".join(["8", "0", "sda", *map(str, range(1, fields - 2))]) + "\n"

    assert DiskActivity("sda", 1, 3, 4, 5, 7, 8, 9, 10, 11) == parse_diskstats(line)["sda"]


def test_busy_is_the_part_of_the_time_in_which_a_disk_had_work() -> None:
    before = {"sda": SDA, "sdb": replace(SDA, name="sdb")}
    after = {"sda": replace(SDA, busy_ms=5250), "sdb": replace(SDA, name="sdb")}

    assert {"sda": 0.25, "sdb": 0.0} == busy(before, after, 1.0)
    assert {"sda": 1.0, "sdb": 0.0} == busy(before, after, 0.1)


def test_a_disk_that_cannot_be_compared_is_unknown() -> None:
    fresh = DiskActivity("sda", 3, 24, 1, 0, 0, 0, 0, 5, 5)

    assert {} == busy({"sda": SDA}, {"sda": fresh}, 1.0)
    assert {} == busy({}, {"sda": SDA}, 1.0)
    assert {} == busy({"sda": SDA}, {}, 1.0)
    assert {} == busy({"sda": SDA}, {"sda": replace(SDA, busy_ms=4999)}, 1.0)
    assert {} == busy({"sda": SDA}, {"sda": SDA}, 0.0)


def test_milliseconds_wrap_after_seven_weeks_of_work() -> None:
    before, after = replace(SDA, busy_ms=2**32 - 100), replace(SDA, busy_ms=400)

    assert {"sda": 0.5} == busy({"sda": before}, {"sda": after}, 1.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("8 0 sda 1 2 3\n", "expected 14 fields or more, got 6"),
        ("8 0 sda 1 2 3 4 5 6 7 8 9 10 x\n", "not a count"),
        ("8 0 sda 1 2 3 4 5 6 7 8 9 10 -1\n", "not a count"),
        ("8 0 sda 1 2 3 4 5 6 7 8 9 10 ٣\n", "not a count"),
        ("8 0 sda 1 2 3 4 5 6 7 8 9 10 11", "truncated"),
    ],
)
def test_what_is_no_diskstats_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_diskstats(text)


def test_a_file_cut_at_any_byte_is_refused_or_lacks_disks() -> None:
    whole = parse_diskstats(MIRRORS)

    for end in range(len(MIRRORS)):
        with suppress(ParseError):
            assert parse_diskstats(MIRRORS[:end]).items() <= whole.items()


@given(st.text(st.sampled_from("\n 0189sda\u2028-"), max_size=200))
def test_noise_is_refused_or_read_and_nothing_else(noise: str) -> None:
    with suppress(ParseError):
        parse_diskstats(noise)


COUNTS = st.integers(0, 2**64 - 1)


@given(
    st.lists(st.builds(DiskActivity, st.sampled_from(["sda", "nvme0n1", "dm-0"]), *[COUNTS] * 9), max_size=5)
)
def test_parsing_inverts_printing(devices: list[DiskActivity]) -> None:
    lines = []
    for device in devices:
        name, reads, read_sectors, read_ms, writes, *rest = astuple(device)
        lines.append(
            f"{8:4} {0:7} {name} {reads} 0 {read_sectors} {read_ms} {writes} 0 {' '.join(map(str, rest))}\n"
        )

    assert {device.name: device for device in devices} == parse_diskstats("".join(lines))


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.floats(0.001, 1e6))
def test_busy_is_never_less_than_nothing_nor_more_than_all(then: int, now: int, elapsed_s: float) -> None:
    share = busy({"sda": replace(SDA, busy_ms=then)}, {"sda": replace(SDA, busy_ms=now)}, elapsed_s).get(
        "sda"
    )

    assert share is None or 0.0 <= share <= 1.0
