"""Snapshots are known by their names, gaps in them are found, and sanoid's pruning is foretold."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.snapshots.schedules import KINDS, Family, family_of


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        (Family("sanoid", "hourly", at(2026, 11, 21, 3)), "autosnap_2026-11-21_03:00:00_hourly"),
        (Family("sanoid", "frequent", at(2026, 11, 21, 3, 15, 1)), "autosnap_2026-11-21_03:15:01_frequently"),
        (Family("sanoid", "yearly", at(2026, 1, 1)), "tank/home@autosnap_2026-01-01_00:00:00_yearly"),
        (
            Family("zfs-auto-snapshot", "daily", at(2026, 11, 21, 6, 25)),
            "zfs-auto-snap_daily-2026-11-21-0625",
        ),
        (Family("zrepl", "", at(2026, 11, 21, 3, 0, 59)), "zrepl_20261121_030059_000"),
        (Family("zfs_autobackup", "", at(2026, 11, 21, 3), "offsite1"), "offsite1-20261121030000"),
        (
            Family("syncoid", "", at(2026, 11, 21, 3, 0, 12), "vault"),
            "syncoid_vault_2026-11-21:03:00:12-GMT01:00",
        ),
        (Family("syncoid", "", at(2026, 11, 21, 3, 0, 12), "a_b"), "syncoid_a_b_2026-11-21:03:00:12"),
        (Family("sanoid", "hourly", None), "autosnap_2026-99-99_03:00:00_hourly"),
        (Family(), "before-upgrade"),
        (Family(), "autosnap_2026-11-21_03:00:00_hourly2"),
        (Family(), "tank@2026-11-21"),
        (Family(), "-20261121030000"),
    ],
)
def test_a_name_tells_its_family(expected: Family, name: str) -> None:
    assert expected == family_of(name)


@given(st.text())
def test_any_name_has_a_family(name: str) -> None:
    assert family_of(name).kind in {"", *KINDS}
