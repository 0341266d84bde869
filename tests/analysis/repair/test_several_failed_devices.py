"""Two failed devices of one vdev: which one comes first, and why."""

from __future__ import annotations

import pytest

from tests.analysis.build import group, in_class
from tests.doubles.repair_worlds import facts_of, place_of, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.analysis.repair.several_failed_devices import failed_in, several_in_words
from zconsole.model.pools.pool import Count, Vdev

FILLING = group("spare-1", leaf(1, "FAULTED"), leaf(9, is_resilvering=True))


@pytest.mark.parametrize(
    ("order", "why", "one", "gone", "errors"),
    [
        ([1001, 1002], "its resilver is running", FILLING, (), None),
        ([1002, 1001], "its disk is present", leaf(1, "FAULTED"), (), None),
        ([1001, 1002], "it was taken offline by hand", leaf(1, "OFFLINE"), (2,), None),
        ([1002, 1001], "no error of it is known, and back in its slot", leaf(1, "FAULTED"), (2,), None),
        ([1001, 1002], "one at a time", leaf(1, "FAULTED"), (2,), Count(4)),
    ],
)
def test_what_costs_least_comes_first(
    order: list[int], why: str, one: Vdev, gone: tuple[int, ...], errors: Count | None
) -> None:
    top = group("raidz2-0", leaf(0), one, leaf(2, "REMOVED", read_errors=errors), leaf(3))
    facts = facts_of(trouble_at(top, gone=gone))
    place = place_of(facts, 2)

    assert order == [each.member.guid for each in failed_in(facts, place)]
    words = several_in_words(facts, place)
    assert words.startswith("2 devices of raidz2-0 have failed: ")
    assert f" comes first: {why}" in words


def test_one_is_not_several() -> None:
    facts = facts_of(trouble_at(group("raidz2-0", leaf(0), leaf(1, "FAULTED"), leaf(2), leaf(3))))

    assert [1001] == [each.member.guid for each in failed_in(facts, place_of(facts, 1))]
    assert "" == several_in_words(facts, place_of(facts, 1))


def test_a_failure_in_another_vdev_does_not_count() -> None:
    facts = facts_of(
        trouble_at(
            group("mirror-0", leaf(0), leaf(1, "FAULTED")), group("mirror-1", leaf(2), leaf(3, "FAULTED"))
        )
    )

    assert [1003] == [each.member.guid for each in failed_in(facts, place_of(facts, 3))]


def test_no_data_depends_on_cache_devices() -> None:
    cache = in_class(leaf(2, "FAULTED"), "cache")
    facts = facts_of(trouble_at(group("mirror-0", leaf(0), leaf(1)), cache))

    assert () == failed_in(facts, place_of(facts, 2))
    assert "" == several_in_words(facts, place_of(facts, 2))


def test_one_that_serves_again_and_lacks_data_has_not_failed() -> None:
    back = leaf(2, is_resilvering=True)
    facts = facts_of(trouble_at(group("raidz2-0", leaf(0), FILLING, back, leaf(3))))

    words = several_in_words(facts, place_of(facts, 1))

    assert words.startswith(f"{serial(1)} has failed and {serial(2)} lacks data until the resilver ends; ")
