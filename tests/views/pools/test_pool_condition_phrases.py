"""Clauses on a pool: what is unknown has none, and percentages are rounded down."""

from __future__ import annotations

import pytest

from tests.analysis.build import DAY, NOW, host, pool
from tests.reports.captured import captured
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.pools.pool import Scan
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.pools import pool_condition_phrases as condition
from zconsole.views.pools import pool_list
from zconsole.views.pools.pool_columns import columns

GIB = 1024**3


def test_space_is_of_what_files_can_use() -> None:
    known = pool(usable_used_bytes=7999, usable_available_bytes=2001, fragmentation_percent=9)

    assert "79% used of 9.77 KiB" == condition.used(known)
    assert "1.95 KiB free" == condition.free(known)
    assert "frag 9%" == condition.fragmentation(known)


def test_what_is_unknown_has_no_clause() -> None:
    blank = pool(usable_used_bytes=None, size_bytes=None, fragmentation_percent=None, error_count=None)

    assert ("", "", "", "", "") == (
        condition.used(blank),
        condition.free(blank),
        condition.fragmentation(blank),
        condition.data_errors(blank),
        condition.checkpoint(blank),
    )


@pytest.mark.parametrize(
    ("expected", "scan"),
    [
        ("never scrubbed", None),
        ("scrub 12d ago, no errors", Scan("scrub", "finished", end=int(NOW) - 12 * DAY, errors=0)),
        (
            "resilver finished 3h ago, 2 errors, resilvered 1.00 GiB",
            Scan("resilver", "finished", end=int(NOW) - 3 * 3600, errors=2, repaired_bytes=GIB),
        ),
        ("scrub canceled 1h ago", Scan("scrub", "canceled", end=int(NOW) - 3600)),
    ],
)
def test_the_last_scan_has_its_age_and_errors(expected: str, scan: Scan | None) -> None:
    assert expected == condition.last_scan(pool(scan=scan), NOW)


@pytest.mark.parametrize(
    ("expected", "errors"),
    [("no data errors", 0), ("1 permanent data error", 1), ("2 permanent data errors", 2)],
)
def test_data_errors_are_counted(expected: str, errors: int) -> None:
    assert expected == condition.data_errors(pool(error_count=errors))


def test_a_checkpoint_holds_space() -> None:
    assert "checkpoint holds 1.00 GiB" == condition.checkpoint(pool(checkpoint_bytes=GIB))


@pytest.mark.parametrize(("series", "mapping"), [("2.1", "480 B"), ("2.4", "408 B")])
def test_a_removal_that_ended_says_when_and_what_its_mapping_takes(series: str, mapping: str) -> None:
    pool_read = captured(series, "indirect").pools[0].pool.value
    assert pool_read is not None
    (activity,) = [each for each in pool_read.activities if each.kind == "removal"]
    told = condition.activity_in_words(activity)

    assert told.startswith("removal of vdev 1 finished, 100%, 2026-11-2")
    assert f" UTC, {mapping}" in told
    assert told.endswith(" of memory for its mapping")


@pytest.mark.parametrize("per_mille", [799, 899, 939, 949, 999])
def test_one_pool_is_equally_full_wherever_it_is_told_and_no_limit_is_shown_before_it_is_reached(
    per_mille: int,
) -> None:
    """Rounded in one place and cut in another, one output told 93 % and 94 % of the same pool."""
    of = pool(usable_used_bytes=per_mille * GIB, usable_available_bytes=(1000 - per_mille) * GIB)
    state = host(of)
    expected = f"{per_mille // 10}%"
    found = findings(state, NOW, Thresholds())
    rows = pool_list.page(View((HostView(state),), NOW, 0.0)).table.rows
    cells = [dict(zip([column.id for column in columns()], row.cells, strict=True)) for row in rows]

    assert condition.used(of).startswith(f"{expected} used of")
    assert [expected] * (per_mille >= 800) == [
        each.summary.partition(" ")[0] for each in found if each.id.startswith("capacity-")
    ]
    assert [expected] == [each["used"].text for each in cells]
