"""Accidents of which plan and repair say the same, and nothing that is not known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.plan_worlds import host
from tests.doubles.repair_worlds import slow_disk, the_repair, trouble_at
from tests.doubles.shelves import aux, blank, leaf, link, serial
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, Scan, Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import RepairStepKind
from zconsole.reports.text.plan import plan_lines
from zconsole.views.repair.remedy_of_finding import due_in_words

NOT_LIVE = "with the pool exported or the host shut down"
BROKEN = [leaf(at, "FAULTED", write_errors=Count(20)) for at in (0, 1)]
IN_VAIN = Scan("resilver", "finished", start=int(NOW) - 900, end=int(NOW) - 300, percent=100.0, errors=3)


def planned(state: HostState, action: str, *words: str, **options: str) -> Plan:
    pool = state.pools[0].pool.value
    assert pool is not None
    facts = host(labels=(), pools=(pool,), inventory=state.inventory.value)
    return plan(intent(action, "tank", *words, options=options), facts)


def said(of: Plan) -> str:
    return "\n".join(plan_lines(of, "", ()))


@pytest.mark.parametrize("failmode", ["wait", "continue"])
def test_devices_that_are_out_are_not_called_lost_data(failmode: str) -> None:
    """By `failmode=continue` the pool is not suspended."""
    out = [leaf(at, "REMOVED") for at in (1, 2)]
    is_suspended = failmode == "wait"
    kernel = "SUSPENDED" if is_suspended else None
    state = trouble_at(group("raidz1-0", leaf(0), *out), gone=[1, 2], state=kernel)

    text = said(planned(state, "clear"))

    assert is_suspended == ("more devices are out than it can make up for" not in text)
    assert "data is lost" not in text


def test_two_disks_that_failed_with_errors_at_once_share_something_in_repair_as_in_the_plan() -> None:
    state = trouble_at(group("mirror-0", *BROKEN), state="SUSPENDED")
    due, warnings = due_in_words(the_repair(state, 0)), planned(state, "clear").warnings

    assert due.startswith(
        f"check what {serial(0)} and {serial(1)} share (cable, backplane, controller, power)"
    )
    assert due.endswith("with the host shut down; then clear tank: its disks are there")
    assert any("that they share first" in each and NOT_LIVE in each for each in warnings)


def test_disks_that_left_together_are_not_put_back_since_nobody_pulled_them() -> None:
    out = [leaf(at, "UNAVAIL") for at in range(3)]
    state = trouble_at(
        group("raidz2-0", *out, *(leaf(at) for at in (3, 4, 5))), gone=[0, 1, 2], state="SUSPENDED"
    )

    due = due_in_words(the_repair(state, 0))

    assert "what they share (cable, backplane, controller, power)" in due
    assert "look whether they are in their bays" in due
    assert "put " not in due


@pytest.mark.parametrize(
    ("disk", "is_itself"),
    [(blank(1), True), (replace(blank(1), serial="OTHER"), False)],
    ids=["wiped", "other"],
)
def test_a_disk_that_zfs_opened_without_its_label_is_not_called_gone(
    disk: object, *, is_itself: bool
) -> None:
    lost = leaf(1, "UNAVAIL", note="corrupted data")
    repair = the_repair(trouble_at(group("mirror-0", leaf(0), lost), disks=[disk]), 1)  # type: ignore[list-item]
    words = repair.step(RepairStepKind.TRIAGE).found[1]

    assert "ZFS opened what is at its path, and its label is not there (corrupted data)" in words
    assert is_itself == words.endswith("the disk was wiped or overwritten")
    assert "does not see" not in words


def test_a_wiped_disk_is_replaced_by_itself_and_that_is_explained() -> None:
    lost = leaf(1, "UNAVAIL", note="corrupted data")
    repair = the_repair(trouble_at(group("mirror-0", leaf(0), lost), disks=[blank(1)]), 1)

    assert due_in_words(repair) == (
        f"replace {serial(1)} with itself: ZFS writes it a new label and copies everything to it"
    )
    assert f"{serial(1)} lost its label, and is used anew: leave it in" == (
        repair.step(RepairStepKind.TAKE_OUT).reason
    )


@pytest.mark.parametrize("action", ["replace", "detach"])
def test_a_spare_that_failed_in_use_is_not_available_again(action: str) -> None:
    spared = group("spare-1", leaf(1, "FAULTED"), leaf(8, "FAULTED"))
    state = trouble_at(
        group("raidz1-0", leaf(0), spared, leaf(2)), replace(aux(8, "spare"), state="INUSE"), unused=1
    )

    made = planned(state, action, *(("1001", link(9)) if action == "replace" else ("1008",)))

    assert made.after is not None
    assert ["FAULTED"] == [each.state for each in made.after.of_class("spare")]
    assert not any("is available again" in each for each in made.notes)


def test_the_cable_of_a_disk_is_checked_with_the_pool_exported_or_the_host_off() -> None:
    ailing = leaf(1, checksum_errors=Count(40))
    state = trouble_at(group("mirror-0", leaf(0), ailing), health={1: DiskHealth("ATA", crc_errors=400)})

    assert f"check the cable or the slot, {NOT_LIVE}; then clear" in due_in_words(the_repair(state, 1))


def _raidz(failed: Vdev) -> Vdev:
    return group("raidz1-0", leaf(0), failed, leaf(2), leaf(3))


@pytest.mark.parametrize(("scan", "is_told"), [(IN_VAIN, True), (None, False)], ids=["with errors", "none"])
def test_blocks_that_only_the_old_disk_may_have_are_lost_with_it(scan: Scan | None, *, is_told: bool) -> None:
    state = trouble_at(_raidz(leaf(1, "FAULTED")), unused=1, scan=scan)

    text = said(planned(state, "replace", "1001", link(4), despite="known"))

    assert is_told == ("LOST      not known: blocks that only" in text)
    assert is_told != ("LOST      nothing" in text)


def test_a_slow_disk_waits_for_the_new_one_that_its_failed_sibling_gets() -> None:
    """It is not to be put into a bay for a repair that it is not for."""
    state = trouble_at(
        group("raidz1-0", BROKEN[0], leaf(1), leaf(2)), slow=[slow_disk(1, "raidz1-0")], unused=1
    )

    assert f"leave {serial(1)} in: {serial(0)} comes first" == due_in_words(the_repair(state, 1))
