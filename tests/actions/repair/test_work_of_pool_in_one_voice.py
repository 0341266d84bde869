"""Removals, checkpoints and disks that are out: each voice says the same, and nothing that cannot be done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group, in_class
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf, mirror
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, PoolActivity, Scan, Vdev
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import remedies

FAILED = {"write_errors": Count(50), "note": "too many errors"}
CHECKPOINT = {"checkpoint_bytes": 4096, "checkpoint_created": int(NOW) - 900}
DISCARD = {"activities": (PoolActivity("checkpoint_discard", None, "active"),)}
STOP = "top it (zpool remove -s tank)"


def removing(top: Vdev) -> HostState:
    going = replace(top, is_removing=True)
    return trouble_at(leaf(0), going, activities=(PoolActivity("removal", top.name, "active", 30.0),))


def due(state: HostState) -> str:
    return due_in_words(repairs(state, (), NOW)[0])


def remedy_of(state: HostState, finding: str) -> str:
    found = next(each for each in findings(state, NOW, Thresholds()) if each.id == finding)
    return remedies(state, NOW)(found)


@pytest.mark.parametrize(
    ("top", "then"),
    [
        (leaf(1, read_errors=Count(5)), "attach a second disk to it, which copies with checksums"),
        (group("mirror-1", leaf(1, checksum_errors=Count(2)), leaf(2)), "not checked; scrub, and remove"),
        (
            group("mirror-1", leaf(1, checksum_errors=Count(2)), leaf(2, "FAULTED", **FAILED)),
            "bring its failed devices back, scrub",
        ),
    ],
)
def test_what_returns_errors_is_not_removed_and_the_activity_says_so_too(top: Vdev, then: str) -> None:
    state = removing(top)

    for words in (due(state), remedy_of(state, "activity-running")):
        assert STOP in words
        assert then in words


def test_a_failed_half_is_no_reason_to_stop_a_removal() -> None:
    """It is copied from the other half."""
    state = removing(group("mirror-1", leaf(1), leaf(2, "FAULTED", **FAILED)))

    assert due(state).startswith("wait for the removal to finish")
    assert "Wait." == remedy_of(state, "activity-running")


@pytest.mark.parametrize("helper", ["cache", "spare"])
@pytest.mark.parametrize("checkpoint", [CHECKPOINT, DISCARD], ids=["held", "being discarded"])
def test_a_failed_helper_stays_while_a_checkpoint_exists(helper: str, checkpoint: dict[str, object]) -> None:
    """`spa_vdev_remove` looks at the checkpoint before it looks for helpers."""
    state = trouble_at(mirror(0, 0, 1), in_class(leaf(2, "FAULTED", **FAILED), helper), **checkpoint)
    first = repairs(state, (), NOW)[0]

    assert "checkpoint" in due(state).partition("; then remove SER0002")[0]
    assert "; then remove SER0002" in due(state)
    assert "remove" not in {offer.action for step in first.steps for offer in step.offers}
    assert due(state) in remedy_of(state, f"{helper}-faulted")


def test_nothing_is_copied_off_the_only_disk_while_it_is_out() -> None:
    """ZFS goes on to call the last disk of a pool ONLINE, and tries again for ever."""
    state = trouble_at(leaf(3, write_errors=Count(48266)), gone=[3], error_count=331)

    assert due(state).startswith("put SER0003 back")
    assert "attach" not in {
        offer.action for each in repairs(state, (), NOW) for s in each.steps for offer in s.offers
    }
    assert remedy_of(state, "data-errors").startswith("Now: put SER0003 back")
    assert "with SER0003 back ZFS may read these blocks again" in repairs(state, (), NOW)[0].safety


@pytest.mark.parametrize("kind", ["initialize", "trim"])
def test_what_was_suspended_is_resumed_on_its_own_devices(kind: str) -> None:
    """Without a device zpool begins it on every disk of the pool (`zpool_collect_leaves`)."""
    name = leaf(1).name
    state = trouble_at(mirror(0, 0, 1), activities=(PoolActivity(kind, name, "suspended", 25.0),))

    assert remedy_of(state, "activity-running").startswith(f"zpool {kind} tank {name} resumes it;")


def test_what_awaits_the_next_resilver_is_filled_by_that() -> None:
    """`dsl_scan_need_resilver` skips what was deferred."""
    waits = group("mirror-1", leaf(2), leaf(3, note="(awaiting resilver)"))
    filled = group("replacing-5", leaf(5, "FAULTED", **FAILED), leaf(6, is_resilvering=True))
    scan = Scan("resilver", "scanning", start=int(NOW) - 3600, percent=40.0)
    state = trouble_at(waits, group("mirror-2", leaf(4), filled), scan=scan)

    found = [words for step in repairs(state, (), NOW)[0].steps for words in step.found]

    assert "do not touch SER0006: the resilver fills it" in found
    assert "do not touch SER0003: the next resilver fills it" in found


def test_what_a_pool_is_degraded_for_comes_before_its_helpers() -> None:
    """`vdev_propagate_state` counts the children of the root, which caches and spares are not."""
    log = in_class(group("mirror-1", leaf(2, "REMOVED"), leaf(3)), "log")
    helpers = [in_class(leaf(at, "UNAVAIL"), kind) for at, kind in ((4, "cache"), (5, "spare"), (6, "spare"))]
    state = trouble_at(mirror(0, 0, 1), log, *helpers, gone=[2, 4, 5, 6], state="DEGRADED")

    assert "SER0002" == repairs(state, (), NOW)[0].device.label
    assert {"SER0004", "SER0005", "SER0006"} == {each.device.label for each in repairs(state, (), NOW)[1:]}
