"""Detaching devices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import aux, blank, leaf, mirror, planned, raidz, rules, serial, world
from zconsole.actions.plan import Plan, Risk
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Count, Scan, Vdev

RAIDZ = raidz(0, 1, 0, 1, 2)


@pytest.mark.parametrize(
    ("top", "leaving", "risk", "left"),
    [
        (mirror(0, 0, 1), "1001", Risk.DESTRUCTIVE, (1, 0)),
        (mirror(0, 0, 1, 2), "1001", Risk.CAUTION, (2, 1)),
        (group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500), "1001", Risk.CAUTION, (0, 0)),
        (group("mirror-0", leaf(0), leaf(1), leaf(2, "OFFLINE"), guid=500), "1002", Risk.CAUTION, (1, 1)),
    ],
)
def test_a_device_of_a_mirror_is_let_go(top: Vdev, leaving: str, risk: Risk, left: tuple[int, int]) -> None:
    made = planned(world(top), "detach", "tank", leaving)

    assert ([], risk) == (rules(made), made.risk)
    assert ("zpool", "detach", "tank", leaving) == made.steps[0].argv
    assert [left] == [(each.before, each.after) for each in made.redundancy]


@pytest.mark.parametrize("type_", ["mirror-0", "replacing-0"])
def test_what_is_typed_is_the_serial_number_printed_on_the_disk_that_leaves(type_: str) -> None:
    facts = world(group(type_, leaf(0), leaf(1), guid=500))

    made = planned(facts, "detach", "tank", "1001")

    assert serial(1)[-8:] == made.target
    assert len(made.target) <= 8


def test_a_mirror_ends_at_the_same_risk_beside_a_disk_that_never_had_one() -> None:
    made = planned(world(mirror(0, 0, 1), leaf(2)), "detach", "tank", "1001")

    assert Risk.DESTRUCTIVE is made.risk
    assert any("one more failure there loses the pool" in warning for warning in made.warnings)


@pytest.mark.parametrize(
    ("tops", "leaving", "rule"),
    [
        ((RAIDZ,), "1001", "only-mirrors"),
        ((mirror(0, 0, 1), leaf(2)), "1002", "only-mirrors"),
        ((mirror(0, 0, 1), aux(2, "cache")), "1002", "only-mirrors"),
        ((mirror(0, 0, 1), aux(2, "spare")), "1002", "only-mirrors"),
        ((group("mirror-0", leaf(0), leaf(1, "FAULTED")),), "1000", "last-replica"),
        ((group("mirror-0", leaf(0), leaf(1, is_resilvering=True)),), "1000", "last-replica"),
        ((group("mirror-0", leaf(0), leaf(1, note="(awaiting resilver)")),), "1000", "last-replica"),
        (
            (group("mirror-0", leaf(0), group("replacing-1", leaf(1, "OFFLINE"), leaf(2))),),
            "1000",
            "last-replica",
        ),
    ],
)
def test_what_has_the_last_copy_or_stands_alone_is_not_detached(
    tops: tuple[Vdev, ...], leaving: str, rule: str
) -> None:
    made = planned(world(*tops), "detach", "tank", leaving)

    assert rule in rules(made)


def test_what_failed_while_another_half_may_be_filled_is_not_detached() -> None:
    """ZFS refuses it too where it has what the other one lacks (`vdev_dtl_required`)."""
    facts = world(
        group("mirror-0", leaf(0, "FAULTED"), leaf(1), guid=500), pool={"scan": Scan("resilver", "scanning")}
    )

    assert ["resilvering"] == rules(planned(facts, "detach", "tank", "1000"))


def test_while_zfs_does_not_say_what_resilvers_nothing_whole_is_detached() -> None:
    facts = world(mirror(0, 0, 1, 2), pool={"scan": Scan("resilver", "scanning")})

    assert ["resilvering"] == rules(planned(facts, "detach", "tank", "1001"))


def test_a_device_is_not_detached_from_one_that_may_have_been_filled_and_not_repaired() -> None:
    facts = world(group("mirror-0", leaf(0), leaf(1, note="(resilvering)")))

    assert ["resilvering"] == rules(planned(facts, "detach", "tank", "1000"))


def test_the_newcomer_of_a_replacement_is_always_given_up() -> None:
    """It is how a replacement is stopped, also one that began a moment ago."""
    top = group("mirror-0", leaf(0), group("replacing-1", leaf(1), leaf(4), guid=600), guid=500)
    facts = world(top, pool={"scan": Scan("resilver", "scanning")})

    made = planned(facts, "detach", "tank", "1004")

    assert ([], Risk.CAUTION, "stop the replacement") == (rules(made), made.risk, made.title[:20])


def test_detaching_the_old_device_of_a_replacement_ends_it() -> None:
    top = group("mirror-0", leaf(0), group("replacing-1", leaf(1, "FAULTED"), leaf(4), guid=600), guid=500)

    made = planned(world(top), "detach", "tank", "1001")

    assert made.after is not None
    assert ([], ["1000", "1004"]) == (
        rules(made), [str(each.guid) for each in made.after.vdevs[0].children],
    )  # fmt: skip


def test_a_checkpoint_keeps_the_tree() -> None:
    facts = world(mirror(0, 0, 1), pool={"checkpoint_bytes": 5})

    assert "checkpoint" in rules(planned(facts, "detach", "tank", "1001"))
    assert "checkpoint" in rules(planned(facts, "attach", "tank", "1001", serial(4)))


def test_the_guid_must_be_known() -> None:
    """On a host whose ZFS does not tell it, a name could mean another device by then."""
    top = group("mirror-0", leaf(0), replace(leaf(1), guid=None))

    made = planned(world(top, disks=[blank(1)]), "detach", "tank", f"ata-ST4000NM_{serial(1)}")

    assert "no-guid" in rules(made)


def standing_in(first: Vdev, spare: Vdev) -> PlanFacts:
    """A mirror whose second device has a hot spare in its place."""
    pair = group("spare-1", first, spare, guid=600, configured_ashift=12)
    top = group("mirror-0", leaf(0), pair, guid=500, configured_ashift=12)
    return world(top, replace(aux(2, "spare"), state="INUSE"))


def test_a_spare_is_not_sent_back_from_a_failed_disk_without_saying_what_is_lost() -> None:
    facts = standing_in(leaf(1, "FAULTED"), leaf(2, is_resilvering=True))

    made = planned(facts, "detach", "tank", "1002")

    assert Risk.DESTRUCTIVE is made.risk
    assert not any("serves alone" in each for each in made.notes)
    assert any("FAULTED and does not have all the data" in each for each in made.warnings)
    assert any("data resilvered to" in each for each in made.warnings)
    assert () == made.alternatives


def test_a_spare_that_is_no_longer_needed_goes_back() -> None:
    made = planned(standing_in(leaf(1), leaf(2)), "detach", "tank", "1002")

    assert Risk.CAUTION is made.risk
    assert any("serves alone" in each for each in made.notes)
    assert 1 == len(made.alternatives)


def test_no_way_is_offered_that_costs_more_than_the_plan() -> None:
    made = planned(standing_in(leaf(1, "FAULTED"), leaf(2)), "detach", "tank", "1001")

    assert () == made.alternatives


@pytest.mark.parametrize(
    ("original", "scan", "why"),
    [
        (
            replace(leaf(1, "DEGRADED"), checksum_errors=Count(5200)),
            None,
            "has errors, or is DEGRADED for them",
        ),
        (replace(leaf(1), checksum_errors=Count(190)), None, "has errors, or is DEGRADED for them"),
        (leaf(1), Scan("resilver", "finished", end=1, errors=12), "the last resilver ended with errors"),
        (leaf(1), Scan("resilver", "canceled", end=1), "the last resilver ended with errors"),
    ],
)
def test_a_spare_beside_a_device_that_may_be_damaged_is_a_copy_to_lose(
    original: Vdev, scan: Scan | None, why: str
) -> None:
    facts = standing_in(original, leaf(2))
    facts = replace(facts, pools=tuple(replace(each, scan=scan) for each in facts.pools))

    made = planned(facts, "detach", "tank", "1002")

    assert Risk.DESTRUCTIVE is made.risk
    assert not any("serves alone" in each for each in made.notes)
    assert any(why in each and "relies on it alone" in each for each in made.warnings)


def test_who_keeps_the_spare_of_a_damaged_device_is_not_offered_to_return_it() -> None:
    damaged = replace(leaf(1), checksum_errors=Count(190))

    made = planned(standing_in(damaged, leaf(2)), "detach", "tank", "1001")

    assert (Risk.CAUTION, ()) == (made.risk, made.alternatives)


def test_the_spare_of_a_disk_that_smart_warns_of_is_not_sent_back_without_saying_so() -> None:
    facts = standing_in(leaf(1), leaf(2))
    facts = replace(facts, suspects=frozenset({(facts.pools[0].name, leaf(1).name)}))

    made = planned(facts, "detach", "tank", "1002")

    assert Risk.DESTRUCTIVE is made.risk
    assert any("SMART warns of it or it is slower" in each for each in made.warnings)


def test_an_original_that_goes_while_its_spare_is_filled_may_still_have_come_back() -> None:
    spare = group("spare-0", leaf(0, "FAULTED"), leaf(2, is_resilvering=True), guid=700)
    top = group("mirror-0", spare, leaf(1), guid=500)
    running = Scan("resilver", "scanning", percent=98.0)

    facts = world(top, replace(aux(2, "spare"), state="INUSE"), pool={"scan": running})
    made = planned(facts, "detach", "tank", "1000")

    assert ([], Risk.DESTRUCTIVE) == (rules(made), made.risk)
    assert any("may come back by a clear, a cable or a slot until then" in each for each in made.warnings)


def test_a_new_disk_that_is_the_way_back_to_redundancy_is_given_up_with_that_said() -> None:
    new = leaf(2, is_resilvering=True)
    running = Scan("resilver", "scanning", percent=25.0)

    def stopped(old_state: str) -> Plan:
        top = group("mirror-0", group("replacing-0", leaf(0, old_state), new, guid=700), leaf(1), guid=500)
        return planned(world(top, pool={"scan": running}), "detach", "tank", "1002")

    failed, offline, sound = (stopped(each) for each in ("FAULTED", "OFFLINE", "ONLINE"))

    assert [Risk.DESTRUCTIVE, Risk.DESTRUCTIVE, Risk.CAUTION] == [
        each.risk for each in (failed, offline, sound)
    ]
    assert any("is its way back to redundancy" in each for each in failed.warnings)
    assert any("online brings redundancy back sooner" in each for each in offline.notes)


@pytest.mark.parametrize(
    ("other", "of_pool"),
    [
        ({"checksum_errors": Count(9)}, {}),
        ({}, {"error_count": 12}),
        ({}, {"scan": Scan("resilver", "finished", end=1, errors=12)}),
    ],
    ids=["errors of the other", "damaged blocks", "a resilver with errors"],
)
@pytest.mark.parametrize("state", ["OFFLINE", "FAULTED", "REMOVED"])
def test_a_failed_half_that_may_have_what_the_other_lacks_goes_with_that_said(
    state: str, other: dict[str, object], of_pool: dict[str, object]
) -> None:
    """ZFS lets it go, and wipes its label: nothing of it can be had back."""
    top = group("mirror-0", leaf(0, state), leaf(1, **other), guid=500)

    made = planned(world(top, pool=of_pool), "detach", "tank", "1000")

    assert Risk.DESTRUCTIVE is made.risk
    assert any("may have whole what the others cannot return" in each for each in made.warnings)


def test_an_original_that_works_beside_a_spare_that_was_filled_with_errors_is_no_waste() -> None:
    ended = Scan("resilver", "finished", end=1, errors=12)
    held = group("spare-0", leaf(0, "DEGRADED", checksum_errors=Count(3)), leaf(2), guid=700)
    top = group("mirror-0", held, leaf(1), guid=500)
    facts = world(top, replace(aux(2, "spare"), state="INUSE"), pool={"scan": ended, "error_count": 12})

    original, spare = (planned(facts, "detach", "tank", guid) for guid in ("1000", "1002"))

    assert Risk.DESTRUCTIVE is original.risk
    assert any("may have what it left out on the others" in each for each in original.warnings)
    assert not any("the complete copy" in each for each in spare.warnings)


def test_a_distributed_spare_is_not_kept_in_the_place_of_the_original() -> None:
    """`spa_vdev_detach` leaves it in the list of spares: it is a part of its dRAID."""
    spare = group("spare-0", leaf(0), replace(leaf(90), name="draid1-0-0", type="dspare"))
    top = group("draid1:2d:5c:1s-0", spare, *map(leaf, range(1, 5)), vdev_type="draid1")

    back = planned(world(top), "detach", "tank", "1090")
    gone = planned(world(top), "detach", "tank", "1000")

    assert () == back.alternatives
    assert [] == [words for words in back.notes if "permanently" in words]
    assert any("is a part of draid1:2d:5c:1s-0" in words for words in gone.warnings)
    assert gone.undo.startswith("zpool replace tank draid1-0-0 ")
