"""Advice on the properties of a pool: what counts as trimmed, larger, odd."""

from __future__ import annotations

import pytest

from tests.analysis.build import DAY, NOW, disk, group, pool
from tests.analysis.findings.judging import said
from zconsole.analysis.findings.pool_property_rules import (
    failmode_is_not_wait,
    larger_disks_do_not_expand,
    solid_state_is_not_trimmed,
)


def test_disks_of_unknown_kind_are_left_alone() -> None:
    assert [] == said(solid_state_is_not_trimmed, pool(autotrim="off", creation=int(NOW) - 400 * DAY))


@pytest.mark.parametrize(
    ("sizes", "larger"), [((100, 110), 1), ((100, 109), 0), ((100, None), 0), ((100,), 0)]
)
def test_a_tenth_more_is_larger(sizes: tuple[int | None, ...], larger: int) -> None:
    leaves = (disk(f"sd{at}", physical_bytes=each) for at, each in enumerate(sizes))
    told = said(larger_disks_do_not_expand, pool(group("mirror-0", *leaves), autoexpand="off"))

    assert larger == len(told)


@pytest.mark.parametrize(("failmode", "speaks"), [("wait", 0), (None, 0), ("continue", 1), ("panic", 1)])
def test_only_other_failmodes_are_told(failmode: str | None, speaks: int) -> None:
    assert speaks == len(said(failmode_is_not_wait, pool(failmode=failmode)))
