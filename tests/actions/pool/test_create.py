"""Creating a pool."""

from __future__ import annotations

import pytest

from tests.doubles.shelves import (
    blank,
    link,
    mirror,
    planned,
    rules,
    serial,
    world,
)
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.pools.pool import ImportablePool

PAIR = mirror(0, 0, 1)


def disks(*numbers: int) -> list[str]:
    return [serial(number) for number in numbers]


def test_a_new_pool_shows_what_stays_for_good() -> None:
    made = planned(
        world(PAIR), "create-pool", "new", "mirror", *disks(4, 5), mountpoint="/srv", compression="zstd"
    )

    assert ([], Risk.CAUTION, "new") == (rules(made), made.risk, made.confirm)
    assert (
        "zpool", "create", "-o", "ashift=12", "-O", "compression=zstd", "-m", "/srv", "new",
        "mirror", link(4), link(5),
    ) == made.steps[0].argv  # fmt: skip
    assert ("zpool", "create", "-n") == made.rehearsals[0].argv[:3]
    assert any("ashift 12: blocks of 4096 B" in each for each in made.notes)
    assert any("mounted at /srv" in each for each in made.notes)
    assert [(None, 1)] == [(each.before, each.after) for each in made.redundancy]


@pytest.mark.parametrize(
    ("name", "words", "rule"),
    [
        ("tank", ["mirror", *disks(4, 5)], "pool-exists"),
        ("raidz", ["mirror", *disks(4, 5)], "name"),
        ("c0t0", ["mirror", *disks(4, 5)], "name"),
        ("log", ["mirror", *disks(4, 5)], "name"),
        ("-n", ["mirror", *disks(4, 5)], "name"),
        ("new", ["mirror", *disks(0, 4)], "in-use"),
        ("new", ["mirror", *disks(4, 5), "raidz2", *disks(6, 7, 8)], "replication"),
        ("new", ["mirror", *disks(4, 5), "special", *disks(6)], "below-redundancy"),
        ("new", ["mirror", *disks(4, 4)], "twice"),
    ],
)
def test_pools_that_are_not_created(name: str, words: list[str], rule: str) -> None:
    assert rule in rules(planned(world(PAIR, spare_disks=8), "create-pool", name, *words))


@pytest.mark.parametrize(
    "options", [{"ashift": "8"}, {"ashift": "x"}, {"compression": "lz5"}, {"mountpoint": "srv"}]
)
def test_options_that_make_no_sense(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        planned(world(PAIR), "create-pool", "new", serial(4), **options)


def test_a_pool_needs_data() -> None:
    with pytest.raises(UsageError):
        planned(world(PAIR), "create-pool", "new", "log", serial(4))


def test_a_place_that_is_taken_is_not_mounted_over() -> None:
    mounted = blank(9, mountpoints=("/srv",))
    dataset = Dataset("tank", "filesystem", mountpoint="/data", is_mounted=True)
    facts = world(PAIR, disks=[mounted], datasets=(dataset,), uses=(OutsideUse("tank/x", "mount", "/x"),))

    for place in ("/srv", "/data", "/x"):
        assert ["mountpoint"] == rules(planned(facts, "create-pool", "new", serial(4), mountpoint=place))


def test_a_disk_with_large_sectors_decides_the_ashift() -> None:
    large = blank(4, logical_sector_bytes=512, physical_sector_bytes=16384)

    made = planned(world(PAIR, disks=[large]), "create-pool", "new", serial(4))
    small = planned(world(PAIR, disks=[large]), "create-pool", "new", serial(4), ashift="9")

    assert "ashift=14" in made.steps[0].argv
    assert any("disks with sectors of 4 KiB are slow" in each for each in small.warnings)


def test_a_pool_of_that_name_on_other_disks_is_told() -> None:
    facts = world(PAIR, importable=(ImportablePool("new", 9, "ONLINE"),))

    made = planned(facts, "create-pool", "new", serial(4))

    assert any("only the guids of the two differ" in each for each in made.warnings)
