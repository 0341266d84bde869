"""What the planner says of random layouts is what a real OpenZFS says of them, to the byte."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

import pytest

from tests.lab.guests import Guest
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.layout import DATA, SPECIAL, STRIPE, Layout, PlannedVdev, VdevShape, draid
from zconsole.analysis.pool_layouts.layout_parser import parse_layout, parse_release
from zconsole.analysis.pool_layouts.usable_space import layout_space
from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

FILES: Final = "/root/sparse"
SEEDS: Final = 8
LARGEST: Final = 15 * 2**40  # an ext4 of the guest has no larger files


@pytest.fixture
def shelf(bare_guest: Guest) -> Iterator[Guest]:
    """A guest without pools, and none of these files afterwards."""
    bare_guest.ssh(f"rm -rf {FILES} && mkdir {FILES}")
    yield bare_guest
    bare_guest.ssh(f"zpool destroy -f cap 2>/dev/null; rm -rf {FILES}")
    bare_guest.wipe()


def random_layout(seed: int) -> Layout:
    """One to three vdevs of one shape, of files from 64 MiB on; now and then of files that differ."""
    chance = random.Random(seed)  # noqa: S311 - a test's choice
    parity = chance.randint(1, 3)
    shape = chance.choice(
        [
            VdevShape(STRIPE, 1),
            VdevShape("mirror", chance.randint(2, 4)),
            VdevShape("raidz", parity + chance.randint(1, 12), parity),
            _random_draid(chance, parity),
        ]
    )
    size = int(2 ** chance.uniform(26, 43.9))
    ashift = chance.randint(9, 14)
    vdevs = []
    for _ in range(chance.randint(1, 3)):
        sizes = [
            size if chance.random() < 0.8 else min(LARGEST, size + size // 3) for _ in range(shape.width)
        ]
        vdevs.append(PlannedVdev(shape, tuple(Drive(each, each) for each in sizes), DATA, ashift))
    return Layout(tuple(vdevs))


def _random_draid(chance: random.Random, parity: int) -> VdevShape:
    data, spares = chance.randint(1, 9), chance.randint(0, 2)
    return draid(parity, parity + data + spares + chance.randint(0, 6), data, spares)


def created(guest: Guest, layout: Layout) -> tuple[int, int]:
    """SIZE and USED + AVAIL of a pool of this layout, on sparse files."""
    words, makes = [], []
    for number, vdev in enumerate(layout.vdevs):
        kind = vdev.shape.name if vdev.shape.kind == "draid" else vdev.shape.name.partition(":")[0]
        words += [kind] if vdev.shape.kind != STRIPE else []
        for place, drive in enumerate(vdev.drives):
            name = f"{FILES}/f{number}-{place}"
            makes.append(f"truncate -s {drive.device_bytes} {name}")
            words.append(name)
    options = f"-f -O mountpoint=none -o ashift={layout.vdevs[0].ashift} -o cachefile=none"
    guest.ssh(f"{' && '.join(makes)} && zpool create {options} cap {' '.join(words)}")
    return sizes(guest, "cap")


def sizes(guest: Guest, pool: str) -> tuple[int, int]:
    """SIZE and USED + AVAIL."""
    size = int(guest.ssh(f"zpool list -Hpo size {pool}"))
    usable = sum(map(int, guest.ssh(f"zfs list -Hpo used,avail {pool}").split()))
    return size, usable


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_layouts(shelf: Guest, seed: int) -> None:
    layout = random_layout(seed)

    expected = layout_space(layout)

    assert (expected.size_bytes, expected.usable_bytes) == created(shelf, layout), layout.name


@pytest.mark.parametrize(
    "words", ["mirror {0} {1} raidz1 {2} {3} {4}", "draid1:3d:8c:1s {0} {1} {2} {3} {4} {5} {6} {7}"]
)
def test_whole_disks(shelf: Guest, words: str) -> None:
    """The disks of the shelf have 4 GiB, and ZFS makes its partitions on them."""
    drive = Drive(4 << 30, partition_bytes(4 << 30))
    layout = parse_layout("mirror:2 raidz1:3" if words.startswith("mirror") else "draid1:3d:8c:1s", drive)
    shelf.create_pool(f"-o ashift=12 tank {words.format(*map(shelf.disk, range(8)))}")

    expected = layout_space(layout)

    assert (expected.size_bytes, expected.usable_bytes) == sizes(shelf, "tank")


def test_special_log_cache_and_spare(shelf: Guest) -> None:
    """In newer releases what is allocated on special vdevs counts as usable."""
    words = "mirror {0} {1} special mirror {2} {3} log {4} cache {5} spare {6}"
    drive = Drive(4 << 30, partition_bytes(4 << 30))
    layout = parse_layout("mirror:2 special mirror:2 log:1 cache:1 spare:1", drive)
    assert layout.of_class(SPECIAL)
    shelf.create_pool(f"-o ashift=12 tank {words.format(*map(shelf.disk, range(7)))}")

    size, usable = sizes(shelf, "tank")

    expected = layout_space(layout)
    assert expected.size_bytes == size
    assert 0 <= usable - expected.usable_bytes < 32 * 2**20


def test_a_large_special_vdev(shelf: Guest) -> None:
    """Of more than 64 metaslabs: from 2.4 on it has an embedded log as well, which is part of SIZE."""
    drive = Drive(300 * 10**9, 300 * 10**9)
    layout = parse_layout("stripe:1 special stripe:1", drive, release=parse_release(shelf.series))
    shelf.ssh(f"truncate -s {drive.size_bytes} {FILES}/a {FILES}/b")
    options = "-f -O mountpoint=none -o ashift=12 -o cachefile=none"
    shelf.ssh(f"zpool create {options} cap {FILES}/a special {FILES}/b")

    size, usable = sizes(shelf, "cap")

    expected = layout_space(layout)
    assert expected.size_bytes == size
    assert 0 <= usable - expected.usable_bytes < 32 * 2**20
