"""A resilver runs, and ZFS does not show yet which device it fills: some vdev lacks data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, disk, group, in_class, mirror, pool
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf
from tests.reports.captured import captured
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.vdevs.redundancy import in_words, pool_redundancy
from zconsole.analysis.vdevs.resilver_targets import WRITTEN_BY_RESILVER, with_resilver_targets
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Count, Pool, Scan, Vdev
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import remedies

RUNS = Scan("resilver", "scanning", start=int(NOW) - 3600, percent=40.0)
FAILED = {"write_errors": Count(50), "note": "too many errors"}
MARK = {"note": WRITTEN_BY_RESILVER, "checksum_errors": Count(3)}
NOT_SHOWN = "a resilver runs, and ZFS does not show yet what it fills"


def words(of: Pool) -> str:
    return "; ".join(map(in_words, pool_redundancy(of)))


def about(state: HostState) -> list[Finding]:
    return [each for each in findings(state, NOW, Thresholds()) if each.id == "vdev-no-redundancy"]


def test_of_a_pool_with_one_mirror_of_two_nothing_is_left() -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)), scan=RUNS)

    (found,) = about(state)

    assert Severity.WARNING is found.severity
    assert found.sentence.endswith(
        "no redundancy left in mirror-0 until it is resilvered, unless what the resilver fills was detached "
        "meanwhile"
    )
    assert remedies(state, NOW)(found).startswith("Wait until the resilver ends; meanwhile take no device")


def test_a_half_that_was_attached_just_now_is_information() -> None:
    attached = Event(NOW - 3600, "sysevent.fs.zfs.vdev_attach", "tank", 1, (("vdev_guid", "1001"),))
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)), scan=RUNS, events=(attached,))

    assert [Severity.INFO] == [each.severity for each in about(state)]


@pytest.mark.parametrize(("level", "number"), [("raidz1", 3), ("raidz1", 5), ("draid1:2d:4c:0s", 4)])
def test_so_it_is_of_one_parity(level: str, number: int) -> None:
    top = group(f"{level}-0", *(leaf(at) for at in range(number)), vdev_type=level.partition(":")[0])

    assert "no redundancy left" in about(trouble_at(top, scan=RUNS))[0].sentence


def test_of_several_vdevs_one_has_none_left() -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)), group("mirror-1", leaf(2), leaf(3)), scan=RUNS)

    (found,) = about(state)

    assert Severity.WARNING is found.severity
    assert found.sentence.endswith(f"perhaps no redundancy left in one of mirror-0 and mirror-1: {NOT_SHOWN}")


def test_a_log_may_be_what_is_filled() -> None:
    log = in_class(group("mirror-1", leaf(2), leaf(3)), "log")
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)), log, scan=RUNS)

    assert [f"mirror-0 survives at most 1 failure, perhaps none: {NOT_SHOWN}"] == [
        each.sentence.removeprefix("tank: ") for each in about(state)
    ]


def test_a_raidz2_that_has_lost_one_may_have_lost_both() -> None:
    """The failed one may be what it was begun for: then one is left, and nothing is critical."""
    top = group("raidz2-0", leaf(0), leaf(1, "FAULTED", **FAILED), leaf(2), leaf(3), leaf(4))
    state = trouble_at(top, scan=RUNS)

    (found,) = about(state)

    assert Severity.WARNING is found.severity
    assert f"raidz2-0 survives at most 1 more failure, perhaps none: {NOT_SHOWN}" in found.sentence


@pytest.mark.parametrize(
    ("tops", "scan"),
    [
        ((group("mirror-0", disk("a"), group("replacing-1", disk("b"), disk("c"))),), RUNS),
        ((mirror("ONLINE", "ONLINE"),), replace(RUNS, vdev="mirror-1")),
        ((mirror("ONLINE", "ONLINE"),), replace(RUNS, function="scrub")),
        ((mirror("ONLINE", "ONLINE"),), replace(RUNS, state="finished", end=1, errors=0)),
        ((mirror("ONLINE", "ONLINE"), group("mirror-1", disk("c"), disk("d", is_resilvering=True))), RUNS),
        ((group("raidz3-0", *map(disk, "abcdef")),), RUNS),
    ],
    ids=["a new disk explains it", "rebuild of another", "scrub", "ended", "marked elsewhere", "raidz3"],
)
def test_what_is_explained_or_has_more_left_is_no_warning(tops: tuple[Vdev, ...], scan: Scan) -> None:
    assert "perhaps none" not in words(pool(*tops, scan=scan)).partition(";")[0]


def test_a_draid_on_its_distributed_spare_is_explained_by_that() -> None:
    spared = group("spare-0", disk("x", "FAULTED"), disk("draid2-0-0", type="dspare"))
    top = group("draid2:4d:10c:1s-0", spared, *map(disk, "bcdefghij"), vdev_type="draid2")

    assert "no redundancy left" not in words(pool(top, scan=RUNS))


AWAITS = {"note": "(awaiting resilver)"}


def test_a_new_disk_that_awaits_the_next_resilver_does_not_explain_the_one_that_runs() -> None:
    """`dsl_scan_need_resilver` skips it: another device lacks data."""
    one = group("replacing-1", leaf(1), leaf(41, **AWAITS))
    state = trouble_at(group("mirror-0", leaf(0), one), scan=RUNS)
    spared = group("spare-1", leaf(2, "FAULTED", **FAILED), leaf(21, **AWAITS))
    of_two = pool(group("raidz2-0", disk("a"), spared, disk("c"), disk("d")), scan=RUNS)
    of_one = pool(group("raidz1-0", disk("a"), spared, disk("c")), scan=RUNS)

    assert [Severity.WARNING] == [each.severity for each in about(state)]
    assert "no redundancy left in mirror-0 until it is resilvered" in about(state)[0].sentence
    assert "raidz2-0 survives at most 1 more failure, perhaps none" == words(of_two)
    assert "no redundancy left in raidz1-0, and perhaps not all data can be read" == words(of_one)


def test_repairs_in_two_vdevs_do_not_tell_which_of_them_it_is_for() -> None:
    tops = (
        group("mirror-0", disk("a"), disk("b", **MARK)),
        group("mirror-1", disk("c"), disk("d", **MARK)),
    )

    assert 2 == words(pool(*tops, scan=RUNS)).count("perhaps none")


@pytest.mark.parametrize("series", ["2.1", "2.4"])
def test_a_disk_that_missed_writes_and_is_back_is_warned_of(series: str) -> None:
    assert ["perhaps no redundancy left in one of mirror-0 and mirror-1"] == [
        each.sentence.removeprefix("tank: ").partition(":")[0]
        for each in about(captured(series, "resilver-start"))
    ]


@pytest.mark.parametrize(
    "top",
    [
        group("mirror-0", leaf(0, "FAULTED", **FAILED), leaf(1)),
        group("raidz1-0", leaf(0, "FAULTED", **FAILED), leaf(1), leaf(2)),
        group("raidz2-0", leaf(0, "FAULTED", **FAILED), leaf(1, "FAULTED", **FAILED), leaf(2), leaf(3)),
    ],
    ids=lambda top: top.name,
)
def test_what_fails_before_the_mark_may_have_what_is_being_filled(top: Vdev) -> None:
    state = trouble_at(top, scan=RUNS, unused=2)
    first = repairs(state, (), NOW)[0]

    (found,) = about(state)

    assert Severity.CRITICAL is found.severity
    assert "and perhaps not all data can be read" in found.sentence
    assert due_in_words(first).startswith("bring SER0000")
    assert "Perhaps not all of" in first.safety
    assert "may be on SER0000" in first.not_now[0].reason


ERRORS = {"is_resilvering": True, "checksum_errors": Count(3)}  # repaired, or behind
DEAD_SPARE = group("spare-1", leaf(1, "FAULTED", **FAILED), leaf(21, "FAULTED"))
DEAD_NEW = group("replacing-1", leaf(1, "FAULTED", **FAILED), leaf(41, "FAULTED"))


@pytest.mark.parametrize(
    ("top", "named"),
    [
        (group("raidz2-0", leaf(0, **ERRORS), DEAD_SPARE, leaf(2), leaf(3)), 0),
        (group("raidz2-0", leaf(0, **ERRORS), DEAD_NEW, leaf(2), leaf(3)), 0),
        (group("raidz2-0", leaf(0, **ERRORS), leaf(1, "FAULTED", **FAILED), leaf(2), leaf(3)), 0),
        (group("mirror-0", leaf(0, **ERRORS), leaf(1, "FAULTED", **FAILED), leaf(2)), 0),
        (group("mirror-0", DEAD_NEW, leaf(2, is_resilvering=True), leaf(3)), 2),
    ],
)
def test_where_its_target_has_failed_a_repaired_sibling_is_no_target_for_sure(top: Vdev, named: int) -> None:
    """ZFS prints no mark of a device that is out, and the resilver goes on without it."""
    (found,) = about(told(trouble_at(top, scan=RUNS)))

    assert Severity.WARNING is found.severity
    assert (
        f"survives at most 1 more failure, perhaps none: ZFS does not show whether {leaf(named).name} has"
        in (found.sentence)
    )


def test_where_none_is_left_not_all_data_can_be_read_perhaps() -> None:
    top = group("raidz1-0", leaf(0, **ERRORS), leaf(1, "FAULTED", **FAILED), leaf(2))

    (found,) = about(told(trouble_at(top, scan=RUNS)))

    assert found.sentence.endswith("no redundancy left in raidz1-0, and perhaps not all data can be read")


def told(state: HostState) -> HostState:
    """The host as a collector reads it: with the targets of its resilver told apart."""
    (of,) = state.pools
    assert of.pool.value is not None
    return replace(
        state, pools=(replace(of, pool=replace(of.pool, value=with_resilver_targets(of.pool.value))),)
    )


@pytest.mark.parametrize("old", [leaf(1), leaf(1, "DEGRADED", checksum_errors=Count(60))])
@pytest.mark.parametrize("kind", ["replacing", "spare"])
def test_what_is_rebuilt_beside_a_disk_that_serves_takes_nothing_away(old: Vdev, kind: str) -> None:
    """Text of 2.1 and 2.2 has no mark before the first write."""
    top = group("mirror-0", leaf(0), group(f"{kind}-1", old, leaf(41)))

    assert "mirror-0 survives at most 1 failure" == words(pool(top, scan=replace(RUNS, vdev="mirror-0")))


def test_what_more_than_the_parity_lack_cannot_be_read() -> None:
    """Of four that lack data any three are enough (`vdev_raidz_reconstruct`)."""
    dead, away = leaf(0, "FAULTED", **FAILED), leaf(3, "REMOVED")
    top = group("raidz2-0", dead, leaf(1, **AWAITS), leaf(2), away, leaf(4), leaf(5, is_resilvering=True))
    state = trouble_at(top, scan=RUNS)

    found = next(each for each in findings(state, NOW, Thresholds()) if each.id == "vdev-incomplete")
    first = repairs(state, (), NOW)[0]

    names = " and ".join((", ".join(leaf(at).name for at in (0, 1, 3)), leaf(5).name))
    assert f"what more than 2 of {names} lack cannot be read" in found.sentence
    assert " are back:" in first.safety
    assert "; SER0001 and SER0005 lack data until the resilver ends" in first.alarm


def test_while_a_device_awaits_its_resilver_no_scrub_is_due() -> None:
    ended = replace(RUNS, state="finished", end=int(NOW) - 300, errors=0, repaired_bytes=10**9)

    assert () == repairs(trouble_at(group("mirror-0", leaf(0), leaf(1, **AWAITS)), scan=ended), (), NOW)
