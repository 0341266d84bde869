"""The ashift of top-level vdevs from `zpool get`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.practice.zpool.bench import Bench
from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.listing.vdev_ashift import get_ashifts, parse_ashifts, with_ashifts

DISK = Vdev("a", "disk", "data", "ONLINE", guid=1)
# OpenZFS 2.4.0, a raidz2 asked by its guid; the root has no ashift.
TEXT = "5766596387084827748\t12\n16302540927667126561\t0\n"


def test_vdevs_are_named_by_the_guids_they_were_asked_by() -> None:
    assert {5766596387084827748: 12} == parse_ashifts(TEXT)


@pytest.mark.parametrize("line", ["mirror-0\t12", "100", "100\tashift\t12", ""])
def test_an_answer_about_anything_else_is_refused(line: str) -> None:
    with pytest.raises(ParseError):
        parse_ashifts(f"{line}\n")


@pytest.mark.parametrize("value", ["-", "64", "-1", "9" * 5000])
def test_a_value_that_is_no_ashift_is_left_out(value: str) -> None:
    assert {} == parse_ashifts(f"100\t{value}\n")


def test_only_the_vdev_of_that_guid_takes_it() -> None:
    pool = Pool("tank", "ONLINE", vdevs=(DISK, replace(DISK, guid=2)))

    assert [9, None] == [top.configured_ashift for top in with_ashifts(pool, {1: 9, 3: 12}).vdevs]


def test_the_practice_host_answers_so() -> None:
    bench = Bench("raidz1 0 1 2 mirror 3 4")
    guids = [top.guid for top in bench.world.pools["tank"].root.children]

    assert dict.fromkeys(guids, 12) == parse_ashifts(bench.do(" ".join(get_ashifts("tank", guids).argv)))
