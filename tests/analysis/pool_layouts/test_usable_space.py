"""The space of a layout, against pools that a real OpenZFS made and against numbers that others published."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.pool_layouts.spaces import TIB, space
from tests.conftest import CAPTURES
from tests.reports.captured import captured
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.layout import Layout, PlannedVdev, VdevShape, draid
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.usable_space import (
    asize_bytes,
    layout_space,
    pool_space,
    slop_of_usable,
    space_of,
    vdev_space,
)

with (CAPTURES / "capacity.tsv").open() as _file:
    REAL = tuple(csv.DictReader(_file, delimiter="\t"))

MIB = 2**20


def exactly(size_bytes: int) -> Drive:
    """A file of this size."""
    return Drive(size_bytes, size_bytes)


@pytest.mark.parametrize("row", REAL, ids=lambda row: "-".join(list(row.values())[1:6]))
def test_real_pools_to_the_byte(row: dict[str, str]) -> None:
    kind = row["type"] if ":" in row["type"] else f"{row['type']}:{row['width']}"

    found = space(f"{kind} x{row['vdevs']}", exactly(int(row["disk_bytes"])), int(row["ashift"]))

    usable = int(row["usable_available"]) + int(row["usable_used"])
    assert (int(row["pool_size"]), usable) == found


def test_all_rows_are_there() -> None:
    assert 90 == len(REAL)


@pytest.mark.parametrize("series", ["2.1", "2.3", "2.4"])
@pytest.mark.parametrize(
    ("state", "layout", "ashift"),
    [
        ("mixed-vdevs", "mirror:2 raidz1:4", 12),
        ("draid-healthy", "draid2:4d:10c:1s", 12),
        ("raidz2-healthy", "raidz2:6", 12),
    ],
)
def test_whole_disks_of_8_gib_on_every_series(series: str, state: str, layout: str, ashift: int) -> None:
    """The lab's disks have 8 GiB; ZFS made partitions on them."""
    pool = captured(series, state).pools[0].pool.value
    assert pool is not None

    assert (pool.size_bytes, pool.usable_bytes) == space(layout, Drive(2**33, 8579448832), ashift)


def test_a_tiny_disk() -> None:
    pool = captured("2.4", "block-size").pools[0].pool.value
    assert pool is not None

    assert (pool.size_bytes, pool.usable_bytes) == space("stripe:1", exactly(257949696), 9)


def test_special_and_log_count_for_size_only() -> None:
    """2.1 says so to the byte; 2.3.9 and 2.4.4 add what is allocated on special vdevs."""
    pool = captured("2.1", "healthy-mirrors").pools[0].pool.value
    assert pool is not None

    found = space("mirror:2 x2 special mirror:2 log:1 cache:1 spare:1", Drive(2**33, 8579448832))

    assert (pool.size_bytes, pool.usable_bytes) == found


def test_a_large_special_vdev_takes_its_log_out_of_the_slop() -> None:
    """A 2.4.4 guest with files of 300 GB: 462,848 bytes more, which are allocated on the special vdev."""
    drive = Drive(300 * 10**9, 300 * 10**9)

    found = layout_space(parse_layout("stripe:1 special stripe:1", drive))

    assert (597_000_454_144, 291_387_150_336 - 462_848) == (found.size_bytes, found.usable_bytes)


@pytest.mark.parametrize("release", [(2, 1), (2, 2), (2, 3)])
def test_before_2_4_a_special_vdev_has_no_log_of_its_own(release: tuple[int, int]) -> None:
    """A 2.1.11 guest with the same files."""
    drive = Drive(300 * 10**9, 300 * 10**9)

    found = layout_space(parse_layout("stripe:1 special stripe:1", drive, release=release))

    assert (597_000_454_144, 289_239_203_840) == (found.size_bytes, found.usable_bytes)


def test_a_widened_raidz_keeps_its_metaslabs_and_ratio() -> None:
    pool = captured("2.3", "raidz-expanded").pools[0].pool.value
    assert pool is not None
    first = vdev_space(PlannedVdev(VdevShape("raidz", 6, 2), (exactly(8579448832),) * 6))

    wider = VdevShape("raidz", 7, 2)
    now = space_of(
        wider,
        12,
        asize_bytes(wider, 8579448832),
        metaslab_shift=first.metaslab_shift,
        deflate_ratio=first.deflate_ratio,
    )

    whole = pool_space([("data", now)])
    assert (pool.size_bytes, pool.usable_bytes) == (whole.size_bytes, whole.usable_bytes)


