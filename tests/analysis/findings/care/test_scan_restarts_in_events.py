"""Restarts of a scan by the events of its pool."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, pool
from zconsole.analysis.findings.care.scan_restarts_in_events import restarts_in_events
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Scan

RESILVER = pool(scan=Scan("resilver", "scanning", start=int(NOW) - 700))


def events(*names: str, of: str = "tank", **fields: str) -> list[Event]:
    told = tuple(fields.items())
    return [Event(NOW, f"sysevent.fs.zfs.{each}", of, at, told) for at, each in enumerate(names)]


@pytest.mark.parametrize(
    ("expected", "names"),
    [
        (0, ()),
        (0, ("resilver_start",)),
        (2, ("resilver_start", "resilver_start", "vdev_online", "resilver_start")),
        (0, ("resilver_start", "resilver_start", "resilver_finish", "resilver_start")),
        (1, ("resilver_finish", "resilver_start", "resilver_start")),
        (0, ("scrub_start", "scrub_start", "resilver_start")),
        (0, ("resilver_start", "resilver_start", "scrub_abort", "resilver_start")),
    ],
)
def test_starts_without_an_end_between_them_are_restarts(expected: int, names: tuple[str, ...]) -> None:
    assert expected == restarts_in_events(RESILVER, events(*names))


def test_only_the_pool_itself_counts_and_no_sequential_resilver() -> None:
    starts = ("resilver_start",) * 4

    assert 0 == restarts_in_events(RESILVER, events(*starts, of="other"))
    assert 0 == restarts_in_events(RESILVER, events(*starts, resilver_type="sequential"))
    assert 3 == restarts_in_events(RESILVER, events(*starts, resilver_type="healing"))


def test_without_a_running_scan_there_is_no_restart() -> None:
    assert 0 == restarts_in_events(pool(scan=None), events("resilver_start", "resilver_start"))
    assert 0 == restarts_in_events(pool(), events("scrub_start", "scrub_start"))
