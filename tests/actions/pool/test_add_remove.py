"""Add and remove; split, create and clear a label: what comes, what goes, and what stays for good."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group, in_class
from tests.doubles.shelves import (
    TB,
    aux,
    blank,
    label,
    leaf,
    link,
    mirror,
    planned,
    raidz,
    rules,
    serial,
    shape,
    used,
    world,
)
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import ImportablePool, Pool, PoolActivity, Scan, Vdev

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
    assert any("going back to it drops what is added" in each for each in made.warnings)


ROOM: dict[str, object] = {"usable_available_bytes": 3 * TB}


@pytest.mark.parametrize(
    ("tops", "word", "risk"),
    [
        ((PAIR, aux(2, "cache")), "1002", Risk.ROUTINE),
        ((PAIR, in_class(leaf(2), "log")), "1002", Risk.CAUTION),
        ((PAIR, aux(2, "spare")), "1002", Risk.CAUTION),
        ((PAIR, mirror(1, 2, 3, size_bytes=TB)), "mirror-1", Risk.CAUTION),
        ((raidz(0, 1, 0, 1, 2), in_class(mirror(1, 3, 4), "log")), "mirror-1", Risk.CAUTION),
    ],
)
def test_what_can_leave_leaves(tops: tuple[Vdev, ...], word: str, risk: Risk) -> None:
    made = planned(world(*tops, pool=ROOM), "remove", "tank", word)

    assert made.before is not None
    assert made.after is not None
    assert ([], risk) == (rules(made), made.risk)
    assert made.steps[0].argv[:3] == ("zpool", "remove", "tank")
    assert shape(made.after) == [
        each for each in shape(made.before) if each not in shape(_only(made.before, word))
    ]


def _only(pool: Pool, word: str) -> Pool:
    return replace(pool, vdevs=tuple(top for top in pool.vdevs if word in {top.name, str(top.guid)}))


MOVING = PoolActivity("removal", "mirror-0", "active")
FULL = in_class(mirror(1, 2, 3, allocated_bytes=9), "special")
NESTED = group("mirror-0", leaf(0), group("replacing-1", leaf(1), leaf(6)), guid=500)


@pytest.mark.parametrize(
    ("tops", "values", "word", "rule"),
    [
        ((raidz(0, 1, 0, 1, 2), raidz(1, 1, 3, 4, 5)), {}, "raidz1-1", "never-leaves"),
        ((raidz(0, 1, 0, 1, 2), leaf(3)), {}, "1003", "never-leaves"),
        ((PAIR, mirror(1, 2, 3, configured_ashift=9)), {}, "mirror-1", "never-leaves"),
        ((PAIR,), {}, "mirror-0", "last-vdev"),
        ((PAIR, mirror(1, 2, 3)), {}, "1002", "only-tops"),
        ((raidz(0, 1, 0, 1, 2),), {}, "1002", "only-tops"),
        ((PAIR, mirror(1, 2, 3, size_bytes=4 * TB)), {}, "mirror-1", "not-enough-space"),
        ((PAIR, group("mirror-1", leaf(2), leaf(3, "OFFLINE"), guid=501)), {}, "mirror-1", "not-whole"),
        ((NESTED, mirror(1, 2, 3)), {}, "mirror-1", "replacing"),
        ((PAIR, mirror(1, 2, 3)), {"checkpoint_bytes": 1}, "mirror-1", "checkpoint"),
        ((PAIR, aux(2, "cache")), {"checkpoint_bytes": 1}, "1002", "checkpoint"),
        ((PAIR, mirror(1, 2, 3)), {"activities": (MOVING,)}, "mirror-1", "removing"),
        ((PAIR, replace(aux(2, "spare"), state="INUSE")), {}, "1002", "spare-in-use"),
        ((PAIR, replace(aux(2, "spare"), type="dspare")), {}, "1002", "distributed-spare"),
        ((replace(PAIR, free_bytes=1), FULL), {}, "mirror-1", "not-enough-space"),
    ],
)  # fmt: skip
def test_what_cannot_leave_is_told_why(
    tops: tuple[Vdev, ...], values: dict[str, object], word: str, rule: str
) -> None:
    made = planned(world(*tops, pool={**ROOM, **values}), "remove", "tank", word)

    assert rule in rules(made)


def test_removal_needs_its_feature() -> None:
    disabled = (("tank", "feature@device_removal", "disabled", "local"),)
    facts = world(PAIR, mirror(1, 2, 3, size_bytes=TB), pool=ROOM, properties=disabled)

    assert ["feature"] == rules(planned(facts, "remove", "tank", "mirror-1"))


def test_before_2_2_a_removal_leaves_twice_the_slop() -> None:
    room: dict[str, object] = {"usable_available_bytes": TB + 1, "size_bytes": 8 * TB}
    tops = (PAIR, mirror(1, 2, 3, size_bytes=TB))

    assert [] == rules(planned(world(*tops, pool=room), "remove", "tank", "mirror-1"))
    assert ["not-enough-space"] == rules(
        planned(world(*tops, pool=room, version=OLD), "remove", "tank", "mirror-1")
    )


def test_a_pool_is_split_into_two_without_redundancy() -> None:
    made = planned(world(PAIR, mirror(1, 2, 3)), "split", "tank", "half")
    three = planned(world(mirror(0, 0, 1, 2)), "split", "tank", "half")

    assert ([], Risk.DESTRUCTIVE, Risk.CAUTION) == (rules(made), made.risk, three.risk)
    assert [("zpool", "split", "tank", "half")] == [step.argv for step in made.steps]
    assert ["1001", "1003"] == [each.object for each in made.steps[0].settled_by]
    assert [(1, 0), (1, 0)] == [(each.before, each.after) for each in made.redundancy]


@pytest.mark.parametrize(
    ("tops", "values", "name", "rule"),
    [
        ((raidz(0, 1, 0, 1, 2),), {}, "half", "not-mirrored"),
        ((PAIR, leaf(2)), {}, "half", "not-mirrored"),
        ((group("mirror-0", leaf(0), leaf(1, "FAULTED")),), {}, "half", "not-whole"),
        ((NESTED,), {}, "half", "replacing"),
        ((PAIR,), {"scan": Scan("resilver", "scanning")}, "half", "resilvering"),
        ((PAIR,), {"checkpoint_bytes": 1}, "half", "checkpoint"),
        ((PAIR,), {"activities": (PoolActivity("removal", None, "active"),)}, "half", "removing"),
        ((PAIR,), {}, "tank", "pool-exists"),
        ((PAIR,), {}, "mirrors", "name"),
        ((PAIR,), {}, "1st", "name"),
    ],
)
def test_what_is_not_split(tops: tuple[Vdev, ...], values: dict[str, object], name: str, rule: str) -> None:
    assert rule in rules(planned(world(*tops, pool=values), "split", "tank", name))


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
    assert any("no disk with sectors of 4 KiB" in each for each in small.warnings)


def test_a_pool_of_that_name_on_other_disks_is_told() -> None:
    facts = world(PAIR, importable=(ImportablePool("new", 9, "ONLINE"),))

    made = planned(facts, "create-pool", "new", serial(4))

    assert any("only their guids tell" in each for each in made.warnings)


UNREAD = {"labels_unread": frozenset({f"{link(4)}-part1"})}


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({"labels": ()}, "no-label"),
        ({"labels": None}, "label-unknown"),
        ({"labels": (), **UNREAD}, "label-unknown"),
        ({"labels": (), "labels_barred": UNREAD["labels_unread"], **UNREAD}, "label-unknown"),
        ({"elsewhere": (("backup1", 77),)}, "in-use-elsewhere"),
    ],
)
def test_labels_that_are_not_cleared(values: dict[str, object], rule: str) -> None:
    facts = world(PAIR, disks=[used(4, "bulk")], **{"labels": (label(4),), **values})

    assert [rule] == rules(planned(facts, "labelclear", serial(4)))


def test_the_label_of_a_device_in_use_is_not_cleared() -> None:
    facts = world(PAIR, aux(2, "spare"), labels=(label(0, "tank"), label(2, "", state="spare")))

    assert "in-use" in rules(planned(facts, "labelclear", serial(0)))
    assert "in-use" in rules(planned(facts, "labelclear", serial(2)))


def test_the_label_of_a_missing_member_is_not_cleared() -> None:
    """The pool has lost sight of it, and waits for it."""
    top = group("mirror-0", leaf(0), leaf(1, "UNAVAIL", path="/dev/disk/by-id/gone-part1"), guid=500)
    facts = world(top, disks=[used(1)])
    facts = replace(facts, labels=(label(1, "tank", pool_guid=facts.pools[0].guid, vdev_guid=1001),))

    assert "still-a-member" in rules(planned(facts, "labelclear", serial(1)))


@pytest.mark.parametrize(("state", "force"), [("destroyed", False), ("exported", True), ("active", True)])
def test_force_is_used_only_where_zfs_asks_for_it(state: str, *, force: bool) -> None:
    facts = world(PAIR, disks=[used(4, "bulk")], labels=(label(4, state=state),))

    made = planned(facts, "labelclear", serial(4))

    assert ([], force) == (rules(made), "-f" in made.steps[0].argv)


def test_a_disk_without_a_serial_is_told_by_its_world_wide_name() -> None:
    facts = world(PAIR, disks=[used(4, "bulk", serial="")], labels=())
    by_path = "/dev/disk/by-path/pci-0-scsi-0:0:4:0"
    facts = replace(facts, labels=(replace(label(4), path=f"{by_path}-part1"),))

    made = planned(facts, "labelclear", by_path)

    assert ([], blank(4).wwn) == (rules(made), made.target)
