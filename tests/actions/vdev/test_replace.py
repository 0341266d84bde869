"""Replace: what is refused, what it costs, and how it is undone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import (
    aux,
    blank,
    kname,
    leaf,
    link,
    mirror,
    part,
    parted,
    planned,
    raidz,
    rules,
    serial,
    world,
)
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Count, PoolActivity, Scan, Vdev
from zconsole.model.pools.shelf_and_disk_path import Bay, Enclosure, Shelves
from zconsole.system.disk_by_id import inventory


def ailing(index: int, *vdevs: Vdev) -> Vdev:
    """A mirror of these."""
    return group(f"mirror-{index}", *vdevs, guid=500 + index, configured_ashift=12)


BROKEN = ailing(0, leaf(0), leaf(1, "FAULTED"))


@pytest.mark.parametrize(
    ("old", "risk"),
    [
        (leaf(1, "FAULTED"), Risk.CAUTION),
        (leaf(1, "UNAVAIL"), Risk.CAUTION),
        (leaf(1, "OFFLINE"), Risk.CAUTION),
        (leaf(1, "DEGRADED"), Risk.CAUTION),
        (leaf(1, checksum_errors=Count(3)), Risk.CAUTION),
        (leaf(1, slow_ios=Count(40)), Risk.CAUTION),
        (leaf(1), Risk.DESTRUCTIVE),
    ],
)
def test_the_risk_is_that_of_taking_the_wrong_one(old: Vdev, risk: Risk) -> None:
    made = planned(world(ailing(0, leaf(0), old)), "replace", "tank", "1001", serial(4))

    assert (risk, []) == (made.risk, rules(made))


def test_names_are_a_guid_and_a_link_that_lasts() -> None:
    made = planned(world(BROKEN), "replace", "tank", f"ata-ST4000NM_{serial(1)}", serial(4))

    assert [("zpool", "replace", "tank", "1001", link(4))] == [step.argv for step in made.steps]
    assert [link(4)] == [each.object for each in made.steps[0].settled_by]
    assert [(0, 0, 1)] == [(each.before, each.during, each.after) for each in made.redundancy]
    assert any("one more failure in mirror-0 loses the pool" in each for each in made.warnings)


def test_a_new_disk_whose_label_cannot_be_read_is_refused() -> None:
    facts = world(BROKEN, labels=(), labels_unread=frozenset({link(4)}))

    of_it = planned(facts, "replace", "tank", "1001", serial(4))
    of_another = planned(facts, "replace", "tank", "1001", serial(5))
    barred = planned(replace(facts, labels_barred=facts.labels_unread), "replace", "tank", "1001", serial(4))

    assert (["label-unknown"], [], []) == (rules(of_it), rules(of_another), rules(barred))
    assert any("takes root without a password" in each for each in barred.warnings)
    assert not any("takes root" in each for each in of_another.warnings)


def test_a_partition_is_taken_as_it_is() -> None:
    disk = blank(4, size_bytes=8 * 10**12)
    shared = parted(disk, part(disk, 3, size_bytes=4 * 10**12))

    made = planned(world(BROKEN, disks=[shared]), "replace", "tank", "1001", f"{link(4)}-part3")

    assert ([], f"{link(4)}-part3") == (rules(made), made.steps[0].argv[-1])


@pytest.mark.parametrize(
    ("tops", "values", "old", "rule"),
    [
        ((mirror(0, 0, 1), aux(2, "spare")), {}, "1002", "not-replaceable"),
        ((mirror(0, 0, 1), aux(2, "cache")), {}, "1002", "not-replaceable"),
        ((BROKEN,), {"checkpoint_bytes": 7}, "1001", "checkpoint"),
        (
            (BROKEN,),
            {"activities": (PoolActivity("checkpoint_discard", None, "active"),)},
            "1001",
            "checkpoint",
        ),
        ((replace(BROKEN, is_removing=True),), {}, "1001", "removing"),
        ((ailing(0, leaf(0, "UNAVAIL"), leaf(1, "FAULTED")),), {}, "1001", "nothing-to-copy"),
        ((leaf(0, "FAULTED"),), {}, "1000", "nothing-to-copy"),
    ],
)
def test_what_zfs_would_refuse_is_refused_beforehand(
    tops: tuple[Vdev, ...], values: dict[str, object], old: str, rule: str
) -> None:
    made = planned(world(*tops, pool=values), "replace", "tank", old, serial(5))

    assert rule in rules(made)


def test_a_spare_in_use_is_not_what_is_replaced() -> None:
    spare = aux(4, "spare")
    serving = replace(spare, vdev_class="data", state="ONLINE")
    top = ailing(0, group("spare-0", leaf(0, "FAULTED"), serving, guid=7), leaf(1))
    facts = world(top, replace(spare, state="INUSE"))

    assert ["spare-in-use"] == rules(planned(facts, "replace", "tank", "1004", serial(5)))
    made = planned(facts, "replace", "tank", "1000", serial(5))
    assert made.after is not None
    assert ([], ["AVAIL"]) == (rules(made), [each.state for each in made.after.of_class("spare")])


def test_the_pools_own_spare_can_stand_in() -> None:
    """It is named as the pool knows it, and comes back when it is detached."""
    made = planned(world(BROKEN, aux(4, "spare")), "replace", "tank", "1001", f"ata-ST4000NM_{serial(4)}")

    assert ([], Risk.CAUTION) == (rules(made), made.risk)
    assert ("zpool", "replace", "tank", "1001", link(4)) == made.steps[0].argv
    assert [(0, 0, 1)] == [(each.before, each.during, each.after) for each in made.redundancy]


@pytest.mark.parametrize(
    ("spare", "rule"),
    [(aux(4, "spare"), "spare-for-data"), (replace(aux(4, "spare"), state="UNAVAIL"), "spare-not-available")],
)
def test_a_spare_that_cannot_stand_in(spare: Vdev, rule: str) -> None:
    special = replace(
        ailing(1, leaf(2), leaf(3, "FAULTED")),
        vdev_class="special",
    )
    assert rule in rules(
        planned(world(mirror(0, 0, 1), special, spare), "replace", "tank", "1003", spare.name)
    )


@pytest.mark.parametrize(
    ("scan", "says"), [("resilver", "a resilver of tank is running"), ("scrub", "the scrub of tank ends")]
)
def test_a_scan_that_runs_is_told(scan: str, says: str) -> None:
    facts = world(BROKEN, pool={"scan": Scan(scan, "scanning")})

    made = planned(facts, "replace", "tank", "1001", serial(4), despite="it clicks")

    assert any(says in each for each in (*made.notes, *made.warnings))


def test_sequential_is_not_for_raidz() -> None:
    facts = world(raidz(0, 1, 0, 1, 2))

    made = planned(facts, "replace", "tank", "1001", serial(4), sequential=True)
    pair = planned(world(BROKEN), "replace", "tank", "1001", serial(4), sequential=True)

    assert (["sequential"], "-s") == (rules(made), pair.steps[0].argv[2])


def test_the_old_device_must_be_named_where_several_fail() -> None:
    facts = world(BROKEN, ailing(1, leaf(2), leaf(3, "OFFLINE")))

    with pytest.raises(UsageError) as told:
        planned(facts, "replace", "tank", serial(5))
    assert serial(1) in str(told.value.hint)
    assert serial(3) in str(told.value.hint)


def test_a_group_is_not_replaced() -> None:
    with pytest.raises(UsageError):
        planned(world(BROKEN), "replace", "tank", "mirror-0", serial(4))


def test_several_with_errors_point_at_what_they_share() -> None:
    top = ailing(0, leaf(0, read_errors=Count(9)), leaf(1, "FAULTED", read_errors=Count(9)))

    made = planned(world(top), "replace", "tank", "1001", serial(4))

    assert any("check the cable" in each for each in made.warnings)


def test_the_plan_rests_on_the_disk_the_vdev_and_what_is_on_it() -> None:
    """Whatever of it changes, the fingerprint does, and what is named is what changed."""
    base = world(BROKEN)
    first = planned(base, "replace", "tank", "1001", serial(4))
    other_disk = world(BROKEN, disks=[blank(4, size_bytes=5 * 10**12)])
    other_state = world(ailing(0, leaf(0), leaf(1, "UNAVAIL")))
    moved = world(
        BROKEN, disks=[blank(4, name=kname(8), path="/dev/sdi"), blank(8, name=kname(4), path="/dev/sde")]
    )

    def differences(facts: object) -> tuple[str, ...]:
        again = planned(facts, "replace", "tank", "1001", serial(4))  # type: ignore[arg-type]
        assert (first.fingerprint == again.fingerprint) == (first.basis == again.basis)
        return first.basis.differences(again.basis)

    assert any(f"disk {link(4)}" in each for each in differences(other_disk))
    assert any(f"mirror-0/ata-ST4000NM_{serial(1)}" in each for each in differences(other_state))
    assert () == differences(moved)


def test_what_is_typed_is_the_serial_of_the_disk_that_leaves() -> None:
    assert serial(1) == planned(world(BROKEN), "replace", "tank", "1001", serial(4)).confirm


def test_of_a_healthy_disk_both_serials_are_typed() -> None:
    facts = world(mirror(0, 0, 1))

    made = planned(facts, "replace", "tank", "1001", serial(4))

    assert f"{facts.identity.label}:{serial(1)} {serial(4)}" == made.confirm


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("ata-HGST_HUH728080ALE604_VLGX4P7Y", "4P7Y"),
        ("ata-SAMSUNG_MZ7L33T8HBLT-00A07_S6ESNX0T400118", "0118"),
        ("wwn-0x5000c500a0000001", "a0000001"),
        ("scsi-35000c500a0000001", "a0000001"),
        ("sdx", "sdx"),
    ],
)
def test_a_disk_that_is_gone_is_known_by_its_name_in_the_pool(name: str, typed: str) -> None:
    gone = leaf(1, "REMOVED", name=name, path=f"/dev/disk/by-id/{name}-part1")

    made = planned(world(ailing(0, leaf(0), gone)), "replace", "tank", "1001", serial(4))

    assert typed == made.confirm


def test_a_disk_that_is_gone_is_known_by_its_devid_where_its_name_has_no_serial() -> None:
    name, devid = "wwn-0x5000cca20c280476", "ata-HGST_HUH728080ALE604_VLGX4P7Y-part1"
    gone = replace(leaf(1, "REMOVED", name=name, path=f"/dev/disk/by-id/{name}-part1"), devid=devid)

    assert "4P7Y" == planned(world(ailing(0, leaf(0), gone)), "replace", "tank", "1001", serial(4)).confirm


def test_what_speaks_against_it_is_the_plan_s_first_warning() -> None:
    made = planned(world(BROKEN), "replace", "tank", "1001", serial(4), despite="1203 CRC errors")

    assert ("despite: 1203 CRC errors", []) == (made.warnings[0], rules(made))


def test_the_plan_names_both_disks_by_bay_and_serial_number() -> None:
    bays = tuple(Bay(f"Slot {at}", f"f/{at}", at, (f"0:0:{at}:0",)) for at in range(5))
    facts = world(BROKEN)
    assert facts.inventory is not None
    known = replace(facts.inventory, shelves=Shelves((Enclosure("0:0:9:0", bays),)))

    made = planned(replace(facts, inventory=known), "replace", "tank", "1001", serial(4))

    assert made.title.endswith(f"_{serial(1)} (bay 1) of tank with {serial(4)} (bay 4)")
    assert any(f"serial {serial(1)}, bay 1)" in each for each in made.notes)
    assert any(f"{serial(4)}, 3.64 TiB, bay 4" in each for each in made.notes)


def reporting(*serials: str) -> PlanFacts:
    """The world of the broken mirror, whose first disks report these serial numbers and no WWN."""
    facts = world(BROKEN)
    assert facts.inventory is not None
    disks = tuple(
        replace(disk, serial=serials[at], wwn="") if at < len(serials) else disk
        for at, disk in enumerate(facts.inventory.disks)
    )
    return replace(facts, inventory=inventory(disks, facts.inventory.links))


@pytest.mark.parametrize(
    ("typed", "serials"),
    [
        ("6789", ("A00012345", "A123456789")),  # the end is its own
        ("A123456789", ("B123456789", "A123456789")),  # another disk's ends alike
        ("SER0001", ("000000000000", "000000000000")),  # placeholders: the name in the pool has the number
        ("SER0001", ("DD56419883", "DD56419883")),  # one number on two disks
    ],
)
def test_what_is_typed_is_the_end_of_a_serial_number_that_no_other_disk_has(
    typed: str, serials: tuple[str, str]
) -> None:
    assert typed == planned(reporting(*serials), "replace", "tank", "1001", serial(4)).target


def test_a_name_with_a_number_of_several_disks_is_typed_whole() -> None:
    top = ailing(0, leaf(0), replace(leaf(1, "FAULTED"), name="ata-X_DD56419883"))
    facts = reporting("DD56419883", "DD56419883")
    alike = replace(facts, pools=world(top).pools)

    assert "ata-X_DD56419883" == planned(alike, "replace", "tank", "1001", serial(4)).target


SPARED = group("spare-1", leaf(1, "FAULTED"), leaf(2, is_resilvering=True), guid=600, configured_ashift=12)


def test_the_resilver_of_the_spare_ends_before_that_of_the_new_disk() -> None:
    """The new one waits for it (`resilver_defer`): the vdev is whole again when the spare is filled."""
    top = group("mirror-0", leaf(0), SPARED, guid=500, configured_ashift=12)
    spare = replace(aux(2, "spare"), state="INUSE")
    facts = world(top, spare, pool={"scan": Scan("resilver", "scanning", percent=98.0)})

    made = planned(facts, "replace", "tank", "1001", serial(4), despite="it clicks")

    (said,) = (each for each in made.warnings if "one more failure" in each)
    assert "until the running resilver is done, one more failure in mirror-0 loses the pool" == said
    assert [(0, 0, 1)] == [(each.before, each.during, each.after) for each in made.redundancy]


def test_a_new_disk_waited_for_by_nothing_else_is_what_the_vdev_needs() -> None:
    elsewhere = ailing(1, leaf(2), leaf(3, is_resilvering=True))
    facts = world(BROKEN, elsewhere, pool={"scan": Scan("resilver", "scanning", percent=98.0)})

    made = planned(facts, "replace", "tank", "1001", serial(4), despite="it clicks")

    assert "until the resilver is done, one more failure in mirror-0 loses the pool" in made.warnings
    assert [(0, 0, 1), (0, 0, 1)] == [(each.before, each.during, each.after) for each in made.redundancy]


def test_sources_with_errors_are_told_before_what_has_their_blocks_goes() -> None:
    rotten, gone = leaf(0, checksum_errors=Count(7)), leaf(1, "REMOVED")
    unsound = planned(world(group("mirror-0", rotten, gone, guid=500)), "replace", "tank", "1001", serial(4))
    sound = planned(world(group("mirror-0", leaf(0), gone, guid=500)), "replace", "tank", "1001", serial(4))

    assert any("may have whole what the others cannot return" in each for each in unsound.warnings)
    assert not any("may have whole" in each for each in sound.warnings)
    assert (Risk.DESTRUCTIVE, Risk.CAUTION) == (unsound.risk, sound.risk)


@pytest.mark.parametrize(("action", "words"), [("replace", ["1001"]), ("attach", ["1000"])])
def test_while_a_vdev_is_removed_zfs_attaches_and_replaces_nothing_in_the_pool(
    action: str, words: list[str]
) -> None:
    moving = {"activities": (PoolActivity("removal", "mirror-1", "active", 10.0),)}
    facts = world(group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500), pool=moving)

    assert "removing" in rules(planned(facts, action, "tank", *words, serial(4)))


@pytest.mark.parametrize(
    ("typed", "others"),
    [
        ("A0R7", ("ZC13A11M", "ZC13A1JN")),
        ("ZC13A0R7", ("ZC14A0R7",)),  # one misread character would name the other
        ("3A0R7", ("ZC14A0R1",)),
        ("13A0R7", ("ZC23A0B7",)),
        ("ZC13A0R7", ("ZC13A0R8",)),
        ("ZC13A0R7", ("ZC13AOR7",)),
    ],
)
def test_no_more_of_the_serial_is_typed_than_tells_it_from_others_with_one_character_misread(
    typed: str, others: tuple[str, ...]
) -> None:
    facts = world(BROKEN, disks=[blank(at, serial=each) for at, each in enumerate(others, start=2)])
    assert facts.inventory is not None
    first, second, *rest = facts.inventory.disks
    known = replace(facts.inventory, disks=(first, replace(second, serial="ZC13A0R7"), *rest))

    assert typed == planned(replace(facts, inventory=known), "replace", "tank", "1001", serial(4)).confirm


def test_of_a_plan_above_caution_no_less_is_typed() -> None:
    facts = world(mirror(0, 0, 1))
    assert facts.inventory is not None
    first, second, *rest = facts.inventory.disks
    known = replace(facts.inventory, disks=(first, replace(second, serial="ZC13A0R7"), *rest))

    made = planned(replace(facts, inventory=known), "replace", "tank", "1001", serial(4))

    assert f"{facts.identity.label}:ZC13A0R7 {serial(4)}" == made.confirm


def test_of_a_name_without_a_serial_nothing_is_left_out() -> None:
    gone = leaf(1, "REMOVED", name="/images/disk4711", path="/images/disk4711", devid="")

    assert (
        "/images/disk4711"
        == planned(world(ailing(0, leaf(0), gone)), "replace", "tank", "1001", serial(4)).confirm
    )
