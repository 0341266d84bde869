"""New vdevs: their redundancy, how alike they and their devices are."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import pool
from tests.doubles.shelves import TB, aux, blank, leaf, link, mirror, raidz
from zconsole.actions.checks.new_vdev_checks import (
    Profile,
    classes_in_words,
    design,
    in_words,
    judge_redundancy,
    judge_sizes,
    mismatch,
    new_vdevs,
)
from zconsole.analysis.vdevs.new_device_lookup import JoiningDevice
from zconsole.model.pools.pool import Pool
from zconsole.zfs.vdev_arguments import Group, parse_layout


def devices(*sizes: int) -> Mapping[str, JoiningDevice]:
    made = [blank(at, size_bytes=size) for at, size in enumerate(sizes)]
    return {f"d{at}": JoiningDevice(link(at), disk, disk) for at, disk in enumerate(made)}


def of(words: str) -> tuple[Group, ...]:
    return parse_layout(words.split(" "))


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("a mirror of 2", "mirror d0 d1"),
        ("a special mirror of 2", "special mirror d0 d1"),
        ("a data device", "d0"),
        ("a log device", "log d0"),
        ("a raidz2 of 4", "raidz2 d0 d1 d2 d3"),
    ],
)
def test_a_new_vdev_in_words(expected: str, words: str) -> None:
    assert expected == in_words(of(words)[0])


def test_classes_are_named_once() -> None:
    assert "data, special and log" == classes_in_words(of("d0 d1 special d2 log d3"))


def test_new_vdevs_are_made_of_the_devices_with_the_ashift_where_it_counts() -> None:
    found = devices(TB, TB, TB)

    made, cache = new_vdevs(of("mirror d0 d1 cache d2"), found, 13)

    assert ("mirror", 13) == (made.type, made.configured_ashift)
    assert [link(0), link(1)] == [(each.path or "").removesuffix("-part1") for each in made.children]
    assert "cache" == cache.vdev_class
    assert cache.configured_ashift is None


def test_disks_of_other_sizes_and_files_beside_disks_make_no_vdev() -> None:
    near, far, mixed = draft(), draft(), draft()

    judge_sizes(of("mirror d0 d1"), devices(TB, TB + (16 << 20)), near)
    judge_sizes(of("mirror d0 d1"), devices(TB, 2 * TB), far)
    judge_sizes(of("mirror d0 f"), {**devices(TB), "f": JoiningDevice("/srv/file")}, mixed)

    assert [] == rules(near)
    assert ["sizes"] == rules(far)
    assert ["files-and-disks"] == rules(mixed)


@pytest.mark.parametrize(
    ("expected", "tops"),
    [(1, (mirror(0, 0, 1),)), (2, (raidz(0, 2, 0, 1, 2, 3),)), (0, (leaf(0), mirror(1, 1, 2)))],
)
def test_the_redundancy_of_a_pool_is_that_of_its_weakest_data_vdev(
    expected: int, tops: tuple[object, ...]
) -> None:
    assert expected == design(pool(vdevs=tops))


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (["below-redundancy"], "d0"),
        (["below-redundancy"], "special d0"),
        ([], "mirror d0 d1"),
        ([], "log d0"),
        ([], "cache d0"),
    ],
)
def test_a_vdev_whose_loss_loses_the_pool_survives_as_much_as_the_pool(
    expected: list[str], words: str
) -> None:
    made = draft()

    judge_redundancy(of(words), 1, "tank survives", made)

    assert expected == rules(made)


def test_the_refusal_says_what_would_do() -> None:
    made = draft()

    judge_redundancy(of("special d0"), 2, "tank survives", made)

    assert "give it the redundancy of the pool: special mirror of 3 disks" == made.refusals[0].instead


@pytest.mark.parametrize(
    ("said", "tops", "words"),
    [
        ("", (mirror(0, 0, 1),), "mirror d0 d1"),
        (
            "the pool is made of mirror of 2, and the new vdev is mirror of 3",
            (mirror(0, 0, 1),),
            "mirror d0 d1 d2",
        ),
        ("", (mirror(0, 0, 1),), "raidz1 d0 d1 d2"),
        ("the pool is made of mirror of 2, and the new vdev is single disks", (mirror(0, 0, 1),), "d0"),
        ("", (mirror(0, 0, 1), leaf(2)), "d0"),
        ("", (mirror(0, 0, 1), aux(2, "log")), "log d0"),
    ],
)
def test_what_zfs_calls_unlike(said: str, tops: tuple[object, ...], words: str) -> None:
    assert said == mismatch(of(words), pool(vdevs=tops), devices(TB, TB, TB))


def test_of_a_pool_that_is_made_the_new_vdevs_are_compared_with_each_other() -> None:
    none: Pool | None = None

    assert "one vdev is mirror of 2, and the new vdev is single disks" == mismatch(
        of("mirror d0 d1 special d2"), none, devices(TB, TB, TB)
    )


def test_a_profile_in_words() -> None:
    assert ["raidz2 of 6", "single disks", "mirror of 2"] == [
        each.in_words for each in (Profile("raidz", 2, 6), Profile("disk", 0, 1), Profile("mirror", 1, 2))
    ]
