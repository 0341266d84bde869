"""Adding vdevs: what binds a pool for good, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import (
    TB,
    blank,
    leaf,
    link,
    mirror,
    planned,
    raidz,
    rules,
    serial,
    used,
    world,
)
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Risk
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Vdev

PAIR = mirror(0, 0, 1)
OLD = ZfsVersion("zfs-2.1.11-1", "zfs-kmod-2.1.11-1")


def disks(*numbers: int) -> list[str]:
    return [serial(number) for number in numbers]


@pytest.mark.parametrize(
    ("tops", "words", "risk", "confirm"),
    [
        ((PAIR,), ["mirror", *disks(4, 5)], Risk.CAUTION, "tank data"),
        ((PAIR,), ["log", *disks(4)], Risk.CAUTION, "tank log"),
        ((PAIR,), ["cache", *disks(4)], Risk.CAUTION, "tank cache"),
        ((PAIR,), ["spare", *disks(4, 5)], Risk.CAUTION, "tank spare"),
        ((PAIR,), ["special", "mirror", *disks(4, 5)], Risk.CAUTION, "tank special"),
        ((PAIR,), ["raidz1", *disks(4, 5, 6)], Risk.DESTRUCTIVE, "storage1:tank data"),
        ((raidz(0, 1, 0, 1, 2),), ["raidz1", *disks(4, 5, 6)], Risk.DESTRUCTIVE, "storage1:tank data"),
        ((raidz(0, 1, 0, 1, 2),), ["special", "mirror", *disks(4, 5)], Risk.DESTRUCTIVE,
         "storage1:tank special"),
        ((raidz(0, 1, 0, 1, 2),), ["log", *disks(4)], Risk.CAUTION, "tank log"),
        ((PAIR, mirror(1, 2, 3, configured_ashift=9)), ["mirror", *disks(4, 5)], Risk.DESTRUCTIVE,
         "storage1:tank data"),
        ((leaf(0),), disks(4), Risk.CAUTION, "tank data"),
        ((PAIR,), ["log", *disks(4), "cache", *disks(5)], Risk.CAUTION, "tank log and cache"),
    ],
)  # fmt: skip
def test_what_can_never_leave_is_destructive(
    tops: tuple[Vdev, ...], words: list[str], risk: Risk, confirm: str
) -> None:
    made = planned(world(*tops, spare_disks=8), "add", "tank", *words)

    assert ([], risk, confirm) == (rules(made), made.risk, made.confirm)
    assert (risk is Risk.CAUTION) == made.is_reversible
    assert (risk is Risk.DESTRUCTIVE) == any("can never be removed" in each for each in made.warnings)
    assert ("-n", *made.steps[0].argv[2:]) == made.rehearsals[0].argv[2:]


def test_the_first_raidz_in_a_pool_of_mirrors_binds_them_all() -> None:
    made = planned(world(PAIR, spare_disks=6), "add", "tank", "raidz1", *disks(4, 5, 6))

    assert "and no other vdev of tank can be removed any more" == made.warnings[1]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (disks(4), "below-redundancy"),
        (["special", *disks(4)], "below-redundancy"),
        (["dedup", *disks(4)], "below-redundancy"),
        (["mirror", *disks(4, 4)], "twice"),
        (["log", *disks(4), "cache", link(4)], "twice"),
        (["mirror", *disks(4), "nosuch"], "unknown-device"),
        (["mirror", *disks(4), "/srv/file"], "files-and-disks"),
        (["mirror", *disks(4, 9)], "sizes"),
        (["log", *disks(10)], "sector-size"),
    ],
)
def test_what_is_not_added(words: list[str], rule: str) -> None:
    large, native = blank(9, size_bytes=5 * TB), blank(10, logical_sector_bytes=8192)

    made = planned(world(PAIR, disks=[large, native]), "add", "tank", *words)

    assert rule in rules(made)


@pytest.mark.parametrize(
    ("tops", "words", "is_told"),
    [
        ((PAIR,), ["mirror", *disks(4, 5, 6)], True),
        ((raidz(0, 1, 0, 1, 2),), ["raidz2", *disks(4, 5, 6, 7)], True),
        ((raidz(0, 1, 0, 1, 2),), ["raidz1", *disks(4, 5, 6, 7)], True),
        ((raidz(0, 1, 0, 1, 2),), ["mirror", *disks(4, 5)], False),
        ((raidz(0, 2, 0, 1, 2, 3),), ["special", "mirror", *disks(4, 5, 6)], False),
        ((PAIR, leaf(2)), ["mirror", *disks(4, 5)], False),
    ],
)
def test_another_shape_of_enough_redundancy_is_allowed_by_name_where_zfs_knows_how(
    tops: tuple[Vdev, ...], words: list[str], *, is_told: bool
) -> None:
    """Since 2.2.8; before, only force would do it, and that is never used."""
    made = planned(world(*tops, spare_disks=8), "add", "tank", *words)
    old = planned(world(*tops, spare_disks=8, version=OLD), "add", "tank", *words)

    assert ([], is_told) == (rules(made), "--allow-replication-mismatch" in made.steps[0].argv)
    assert (["replication"] if is_told else []) == rules(old)
    assert not any(word.startswith("--") for word in old.steps[0].argv)


def test_the_ashift_of_the_pool_is_given_to_new_vdevs() -> None:
    """A different one would make every vdev permanent."""
    plain = blank(4, physical_sector_bytes=512)

    made = planned(world(PAIR, disks=[plain]), "add", "tank", "mirror", *disks(4, 5))
    spare = planned(world(PAIR), "add", "tank", "spare", serial(4))
    unknown = replace(leaf(0), configured_ashift=None)
    untold = planned(world(unknown, pool={"ashift": 0}), "add", "tank", serial(4))

    assert ("-o", "ashift=12") == made.steps[0].argv[2:4]
    assert "-o" not in spare.steps[0].argv
    assert "-o" not in untold.steps[0].argv
    assert any("the ashift of tank is not known" in each for each in untold.warnings)


def test_beside_a_checkpoint_it_is_told_what_going_back_would_do() -> None:
    made = planned(world(PAIR, pool={"checkpoint_bytes": 7}), "add", "tank", "mirror", *disks(4, 5))

    assert [] == rules(made)
    assert any("a rewind to it drops what is added" in each for each in made.warnings)


def test_a_single_disk_that_is_refused_may_be_attached_or_replace_one_or_wait_as_a_spare() -> None:
    top = group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500)

    made = planned(world(top, disks=[blank(4)]), "add", "tank", serial(4))

    assert "below-redundancy" in rules(made)
    assert [
        Intent("replace", "tank", ("1001", serial(4))),
        Intent("attach", "tank", ("1000", serial(4))),
        Intent("add", "tank", ("spare", serial(4))),
    ] == [each for _, each in made.alternatives]


@pytest.mark.parametrize(
    ("top", "version", "offered"),
    [
        (raidz(0, 1, 0, 1, 2), "zfs-2.4.0-1", ["attach", "add"]),
        (raidz(0, 1, 0, 1, 2), "zfs-2.2.9-1", ["add"]),
        (
            group("raidz1-0", leaf(0), leaf(1, "FAULTED"), leaf(2), guid=500),
            "zfs-2.4.0-1",
            ["replace", "add"],
        ),
    ],
)
def test_a_single_disk_may_expand_a_raidz_that_is_whole_and_of_a_release_that_can(
    top: Vdev, version: str, offered: list[str]
) -> None:
    facts = world(top, disks=[blank(4)], version=ZfsVersion(version, version.replace("zfs-", "zfs-kmod-")))

    made = planned(facts, "add", "tank", serial(4))

    assert "below-redundancy" in rules(made)
    assert offered == [each.action for _, each in made.alternatives]


@pytest.mark.parametrize(
    ("rotates", "offered"), [(True, ["attach", "add"]), (False, ["add"]), (None, ["attach", "add"])]
)
def test_a_disk_of_another_kind_is_not_offered_for_a_mirror(
    *, rotates: bool | None, offered: list[str]
) -> None:
    """A hard disk in a mirror of SSDs makes all its writes slow, and the other way round it is wasted."""
    old = [used(at, is_rotational=True) for at in (0, 1)]
    facts = world(PAIR, disks=[*old, replace(blank(4), is_rotational=rotates)])

    made = planned(facts, "add", "tank", serial(4))

    assert "below-redundancy" in rules(made)
    assert offered == [each.action for _, each in made.alternatives]


@pytest.mark.parametrize(
    ("words", "is_warned"), [(["raidz1", *disks(4, 5)], True), (["raidz1", *disks(4, 5, 6)], False)]
)
def test_a_raidz_with_one_disk_for_data_is_compared_with_a_mirror(
    words: list[str], *, is_warned: bool
) -> None:
    made = planned(world(PAIR, spare_disks=6), "add", "tank", *words)

    assert is_warned == any("as much as a mirror of 2" in each for each in made.warnings)


def test_a_disk_named_as_the_kernel_does_is_offered_under_its_link() -> None:
    """What is offered must not be refused for the very name."""
    facts = world(PAIR, disks=[blank(4)])
    disk = facts.inventory.disks[0] if facts.inventory is not None else None

    made = planned(facts, "add", "tank", disk.name if disk is not None else "")

    assert {"kernel-name", "below-redundancy"} <= set(rules(made))
    offered = {each.arguments[-1] for _, each in made.alternatives}
    assert disk is not None
    assert offered <= {link for link in disk.links if "/by-id/" in link}


def test_a_spare_that_is_too_small_for_a_vdev_is_told_since_zfs_takes_it() -> None:
    """`spa_vdev_attach` refuses it when a device fails, and nobody is there to hear of it."""
    small = blank(4, size_bytes=2 * TB)

    none = planned(world(PAIR, disks=[small]), "add", "tank", "spare", serial(4))
    fits = planned(world(PAIR), "add", "tank", "spare", serial(4))

    assert any("smaller than the devices of any vdev" in words for words in none.warnings)
    assert [] == [words for words in fits.warnings if "smaller" in words]
