"""`status`, `check`, the findings of the console and `repair` name the same first step, in any trouble."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given

from tests.analysis.build import NOW, group, in_class, scrubbed
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf
from tests.doubles.troubled_pools import RUNS, troubled_hosts
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, PoolActivity, Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Repair, RepairStepKind, RepairTrouble
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import remedies, remedy

OF_POOL = {"pool-degraded", "pool-suspended", "resilver-errors"}
OF_VDEV = {"vdev-no-redundancy", "vdev-incomplete", "vdev-lost"}
BY_CHOICE = {RepairTrouble.SLOW, RepairTrouble.WARNED, RepairTrouble.SPARE_IN_USE, RepairTrouble.AFTER_CARE}


def repair_of(finding: Finding, found: tuple[Repair, ...]) -> Repair | None:
    """The repair that deals with what a finding is about, the most urgent of those of a vdev or the pool."""
    guid = finding.evidence.get("vdev_guid")
    if finding.disk and finding.needs_repair:
        own = (each for each in found if str(each.device.guid) == guid)
        beside = (each for each in found for one in each.concerned if str(one.guid) == guid)
        return next(own, None) or next(beside, None)
    if finding.id in OF_VDEV:
        return next((each for each in found if each.vdev == finding.evidence["vdev"]), None)
    if finding.id == "data-errors":
        return next((each for each in found if each.is_vital and each.trouble not in BY_CHOICE), None)
    return next(iter(found), None) if finding.id in OF_POOL else None


def other_voices(state: HostState) -> Iterator[tuple[str, str, str]]:
    """Findings that name another first step than the repair: id, what is said, and what is due."""
    found, told = repairs(state, (), NOW), remedies(state, NOW)
    for each in findings(state, NOW, Thresholds()):
        repair = repair_of(each, found)
        due = "" if repair is None else due_in_words(repair)
        if due and not told(each).startswith(f"Now: {due}"):
            yield each.id, told(each), due


@given(troubled_hosts())
def test_no_finding_names_another_first_step_than_the_repair(state: HostState) -> None:
    assert [] == list(other_voices(state))


@given(troubled_hosts())
def test_who_is_sent_to_a_cable_is_told_when_it_may_be_moved(state: HostState) -> None:
    """A pool that loses too many disks by it suspends."""
    told = remedies(state, NOW)
    said = [told(each) for each in findings(state, NOW, Thresholds())]

    assert [] == [each for each in said if "cable" in each and "host shut down" not in each]


RAIDZ1 = [leaf(1), leaf(2)]
TOO_MANY = {"write_errors": Count(50)}
ENDED_BADLY = replace(scrubbed(days_ago=0.1, function="resilver"), errors=3)
PENDING = {1: DiskHealth(protocol="ATA", is_passing=True, pending=8, reallocated=24)}
SPARE = in_class(leaf(8, "INUSE"), "spare")


def said(state: HostState, finding_id: str) -> str:
    """What to do about the first finding of a kind."""
    wanted = next(each for each in findings(state, NOW, Thresholds()) if each.id == finding_id)
    return remedies(state, NOW)(wanted)


def test_after_a_resilver_with_errors_what_is_gone_is_brought_back_in_each_finding() -> None:
    gone = group("raidz1-0", leaf(0, "FAULTED", **TOO_MANY), *RAIDZ1)
    state = trouble_at(gone, unused=1, scan=ENDED_BADLY, state="DEGRADED")
    about = ("vdev-no-redundancy", "pool-degraded", "device-faulted", "resilver-errors")

    assert [] == [each for each in about if not said(state, each).startswith("Now: bring SER0000 back first")]


def test_pending_sectors_that_are_not_known_to_grow_are_scrubbed_before_the_disk_is_replaced() -> None:
    mirror = group("mirror-0", leaf(0), leaf(1))
    idle = trouble_at(mirror, unused=1, health=PENDING, scan=scrubbed(days_ago=3))
    running = trouble_at(mirror, unused=1, health=PENDING, scan=scrubbed(days_ago=0, state="scanning"))

    assert said(idle, "pending-sectors").startswith("Now: scrub tank: ZFS writes again")
    assert said(running, "pending-sectors").startswith("Now: wait for the running scrub: ZFS writes again")


def test_a_disk_that_is_back_beside_its_spare_is_waited_for_and_then_the_spare_returns() -> None:
    spared = group("spare-0", leaf(0, is_resilvering=True), in_class(leaf(8), "spare"))
    state = trouble_at(group("raidz1-0", spared, *RAIDZ1), SPARE, scan=RUNS)

    assert (
        f"Now: wait for the resilver (40%). Then return the spare (zpool detach tank {leaf(8).name}), "
        "unless ZED has done so."
    ) == said(state, "spare-in-use")


def test_while_its_spare_is_filled_a_failed_disk_is_found_and_nothing_that_serves_is_pulled() -> None:
    old, new = leaf(0, "FAULTED", **TOO_MANY), in_class(leaf(8, is_resilvering=True), "spare")
    top = group("raidz1-0", group("spare-0", old, new), *RAIDZ1)
    state = trouble_at(top, SPARE, scan=RUNS, state="DEGRADED")

    assert "find SER0000" in said(state, "device-faulted")
    assert "pull nothing that serves meanwhile. The cause is uncertain" in said(state, "device-faulted")


GONE = leaf(0, "FAULTED", **TOO_MANY)
ABOUT_GONE = ("pool-degraded", "device-faulted", "device-errors")


def steps_of_first_repair(state: HostState) -> dict[str, str]:
    return {each.kind.value: each.state.value for each in repairs(state, (), NOW)[0].steps}


@pytest.mark.parametrize("of_spare", ["FAULTED", "REMOVED"])
def test_a_waiting_spare_comes_before_the_disk_where_the_one_in_use_has_failed(of_spare: str) -> None:
    """ZFS attaches no other spare to the disk until the failed one is detached (`spa_vdev_attach`)."""
    spared = group("spare-0", GONE, in_class(leaf(8, of_spare), "spare"))
    waiting = in_class(leaf(9, "AVAIL"), "spare")
    state = trouble_at(group("raidz1-0", spared, *RAIDZ1), SPARE, waiting, state="DEGRADED")
    due = "Now: detach the failed spare SER0008, then replace SER0000 with the spare SER0009"
    about = ("vdev-no-redundancy", *ABOUT_GONE, "spare-faulted", "spare-in-use")

    assert [] == [each for each in about if not said(state, each).startswith(due)]
    assert "not needed" == steps_of_first_repair(state)["identify"]
    (offer,) = next(iter(repairs(state, (), NOW))).step(RepairStepKind.REPLACE).offers
    assert ("detach", ("1008",)) == (offer.action, offer.arguments)


def test_a_spare_too_small_is_not_made_free() -> None:
    spared = group("spare-0", GONE, in_class(leaf(8, "FAULTED"), "spare"))
    small = in_class(leaf(9, "AVAIL", physical_bytes=10**9), "spare")
    state = trouble_at(group("raidz1-0", spared, *RAIDZ1), SPARE, small, state="DEGRADED")

    assert said(state, "device-faulted").startswith("Now: find SER0000")


def test_a_spare_that_serves_nobody_is_returned_and_stands_in_for_the_failed_disk_of_another_vdev() -> None:
    spared = group("spare-1", leaf(1), in_class(leaf(8), "spare"))
    tops = (group("mirror-0", GONE, leaf(2)), group("mirror-1", spared, leaf(3)))
    state = trouble_at(*tops, SPARE, state="DEGRADED")
    due = "Now: return the spare SER0008, then replace SER0000 with it."

    assert [] == [
        each for each in ("vdev-no-redundancy", *ABOUT_GONE) if not said(state, each).startswith(due)
    ]
    assert said(state, "spare-in-use").startswith("Now: return the spare SER0008")


@pytest.mark.parametrize(
    ("due", "others"),
    [
        ("replace SER0000 with the spare SER0009", {"more": (in_class(leaf(9, "AVAIL"), "spare"),)}),
        ("replace SER0000 with SER0009", {"unused": 1}),
    ],
)
def test_what_waits_is_used_before_a_spare_is_returned(due: str, others: dict[str, object]) -> None:
    spared = group("spare-1", leaf(1), in_class(leaf(8), "spare"))
    tops = (group("mirror-0", GONE, leaf(2)), group("mirror-1", spared, leaf(3)))
    more = others.pop("more", ())
    state = trouble_at(*tops, SPARE, *more, state="DEGRADED", **others)  # type: ignore[misc, arg-type]

    assert said(state, "device-faulted").startswith(f"Now: {due}.")


def distributed(number: int, state: str = "ONLINE") -> Vdev:
    """A distributed spare of the draid, or its entry among the spares."""
    spare = in_class(leaf(90 + number, state, physical_bytes=None, path=None), "spare")
    return replace(spare, name=f"draid2-0-{number}", type="dspare")


@pytest.mark.parametrize("waiting", [(), (distributed(1, "AVAIL"),)])
def test_a_distributed_spare_beside_a_disk_that_is_back_is_returned_before_another_is_rebuilt(
    waiting: tuple[Vdev, ...],
) -> None:
    """What is rebuilt meanwhile is not copied to the disk that is back (openzfs/zfs#18286)."""
    top = group(
        f"draid2:4d:8c:{1 + len(waiting)}s-0",
        GONE,
        group("spare-1", leaf(1), distributed(0)),
        *map(leaf, range(2, 8)),
        vdev_type="draid2",
        configured_ashift=12,
    )
    ended = scrubbed(days_ago=0.1, function="resilver")
    state = trouble_at(top, distributed(0, "INUSE"), *waiting, scan=ended, state="DEGRADED")

    due = "Now: return the spare draid2-0-0, then replace SER0000 with it."
    assert [] == [each for each in ABOUT_GONE if not said(state, each).startswith(due)]
    assert said(state, "spare-in-use").startswith("Now: return the spare draid2-0-0")


def test_one_spare_is_made_free_for_one_disk() -> None:
    tops = (
        group("raidz2-0", GONE, *map(leaf, (1, 2, 3))),
        group("raidz2-1", leaf(4, "FAULTED", **TOO_MANY), *map(leaf, (5, 6, 7))),
        group("raidz2-2", group("spare-0", leaf(10), in_class(leaf(8), "spare")), *map(leaf, (11, 12, 13))),
    )
    state = trouble_at(*tops, SPARE, state="DEGRADED")

    assert [
        "return the spare SER0008, then replace SER0000 with it",
        "find SER0004: turn on its LED, and compare the serial number",
        "return the spare SER0008",
    ] == [due_in_words(each) for each in repairs(state, (), NOW)]


@pytest.mark.parametrize("state", ["FAULTED", "UNAVAIL"])
def test_what_is_lacking_is_brought_back_before_a_replacement_ends(state: str) -> None:
    """The new disk cannot get what all of the failed ones had."""
    replaced = group("replacing-0", leaf(0, "FAULTED", **TOO_MANY), leaf(5, is_resilvering=True))
    top = group("raidz1-0", replaced, leaf(1, state), leaf(2))
    lost = trouble_at(top, gone=[1] if state == "UNAVAIL" else [], scan=RUNS, state="DEGRADED")

    assert {"bring SER0000 and SER0001 back"} == {
        due_in_words(each).partition(":")[0] for each in repairs(lost, (), NOW)
    }


def test_of_two_vdevs_what_only_has_to_be_put_back_comes_first() -> None:
    """Its resilver is short, and a long one would keep it waiting."""
    first = group("mirror-0", leaf(0), leaf(1, "FAULTED", **TOO_MANY))
    second = group("mirror-1", leaf(2, "REMOVED"), leaf(3))
    state = trouble_at(first, second, gone=[2], unused=1, state="DEGRADED")

    assert ["SER0002", "SER0001"] == [each.device.label for each in repairs(state, (), NOW)]
    assert said(state, "pool-degraded").startswith("Now: put SER0002 back")


EXPANDS = PoolActivity("raidz_expand", "raidz1-0", "active", 30.0)


def test_an_expansion_is_brought_on_by_the_repair_of_its_vdev() -> None:
    """It pauses until the vdev is whole again, zpool-attach(8); a replacement that runs is waited for."""
    failed = group("raidz1-0", leaf(0, "FAULTED", **TOO_MANY), *RAIDZ1)
    new = group("replacing-0", leaf(0, "FAULTED", **TOO_MANY), leaf(5, is_resilvering=True))
    sound = group("raidz1-0", leaf(0), *RAIDZ1)
    words = {
        kind: said(trouble_at(top, unused=1, activities=(EXPANDS,), **of_pool), "activity-running")
        for kind, top, of_pool in (
            ("failed", failed, {"state": "DEGRADED"}),
            ("replaced", group("raidz1-0", new, *RAIDZ1), {"scan": RUNS}),
            ("sound", sound, {}),
        )
    }

    assert words["failed"].startswith("Now: replace SER0000 with SER0003.")
    assert words["replaced"].startswith("Now: wait for the resilver (40%).")
    assert words["failed"].endswith("waiting alone does not bring it on.")
    assert "Wait." == words["sound"]


def test_without_guids_an_expansion_that_pauses_says_what_brings_it_on() -> None:
    found = Finding(
        "activity-running", Severity.INFO, "tank", "x", {"pool": "tank", "is_stopped_in": "raidz1-0"}
    )

    assert remedy(found).startswith("Waiting alone does not bring it on")


def test_nothing_of_a_suspended_pool_is_scrubbed_after_a_resilver() -> None:
    ended = scrubbed(days_ago=0.1, function="resilver")
    mirror = group("mirror-0", leaf(0), leaf(1))

    assert () == repairs(trouble_at(mirror, scan=ended, state="SUSPENDED"), (), NOW)
    assert ["after-care"] == [each.trouble.value for each in repairs(trouble_at(mirror, scan=ended), (), NOW)]


@pytest.mark.parametrize("state", ["UNAVAIL", "OFFLINE"])
@pytest.mark.parametrize("path", [True, False])
def test_a_device_that_zfs_calls_by_its_guid_is_named_by_the_path_that_it_had(state: str, path: bool) -> None:
    """In the JSON the path is a value of its own, in the text of `zpool status` it is the note."""
    was = "/dev/disk/by-id/wwn-0x5000c500a0000003-part1"
    guid = 8686970018805604631
    missing = leaf(0, state, name=str(guid), guid=guid, path=was if path else None, note=f"was {was}")
    sides = group("raidz1-0", missing, leaf(1, "FAULTED", **TOO_MANY), leaf(2))
    lost = trouble_at(sides, scan=scrubbed(days_ago=9), state="DEGRADED")
    told = findings(lost, NOW, Thresholds())
    voices = [words for each in told for words in (each.words, remedies(lost, NOW)(each))]
    voices += [
        words
        for each in repairs(lost, (), NOW)
        for words in (due_in_words(each), each.alarm, each.safety, *(step.reason for step in each.steps))
    ]

    assert [] == [words for words in voices if str(guid) in words]
    assert any("wwn-0x5000c500a0000003" in words for words in voices)


def test_a_spare_that_failed_before_the_one_in_use_is_told_with_it() -> None:
    """ZFS removes no spare that is in use (`spa_vdev_remove`)."""
    first, second = in_class(leaf(8, "REMOVED"), "spare"), in_class(leaf(9, is_resilvering=True), "spare")
    entries = (SPARE, in_class(leaf(9, "INUSE"), "spare"))
    top = group("raidz1-0", group("spare-0", GONE, first, second), *RAIDZ1)
    state = trouble_at(top, *entries, gone=[8], scan=RUNS, state="DEGRADED")

    assert said(state, "spare-faulted") == said(state, "device-faulted")


def test_under_a_checkpoint_a_spare_that_can_be_made_free_waits_for_its_end() -> None:
    spared = group("spare-0", GONE, in_class(leaf(8, "FAULTED"), "spare"))
    tops = (group("raidz1-0", spared, *RAIDZ1), SPARE, in_class(leaf(9, "AVAIL"), "spare"))
    state = trouble_at(*tops, state="DEGRADED", checkpoint_bytes=10**9)

    due = "Now: discard the checkpoint if you do not need it: zpool checkpoint -d tank."
    assert [] == [each for each in ABOUT_GONE if not said(state, each).startswith(due)]


def test_of_a_mirrored_log_with_one_half_nothing_is_at_stake() -> None:
    log = in_class(group("mirror-1", GONE, leaf(3)), "log")
    (repair,) = repairs(trouble_at(group("mirror-0", leaf(1), leaf(2)), log, state="DEGRADED"), (), NOW)

    assert "Nothing is known to be lost: the log mirror-1 runs on SER0003" == repair.safety


def test_of_a_vdev_that_is_lost_no_device_comes_first_for_its_resilver() -> None:
    lost = group("mirror-0", GONE, leaf(1, "FAULTED", **TOO_MANY), state="UNAVAIL")
    found = repairs(trouble_at(lost, state="SUSPENDED"), (), NOW)

    assert [] == [each.alarm for each in found if "resilver" in each.alarm]
    assert all(each.alarm.endswith("One of them has to come back first") for each in found)
