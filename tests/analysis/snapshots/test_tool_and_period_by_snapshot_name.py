"""Snapshots are known by their names, gaps in them are found, and sanoid's pruning is foretold."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.snapshots.tool_and_period_by_snapshot_name import KINDS, ScheduleName, family_of


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        (ScheduleName("sanoid", "hourly", at(2026, 11, 21, 3)), "autosnap_2026-11-21_03:00:00_hourly"),
        (
            ScheduleName("sanoid", "frequent", at(2026, 11, 21, 3, 15, 1)),
            "autosnap_2026-11-21_03:15:01_frequently",
        ),
        (ScheduleName("sanoid", "yearly", at(2026, 1, 1)), "tank/home@autosnap_2026-01-01_00:00:00_yearly"),
        (
            ScheduleName("zfs-auto-snapshot", "daily", at(2026, 11, 21, 6, 25)),
            "zfs-auto-snap_daily-2026-11-21-0625",
        ),
        (ScheduleName("zrepl", "", at(2026, 11, 21, 3, 0, 59)), "zrepl_20261121_030059_000"),
        (ScheduleName("zfs_autobackup", "", at(2026, 11, 21, 3), "offsite1"), "offsite1-20261121030000"),
        (
            ScheduleName("syncoid", "", at(2026, 11, 21, 3, 0, 12), "vault"),
            "syncoid_vault_2026-11-21:03:00:12-GMT01:00",
        ),
        (ScheduleName("syncoid", "", at(2026, 11, 21, 3, 0, 12), "a_b"), "syncoid_a_b_2026-11-21:03:00:12"),
        (ScheduleName("sanoid", "hourly", None), "autosnap_2026-99-99_03:00:00_hourly"),
        (ScheduleName(), "before-upgrade"),
        (ScheduleName(), "autosnap_2026-11-21_03:00:00_hourly2"),
        (ScheduleName(), "tank@2026-11-21"),
        (ScheduleName(), "-20261121030000"),
    ],
)
def test_a_name_tells_its_family(expected: ScheduleName, name: str) -> None:
    assert expected == family_of(name)


@given(st.text())
def test_any_name_has_a_family(name: str) -> None:
    assert family_of(name).kind in {"", *KINDS}
