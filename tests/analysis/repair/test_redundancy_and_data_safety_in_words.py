"""What a pool still survives, and which disks have the data of the one that failed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group, in_class, scrubbed
from tests.doubles.repair_worlds import facts_of, place_of, trouble_at
from tests.doubles.shelves import leaf, mirror, raidz
from zconsole.analysis.repair.redundancy_and_data_safety_in_words import safety_in_words, survives_in_words
from zconsole.model.pools.pool import Scan, Vdev

FAULTED = leaf(1, "FAULTED")


def safety(*tops: Vdev, state: str | None = None, **of_pool: object) -> str:
    """What is said of disk 1."""
    facts = facts_of(trouble_at(*tops, state=state, **of_pool))
    return safety_in_words(facts, place_of(facts, 1))


def test_the_weak_vdev_is_told_first_and_sound_ones_are_counted() -> None:
    tops = (mirror(1, 2, 3), mirror(2, 4, 5), group("mirror-0", leaf(0), FAULTED), mirror(3, 6, 7))

    words = survives_in_words(facts_of(trouble_at(*tops)))

    assert 2 == len(words)
    assert "no redundancy left in mirror-0" == words[0]
    assert "each of the other 3 vdevs survives 1 failure" == words[1]


def test_of_sound_ones_that_differ_the_least_is_told() -> None:
    tops = (group("mirror-0", leaf(0), FAULTED), raidz(1, 2, 2, 3, 4, 5), mirror(2, 6, 7), mirror(3, 8, 9))

    assert (
        "each of the other 3 vdevs survives at least 1 failure"
        == survives_in_words(facts_of(trouble_at(*tops)))[-1]
    )


def test_up_to_two_sound_ones_are_told_one_by_one() -> None:
    tops = (group("mirror-0", leaf(0), FAULTED), mirror(1, 2, 3), mirror(2, 4, 5))

    words = survives_in_words(facts_of(trouble_at(*tops)))

    assert "no redundancy left in mirror-0" == words[0]
    assert ["mirror-1", "mirror-2"] == [each.split()[0] for each in words[1:]]


@pytest.mark.parametrize(
    ("said", "tops"),
    [
        ("Nothing is known to be lost: mirror-0 runs on SER0000", (group("mirror-0", leaf(0), FAULTED),)),
        (
            "Nothing is known to be lost: raidz2-0 runs on SER0000, SER0002 and SER0003",
            (group("raidz2-0", leaf(0), FAULTED, leaf(2), leaf(3)),),
        ),
        (
            "Nothing is known to be lost: raidz2-0 runs on 5 of its 6 disks",
            (group("raidz2-0", leaf(0), FAULTED, *map(leaf, range(2, 6))),),
        ),
        (
            "Nothing is known to be lost: raidz2-0 runs on 4 of its 5 disks and the spare SER0009",
            (group("raidz2-0", leaf(0), group("spare-1", FAULTED, leaf(9)), *map(leaf, (2, 3, 4))),),
        ),
        (
            "Nothing is known to be lost: raidz2-0 runs on all of its 6 disks",
            (group("raidz2-0", *map(leaf, range(6))),),
        ),
        (
            "Nothing is known to be lost: raidz2-0 runs on 6 of its 7 disks",
            (group("raidz2-0", leaf(0), FAULTED, *map(leaf, range(2, 7))),),
        ),
        (
            "Nothing is known to be lost: mirror-0 runs on SER0000",
            (group("mirror-0", leaf(0), group("spare-1", FAULTED, leaf(9, "REMOVED", is_resilvering=True))),),
        ),
        (
            "mirror-0 cannot be read until a disk of it is back",
            (group("mirror-0", leaf(0, "FAULTED"), FAULTED), mirror(1, 2, 3)),
        ),
        (
            "Nothing is lost: no data depends on the cache device alone",
            (mirror(0, 0, 2), in_class(FAULTED, "cache")),
        ),
        (
            "Nothing is known to be lost: mirror-0 runs on SER0000 and the spare SER0009",
            (group("mirror-0", leaf(0), group("spare-1", FAULTED, leaf(9))),),
        ),
    ],
)
def test_whether_anything_is_lost_and_what_serves(said: str, tops: tuple[Vdev, ...]) -> None:
    assert said == safety(*tops)


def test_a_spare_that_is_filled_tells_how_far() -> None:
    scan = replace(scrubbed(days_ago=0), function="RESILVER", state="SCANNING", percent=40.0)
    top = group("mirror-0", leaf(0), group("spare-1", FAULTED, leaf(9, is_resilvering=True)))

    filled = "the spare SER0009 (resilver 40%) is being filled"
    assert f"Nothing is known to be lost: mirror-0 runs on SER0000; {filled}" == safety(top, scan=scan)


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("what was written since the import is in memory as well", "DEGRADED"),
        ("zpool clear opens the pool without, and loses the last seconds of synchronous writes", "FAULTED"),
    ],
)
def test_of_a_log_it_depends_on_whether_the_pool_is_open(said: str, state: str) -> None:
    host = trouble_at(mirror(0, 0, 2), in_class(FAULTED, "log"))
    of = host.pools[0]
    assert of.pool.value is not None
    read = replace(of.pool, value=replace(of.pool.value, state=state))
    facts = facts_of(replace(host, pools=(replace(of, pool=read),)))

    assert said in safety_in_words(facts, place_of(facts, 1))


def test_a_new_disk_that_is_filled_is_not_counted_among_those_that_serve() -> None:
    """ZFS marks it only once it has written to it."""
    scan = replace(scrubbed(days_ago=0), function="resilver", state="scanning", percent=0.0)
    sound = group("mirror-0", leaf(0), group("replacing-1", leaf(1), leaf(9)))
    failed = group("mirror-0", leaf(0), group("replacing-1", FAULTED, leaf(9)))

    assert "Nothing is known to be lost: mirror-0 runs on SER0000 and SER0001" == safety(sound, scan=scan)
    assert "Nothing is known to be lost: mirror-0 runs on SER0000" == safety(failed, scan=scan)


def test_a_spare_that_is_not_marked_yet_tells_how_far_the_resilver_is() -> None:
    scan = replace(scrubbed(days_ago=0), function="resilver", state="scanning", percent=0.0)
    top = group("mirror-0", leaf(0), group("spare-1", FAULTED, leaf(9)))

    assert "the spare SER0009 (resilver 0" in safety(top, scan=scan)


def test_damaged_files_and_a_suspended_pool_come_before_everything() -> None:
    top = group("mirror-0", leaf(0), FAULTED)

    assert safety(top, error_count=3).startswith("3 permanent data errors")
    assert safety(top, error_count=3, state="SUSPENDED").startswith("tank is suspended")


def test_a_disk_that_was_written_to_without_a_counted_error_is_named_as_in_doubt() -> None:
    """`zpool clear` zeroes the errors of a repaired one; one that is back from an outage has none either."""
    new = group("replacing-0", FAULTED, leaf(9, is_resilvering=True))
    marked = leaf(2, note="(resilvering)")

    words = safety(group("raidz1-0", new, marked, leaf(3)), scan=Scan("resilver", "scanning", percent=40.0))

    assert (
        "Nothing is known to be lost: raidz1-0 runs on SER0002 and SER0003; "
        "ZFS does not show whether SER0002 has all data"
    ) == words
