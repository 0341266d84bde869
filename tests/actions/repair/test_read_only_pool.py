"""A pool that was imported read-only: nothing is waited for, and nothing that writes is offered."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, group, scrubbed
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, Scan, Vdev
from zconsole.reports.monitoring_check import check_host, check_line
from zconsole.reports.text.status import status_lines
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import remedies

RUNS = Scan("resilver", "scanning", start=int(NOW) - 3600, percent=40.0)
EXPORT = "export tank, and import it without readonly=on when it may be written to"
FAILED = {"write_errors": Count(50), "note": "too many errors"}


def read_only(*tops: Vdev, **of_pool: object) -> HostState:
    return trouble_at(*tops, **{"readonly": "on", "scan": scrubbed(days_ago=3), **of_pool})


def said(state: HostState) -> str:
    """All that `status` and `check` say of a host, and what is due in its repairs."""
    found = findings(state, NOW, Thresholds())
    line = check_line([check_host(state, found, remedy_of=remedies(state, NOW))], Thresholds())
    due = (due_in_words(each) for each in repairs(state, (), NOW))
    return "\n".join((*status_lines(state, found, NOW), line, *due))


def remedy_of(state: HostState, finding: str) -> str:
    found = next(each for each in findings(state, NOW, Thresholds()) if each.id == finding)
    return remedies(state, NOW)(found)


def test_what_a_disk_missed_is_not_shown() -> None:
    words = said(read_only(group("mirror-0", leaf(0), leaf(1))))

    assert "mirror-0 survives at most 1 failure." in words
    assert "ZFS OK - tank ONLINE; tank: imported read-only" in words
    assert "Info: tank: imported read-only" in words


@pytest.mark.parametrize(
    "top",
    [
        group("mirror-0", leaf(0), leaf(1)),
        group("mirror-0", leaf(0), leaf(1, is_resilvering=True)),
        group("mirror-0", leaf(0), group("replacing-1", leaf(1), leaf(2))),
        group("mirror-0", leaf(0), group("replacing-1", leaf(1, "FAULTED", **FAILED), leaf(2))),
        group("raidz1-0", leaf(0), leaf(1, "OFFLINE"), leaf(2)),
    ],
)
def test_a_resilver_stands_still_and_is_not_waited_for(top: Vdev) -> None:
    words = said(read_only(top, scan=RUNS))

    assert "resilver 40%, stands still while the pool is imported read-only" in words
    assert "ait for" not in words.replace("do not wait for", "")
    assert "Wait." not in words
    assert "Wait until" not in words
    assert " left\n" not in words


@pytest.mark.parametrize(
    "of_pool",
    [{}, {"scan": RUNS}, {"error_count": 5}, {"scan": None}],
    ids=["alone", "scan", "damage", "no scan"],
)
@pytest.mark.parametrize("state", ["FAULTED", "OFFLINE", "REMOVED", "DEGRADED", "ONLINE"])
def test_nothing_that_writes_to_it_is_offered(state: str, of_pool: dict[str, object]) -> None:
    bad = leaf(1, state, checksum_errors=Count(9))
    host = read_only(group("raidz2-0", leaf(0), bad, leaf(2), leaf(3)), unused=2, **of_pool)

    offered = {
        offer.action for each in repairs(host, (), NOW) for step in each.steps for offer in step.offers
    }

    assert offered <= {"locate"}
    assert all(EXPORT in due_in_words(each) for each in repairs(host, (), NOW))


def test_what_matters_is_copied_off_a_damaged_pool_before_it_is_exported() -> None:
    top = group("raidz1-0", leaf(0), leaf(1, "FAULTED", **FAILED), leaf(2, checksum_errors=Count(9)))
    state = read_only(top, error_count=5)

    for finding in ("data-errors", "vdev-no-redundancy", "pool-degraded", "pool-read-only", "device-faulted"):
        assert (
            remedy_of(state, finding)
            .removeprefix("Now: ")
            .lower()
            .startswith("copy what matters off tank first")
        )


def test_a_sound_one_is_exported_at_once() -> None:
    state = read_only(group("raidz2-0", leaf(0), leaf(1, "OFFLINE"), leaf(2), leaf(3)))

    assert remedy_of(state, "pool-degraded").startswith(f"Now: {EXPORT}")
    assert remedy_of(state, "pool-read-only").startswith(f"{EXPORT[:1].upper()}{EXPORT[1:]}")
