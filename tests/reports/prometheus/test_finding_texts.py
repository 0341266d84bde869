"""The sentence of a finding as a label: no number in it that changes, and all of its names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.fixed_width_formatting import duration, size
from zconsole.model.finding import Finding, Severity
from zconsole.reports.prometheus.finding_texts import text_of


def told(summary: str) -> str:
    """The text of a finding on tank."""
    return text_of(Finding("x", Severity.WARNING, "tank", summary, {"pool": "tank"}))


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("DEGRADED: ata-HGST_VLGX4P7Y FAULTED", "DEGRADED for 5h36m: ata-HGST_VLGX4P7Y FAULTED"),
        ("sda has read and write errors", "sda has 14 read and 1,210 write errors"),
        (
            "sda has many times the read latency of its peers, N",
            "sda has 20x the read latency of its peers, 12.5ms",
        ),
        ("unreachable", "unreachable for about 3d"),
        ("N% full, N TiB left (N of N).", "80% full, 1.75 TiB left (3 of 10)."),
        ("no redundancy left in mirror-0", "no redundancy left in mirror-0"),
        ("scsi-35000c500a0000003 of raidz2-1 is FAULTED", "scsi-35000c500a0000003 of raidz2-1 is FAULTED"),
        ("tank/vm@2026-10-26_00:00:00 is held", "tank/vm@2026-10-26_00:00:00 is held"),
        (
            "OpenZFS 2.2.2 may damage data (openzfs/zfs#15526)",
            "OpenZFS 2.2.2 may damage data (openzfs/zfs#15526)",
        ),
    ],
)
def test_numbers_that_go_with_time_are_left_out_and_names_are_not(text: str, summary: str) -> None:
    assert f"tank: {text}" == told(summary)


@given(st.floats(1, 1e9), st.floats(1, 1e9), st.integers(1, 10**15), st.integers(1, 10**15))
def test_time_and_growth_make_no_new_text(one: float, other: float, few: int, many: int) -> None:
    def text(seconds: float, count: int) -> str:
        return told(f"DEGRADED for {duration(seconds)}: {count} errors, {count / 100:.1f}x, {count} ms")

    assert text(one, few) == text(other, many)
    assert told(f"{size(few)} left").rpartition(" ")[0].startswith("tank: N ")