def test_published_draid_of_24_disks() -> None:
    """openzfs/zfs issue 15467: 24 disks of 10^12 bytes, 1396 metaslabs of 16 GiB, reported byte by byte."""
    found = layout_space(parse_layout("draid2:6d:24c:0s", exactly(10**12)))

    assert 15_835_678_638_080 == found.usable_bytes


def test_published_draid_of_18_tb() -> None:
    """openzfs/zfs issue 13727: 262T."""
    assert space("draid2:9d:24c:2s", "18TB")[1] / TIB == pytest.approx(261.6, abs=0.5)


shapes = st.one_of(
    st.integers(2, 8).map(lambda width: VdevShape("mirror", width)),
    st.builds(
        lambda parity, more: VdevShape("raidz", parity + more, parity), st.integers(1, 3), st.integers(1, 20)
    ),
    st.builds(
        lambda parity, data, spares, more: draid(parity, parity + data + spares + more, data, spares),
        st.integers(1, 3),
        st.integers(1, 16),
        st.integers(0, 4),
        st.integers(0, 40),
    ),
)
sizes = st.integers(2**30, 40 * 10**12)
ashifts = st.integers(9, 16)


@given(shapes, sizes, ashifts)
def test_the_closed_form_is_the_sum_of_the_metaslabs(shape: VdevShape, size: int, ashift: int) -> None:
    """`vdev_draid_metaslab_init`, one metaslab after another; at most 300 of them."""
    asize = asize_bytes(shape, size)
    if asize <= 0:
        return
    found = space_of(shape, ashift, min(asize, 2**39))

    unit = shape.group_width << ashift if shape.kind == "draid" else 512
    each = []
    for number in range(found.metaslabs):
        start = number << found.metaslab_shift
        aligned = -(-start // unit) * unit
        each.append(((1 << found.metaslab_shift) - (aligned - start)) // unit * unit)
    assert sum(each) == found.size_bytes
    assert found.log_size_bytes == (each[0] if found.metaslabs > 64 else 0)


@given(shapes, sizes, ashifts)
def test_what_is_usable_is_less_than_what_is_there(shape: VdevShape, size: int, ashift: int) -> None:
    made = layout_space(Layout((PlannedVdev(shape, (exactly(size),) * shape.width, ashift=ashift),)))

    disks = 1 if shape.kind == "mirror" else shape.width - shape.spares
    assert 0 < made.usable_bytes < made.size_bytes <= disks * size
    if shape.kind != "mirror":
        assert made.usable_bytes <= disks * size * shape.data_disks / shape.group_width


@given(shapes, sizes, st.integers(1, 20))
def test_more_vdevs_are_never_less(shape: VdevShape, size: int, count: int) -> None:
    vdev = PlannedVdev(shape, (exactly(size),) * shape.width)

    assert (
        layout_space(Layout((vdev,) * count)).usable_bytes
        <= layout_space(Layout((vdev,) * (count + 1))).usable_bytes
    )


@given(st.integers(1, 3), st.integers(1, 25), st.integers(2**36, 40 * 10**12))
def test_a_wider_raidz_has_no_less_but_for_a_metaslab(parity: int, data: int, size: int) -> None:
    """Larger metaslabs can lose more at the end; parity and padding never grow faster than the disks."""

    def made(width: int) -> PlannedVdev:
        return PlannedVdev(VdevShape("raidz", width, parity), (exactly(size),) * width)

    narrow, wide = made(parity + data), made(parity + data + 1)
    lost = 1 << vdev_space(wide).metaslab_shift

    assert (
        layout_space(Layout((narrow,))).usable_bytes <= layout_space(Layout((wide,))).usable_bytes + 2 * lost
    )


@given(shapes, sizes)
def test_the_smallest_drive_of_a_vdev_decides(shape: VdevShape, size: int) -> None:
    larger = exactly(size + 10**12)
    mixed = PlannedVdev(shape, (exactly(size), *(larger,) * (shape.width - 1)))

    assert vdev_space(mixed) == vdev_space(PlannedVdev(shape, (exactly(size),) * shape.width))


def test_the_smallest_devices_make_a_pool_of_the_widest_vdev() -> None:
    smallest = draid(1, 250, 240, 0)

    made = layout_space(Layout((PlannedVdev(smallest, (exactly(64 * MIB),) * 250, ashift=16),)))

    assert 0 < made.usable_bytes < made.size_bytes


@pytest.mark.parametrize(
    ("expected", "usable"), [(128 << 20, 1 << 30), (1 << 30, 31 << 30), (128 << 30, 100 << 40)]
)
def test_the_slop_of_a_pool_of_which_only_its_use_is_known(expected: int, usable: int) -> None:
    assert expected == slop_of_usable(usable)
