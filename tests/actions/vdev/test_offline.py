"""Offline: what is left decides, and the last copy of anything stays online."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.actions.pool.shelf import argv, leaf, log, mirror, of, planned, pools, rules, tank, with_errors
from tests.analysis.build import in_class
from tests.doubles.plan_worlds import guid_of, host
from zconsole.actions.plan import RedundancyChange, Risk
from zconsole.analysis.vdevs.redundancy import has_all_data, is_vital
from zconsole.base.errors import UsageError
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Pool, Scan, Vdev


def test_with_redundancy_left_it_is_caution() -> None:
    made = planned(tank(mirror("ONLINE", "ONLINE", "ONLINE")), "offline", "tank", "mirror-0-b")

    assert Risk.CAUTION is made.risk
    assert "mirror-0-b" == made.confirm
    assert f"zpool offline tank {guid_of('mirror-0-b')}" == argv(made)
    assert f"zpool online tank {guid_of('mirror-0-b')}" == made.undo
    assert (RedundancyChange("mirror-0", 2, 1, 1),) == made.redundancy
    assert made.is_reversible


def test_without_any_left_it_is_destructive() -> None:
    made = planned(tank(), "offline", "tank", "mirror-0-a")

    assert Risk.DESTRUCTIVE is made.risk
    assert "storage1:mirror-0-a" == made.confirm
    assert ("no redundancy left in mirror-0 then: one more failure loses the pool",) == made.warnings


@pytest.mark.parametrize(
    "tops",
    [
        (leaf("a"),),
        (mirror("ONLINE", "OFFLINE"),),
        (mirror("ONLINE", "FAULTED", "UNAVAIL"),),
        (of("mirror-0", leaf("mirror-0-a"), leaf("b", is_resilvering=True)),),
        (of("raidz1-0", leaf("mirror-0-a"), leaf("b"), leaf("c", "REMOVED")),),
        (of("raidz2-0", leaf("mirror-0-a"), leaf("b", "OFFLINE"), leaf("c", "FAULTED"), leaf("d")),),
        (of("mirror-0", leaf("mirror-0-a"), of("replacing-1", leaf("b", "FAULTED"), leaf("c"))),),
    ],
)
def test_the_last_replica_stays(tops: tuple[Vdev, ...]) -> None:
    word = "a" if tops[0].is_leaf else "mirror-0-a"

    made = planned(tank(*tops), "offline", "tank", word)

    assert {"last-replica"} == rules(made)
    assert None is made.confirm


def test_a_special_vdev_is_as_vital_as_the_data() -> None:
    special = in_class(leaf("s"), "special")

    assert {"last-replica"} == rules(
        planned(tank(mirror("ONLINE", "ONLINE"), special), "offline", "tank", "s")
    )


def test_one_that_serves_nothing_can_be_taken_offline() -> None:
    made = planned(tank(mirror("ONLINE", "UNAVAIL")), "offline", "tank", "mirror-0-b")

    assert Risk.CAUTION is made.risk
    assert ("mirror-0-b is UNAVAIL and serves nothing now: no redundancy left in mirror-0",) == made.notes


def test_while_nobody_knows_what_resilvers_nothing_that_counts_goes_offline() -> None:
    resilvering = Scan("resilver", "scanning", start=1)

    made = planned(tank(scan=resilvering), "offline", "tank", "mirror-0-a")

    assert {"resilvering"} == rules(made)


def test_a_device_is_not_taken_offline_for_one_that_may_have_been_filled_and_not_repaired() -> None:
    written = of("mirror-0", leaf("mirror-0-a"), leaf("b", note="(resilvering)"))

    assert {"resilvering"} == rules(planned(tank(written), "offline", "tank", "mirror-0-a"))


def test_the_only_log_device_is_shown_as_what_it_is() -> None:
    made = planned(tank(mirror("ONLINE", "ONLINE"), *log("slog")), "offline", "tank", "slog")

    assert Risk.CAUTION is made.risk
    assert "slog is the only working log device of tank" in made.warnings[0]


def test_of_two_log_devices_the_other_goes_on() -> None:
    made = planned(tank(mirror("ONLINE", "ONLINE"), *log("slog", "tlog")), "offline", "tank", "slog")

    assert ("other log devices go on: tlog",) == made.notes
    assert () == made.warnings


def test_half_of_a_log_mirror_is_warned_of() -> None:
    logs = in_class(of("mirror-1", leaf("slog"), leaf("tlog")), "log")

    made = planned(tank(mirror("ONLINE", "ONLINE"), logs), "offline", "tank", "slog")

    assert "mirror-1 is then a log without a mirror" in made.warnings[0]


def test_a_cache_device_holds_nothing_that_is_not_elsewhere() -> None:
    cache = in_class(leaf("c"), "cache")

    made = planned(tank(mirror("ONLINE", "ONLINE"), cache), "offline", "tank", "c")

    assert Risk.CAUTION is made.risk
    assert ("no data depends on the cache device c",) == made.notes


@pytest.mark.parametrize(
    "vdev",
    [
        replace(in_class(leaf("s"), "spare"), state="AVAIL"),
        replace(in_class(leaf("s"), "spare"), state="INUSE"),
        replace(in_class(leaf("s"), "spare"), type="dspare"),
    ],
)
def test_spares_are_not_taken_offline(vdev: Vdev) -> None:
    assert {"not-a-member"} == rules(planned(tank(mirror("ONLINE", "ONLINE"), vdev), "offline", "tank", "s"))


def test_fault_is_the_only_force() -> None:
    made = planned(tank(mirror("ONLINE", "ONLINE", "ONLINE")), "offline", "tank", "mirror-0-a", fault=True)

    assert f"zpool offline -f tank {guid_of('mirror-0-a')}" == argv(made)
    assert f"zpool clear tank {guid_of('mirror-0-a')}" == made.undo


def test_temporary_is_until_the_next_import() -> None:
    pool = tank(mirror("ONLINE", "ONLINE", "ONLINE"))

    made = planned(pool, "offline", "tank", "mirror-0-a", temporary=True)
    both = planned(pool, "offline", "tank", "mirror-0-a", temporary=True, fault=True)

    assert f"zpool offline -t tank {guid_of('mirror-0-a')}" == argv(made)
    assert f"zpool offline -f -t tank {guid_of('mirror-0-a')}" == argv(both)
    assert "a reboot or an import brings it back by itself" in made.notes


@pytest.mark.parametrize(
    ("state", "fault", "rule"), [("OFFLINE", False, "offline"), ("FAULTED", True, "faulted")]
)
def test_what_is_so_already_is_said(state: str, rule: str, *, fault: bool) -> None:
    made = planned(tank(mirror("ONLINE", state)), "offline", "tank", "mirror-0-b", fault=fault)

    assert {rule} == rules(made)


def test_errors_on_several_devices_of_a_group_point_at_the_cable() -> None:
    ailing = of("raidz2-0", *(with_errors(leaf(name)) for name in "ab"), leaf("c"), leaf("d"))

    made = planned(tank(ailing), "offline", "tank", "a")
    alone = planned(tank(of("raidz2-0", with_errors(leaf("a")), *map(leaf, "bcd"))), "offline", "tank", "a")

    assert any("2 devices of raidz2-0 have errors (a, b): check the cable" in each for each in made.warnings)
    assert () == alone.warnings


def test_a_device_without_a_guid_is_not_named_to_zfs() -> None:
    unknown = of("mirror-0", leaf("a"), replace(leaf("b"), guid=None), leaf("c"))

    assert {"no-guid"} == rules(planned(tank(unknown), "offline", "tank", "b"))


def test_what_is_printed_on_the_disk_is_in_the_plan() -> None:
    path = "/dev/disk/by-id/mirror-0-a-part1"
    part = Disk("sda1", "/dev/sda1", "part")
    whole = Disk("sda", "/dev/sda", "disk", model="ST12000NM", serial="ZL2F0A91", children=(part,))
    facts = host(pools=(tank(),), inventory=Inventory((whole,), ((path, "sda1"),)))

    made = planned(facts, "offline", "tank", "mirror-0-a")

    assert "take offline mirror-0-a (ST12000NM, serial ZL2F0A91)" == made.steps[0].why


def test_a_group_and_nothing_are_wrong_words() -> None:
    with pytest.raises(UsageError, match="mirror-0 of tank is a group"):
        planned(tank(), "offline", "tank", "mirror-0")
    with pytest.raises(UsageError, match="offline needs a device"):
        planned(tank(), "offline", "tank")
    with pytest.raises(UsageError, match="no vdev 'sdz'"):
        planned(tank(), "offline", "tank", "sdz")


@pytest.mark.parametrize("changed", ["DEGRADED", "FAULTED"])
def test_a_plan_is_stale_once_a_sibling_has_failed(changed: str) -> None:
    before = planned(tank(mirror("ONLINE", "ONLINE", "ONLINE")), "offline", "tank", "mirror-0-a")
    after = planned(tank(mirror("ONLINE", "ONLINE", changed)), "offline", "tank", "mirror-0-a")

    assert f"state of mirror-0/mirror-0-c was ONLINE, is {changed}" in before.basis.differences(after.basis)


@given(pool=pools(), at=st.integers(0), fault=st.booleans(), temporary=st.booleans())
def test_whatever_is_not_refused_leaves_every_group_whole(
    pool: Pool, at: int, *, fault: bool, temporary: bool
) -> None:
    """Counted anew, without the redundancy that the plan was judged by."""
    leaves = [vdev for vdev in pool.walk() if vdev.is_leaf]
    chosen = leaves[at % len(leaves)]

    made = planned(pool, "offline", "tank", str(chosen.guid), fault=fault, temporary=temporary)

    assert f"{chosen.guid}" == made.steps[0].argv[-1]
    assert fault == ("-f" in made.steps[0].argv)
    if made.is_refused:
        return
    for top in filter(is_vital, pool.vdevs):
        parts = top.children if top.type in {"mirror", "raidz1", "raidz2"} else (top,)
        spared = {"mirror": len(parts) - 1, "raidz1": 1, "raidz2": 2}.get(top.type, 0)
        whole_before = sum(1 for part in parts if has_all_data(part))
        whole_after = sum(1 for part in parts if any(has_all_data(each) for each in _others(part, chosen)))
        assert whole_after >= len(parts) - spared or whole_after == whole_before


def _others(part: Vdev, chosen: Vdev) -> list[Vdev]:
    """The devices of a part, without the chosen one, and without the newcomer of a replacement."""
    newcomers = {id(each.children[-1]) for each in part.walk() if each.type == "replacing"}
    return [each for each in part.leaves() if each is not chosen and id(each) not in newcomers]


def test_a_device_that_is_being_filled_stops_where_it_is() -> None:
    filled = of("mirror-0", leaf("a"), of("spare-1", leaf("b", "FAULTED"), leaf("s", is_resilvering=True)))

    made = planned(tank(filled), "offline", "tank", "s")

    assert (set(), Risk.DESTRUCTIVE) == (rules(made), made.risk)
    now, stops = made.warnings
    assert "no redundancy left in mirror-0 now, and none then: one more failure loses the pool" == now
    assert "the resilver of s stops" in stops
