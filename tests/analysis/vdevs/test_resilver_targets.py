"""A device that a resilver wrote to is counted as incomplete only if it must be what the resilver is for."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.analysis.build import NOW, disk, group, host, pool
from tests.conftest import CAPTURES
from tests.reports.captured import captured, states
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.vdevs.redundancy import in_words, pool_redundancy
from zconsole.analysis.vdevs.resilver_targets import WRITTEN_BY_RESILVER, with_resilver_targets
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Severity
from zconsole.model.pools.pool import Count, Pool, Scan, Vdev
from zconsole.zfs.status.status import parse_status_json

RESILVER = Scan("resilver", "scanning", repaired_bytes=1024)
WRITTEN = {"is_resilvering": True}
REPAIRED = {"is_resilvering": True, "checksum_errors": Count(7)}
NEW = group("replacing-0", disk("bad", "FAULTED"), disk("new", **WRITTEN))

SPARE_FILLS_MIRROR_1 = (
    "mirror-0 survives at most 1 failure; no redundancy left in mirror-1; mirror-2 survives at most 1 failure"
)
NOT_KNOWN_OF_THE_SPARE = (
    "mirror-0 survives at most 1 failure; mirror-1 survives at most 1 failure, perhaps none"
)
ONE_OF_TWO_SPARES = "draid2:4d:10c:2s-0 survives at most 1 more failure, perhaps none"
THREE_SOUND_MIRRORS = "; ".join(f"mirror-{at} survives 1 failure" for at in range(3))

# Worked out by hand from the status of each: which child of which vdev lacks data. While a resilver runs
# that is not sequential, it may not have come yet to a device that was away: at most.
BY_HAND = {
    # The spare of the faulted disk is being filled.
    "2.1/disk-faulted": SPARE_FILLS_MIRROR_1,
    "2.3/disk-faulted": SPARE_FILLS_MIRROR_1,
    "2.1/disk-pulled": "no redundancy left in mirror-0; mirror-1 survives at most 1 failure",
    # Of two faulted disks one is being replaced.
    "2.1/raidz2-replacing": "no redundancy left in raidz2-0",
    "2.3/raidz2-replacing": "no redundancy left in raidz2-0",
    "2.4/raidz2-replacing": "no redundancy left in raidz2-0",
    # A second half of the mirror is being filled.
    "2.1/rebuild-running": "no redundancy left in mirror-0",
    "2.4/rebuild-running": "no redundancy left in mirror-0",
    "2.1/replacing": SPARE_FILLS_MIRROR_1,
    "2.3/replacing": SPARE_FILLS_MIRROR_1,
    "2.4/replacing": SPARE_FILLS_MIRROR_1,
    # The spare is being filled, and the new disk waits; nothing was written yet. With a complete spare and a
    # new disk that is filled the text is the same: nobody can tell.
    "2.1/replacing-inside-spare": NOT_KNOWN_OF_THE_SPARE,
    "2.4/replacing-inside-spare": NOT_KNOWN_OF_THE_SPARE,
    "2.4/replacing-beside-complete-spare": NOT_KNOWN_OF_THE_SPARE,
    # ZFS has marked the new disk, so the spare is complete.
    "2.4/replacing-beside-complete-spare-part-done": "mirror-0 survives at most 1 failure; "
    "mirror-1 survives at most 1 failure",
    # Two disks failed one after the other; the first one's spare was complete. ZFS may mark it too.
    "2.4/draid-second-spare-rebuilding": ONE_OF_TWO_SPARES,
    "2.4/draid-second-spare-resilvering": ONE_OF_TWO_SPARES,
    # The disk that is marked was away, and what it lacks is on the pulled one.
    "2.4/raidz-behind-and-pulled": "raidz1-0 lacks data of 2 devices and can make up for 1",
    # The old disks of both replacements are sound; the target is OFFLINE, so nothing is marked.
    "2.1/replacing-new-offline": "mirror-0 survives at most 1 failure; mirror-1 survives at most 1 failure",
    "2.4/replacing-new-offline": "mirror-0 survives at most 1 failure; mirror-1 survives at most 1 failure",
    "2.1/replacing-part-done": "mirror-0 survives at most 1 failure; mirror-1 survives at most 1 failure",
    "2.4/replacing-part-done": "mirror-0 survives at most 1 failure; mirror-1 survives at most 1 failure",
    "2.1/resilver-deferred": "mirror-0 survives at most 1 failure; mirror-1 survives at most 1 failure",
    "2.4/resilver-deferred": "mirror-0 survives at most 1 failure; mirror-1 survives at most 1 failure",
    # ZFS has marked nothing yet: one of these lacks data, and which one it does not show.
    "2.1/resilver-done": "mirror-0 survives at most 1 failure, perhaps none; "
    "mirror-1 survives at most 1 failure, perhaps none; mirror-2 survives at most 1 failure, perhaps none",
    # Disk 1 missed 60 MB of mirror-0 and is back.
    "2.1/resilver-start": "mirror-0 survives at most 1 failure, perhaps none; "
    "mirror-1 survives at most 1 failure, perhaps none",
    "2.4/resilver-start": "mirror-0 survives at most 1 failure, perhaps none; "
    "mirror-1 survives at most 1 failure, perhaps none",
    # What one of the two that are written to is repaired of, ZFS does not tell: at most one more may fail.
    "2.4/raidz-sibling-repaired": "raidz2-0 survives at most 1 more failure",
    # Of three disks one is being replaced, with the old one sound; another had damage and is repaired.
    "2.4/mirror-sibling-repaired": "mirror-0 survives at most 2 failures",
    # The spare of the faulted disk is rebuilt; two sound disks hold parts of it and are written to.
    # A disk that came back meanwhile would look the same (`spa_async_thread`).
    "2.4/draid-spare-rebuilding": "draid2:4d:10c:1s-0 survives at most 1 more failure",
    # It is complete, and a scrub looks at it.
    "2.4/draid-spare-rebuilt": "draid2:4d:10c:1s-0 survives 2 failures",
    # The spare stands beside a sound disk, and none for the faulted one.
    "2.4/draid-scrub-over-100": "draid2:4d:10c:1s-0 survives 1 more failure",
    # A scrub takes no redundancy away; where it repairs, more of the damaged half may be bad.
    "2.4/mirror-sibling-scrubbed": "mirror-0 survives at most 1 failure",
    "2.1/rebuild-done": "mirror-0 survives 1 failure",
    "2.4/rebuild-done": "mirror-0 survives 1 failure",
    "2.3/raidz-expanded": "raidz2-0 survives 2 failures",
    "2.1/scrub-running": THREE_SOUND_MIRRORS,
    "2.3/scrub-running": THREE_SOUND_MIRRORS,
    "2.4/scrub-running": THREE_SOUND_MIRRORS,
    "2.1/scrub-part-done": f"{THREE_SOUND_MIRRORS}; wwn-0x5000c500a0000006 has no redundancy by design",
    "2.4/scrub-part-done": f"{THREE_SOUND_MIRRORS}; wwn-0x5000c500a0000006 has no redundancy by design",
}


def words_of(found: Pool) -> str:
    return "; ".join(in_words(each) for each in pool_redundancy(with_resilver_targets(found)))


def scanning() -> list[tuple[str, Pool]]:
    """Every capture that was taken while a scan ran."""
    pools = [
        (f"{series}/{state}", each.pool.value)
        for series in ("2.1", "2.3", "2.4")
        for state in states(series)
        for each in captured(series, state).pools
    ]
    return [(at, each) for at, each in pools if each is not None and each.scan and each.scan.is_running]


def test_captures_taken_during_a_scan_have_the_redundancy_worked_out_by_hand() -> None:
    assert BY_HAND == {at: words_of(each) for at, each in scanning()}


def draid_while_it_was_filled(series: str) -> Pool:
    """The capture with its scan as it was before its end: ZFS keeps what the scan wrote to each device."""
    document = json.loads((CAPTURES / series / "draid-spare-in-use" / "zpool_status.json").read_bytes())
    scan = document["pools"]["dr"]["scan_stats"]
    scan.update(state="SCANNING", issued=scan["issued"] // 2)
    (found,) = parse_status_json(json.dumps(document).encode())
    return found


@pytest.mark.parametrize("series", ["2.3", "2.4"])
def test_a_draid_whose_spare_is_filled_has_lost_one_device_and_not_the_nine_that_hold_the_spare(
    series: str,
) -> None:
    found = draid_while_it_was_filled(series)
    (redundancy,) = pool_redundancy(with_resilver_targets(found))

    assert 10 == sum(leaf.is_resilvering for leaf in found.walk())
    assert ("spare-2",) == redundancy.failed
    assert "draid2:4d:10c:1s-0 survives at most 1 more failure" == in_words(redundancy)


@pytest.mark.parametrize(
    ("words", "vdevs"),
    [
        # A sibling of the replaced disk had bad blocks, which the resilver found and repaired.
        (
            "raidz2-0 survives at most 1 more failure",
            (group("raidz2-0", NEW, disk("b"), disk("c", **REPAIRED), disk("d"), disk("e")),),
        ),
        ("no redundancy left in raidz1-0", (group("raidz1-0", NEW, disk("b"), disk("c", **REPAIRED)),)),
        (
            "no redundancy left in mirror-0; mirror-1 survives at most 1 failure",
            (group("mirror-0", NEW, disk("b")), group("mirror-1", disk("c"), disk("d", **REPAIRED))),
        ),
        # What is repaired on the sibling is written to the sound old disk of the replacement too.
        (
            "mirror-0 survives at most 1 failure",
            (
                group(
                    "mirror-0",
                    group("replacing-0", disk("old", **WRITTEN), disk("new", **WRITTEN)),
                    disk("b", **REPAIRED),
                ),
            ),
        ),
        # Without a counted error: repaired, and cleared since (`vdev_clear` leaves the mark), or back from an
        # outage. The new disk explains the resilver either way, so that nobody can tell.
        (
            "raidz2-0 survives at most 1 more failure, perhaps none",
            (group("raidz2-0", NEW, disk("b"), disk("c", **WRITTEN), disk("d"), disk("e")),),
        ),
        ("no redundancy left in raidz1-0", (group("raidz1-0", NEW, disk("b"), disk("c", **WRITTEN)),)),
        (
            "no redundancy left in mirror-0; mirror-1 survives at most 1 failure, perhaps none",
            (group("mirror-0", NEW, disk("b")), group("mirror-1", disk("c"), disk("d", **WRITTEN))),
        ),
        # The same beside a spare that is filled, and beside the replacement of a disk that still works.
        (
            "raidz2-0 survives at most 1 more failure, perhaps none",
            (
                group(
                    "raidz2-0",
                    group("spare-0", disk("bad", "FAULTED"), disk("s", **WRITTEN)),
                    disk("c", **WRITTEN),
                    *map(disk, "de"),
                ),
            ),
        ),
        (
            "raidz1-0 survives at most 1 failure, perhaps none",
            (
                group(
                    "raidz1-0",
                    group("replacing-0", disk("old"), disk("new", **WRITTEN)),
                    disk("c", **WRITTEN),
                    disk("d"),
                ),
            ),
        ),
        # The complete spare of another disk explains nothing, nor does a new disk whose resilver is deferred.
        (
            "no redundancy left in raidz1-0",
            (
                group(
                    "raidz1-0",
                    group("spare-0", disk("bad", "FAULTED"), disk("s")),
                    disk("c", **WRITTEN),
                    disk("d"),
                ),
            ),
        ),
        (
            "no redundancy left in mirror-0; no redundancy left in mirror-1",
            (
                group(
                    "mirror-0",
                    group("replacing-0", disk("bad", "FAULTED"), disk("new", note="(awaiting resilver)")),
                    disk("b"),
                ),
                group("mirror-1", disk("c"), disk("d", **WRITTEN)),
            ),
        ),
        # Nothing else explains the resilver.
        ("no redundancy left in mirror-0", (group("mirror-0", disk("a"), disk("b", **REPAIRED)),)),
        (
            "raidz2-0 survives at most 1 more failure",
            (
                group(
                    "raidz2-0",
                    group("spare-0", disk("bad", "FAULTED"), disk("s", **REPAIRED)),
                    *map(disk, "bcd"),
                ),
            ),
        ),
        # The old disk is written to with the new one where a sibling is repaired, and none was: it was away,
        # or the errors of the sibling were cleared.
        (
            "mirror-0 survives at most 1 failure, perhaps none",
            (
                group(
                    "mirror-0",
                    group("replacing-0", disk("old", **WRITTEN), disk("new", **WRITTEN)),
                    disk("b"),
                ),
            ),
        ),
        # What is repaired in another vdev is not written there.
        (
            "mirror-0 survives at most 1 failure, perhaps none; mirror-1 survives at most 1 failure",
            (
                group(
                    "mirror-0",
                    group("replacing-0", disk("old", **WRITTEN), disk("new", **WRITTEN)),
                    disk("b"),
                ),
                group("mirror-1", disk("c"), disk("d", **REPAIRED)),
            ),
        ),
        # A second replacement of the same disk: neither of the new ones is the old one.
        (
            "no redundancy left in raidz1-0",
            (
                group(
                    "raidz1-0",
                    group(
                        "replacing-0", disk("bad", "FAULTED"), disk("n1", **WRITTEN), disk("n2", **WRITTEN)
                    ),
                    *map(disk, "bc"),
                ),
            ),
        ),
        (
            "no redundancy left in raidz1-0",
            (
                group(
                    "raidz1-0",
                    group("replacing-0", disk("bad", "FAULTED"), disk("n1"), disk("n2", **WRITTEN)),
                    *map(disk, "bc"),
                ),
            ),
        ),
        # A distributed spare that is complete, while the new disk is being filled.
        (
            "draid1:2d:4c:1s-0 survives at most 1 failure",
            (
                group(
                    "draid1:2d:4c:1s-0",
                    group("spare-0", NEW, disk("draid1-0-0", type="dspare", **WRITTEN)),
                    *(disk(name, **WRITTEN) for name in "bcd"),
                    vdev_type="draid1",
                ),
            ),
        ),
    ],
)
def test_what_was_repaired_is_not_counted_as_failed(words: str, vdevs: tuple[Vdev, ...]) -> None:
    assert words == words_of(pool(*vdevs, scan=RESILVER))


def test_a_disk_that_a_scrub_repairs_counts_and_more_of_it_may_be_damaged() -> None:
    repaired = disk("b", note="(repairing)", checksum_errors=Count(7))

    assert "raidz1-0 survives at most 1 failure" == words_of(
        pool(group("raidz1-0", disk("a"), repaired, disk("c")), scan=Scan("scrub", "scanning"))
    )


def test_the_remark_of_zfs_stays_with_a_device_that_is_no_target() -> None:
    told = with_resilver_targets(
        pool(group("raidz2-0", NEW, disk("c", note="x", **REPAIRED), *map(disk, "de")), scan=RESILVER)
    )

    assert [("new", "")] == [(leaf.name, leaf.note) for leaf in told.walk() if leaf.is_resilvering]
    assert ["c"] == [leaf.name for leaf in told.walk() if WRITTEN_BY_RESILVER in leaf.note]
    assert told is with_resilver_targets(told)


def test_without_marks_the_pool_is_the_same() -> None:
    same = pool(scan=replace(RESILVER, repaired_bytes=0))

    assert same is with_resilver_targets(same)


@pytest.mark.parametrize("series", ["2.3", "2.4"])
def test_a_draid_whose_spare_is_filled_is_no_critical_finding(series: str) -> None:
    found = findings(host(with_resilver_targets(draid_while_it_was_filled(series))), NOW, Thresholds())

    assert "vdev-no-redundancy" not in {each.id for each in found}
    assert Severity.CRITICAL not in {each.severity for each in found}


CLEARED = {"is_resilvering": True}  # repaired in the resilver of another disk, its errors cleared since


def said_of(*vdevs: Vdev) -> list[tuple[Severity, str]]:
    """What is said of redundancy while a new disk is filled."""
    found = findings(host(with_resilver_targets(pool(*vdevs, scan=RESILVER))), NOW, Thresholds())
    about = {"vdev-no-redundancy", "vdev-incomplete", "vdev-lost"}
    return [(each.severity, each.words) for each in found if each.id in about]


def test_a_repaired_disk_whose_errors_were_cleared_makes_nothing_unreadable() -> None:
    degraded = group("raidz1-0", NEW, disk("b"), disk("c", **CLEARED), state="DEGRADED")
    words = "no redundancy left in raidz1-0: ZFS does not show whether c has all data"

    assert [(Severity.CRITICAL, words)] == said_of(degraded)


def test_where_one_more_failure_may_be_survivable_it_is_a_warning_that_names_the_doubt() -> None:
    degraded = group("raidz2-0", NEW, disk("b"), disk("c", **CLEARED), disk("d"), state="DEGRADED")
    words = "raidz2-0 survives at most 1 more failure, perhaps none: ZFS does not show whether c has all data"

    assert [(Severity.WARNING, words)] == said_of(degraded)


@pytest.mark.parametrize("vdev_type", ["raidz1", "raidz2", "raidz3", "mirror"])
@pytest.mark.parametrize("errors", [None, Count(3)])
def test_a_marked_disk_beside_a_new_one_is_never_sound(vdev_type: str, errors: Count | None) -> None:
    """It may have been away: what the vdev survives for sure leaves it out."""
    marked = disk("c", is_resilvering=True, checksum_errors=errors)
    top = group(f"{vdev_type}-0", NEW, disk("b"), marked, disk("d"), disk("e"))

    (found,) = pool_redundancy(with_resilver_targets(pool(top, scan=RESILVER)))

    assert ("replacing-0",) == found.failed
    assert ("c",) == found.in_doubt
    assert found.by_design - 2 == found.at_least
