"""A verdict on redundancy is never better than what is really on the disks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.build import disk, group, in_class, mirror, pool
from zconsole.analysis.vdevs.redundancy import (
    in_words,
    pool_redundancy,
    survivable,
    unnamed_resilver,
    vdev_redundancy,
)
from zconsole.analysis.vdevs.resilver_targets import with_resilver_targets
from zconsole.model.pools.pool import Count, Scan, Vdev

ALL_STATES = ("ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "UNAVAIL", "REMOVED", "SOMETHING_NEW")
RESILVERING = {"is_resilvering": True}


def disks(*states: str) -> tuple[Vdev, ...]:
    return tuple(disk(f"sd{index}", state) for index, state in enumerate(states))


def spared(*, resilvering: bool = False, spare_state: str = "ONLINE") -> Vdev:
    """A faulted disk with a spare in its place."""
    spare = disk("spare1", spare_state, is_resilvering=resilvering)
    return group("spare-0", disk("bad", "FAULTED"), spare)


def replacing(old_state: str = "FAULTED") -> Vdev:
    """A disk and its successor, before ZFS marks the successor as resilvering."""
    return group("replacing-0", disk("old", old_state), disk("new"))


@pytest.mark.parametrize(
    ("by_design", "left", "words", "vdev"),
    [
        (1, 1, "mirror-0 survives 1 failure", mirror("ONLINE", "ONLINE")),
        (2, 2, "mirror-0 survives 2 failures", mirror("ONLINE", "ONLINE", "ONLINE")),
        (2, 1, "mirror-0 survives 1 more failure", mirror("ONLINE", "OFFLINE", "ONLINE")),
        (1, 0, "no redundancy left in mirror-0", mirror("ONLINE", "FAULTED")),
        (1, 1, "mirror-0 survives 1 failure", mirror("ONLINE", "DEGRADED")),
        (1, 0, "no redundancy left in mirror-0", mirror("ONLINE", "SOMETHING_NEW")),
        (1, -1, "mirror-0 has lost 2 devices and can make up for 1", mirror("UNAVAIL", "FAULTED")),
        (0, 0, "sda has no redundancy by design", disk("sda")),
        (0, -1, "sda is lost and has no redundancy", disk("sda", "UNAVAIL")),
        (0, 0, "sda has no redundancy by design", disk("sda", **RESILVERING)),
        (1, 0, "no redundancy left in mirror-0", group("mirror-0", disk("a"), disk("b", **RESILVERING))),
        (
            1,
            0,
            "no redundancy left in mirror-0",
            group("mirror-0", disk("a"), disk("b", note="(awaiting resilver)")),
        ),
        (1, 1, "mirror-0 survives 1 failure", group("mirror-0", spared(), disk("b"))),
        (1, 0, "no redundancy left in mirror-0", group("mirror-0", spared(resilvering=True), disk("b"))),
        (1, 0, "no redundancy left in mirror-0", group("mirror-0", spared(spare_state="FAULTED"), disk("b"))),
        (1, 0, "no redundancy left in mirror-0", group("mirror-0", replacing(), disk("b"))),
        (1, 1, "mirror-0 survives 1 failure", group("mirror-0", replacing("ONLINE"), disk("b"))),
        (0, 0, "replacing-0 has no redundancy by design", replacing("ONLINE")),
        (0, -1, "replacing-0 lacks data and has no redundancy", replacing("UNAVAIL")),
        (
            1,
            -1,
            "raidz1-0 lacks data of 2 devices and can make up for 1",
            group("raidz1-0", disk("a"), disk("b", "FAULTED"), disk("c", **RESILVERING)),
        ),
        (
            2,
            -1,
            "raidz2-0 lacks data of 3 devices and can make up for 2",
            group("raidz2-0", *disks("FAULTED", "REMOVED", "ONLINE", "ONLINE"), disk("c", **RESILVERING)),
        ),
        (
            1,
            -1,
            "mirror-0 lacks data of 2 devices and can make up for 1",
            group("mirror-0", disk("a", "FAULTED"), disk("b", **RESILVERING)),
        ),
        (2, 2, "raidz2-0 survives 2 failures", group("raidz2-0", *disks(*["ONLINE"] * 6))),
        (2, 1, "raidz2-0 survives 1 more failure", group("raidz2-0", *disks("FAULTED", *["ONLINE"] * 5))),
        (
            2,
            0,
            "no redundancy left in raidz2-0",
            group("raidz2-0", replacing(), *disks("FAULTED", *["ONLINE"] * 4)),
        ),
        (
            2,
            -1,
            "raidz2-0 has lost 3 devices and can make up for 2",
            group("raidz2-0", *disks("UNAVAIL", "REMOVED", "FAULTED", "ONLINE")),
        ),
        (3, 3, "raidz3-0 survives 3 failures", group("raidz3-0", *disks(*["ONLINE"] * 8))),
        (
            2,
            2,
            "draid2:4d:10c:1s-0 survives 2 failures",
            group("draid2:4d:10c:1s-0", spared(), *disks(*["ONLINE"] * 9)),
        ),
        (
            1,
            0,
            "no redundancy left in mirror-0",
            group("mirror-0", group("spare-0", replacing(), disk("s", "UNAVAIL")), disk("b")),
        ),
    ],
)
def test_failures_that_a_vdev_survives(by_design: int, left: int, words: str, vdev: Vdev) -> None:
    found = vdev_redundancy(vdev)

    assert found is not None
    assert (by_design, left, words) == (found.by_design, found.left, in_words(found))


def words_of(vdev: Vdev, scan: Scan) -> str:
    (found,) = pool_redundancy(pool(vdev, scan=scan))
    return in_words(found)


def test_a_resilver_that_names_no_device_leaves_a_verdict_open() -> None:
    """ZFS marks the devices only once it has written to them."""
    begun = Scan("resilver", "scanning", issued_bytes=0)

    assert "mirror-0 survives at most 1 failure, perhaps none" == words_of(mirror("ONLINE", "ONLINE"), begun)
    assert "mirror-0 survives at most 1 failure, perhaps none" == words_of(
        group("mirror-0", spared(), disk("b")), begun
    )
    assert "no redundancy left in mirror-0" == words_of(
        group("mirror-0", disk("a"), disk("b", **RESILVERING)), begun
    )
    assert "sda has no redundancy by design" == words_of(disk("sda"), begun)


def test_a_device_that_awaits_a_later_resilver_does_not_name_those_of_this_one() -> None:
    """Of two replacements the second is put off, while ZFS has not marked the device of the first yet."""
    begun = Scan("resilver", "scanning", issued_bytes=0)
    waits = group("mirror-1", disk("c"), disk("d", note="(awaiting resilver)"))

    first, second = pool_redundancy(pool(mirror("ONLINE", "ONLINE"), waits, scan=begun))

    assert "mirror-0 survives at most 1 failure, perhaps none" == in_words(first)
    assert "no redundancy left in mirror-1" == in_words(second)


@pytest.mark.parametrize("scan", [Scan("scrub", "scanning"), Scan("resilver", "finished", end=1)])
def test_any_other_scan_leaves_it_as_it_is(scan: Scan) -> None:
    assert "mirror-0 survives 1 failure" == words_of(mirror("ONLINE", "ONLINE"), scan)
    assert "mirror-0 survives 1 failure" == words_of(group("mirror-0", spared(), disk("b")), scan)


def test_a_vdev_that_is_rebuilt_has_one_device_less() -> None:
    """The JSON of a sequential resilver names the vdev, and never the device."""
    rebuilding = Scan("resilver", "scanning", vdev="mirror-0")

    assert "no redundancy left in mirror-0" == words_of(mirror("ONLINE", "ONLINE"), rebuilding)
    assert "mirror-0 survives at most 1 more failure" == words_of(
        mirror("ONLINE", "FAULTED", "ONLINE"), rebuilding
    )
    # What came back meanwhile is not marked, and its own resilver begins later (`spa_async_thread`).
    assert "mirror-1 survives at most 1 failure" == words_of(
        mirror("ONLINE", "ONLINE", name="mirror-1"), rebuilding
    )


def test_an_unknown_kind_of_vdev_is_not_judged() -> None:
    strange = group("lattice-0", disk("a"), disk("b"))

    assert vdev_redundancy(strange) is None
    assert survivable(pool(strange)) is None


def test_the_pool_is_as_strong_as_its_weakest_vital_vdev() -> None:
    special = in_class(mirror("ONLINE", "ONLINE", name="mirror-1"), "special")
    log, cache, spare = (in_class(disk(name, "UNAVAIL"), name) for name in ("log", "cache", "spare"))
    raidz = group("raidz2-0", *disks(*["ONLINE"] * 6))

    assert 1 == survivable(pool(raidz, special, log, cache, spare))
    assert 2 == survivable(pool(raidz, log, cache, spare))
    assert 0 == survivable(pool(raidz, in_class(disk("sdx"), "dedup")))
    assert 2 == survivable(pool(raidz, Vdev("indirect-1", "indirect", "data", "ONLINE")))
    assert ["raidz2-0", "mirror-1"] == [each.vdev for each in pool_redundancy(pool(raidz, special, log))]


@given(st.lists(st.sampled_from(ALL_STATES), min_size=2, max_size=8), st.data())
def test_one_more_failure_never_makes_a_mirror_safer(states: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(states) - 1))
    worse = [*states[:index], "FAULTED", *states[index + 1 :]]

    before, after = vdev_redundancy(mirror(*states)), vdev_redundancy(mirror(*worse))

    assert before is not None
    assert after is not None
    assert before.left - 1 <= after.left <= before.left


def test_a_resilver_whose_target_is_gone_casts_no_doubt_on_others() -> None:
    running = Scan("resilver", "scanning", percent=3.0)
    gone = group("mirror-0", disk("a"), group("spare-1", disk("b", "FAULTED"), disk("c", "REMOVED")))
    sound = group("mirror-1", disk("d"), disk("e"))

    assert unnamed_resilver(pool(gone, sound, scan=running)) is None
    assert unnamed_resilver(pool(group("mirror-0", disk("a"), disk("b")), sound, scan=running)) is running


DOUBTED = {
    "checksum errors": disk("b", checksum_errors=Count(190)),
    "write errors": disk("b", write_errors=Count(1)),
    "degraded for them": disk("b", "DEGRADED"),
    "repaired by a resilver": disk("b", note="(resilvering)"),
}


@pytest.mark.parametrize("half", DOUBTED.values(), ids=DOUBTED)
def test_a_half_that_may_be_damaged_counts_at_most(half: Vdev) -> None:
    (mirrored,) = pool_redundancy(pool(group("mirror-0", disk("a"), half)))
    (triple,) = pool_redundancy(pool(group("mirror-0", disk("a"), half, disk("c", "OFFLINE"))))

    assert in_words(mirrored).startswith("mirror-0 survives at most 1 failure")
    assert in_words(triple).startswith("mirror-0 survives at most 1 more failure")


@pytest.mark.parametrize(
    "scan",
    [
        Scan("resilver", "finished", end=1, errors=12),
        Scan("resilver", "canceled", end=1),
        Scan("resilver", "finished", end=1, errors=1, vdev="mirror-0"),
    ],
)
def test_a_resilver_that_did_not_end_well_leaves_a_verdict_open(scan: Scan) -> None:
    assert "mirror-0 survives at most 1 failure" == words_of(mirror("ONLINE", "ONLINE"), scan)


def test_a_sequential_resilver_leaves_the_other_vdevs_as_they_are() -> None:
    ended = Scan("resilver", "canceled", end=1, vdev="mirror-1")

    assert "mirror-0 survives 1 failure" == words_of(mirror("ONLINE", "ONLINE"), ended)


def test_what_a_resilver_has_not_come_to_is_not_known_to_be_complete() -> None:
    """It marks a device once it has written to it: another one that was away may come later."""
    running = Scan("resilver", "scanning", percent=12.0)
    filled = group(
        "mirror-1", disk("c"), group("replacing-1", disk("d", "FAULTED"), disk("e", **RESILVERING))
    )

    first, _ = pool_redundancy(pool(mirror("ONLINE", "ONLINE"), filled, scan=running))

    assert "mirror-0 survives at most 1 failure" == in_words(first)


def test_errors_of_a_disk_that_is_out_say_nothing_against_the_others() -> None:
    """Nothing is read from it; errors of one that serves are another matter."""
    out = disk("a", "FAULTED", write_errors=Count(50))
    others = [disk(name) for name in "bcde"]
    worn = disk("e", checksum_errors=Count(1))

    (sure,) = pool_redundancy(pool(group("raidz2-0", out, *others)))
    (doubted,) = pool_redundancy(pool(group("raidz2-0", out, *others[:3], worn)))

    assert "raidz2-0 survives 1 more failure" == in_words(sure)
    assert "raidz2-0 survives at most 1 more failure" == in_words(doubted)


def test_of_a_suspended_pool_nothing_is_said() -> None:
    (found,) = pool_redundancy(pool(mirror("ONLINE", "ONLINE"), state="SUSPENDED"))

    assert "what mirror-0 survives is not known while the pool is suspended" == in_words(found)
    assert not found.is_used_up
    assert not found.may_be_used_up


def draid_on_two_spares(first: dict[str, object], second: dict[str, object]) -> Vdev:
    """A draid2 with two failed disks, both on distributed spares."""
    return group(
        "draid2:4d:10c:2s-0",
        group("spare-0", disk("x", "FAULTED"), disk("draid2-0-0", type="dspare", **first)),
        group("spare-1", disk("y", "FAULTED"), disk("draid2-0-1", type="dspare", **second)),
        *disks(*["ONLINE"] * 8),
        vdev_type="draid2",
    )


@pytest.mark.parametrize(
    ("first", "second"), [({}, RESILVERING), (RESILVERING, RESILVERING), (RESILVERING, {})]
)
@pytest.mark.parametrize("name", [None, "draid2:4d:10c:2s-0"])
def test_of_two_distributed_spares_one_may_be_complete(
    first: dict[str, object], second: dict[str, object], name: str | None
) -> None:
    """ZFS writes to the complete one too, where it holds a part of the other."""
    scan = Scan("resilver", "scanning", percent=12.0, vdev=name)

    (found,) = pool_redundancy(pool(draid_on_two_spares(first, second), scan=scan))

    assert "draid2:4d:10c:2s-0 survives at most 1 more failure, perhaps none" == in_words(found)
    assert ((), 1, 0) == (found.failed, found.left, found.at_least)
    assert found.may_be_used_up
    assert not found.is_used_up


def test_two_distributed_spares_are_complete_when_no_resilver_runs() -> None:
    (found,) = pool_redundancy(pool(draid_on_two_spares({}, {})))

    assert "draid2:4d:10c:2s-0 survives 2 failures" == in_words(found)


def test_disks_of_a_draid_that_are_resilvered_lack_data_where_no_spare_is_written_to() -> None:
    behind = group(
        "draid2:4d:10c:1s-0",
        group("spare-0", disk("x", "FAULTED"), disk("draid2-0-0", type="dspare")),
        disk("b", **RESILVERING),
        disk("c", **RESILVERING),
        *disks(*["ONLINE"] * 7),
        vdev_type="draid2",
    )

    assert "no redundancy left in draid2:4d:10c:1s-0" == words_of(behind, Scan("resilver", "scanning"))


@pytest.mark.parametrize(
    "vdev",
    [
        group("raidz1-0", disk("a"), disk("b", **RESILVERING), disk("c", **RESILVERING)),
        group("mirror-0", disk("b", **RESILVERING), disk("c", **RESILVERING)),
    ],
)
def test_devices_that_were_away_one_after_the_other_have_what_the_others_lack(vdev: Vdev) -> None:
    assert f"no redundancy left in {vdev.name}" == words_of(vdev, Scan("resilver", "scanning", percent=9.0))


@pytest.mark.parametrize(
    "vdev",
    [
        group("mirror-0", disk("a", "FAULTED"), disk("b", **RESILVERING), disk("c", **RESILVERING)),
        group(
            "raidz2-0", disk("a", "FAULTED"), disk("b", **RESILVERING), disk("c", **RESILVERING), disk("d")
        ),
    ],
)
def test_what_two_that_were_away_lack_may_be_on_the_failed_one_alone(vdev: Vdev) -> None:
    words = f"no redundancy left in {vdev.name}, and perhaps not all data can be read"

    assert words == words_of(vdev, Scan("resilver", "scanning", percent=9.0))


@pytest.mark.parametrize(
    ("words", "others"),
    [
        ("no redundancy left in mirror-0", ()),
        ("mirror-0 survives at most 1 more failure", (disk("c"),)),
        # The failed one may be what it was begun for: it goes on without.
        ("mirror-0 survives at most 1 more failure, perhaps none", (disk("c", "FAULTED"),)),
    ],
)
def test_of_several_devices_with_errors_that_are_resilvered_one_lacks_data(
    words: str, others: tuple[Vdev, ...]
) -> None:
    marked = {"read_errors": Count(2), **RESILVERING}
    top = group("mirror-0", disk("a", **marked), disk("b", **marked), *others)

    read = with_resilver_targets(pool(top, scan=Scan("resilver", "scanning", percent=10.0)))
    (found,) = pool_redundancy(read)

    assert words == in_words(found)
