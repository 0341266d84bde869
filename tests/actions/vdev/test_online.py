"""Online: a device comes back and is brought up to date, unless it went another way meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.pool.shelf import argv, leaf, mirror, of, planned, rules, tank
from tests.doubles.plan_worlds import guid_of, host
from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Needs
from zconsole.actions.intent import intent
from zconsole.actions.plan import RedundancyChange, Risk
from zconsole.model.host.plan_facts import DiskLabel, PlanFacts
from zconsole.model.pools.pool import Pool, Vdev

AWAY = mirror("ONLINE", "OFFLINE")
GIB = 1 << 30


def label(name: str, last_txg: int | None = 100, **values: object) -> DiskLabel:
    """The label of a device of tank."""
    made = DiskLabel(
        f"/dev/disk/by-id/{name}-part1", "tank", guid_of("tank"), guid_of(name), "active", "storage1",
        last_txg=last_txg,
    )  # fmt: skip
    return replace(made, **values)  # type: ignore[arg-type]


def labelled(*labels: DiskLabel, pool: Pool | None = None) -> PlanFacts:
    """A host whose devices bear these labels."""
    return host(pools=(pool or tank(AWAY),), labels=labels)


def test_it_is_routine_and_resilvers() -> None:
    made = planned(labelled(label("mirror-0-a", 200), label("mirror-0-b")), "online", "tank", "mirror-0-b")

    assert Risk.ROUTINE is made.risk
    assert f"zpool online tank {guid_of('mirror-0-b')}" == argv(made)
    assert f"zpool offline tank {guid_of('mirror-0-b')}" == made.undo
    assert (RedundancyChange("mirror-0", 0, 0, 1),) == made.redundancy
    assert ("what was written meanwhile is resilvered to it",) == made.notes
    assert () == made.warnings


def test_one_that_is_online_stays_so() -> None:
    assert {"online"} == rules(planned(tank(), "online", "tank", "mirror-0-a"))


def test_a_faulted_one_is_to_be_cleared() -> None:
    made = planned(tank(mirror("ONLINE", "FAULTED")), "online", "tank", "mirror-0-b")

    assert {"faulted"} == rules(made)
    assert intent("clear", "tank", str(guid_of("mirror-0-b"))) == made.alternatives[0][1]


def test_one_that_is_newer_than_its_siblings_is_refused() -> None:
    made = planned(
        labelled(label("mirror-0-a", 90), label("mirror-0-b", 100)), "online", "tank", "mirror-0-b"
    )

    assert {"newer-data"} == rules(made)
    assert "txg 100" in made.refusals[0].reason


@pytest.mark.parametrize(
    ("strange", "rule"),
    [({"pool_guid": 7, "pool": "bulk"}, "another-pool"), ({"vdev_guid": 7}, "another-device")],
)
def test_another_disk_in_its_place_is_refused(strange: dict[str, object], rule: str) -> None:
    facts = labelled(label("mirror-0-a", 200), label("mirror-0-b", **strange))

    assert {rule} == rules(planned(facts, "online", "tank", "mirror-0-b"))


def test_one_that_another_host_wrote_to_is_warned_of() -> None:
    facts = labelled(label("mirror-0-a", 200), label("mirror-0-b", hostname="rescue"))

    made = planned(facts, "online", "tank", "mirror-0-b")

    assert not made.is_refused
    assert "last used by rescue, the others by storage1" in made.warnings[0]
    assert "what rescue has written to" in made.loses[0]


def test_a_label_that_cannot_be_read_is_said() -> None:
    made = planned(labelled(label("mirror-0-a")), "online", "tank", "mirror-0-b")

    assert "the label of mirror-0-b cannot be read" in made.warnings[0]


def test_one_whose_label_cannot_be_read_stays_away() -> None:
    """It may be another disk, or hold newer data; a user without root is only told so."""
    away = "/dev/disk/by-id/mirror-0-b-part1"
    facts = replace(labelled(label("mirror-0-a")), labels_unread=frozenset({away}))

    made = planned(facts, "online", "tank", "mirror-0-b")
    barred = planned(replace(facts, labels_barred=frozenset({away})), "online", "tank", "mirror-0-b")

    assert {"label-unknown"} == rules(made)
    assert f"zdb -l {away}" in made.refusals[0].instead
    assert set() == rules(barred)
    assert "the label of mirror-0-b cannot be read" in barred.warnings[0]


def test_a_sibling_whose_label_cannot_be_read_costs_only_the_comparison() -> None:
    facts = labelled(label("mirror-0-b"))

    made = planned(
        replace(facts, labels_unread=frozenset({"/dev/disk/by-id/mirror-0-a-part1"})),
        "online", "tank", "mirror-0-b",
    )  # fmt: skip

    assert not made.is_refused
    assert "whether mirror-0-b went on without them is not known" in made.warnings[0]


def test_a_plan_is_stale_once_the_device_was_written_to() -> None:
    before, after = (
        planned(labelled(label("mirror-0-a", 200), label("mirror-0-b", txg)), "online", "tank", "mirror-0-b")
        for txg in (100, 101)
    )

    assert before.fingerprint != after.fingerprint


def test_the_siblings_may_go_on_meanwhile() -> None:
    before, after = (
        planned(labelled(label("mirror-0-a", txg), label("mirror-0-b")), "online", "tank", "mirror-0-b")
        for txg in (200, 900)
    )

    assert before.fingerprint == after.fingerprint


def test_labels_of_the_device_and_of_its_siblings_are_read() -> None:
    further = spec("online").further
    assert further is not None
    facts = host(pools=(tank(AWAY, mirror("ONLINE", "ONLINE", name="mirror-1")),))

    needs = further(intent("online", "tank", str(guid_of("mirror-0-b"))), facts)

    assert Needs(labels=("/dev/disk/by-id/mirror-0-a-part1", "/dev/disk/by-id/mirror-0-b-part1")) == needs
    assert Needs() == further(intent("online", "tank", "nothing"), facts)
    assert Needs() == further(intent("online", "bulk", "a"), facts)


@pytest.mark.parametrize("device", [leaf("a", expandable_bytes=GIB), leaf("a")])
def test_growing_is_caution_and_for_good(device: Vdev) -> None:
    top = replace(of("mirror-0", device, leaf("b")), expandable_bytes=GIB)

    made = planned(tank(top), "online", "tank", "a", expand=True)

    assert Risk.CAUTION is made.risk
    assert f"zpool online -e tank {guid_of('a')}" == argv(made)
    assert not made.is_reversible
    assert ("mirror-0 can grow by 1.00 GiB",) == made.notes


def test_no_room_to_grow_is_said() -> None:
    made = planned(tank(), "online", "tank", "mirror-0-a", expand=True)

    assert not made.is_refused
    assert "no room to grow" in made.warnings[0]
